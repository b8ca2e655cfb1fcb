/** A failure as plain data: it can be stored, sent to a worker, and tested without an error object. */

import { formatInteger, formatHex } from "../ui/numbers.ts";
import { refusalAdvice } from "gguf-wasm/common/refusals.js";
import type { OtherFormat } from "gguf-wasm/common/other-formats.js";

export interface Failure {
  code: string;
  /** What failed to open. Absent: a file. */
  about?: "repository" | "search";
  /** Whether the device had no connection. */
  isOffline?: boolean;
  /** The message of the library, for experts. */
  message: string;
  offset?: number;
  status?: number;
  url?: string;
  /** The format that the file has in place of GGUF, if its first bytes tell. */
  looksLike?: OtherFormat;
  /** The number of bytes that were read. */
  bytesRead?: number;
  fileSize?: number;
}

/** The codes of failures that a missing connection causes. */
const UNREACHABLE: ReadonlySet<string> = new Set(["network", "timeout"]);

/** The plain data of anything that was thrown. */
export function failureOf(error: unknown, known: Partial<Failure> = {}): Failure {
  const failure: Failure = {
    code: "unknown",
    message: error instanceof Error ? error.message : String(error),
    ...known,
  };
  if (error instanceof Error) {
    const details = error as Error & Record<"code" | "offset" | "status" | "url" | "format", unknown>;
    if (error.name === "AddressError") failure.code = "address";
    if (error.name === "AbortError") failure.code = "cancelled";
    // WebAssembly ends a program that reaches beyond its memory, or that finds a mistake of its own.
    if (error instanceof WebAssembly.RuntimeError) failure.code = "stopped";
    if (error.name === "GgufError" && typeof details.code === "string") failure.code = details.code;
    if (typeof details.offset === "number") failure.offset = details.offset;
    if (typeof details.status === "number") failure.status = details.status;
    if (typeof details.url === "string") failure.url = details.url;
    if (typeof details.format === "string") failure.looksLike = details.format as OtherFormat;
  }
  if (UNREACHABLE.has(failure.code) && globalThis.navigator?.onLine === false) failure.isOffline = true;
  return failure;
}

/** The failure of a save. An error without a code means that the file could not be written. */
export function saveFailureOf(error: unknown): Failure {
  const failure = failureOf(error);
  return failure.code === "unknown" ? { ...failure, code: "write-failed" } : failure;
}

/** The line with the technical details. */
export function technicalDetails(failure: Failure, said = ""): string {
  const parts = [failure.code];
  // The message often contains the status and the offset already.
  if (failure.status !== undefined && !failure.message.includes(String(failure.status)))
    parts.push(`HTTP ${failure.status}`);
  if (failure.offset !== undefined && !failure.message.includes(formatHex(failure.offset)))
    parts.push(`offset ${formatHex(failure.offset)} (${formatInteger(failure.offset)})`);
  // What is said, and the advice after it, are the library's words for what the page says in its own.
  const [own = ""] = said === "" ? [failure.message] : failure.message.split(` ${said}`, 1);
  const advice = failure.code === "http" ? refusalAdvice(failure) : undefined;
  const message = advice === undefined ? own : own.replace(`. ${advice}`, "");
  if (message && failure.code !== "address" && !isSaid(message, said)) parts.push(message);
  return parts.join(" · ");
}

/** Whether a text says the same as another one, except for a capital letter and the full stop. */
export function isSaid(text: string, said: string): boolean {
  return said.toLowerCase().includes(text.toLowerCase().replace(/\.$/, ""));
}

/** An error with the data of a failure, as if it had been thrown here and not in a worker. */
export function errorFrom(failure: Failure): Error {
  return Object.assign(new Error(failure.message), failure, {
    name: failure.code === "cancelled" ? "AbortError" : "GgufError",
  });
}

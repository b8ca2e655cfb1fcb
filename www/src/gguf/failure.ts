/** What went wrong, as plain data: it can be kept, shown and told apart without what was thrown. */

import { grouped, hex } from "../ui/numbers.ts";
import type { Lookalike } from "./lookalike.ts";

/** What is known about a failure; plain data, so that the words can be tested without one. */
export interface Failure {
  code: string;
  /** The library's own message, for those who know what to do with it. */
  message: string;
  offset?: number;
  status?: number;
  url?: string;
  /** What the first bytes look like, when they are not GGUF's. */
  looksLike?: Lookalike;
  /** As far as the reader came. */
  bytesRead?: number;
  fileSize?: number;
}

/** A thrown thing as plain data. */
export function failureOf(error: unknown, known: Partial<Failure> = {}): Failure {
  const failure: Failure = {
    code: "unknown",
    message: error instanceof Error ? error.message : String(error),
    ...known,
  };
  if (error instanceof Error) {
    const details = error as Error & { code?: unknown; offset?: unknown; status?: unknown; url?: unknown };
    if (error.name === "AddressError") failure.code = "address";
    if (error.name === "AbortError") failure.code = "cancelled";
    if (error.name === "GgufError" && typeof details.code === "string") failure.code = details.code;
    if (typeof details.offset === "number") failure.offset = details.offset;
    if (typeof details.status === "number") failure.status = details.status;
    if (typeof details.url === "string") failure.url = details.url;
  }
  return failure;
}

/** What went wrong with a save: that nobody has named it makes it no failure to open a file. */
export function saveFailureOf(error: unknown): Failure {
  const failure = failureOf(error);
  return failure.code === "unknown" ? { ...failure, code: "write-failed" } : failure;
}

/** The line for those who want to know exactly. */
export function technicalLine(failure: Failure): string {
  const parts = [failure.code];
  // The reader's messages often say these already.
  if (failure.status !== undefined && !failure.message.includes(String(failure.status)))
    parts.push(`HTTP ${failure.status}`);
  if (failure.offset !== undefined && !failure.message.includes(hex(failure.offset)))
    parts.push(`offset ${hex(failure.offset)} (${grouped(failure.offset)})`);
  if (failure.message && failure.code !== "address") parts.push(failure.message);
  return parts.join(" · ");
}

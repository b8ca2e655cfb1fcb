import { expect, test } from "@playwright/test";
import type { GgufErrorCode } from "gguf-wasm/full";
import { errorText } from "../../../www/src/gguf/error-texts.ts";
import { failureOf, technicalDetails } from "../../../www/src/gguf/failure.ts";

test("every code has a text, and an unknown code has a general text", () => {
  // The type checks that this list is complete.
  const all: Record<GgufErrorCode | "engine" | "stopped" | "cancelled", true> = {
    "bad-magic": true,
    "bad-structure": true,
    "unsupported-version": true,
    "unexpected-eof": true,
    "unknown-value-type": true,
    "limit-exceeded": true,
    "too-large": true,
    http: true,
    network: true,
    cors: true,
    timeout: true,
    "bad-response": true,
    "rate-limited": true,
    "repository-not-found": true,
    "revision-not-found": true,
    "repository-denied": true,
    "no-gguf-files": true,
    "headers-withheld": true,
    "bad-range": true,
    "no-ranges": true,
    changed: true,
    "read-failed": true,
    "size-unknown": true,
    "invalid-source": true,
    "invalid-argument": true,
    "unknown-tensor": true,
    "unknown-type": true,
    "out-of-range": true,
    "wrong-type": true,
    "unknown-key": true,
    "unknown-change": true,
    conflict: true,
    "key-taken": true,
    "name-taken": true,
    "bad-key": true,
    "bad-name": true,
    "does-not-fit": true,
    "bad-alignment": true,
    truncated: true,
    "no-byte-order": true,
    "no-tokenizer": true,
    unsupported: true,
    "unknown-pre-tokenizer": true,
    "bad-vocabulary": true,
    "no-chat-template": true,
    "template-syntax": true,
    "template-render": true,
    "template-raised": true,
    "template-limit": true,
    "template-context": true,
    "template-conversation": true,
    "bad-manifest": true,
    "bad-imatrix": true,
    "bad-json": true,
    "bad-safetensors": true,
    "bad-model-card": true,
    "incomplete-model": true,
    "unsupported-model": true,
    "needs-imatrix": true,
    "already-quantized": true,
    "invalid-data": true,
    "worker-failed": true,
    "no-room": true,
    "not-in-place": true,
    "write-failed": true,
    interrupted: true,
    "other-module": true,
    "other-entry": true,
    freed: true,
    "incomplete-set": true,
    "foreign-shard": true,
    busy: true,
    internal: true,
    engine: true,
    stopped: true,
    cancelled: true,
  };
  const codes = Object.keys(all);
  const titles = codes.map((code) => errorText({ code, message: "" }).title);
  expect(new Set(titles).size).toBe(codes.length);
  for (const status of [400, 401, 403, 404, 410, 429, 500, 503]) {
    expect(errorText({ code: "http", message: "", status, url: "https://h.example/x" }).what).toContain(String(status));
  }
  expect(errorText({ code: "toString", message: "m" }).what).toBe("m");
  expect(errorText({ code: "http", message: "", status: 401, url: "https://huggingface.co/a" }).next[0]).toContain(
    "gated",
  );
});

test("a file that is cut off in the data of its last tensor has a whole header", () => {
  const message = "cannot read the data of the last tensor at offset 0x3c0: the file ends at 0x3e8.";
  const { what } = errorText({ code: "unexpected-eof", message, offset: 960 });
  expect(what).toBe("The file ends before the end of the data of its last tensor.");
  const inHeader = errorText({ code: "unexpected-eof", message: "cannot read the header at offset 0x8", offset: 8 });
  expect(inHeader.what).toContain("in the middle of its header");
});

test("a thrown error becomes plain data", () => {
  const error = Object.assign(new Error("cut"), { name: "GgufError", code: "unexpected-eof", offset: 499 });
  expect(failureOf(error)).toEqual({ code: "unexpected-eof", message: "cut", offset: 499 });
  expect(technicalDetails(failureOf(error))).toBe("unexpected-eof · offset 0x1f3 (499) · cut");
  // What the page says above it is not said again, and the same is true of steps.
  expect(technicalDetails(failureOf(error), "Cut.")).toBe("unexpected-eof · offset 0x1f3 (499)");
  const damaged = (message: string) => errorText({ code: "bad-safetensors", message }).next;
  expect(damaged("the header cannot be read; download the file again")).toEqual([]);
  expect(damaged("the header cannot be read")).toEqual(["Download the file again."]);
  expect(failureOf(new DOMException("", "AbortError")).code).toBe("cancelled");
  expect(failureOf("text")).toEqual({ code: "unknown", message: "text" });
});

test("a file of another format and a damaged one are named, whatever the code is", () => {
  const fail = (code: string, format: string, message: string) =>
    failureOf(Object.assign(new Error(message), { name: "GgufError", code, format }));
  const page = fail(
    "bad-magic",
    "html",
    'the file begins with "<!DO" instead of "GGUF". It is a web page: more. Advice.',
  );
  const said = errorText(page);
  expect(said.title).toBe("This is not a GGUF file");
  expect(said.what).toContain("It is a web page");
  expect(said.next.join(" ")).toContain("/resolve/");
  const damaged = errorText(fail("unknown-value-type", "text-mode", "the value type is 99, expected 0 to 12."));
  expect(damaged.title).toBe("This GGUF file is damaged");
  expect(damaged.what).toContain("carriage return");
  // The page has advice of its own where it can do more.
  expect(errorText(fail("bad-magic", "safetensors", "")).next.join(" ")).toContain("this page makes a GGUF file of it");
  // The technical line does not say it again.
  const full = fail("bad-magic", "empty", "no magic. The file is empty. Download or copy it again.");
  expect(technicalDetails(full, errorText(full).what)).toBe("bad-magic · no magic.");
});

test("the reason of a hub for a refusal is said, with what to do", () => {
  const refused = (status: number, reason: string) =>
    errorText(
      failureOf(
        Object.assign(new Error(`the server responded with status ${status} ${reason}, expected 206`), {
          name: "GgufError",
          code: "http",
          status,
        }),
      ),
    );
  expect(refused(401, "GatedRepo").title).toBe("The model is gated");
  expect(refused(401, "RepoNotFound").what).toContain("or it is private");
  expect(refused(404, "EntryNotFound").what).toContain("no file of this name");
  expect(refused(404, "RevisionNotFound").title).toBe("Revision not found");
  expect(refused(404, "constructor").title).toBe("File not found");
});

// What callers give as sources.

import { GgufError } from "../gguf-error.js";
import { describe, isSize, reasonOf, hasSecret, shortened } from "./errors.js";

/** @param {string} message @param {ErrorOptions} [options] */
const refused = (message, options) => new GgufError("invalid-source", message, options);

/** @param {any} object */
export function isResponse({ status, headers, arrayBuffer }) {
  return typeof status === "number" && Object(headers) === headers && typeof arrayBuffer === "function";
}

/**
 * Whether a value is an `ArrayBuffer` or a `SharedArrayBuffer`, also one of another window or context.
 *
 * @param {unknown} value
 */
export function isBuffer(value) {
  try {
    // A view of all other values cannot be made, nor of a buffer whose memory has been transferred away.
    return value instanceof ArrayBuffer || !!new DataView(/** @type {any} */ (value));
  } catch {
    return false;
  }
}

/**
 * The kind of a source, what is read, and the size of an object of the caller. Bytes and file handles have been told apart before.
 *
 * @param {any} given
 * @param {string} entry the entry of this module for programs with a file system
 * @returns {["url", string] | ["blob" | "stream" | "response", unknown] | ["read", Function, number | undefined]}
 */
export function sourceOf(given, entry) {
  if (typeof given === "string") return ["url", given];
  if (Object(given) !== given) {
    const expected = "expected a URL, a Blob, bytes, a stream, a file handle, or an object with read()";
    throw refused(`the source is ${describe(given)}, ${expected}`);
  }
  if (given instanceof Blob) return ["blob", given];
  const { href } = given;
  if (typeof href === "string") return ["url", href];
  if (typeof given.getReader === "function") return ["stream", given];
  const { read } = given;
  if (typeof read !== "function") {
    if (isResponse(given)) return ["response", given];
    throw refused("the source is an object without a method read(), getFile() or getReader(), expected one of them");
  }
  // Some objects of Node.js have such a method, too.
  const only = `which only "${entry}" opens. Import Gguf from there`;
  if (typeof given.pipe === "function") {
    throw refused(`the source is a stream of Node.js, ${only}, or pass Readable.toWeb(stream)`);
  }
  if (typeof given.fd === "number") throw refused(`the source is a FileHandle of Node.js, ${only}`);
  const size = given.size ?? undefined;
  if (!isSize(size)) {
    throw refused(`the size of the source is ${describe(size)}, expected an integer from 0 to 2^53 - 1`);
  }
  return ["read", read, size];
}

/**
 * The reader of a stream, which may be an object that only behaves like one.
 *
 * @param {{ getReader(): { read(): Promise<any>, cancel(): unknown, releaseLock(): void } }} stream
 */
export function readerOf(stream) {
  const reader = stream.getReader();
  return {
    /** An array with the next chunk, or `undefined` at the end. */
    read: async () => {
      const result = await reader.read();
      if (Object(result) === result) return result.done ? undefined : [result.value];
      throw new GgufError(
        "read-failed",
        `the stream cannot be read: read() of its reader returned a ${typeof result}, expected { done, value }`,
      );
    },
    cancel: () => {
      // `race` turns everything that a member of the caller throws into a rejection. The rejection is ignored.
      const ignored = async (/** @type {() => unknown} */ call) => Promise.race([call()]);
      void ignored(() => reader.cancel()).catch(() => {});
      void ignored(() => reader.releaseLock()).catch(() => {});
    },
  };
}

/** The beginning of a path: a drive, or the scheme of files. */
const PATH = /^$|^.:|^file:/i;

/**
 * The address that a request of a text has. It may be relative to that of the page.
 *
 * @param {string} text
 * @param {boolean} isOfCaller whether the caller's own `fetch` gets it
 * @param {boolean} hasPaths whether paths can be opened
 * @param {string} entry the entry of this module where they can
 */
export function addressOf(text, isOfCaller, hasPaths, entry) {
  const expected = hasPaths
    ? "expected a path or a URL"
    : `expected a URL. For a local file, import Gguf from "${entry}" in Node.js, Deno and Bun; in a browser, pass a File`;
  const message = `the source is ${describe(text)}, ${expected}`;
  if (!isOfCaller && PATH.test(text)) throw refused(message);
  try {
    return new Request(text).url;
  } catch (cause) {
    // The caller's `fetch` may accept addresses that the host does not.
    if (isOfCaller) return text;
    // The host's error would quote the password.
    if (hasSecret(text)) {
      throw refused("the URL cannot be requested: it contains a user name or a password. Give options.headers");
    }
    throw refused(`${message}: ${shortened(reasonOf(cause), text)}`, { cause });
  }
}

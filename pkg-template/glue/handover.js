// Reading a source of another thread through a port.

import { GgufError } from "../gguf-error.js";
import { describe, isOwn, isSize, memberOf, reasonOf } from "./errors.js";

/**
 * @typedef {{ read(start: number, end: number, options: { signal?: AbortSignal }): Promise<Uint8Array> }} Readable
 * @typedef {{ name: string, message: string, code?: import("gguf-wasm").GgufErrorCode, offset?: number, status?: number, url?: string }} PostedError
 */

/** The version of messages. Another copy of the package can have another version. */
const VERSION = 1;

/**
 * The parts of an opened file, in the form that `takenOver` accepts.
 *
 * @param {Uint8Array} header
 * @param {unknown} source a `Blob`, bytes, or an object with `read`; `undefined` for a stream that has been read
 * @param {number} [size]
 */
export function handedOver(header, source, size) {
  return { gguf: VERSION, header, source, size };
}

/**
 * The parts of an opened file as a message for another thread.
 *
 * @param {ReturnType<typeof handedOver>} parts
 */
export function postableOf(parts) {
  const { source } = parts;
  if (typeof (/** @type {any} */ (source)?.read) !== "function") return { ...parts, transfer: [] };
  const port = servedPort(/** @type {Readable} */ (source));
  return { ...parts, source: port, isPort: true, transfer: [port] };
}

/**
 * The header, the source and the size of an opened file that another entry or thread hands over.
 *
 * @param {any} other
 */
export function takenOver(other) {
  const given = typeof other?._handOver === "function" ? other._handOver() : other;
  const { gguf, header, source, size, isPort } = Object(given);
  const { postMessage, addEventListener, onmessage } = Object(isPort && source);
  // A port has one reader. A second reader would take the responses to the first.
  const canRead =
    !isPort || (typeof postMessage === "function" && typeof addEventListener === "function" && !onmessage);
  if (gguf === VERSION && header instanceof Uint8Array && isSize(size) && canRead) {
    return [header, isPort ? portSource(source) : source, size];
  }
  const expected = "expected a Gguf, a GgufSet, or an unused message of toMessage() of this version";
  throw new GgufError("invalid-argument", `${describe(other)} is no open file: ${expected}`);
}

/**
 * A port whose other end reads the source. A message `{ id, start, end }` asks for a range, and `{ id }` cancels the read. The
 * answers are `{ id, bytes }` and `{ id, error }`.
 *
 * @param {Readable} source
 */
function servedPort(source) {
  const { port1, port2 } = new MessageChannel();
  /** @type {Map<number, AbortController>} */
  const reads = new Map();
  port1.onmessage = async ({ data }) => {
    const { id, start, end } = Object(data);
    if (start === undefined) return reads.get(id)?.abort();
    const abort = new AbortController();
    reads.set(id, abort);
    try {
      port1.postMessage({ id, bytes: await source.read(start, end, { signal: abort.signal }) });
    } catch (error) {
      if (!abort.signal.aborted) port1.postMessage({ id, error: posted(error) });
    } finally {
      reads.delete(id);
    }
  };
  // Node.js and Deno do not wait for the other end to ask.
  /** @type {{ unref?(): void }} */ (port1).unref?.();
  return port2;
}

/**
 * The parts of an error that every host can post: texts and numbers. The source may throw anything.
 *
 * @param {unknown} error
 * @returns {PostedError}
 */
function posted(error) {
  const names = ["name", "message", ...(isOwn(error) ? ["code", "offset", "status", "url"] : [])];
  const members = names.map((name) => [name, memberOf(error, name)]);
  const known = members.filter(([, value]) => typeof value === "string" || typeof value === "number");
  return { name: "Error", message: reasonOf(error), ...Object.fromEntries(known) };
}

/**
 * The source that the other end of a port reads.
 *
 * @param {MessagePort & { ref?(): void, unref?(): void }} port
 * @returns {Readable}
 */
function portSource(port) {
  /** @type {Map<number, { resolve(bytes: Uint8Array): void, reject(error: unknown): void }>} */
  const reads = new Map();
  let last = 0;
  let isClosed = false;
  /** @param {number} id */
  const take = (id) => {
    const read = reads.get(id);
    reads.delete(id);
    // A host with processes ends when nothing is read.
    if (reads.size === 0) port.unref?.();
    return read;
  };
  const closed = () => new Error("the thread that has the source has ended");
  port.onmessage = ({ data }) => {
    const { id, bytes, error } = Object(data);
    const read = take(id);
    if (!error) return read?.resolve(bytes);
    const { name, message, code, ...members } = /** @type {PostedError} */ (error);
    const own = code ? new GgufError(code, message) : Object.assign(new Error(message), { name });
    for (const [member, value] of Object.entries(members))
      if (value !== undefined) Object.assign(own, { [member]: value });
    read?.reject(own);
  };
  port.addEventListener("close", () => {
    isClosed = true;
    for (const id of [...reads.keys()]) take(id)?.reject(closed());
  });
  port.unref?.();
  return {
    read: (start, end, { signal }) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closed());
        const id = ++last;
        reads.set(id, { resolve, reject });
        port.ref?.();
        port.postMessage({ id, start, end });
        signal?.addEventListener("abort", () => {
          if (take(id)) port.postMessage({ id });
          reject(signal.reason);
        });
      }),
  };
}

// Files of many gigabytes that take no space: a header, and data that is computed from its position.

import { asked, send } from "./file-server.mjs";
import { ggufBytes } from "./gguf-bytes.mjs";

/**
 * A file with one tensor, whose bytes are computed when they are read.
 *
 * @param {object} tensor
 * @param {number} tensor.type The number of the type in the file.
 * @param {number[]} tensor.dimensions
 * @param {number} tensor.bytes
 * @param {(position: number) => number} [tensor.byte] The byte at a position of the tensor; zeros if it is not given.
 */
export function virtualFile({ type, dimensions, bytes, byte }) {
  const info = { name: "large", dimensions, type, bytes: 0 };
  const header = ggufBytes([], [info]);
  const dataOffset = header.length;
  const size = dataOffset + bytes;
  /** @param {number} start @param {number} end */
  const read = (start, end) => {
    const part = new Uint8Array(Math.max(0, Math.min(end, size) - start));
    if (start < dataOffset) part.set(header.subarray(start, Math.min(end, dataOffset)));
    if (byte) {
      for (let at = Math.max(start, dataOffset); at < start + part.length; at++)
        part[at - start] = byte(at - dataOffset);
    }
    return part;
  };
  /** Answers range requests correctly. @type {import("./file-server.mjs").Answer} */
  const answer = (request, response) => {
    const { start, end } = asked(request, { length: size });
    response.writeHead(206, {
      "Content-Range": `bytes ${start}-${end - 1}/${size}`,
      "Content-Length": end - start,
    });
    void send(response, read(start, end));
  };
  /** @type {import("gguf-wasm/full").CustomSource} */
  const source = { size, read: (start, end) => Promise.resolve(read(start, end)) };
  return { size, dataOffset, answer, source };
}

// A sparse model file of 400 GB that takes little space on the disk.

import { open, rm } from "node:fs/promises";
import { ggufBytes } from "../support/gguf-bytes.mjs";

const SIZE = 400_000_000_000;
const FAR_OFFSET = 300_000_000_000;
const FAR = "far beyond 2^32";
const I8 = 24;

/**
 * Writes the file. The data of its tensor "far" begins 300 GB after the first tensor.
 *
 * @param {string} path
 * @param {Parameters<typeof ggufBytes>[0]} metadata
 * @returns `undefined` if the file system has no sparse files of this size.
 */
export async function writeSparse(path, metadata = []) {
  const tensors = Buffer.concat([info("near", FAR_OFFSET, 0), info("far", FAR.length, FAR_OFFSET)]);
  const header = Buffer.concat([ggufBytes(metadata), tensors]);
  header.writeBigUInt64LE(2n, 8);
  const farOffset = Math.ceil(header.length / 32) * 32 + FAR_OFFSET;
  const file = await open(path, "w");
  try {
    await file.truncate(SIZE);
    await file.write(header, 0, header.length, 0);
    await file.write(Buffer.from(FAR), 0, FAR.length, farOffset);
    // If the file is not sparse, the disk is filled only up to this size.
    const { size, blocks } = await file.stat();
    if (size === SIZE && blocks * 512 < 1e9) return { size, headerSize: header.length, farOffset, far: FAR };
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!["EFBIG", "ENOSPC", "EINVAL"].includes(code ?? "")) throw error;
  } finally {
    await file.close();
  }
  await rm(path);
  return undefined;
}

/**
 * @param {string} name
 * @param {number} elements
 * @param {number} offset
 */
function info(name, elements, offset) {
  const bytes = Buffer.alloc(8 + name.length + 4 + 8 + 4 + 8);
  bytes.writeBigUInt64LE(BigInt(name.length), 0);
  let at = 8 + bytes.write(name, 8);
  at = bytes.writeUInt32LE(1, at);
  at = bytes.writeBigUInt64LE(BigInt(elements), at);
  at = bytes.writeUInt32LE(I8, at);
  bytes.writeBigUInt64LE(BigInt(offset), at);
  return bytes;
}

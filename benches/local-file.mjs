// Writes large local files for benchmarks.

import { closeSync, openSync, writeSync } from "node:fs";
import { ggufBytes } from "../tests/support/gguf-bytes.mjs";
import { generator } from "../tests/support/chance.mjs";

const MIB = 1 << 20;

/**
 * Writes a file with tensors of random bytes: elements of the type I8.
 *
 * @param {string} path
 * @param {number} count The number of tensors.
 * @param {number} bytes The bytes of each tensor, a multiple of a MiB.
 */
export function writeRandomTensors(path, count, bytes) {
  const tensors = Array.from({ length: count }, (_, index) => ({
    name: `blk.${index}.ffn_up.weight`,
    dimensions: [bytes],
    type: 24,
    bytes,
  }));
  const random = generator(1);
  const part = Uint8Array.from({ length: MIB }, () => random() * 256);
  const file = openSync(path, "w");
  writeSync(file, ggufBytes([], tensors, 3, false, false));
  for (let written = 0; written < count * bytes; written += MIB) writeSync(file, part);
  closeSync(file);
}

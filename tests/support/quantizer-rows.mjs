// Rows for quantizers: those of the reference corpus with the blocks that ggml makes of them, in Node.js.

import { json, missing, read } from "../package/corpus.mjs";
import { ROW_LENGTH } from "./quantizer-checks.mjs";

/** @typedef {import("./quantizer-checks.mjs").GoldenRows} GoldenRows */

const FOLDER = "golden/quantize";

/** The folder of a later version: types whose quantizer has changed. */
const LATER = "llama-cpp-2026-10/golden-quantize";

/** @param {string} file */
const floats = (file) => new Float32Array(read(`${FOLDER}/${file}`).buffer);

/**
 * The rows of the corpus, and the blocks of each type and mode. Empty without the corpus.
 *
 * @returns {{ rows: Float32Array, golden: GoldenRows[] }}
 */
export function goldenRows() {
  if (missing) return { rows: new Float32Array(), golden: [] };
  const matrix = floats("imatrix.f32.bin");
  /** @type {Record<string, Float32Array>} */
  const importances = { imatrix: matrix, ones: new Float32Array(ROW_LENGTH).fill(1) };
  const entries = new Map();
  for (const folder of [FOLDER, LATER]) {
    for (const entry of json(`${folder}/index.json`).entries)
      entries.set(`${entry.type} ${entry.mode}`, { folder, entry });
  }
  const golden = [...entries.values()].map(({ folder, entry }) => {
    const blocks = read(`${folder}/${entry.output.file}`);
    if (entry.type === "Q8_K") clearUnwrittenSums(blocks);
    return {
      type: entry.type,
      id: entry.type_id,
      mode: entry.mode,
      blockSize: entry.block_size,
      rowBytes: entry.row_bytes,
      portableRows: entry.portable_rows,
      importance: importances[entry.mode] ?? new Float32Array(),
      blocks,
    };
  });
  return { rows: floats("input.f32.bin"), golden };
}

/**
 * ggml does not write `bsums` of a Q8_K block of zeros. The corpus has the bytes that were there before.
 *
 * @param {Uint8Array} blocks
 */
function clearUnwrittenSums(blocks) {
  for (let block = 0; block < blocks.length; block += 292) {
    if (blocks.subarray(block, block + 4).every((byte) => byte === 0)) blocks.fill(0, block + 260, block + 292);
  }
}

// A model that tests open from every kind of source, and checks of it.

import assert from "node:assert/strict";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "./gguf-bytes.mjs";

const TOKENS = 100_000;
const token = (/** @type {number} */ index) => `token ${index} Ġ`;

/** A header of 1.9 MB, which takes several requests and several blocks of the decoder, and three tensors. */
export const MODEL = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.tokens", { type: "strings", count: TOKENS, at: token }],
    ["last", uint32(7)],
  ],
  [
    { name: "output.weight", dimensions: [256, 1024], type: 0, bytes: 1 << 20 },
    { name: "strange.weight", dimensions: [64], type: 137, bytes: 96 },
    { name: "blocks.weight", dimensions: [64, 3], type: 8, bytes: 204 },
  ],
);
export const opened = await Gguf.open(MODEL);
export const { headerSize, dataOffset } = opened;
for (let at = dataOffset; at < MODEL.length; at += 1) MODEL[at] = (at * 31) ^ (at >> 8);

/**
 * Checks the header of the model and returns it.
 *
 * @param {Gguf} gguf
 * @param {number | undefined} [fileSize]
 */
export function checkHeader(gguf, fileSize = MODEL.length) {
  assert.equal(gguf.metadata.get("last"), 7);
  const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
  assert.ok(typeof tokens === "object");
  assert.equal(tokens.at(-1), token(TOKENS - 1));
  assert.equal(gguf.headerSize, headerSize);
  assert.equal(gguf.fileSize, fileSize);
  return gguf;
}

/** Reads rows of "blocks.weight" and checks their bytes. @param {Gguf} gguf */
export async function checkValues(gguf) {
  const rows = await gguf.readBytes("blocks.weight", { start: 40, end: 70 });
  assert.deepEqual(rows, MODEL.slice(blocksAt(34), blocksAt(3 * 34)));
}

/** The file offset of a byte of "blocks.weight". @param {number} offset */
export function blocksAt(offset) {
  return (opened.tensor("blocks.weight")?.fileOffset ?? 0) + offset;
}

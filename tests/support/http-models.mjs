// Two models for tests over HTTP, and checks of them.

import assert from "node:assert/strict";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "./gguf-bytes.mjs";

/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

/** The length of the first range, which is requested before anything is known about the header. */
export const FIRST = 384 << 10;

/** A model with this number of tokens and floats, and its data offset. @param {number} tokens @param {number} floats */
export function makeModel(tokens, floats) {
  const bytes = ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["tokenizer.ggml.tokens", { type: "strings", count: tokens, at: (index) => `token ${index} Ġ` }],
      ["last", uint32(7)],
    ],
    [{ name: "output.weight", dimensions: [floats], type: 0, bytes: 4 * floats }],
  );
  const data = bytes.length - 4 * floats;
  for (let at = data; at < bytes.length; at += 1) bytes[at] = (at * 31) ^ (at >> 8);
  return { bytes, data };
}

/** A model whose header ends in the first range. */
export const SMALL = makeModel(12_000, 1 << 18);

/** A model whose header takes several ranges. */
export const LARGE = makeModel(100_000, 1 << 18);

/** Checks the header of a model and returns it. @param {Gguf} gguf @param {{ bytes: Uint8Array, data: number }} [of] */
export function checkHeader(gguf, { data } = SMALL) {
  assert.equal(gguf.metadata.get("last"), 7);
  assert.equal(gguf.dataOffset, data);
  assert.equal(gguf.tensors.length, 1);
  return gguf;
}

/** Opens the small model and checks its header. @param {string} url @param {OpenOptions} [options] */
export const openSmall = async (url, options) => checkHeader(await Gguf.open(url, options));

/** A custom `fetch` whose responses lack headers, as if CORS hid them. */
export const ownFetch = { fetch: /** @type {OpenOptions["fetch"]} */ ((url, init) => fetch(url, init)) };

/** Reads a range of values of the small model and checks the bytes. @param {Gguf} gguf */
export async function readValues(gguf) {
  const bytes = await gguf.readBytes("output.weight", { start: 25_000, end: 225_000 });
  assert.ok(Buffer.from(bytes).equals(SMALL.bytes.subarray(SMALL.data + 100_000, SMALL.data + 900_000)));
}

/** The first and the last byte that `readValues` needs. */
export const VALUES = [SMALL.data + 100_000, SMALL.data + 900_000 - 1];

/** The first byte of a range. @param {string | undefined} range */
export const startOf = (range) => Number(range?.split("-")[0]);

/** The length of the header of the small model. */
export const { headerSize } = await Gguf.open(SMALL.bytes);

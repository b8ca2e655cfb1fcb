// Reads files with @huggingface/gguf, and returns a `FileContent` of tests/support/gguf-model.mjs.

import { gguf } from "@huggingface/gguf";
import { ARRAY, FLOAT32, FLOAT64, hex, listed } from "./gguf-model.mjs";

/** The differences between this reader and a correct reader, in every file. */
export const dialect = { javascript: true, infosOnly: true };

/**
 * The content of a file. Rejects with the error of the package if it cannot read the file.
 *
 * @param {string} path
 * @returns {Promise<import("./gguf-model.mjs").FileContent>}
 */
export async function readWithHf(path) {
  const options = /** @type {const} */ ({ allowLocalFile: true, typedMetadata: true });
  const { typedMetadata, tensorInfos, tensorDataOffset, littleEndian } = await gguf(path, options);
  const { version, tensor_count, kv_count, ...metadata } = typedMetadata;
  const entries = Object.entries(/** @type {Record<string, any>} */ (metadata)).map(
    ([key, { type, subType, value }]) => ({ key: hex(key), ...readValue(type, subType, value) }),
  );
  return {
    version: version.value,
    byteOrder: littleEndian ? "little-endian" : "big-endian",
    dataOffset: Number(tensorDataOffset),
    entries,
    tensors: tensorInfos.map(({ name, shape, dtype, offset }) => ({
      name: hex(name),
      dimensions: shape.map(Number),
      type: dtype,
      fileOffset: Number(tensorDataOffset + offset),
    })),
  };
}

/** @param {number} type @param {number | undefined} subType @param {unknown} value */
function readValue(type, subType, value) {
  const texts = /** @type {unknown[]} */ ([value])
    .flat(Infinity)
    .map((element) => elementText(subType === undefined ? type : subType, element));
  return { types: subType === undefined ? [type] : [type, subType], length: texts.length, value: listed(texts) };
}

/** @param {number} type @param {unknown} value */
function elementText(type, value) {
  if (typeof value === "string") return hex(value);
  if (typeof value !== "number" || Number.isNaN(value) || type === ARRAY) return String(value);
  const bytes = Buffer.alloc(8);
  if (type === FLOAT32) return bytes.subarray(bytes.writeFloatBE(value, 4) - 4).toString("hex");
  if (type === FLOAT64) return bytes.toString("hex", 0, bytes.writeDoubleBE(value));
  return String(value);
}

// The facts about the sample that every environment must find, read at known positions without a parser.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { SAMPLE } from "./project.mjs";

const NAME = "gguf-wasm sample";

/** @returns {string} The expected result of `check` in `consumer/check.js`. */
export function expected() {
  const file = readFileSync(SAMPLE);
  if (!file.includes(NAME)) throw new Error(`${SAMPLE} is not called ${NAME}`);
  // The number of tensors follows the magic and the version. The last tensor is output_norm.weight, 256 × F32.
  const tensors = Number(file.readBigUInt64LE(8));
  const digest = createHash("sha256").update(file.subarray(-1024)).digest("hex");
  return JSON.stringify({ name: NAME, tensors, digest });
}

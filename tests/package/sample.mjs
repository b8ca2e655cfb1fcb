// What every environment has to see of the sample model, by no parser: from where things stand in the file.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { SAMPLE } from "./project.mjs";

const NAME = "gguf-wasm sample";

/** @returns {string} What `check` of `consumer/check.js` has to give. */
export function expected() {
  const file = readFileSync(SAMPLE);
  if (!file.includes(NAME)) throw new Error(`${SAMPLE} is not called ${NAME}`);
  // After the magic and the version comes the number of tensors; the last of these is output_norm.weight, 256 F32.
  const tensors = Number(file.readBigUInt64LE(8));
  const digest = createHash("sha256").update(file.subarray(-1024)).digest("hex");
  return JSON.stringify({ name: NAME, tensors, digest });
}

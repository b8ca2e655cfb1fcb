// Compares the kernels and the quantizers with the golden vectors, and scalar with simd128. Runs in a page.

import { generator } from "../support/chance.mjs";
import * as kernelChecks from "../support/kernel-checks.mjs";
import * as quantizerChecks from "../support/quantizer-checks.mjs";

const bytes = (/** @type {string} */ base64) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
const random = generator(Math.floor(Math.random() * 2 ** 32));

/** @param {"scalar" | "simd128"} name @returns {Promise<any>} */
async function exportsOf(name) {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(`/target/kernels/${name}.wasm`), {});
  return instance.exports;
}

const vectors = async () => (await fetch("/golden.json")).json();

/** @returns {Promise<unknown[]>} */
export async function kernels() {
  const [scalar, simd128, { kernels }] = await Promise.all([exportsOf("scalar"), exportsOf("simd128"), vectors()]);
  return kernels.flatMap((/** @type {any} */ { type, golden }) => [
    ...kernelChecks.differencesFromGolden(
      { scalar, simd128 },
      type,
      golden.map((/** @type {any} */ { name, blocks, elements }) => ({
        name,
        blocks: bytes(blocks),
        elements: new Uint32Array(bytes(elements).buffer),
      })),
    ),
    ...kernelChecks.differencesBetween(scalar, simd128, type, random),
  ]);
}

/** @returns {Promise<unknown[]>} */
export async function quantizers() {
  const [scalar, simd128, { rows, quantizers }] = await Promise.all([
    exportsOf("scalar"),
    exportsOf("simd128"),
    vectors(),
  ]);
  const elements = new Float32Array(bytes(rows).buffer);
  return quantizers.flatMap((/** @type {any} */ entry) => {
    const ofType = {
      ...entry,
      importance: new Float32Array(bytes(entry.importance).buffer),
      blocks: bytes(entry.blocks),
    };
    const differences = quantizerChecks.differencesFromGolden({ scalar, simd128 }, ofType, elements);
    return entry.mode === "imatrix"
      ? differences
      : [...differences, ...quantizerChecks.differencesBetween(scalar, simd128, ofType, random)];
  });
}

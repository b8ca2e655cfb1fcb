// Loads the modules with the kernels, which xtask/src/kernels.rs builds, and the golden output of ggml.

import { readFile, readdir } from "node:fs/promises";

/** The folder with the modules. */
export const KERNELS = new URL("../../target/kernels/", import.meta.url);

const GOLDEN = new URL("../fixtures/golden/", import.meta.url);
const files = (await readdir(GOLDEN)).filter((file) => file.endsWith(".blocks.bin"));

/**
 * The exports of a new instance of a module.
 *
 * @param {"scalar" | "simd128"} name
 * @returns {Promise<any>}
 */
export async function kernels(name) {
  const { instance } = await WebAssembly.instantiate(await readFile(new URL(`${name}.wasm`, KERNELS)), {});
  return instance.exports;
}

/**
 * The golden files of a type: blocks, and the bits of the elements that ggml's `to_float` makes of them. Empty if ggml
 * has no `to_float` for the type.
 *
 * @param {string} type
 */
export async function golden(type) {
  const read = async (/** @type {string} */ file) => new Uint8Array(await readFile(new URL(file, GOLDEN)));
  return Promise.all(
    files
      .filter((file) => file.startsWith(`${type}.`))
      .map(async (name) => ({
        name,
        blocks: await read(name),
        elements: new Uint32Array((await read(name.replace(".blocks.", ".f32."))).buffer),
      })),
  );
}

// The kernels alone, scalar and simd128: the modules that xtask/src/kernels.rs builds; and ggml's floats.

import { readFile, readdir } from "node:fs/promises";

/** Where xtask puts the modules. */
export const KERNELS = new URL("../../target/kernels/", import.meta.url);

const GOLDEN = new URL("../fixtures/golden/", import.meta.url);
const files = (await readdir(GOLDEN)).filter((file) => file.endsWith(".blocks.bin"));

/**
 * An instance of a module.
 *
 * @param {"scalar" | "simd128"} name
 * @returns {Promise<any>}
 */
export async function kernels(name) {
  const { instance } = await WebAssembly.instantiate(await readFile(new URL(`${name}.wasm`, KERNELS)), {});
  return instance.exports;
}

/**
 * What ggml's own code makes of blocks of a type; nothing, for types for which it has none.
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
        floats: new Uint32Array((await read(name.replace(".blocks.", ".f32."))).buffer),
      })),
  );
}

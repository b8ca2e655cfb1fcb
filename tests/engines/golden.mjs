// The golden vectors of the package, inside of an engine: the kernels and the quantizers, scalar and simd128.

import { ggmlTypes } from "gguf-wasm/full";
import { golden } from "../support/kernels.mjs";
import { goldenRows } from "../support/quantizer-rows.mjs";

const base64 = (/** @type {Uint8Array | Uint32Array | Float32Array} */ array) =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");

/** @type {Promise<string> | undefined} */
let vectors;

/** What the pages compare, as JSON. They fetch it: an argument of that size takes WebDriver seconds. */
export const goldenVectors = () => (vectors ??= makeVectors());

async function makeVectors() {
  const types = ggmlTypes().filter((type) => type.blockSize > 0);
  const kernels = await Promise.all(
    types.map(async (type) => ({
      type,
      golden: (await golden(type.name)).map(({ name, blocks, elements }) => ({
        name,
        blocks: base64(blocks),
        elements: base64(elements),
      })),
    })),
  );
  const { rows, golden: quantized } = goldenRows();
  const quantizers = quantized.map((entry) => ({
    ...entry,
    importance: base64(entry.importance),
    blocks: base64(entry.blocks),
  }));
  return JSON.stringify({ kernels, rows: base64(rows), quantizers });
}

/** The functions of a page with the modules, which give the differences that they find. */
const IN_PAGE = "/tests/engines/golden-in-page.mjs";

/**
 * @param {import("./page.mjs").Page} page
 * @param {import("./app.mjs").App} app
 * @param {"kernels" | "quantizers"} what
 */
export async function differences(page, app, what) {
  await page.open(`${app.origin}/tests/engines/blank.html`);
  return page.run(
    async ({ script, what }) => {
      const checks = /** @type {typeof import("./golden-in-page.mjs")} */ (await import(script));
      return checks[what]();
    },
    { script: IN_PAGE, what },
  );
}

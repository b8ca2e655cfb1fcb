import assert from "node:assert/strict";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { openModel, removePickers } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "quantise a model",
  async run(page, app) {
    await openModel(page, app, "view=convert");
    await removePickers(page);
    await page.click({ role: "button", name: "/^All \\d+ file types$/", within: "gguf-convert" });
    await page.click({ role: "radio", name: "/^Q5_1\\b/", within: "gguf-convert" });
    await page.click({ role: "button", name: "Convert and download" });

    const { bytes } = await app.downloaded();
    const plan = await requantize(await Gguf.open(app.files["model.gguf"]), { type: "Q5_1" });
    const expected = await new Response(
      /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (plan.stream()),
    ).arrayBuffer();
    assert.deepEqual(Buffer.from(bytes), Buffer.from(expected));
  },
};

import assert from "node:assert/strict";
import { openModel } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "search keys and tensors",
  async run(page, app) {
    await openModel(page, app, "view=metadata");
    await page.fill({ css: "input[type=search]", within: "gguf-metadata-table" }, "eos_token");
    await page.gone({ css: ".row", within: "gguf-metadata-table", text: "general.name" });
    await page.see({ css: ".row", within: "gguf-metadata-table", text: "eos_token_id" });

    await page.click({ role: "tab", name: "/^Tensors/" });
    await page.fill({ css: "input[type=search]", within: "gguf-tensor-table" }, "ffn_down");
    await page.gone({ css: ".row", within: "gguf-tensor-table", text: "attn_q" });
    assert.equal(await page.count({ css: ".row", within: "gguf-tensor-table", text: "ffn_down.weight" }), 2);
  },
};

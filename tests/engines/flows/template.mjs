import assert from "node:assert/strict";
import { openModel } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "render the chat template",
  async run(page, app) {
    await openModel(page, app, "view=template");
    const rendered = { css: "gguf-rendered-text", text: "/<.im_start.>user/" };
    await page.see(rendered);
    const count = () => page.count({ css: ".token", within: "gguf-rendered-text" });
    const before = await count();
    await page.click({ role: "checkbox", name: "Add a generation prompt" });
    await page.until("one special token less", async () => (await count()) === before - 1);
    assert.ok(before > 1);
  },
};

import { openModel } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "compare two models",
  async run(page, app) {
    const other = encodeURIComponent(app.url("second.gguf"));
    await openModel(page, app, `view=compare&compare.with=${other}`);
    await page.see({ css: ".summary", within: "gguf-compare" });
    await page.click({ role: "tab", name: "/^Metadata/", within: "gguf-compare" });
    await page.see({ css: ".row", within: "gguf-compare", text: "general.name" });
  },
};

import { openModel } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "a server without ranges",
  async run(page, app) {
    await openModel(page, app, "view=tensors", app.url("model.gguf", "without-ranges"));
    // The header comes first, so it is shown. The values are not, because the page would have to download the whole model.
    await page.click({ css: ".row", within: "gguf-tensor-table", text: "blk.0.ffn_up.weight" });
    await page.see({ css: "[role=alert], .problem, .error, p", text: "The server sends only whole files." });
  },
};

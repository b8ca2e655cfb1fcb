import { seeSummary } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "open with the file picker",
  async run(page, app) {
    await page.open(app.page());
    await page.choose({ css: "input[type=file]", hidden: true }, [app.path("model.gguf")]);
    await seeSummary(page, "model.gguf");
  },
};

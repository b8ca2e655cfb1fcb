import { seeSummary } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "open an address",
  async run(page, app) {
    await page.open(app.page());
    await page.fill({ role: "textbox", name: "/^Address of a GGUF file/" }, app.url("model.gguf"));
    await page.click({ role: "button", name: "Open" });
    await seeSummary(page, "model.gguf");
  },
};

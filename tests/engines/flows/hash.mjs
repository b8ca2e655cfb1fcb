import { createHash } from "node:crypto";
import { openModel } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "hash a file",
  async run(page, app) {
    await openModel(page, app, "view=hash");
    for (const name of ["/^SHA-256/", "/^Whole file/"]) {
      const box = { role: "checkbox", name, within: "gguf-hash" };
      await page.place(box);
      const isChecked = await page.with(box, ([element]) => element instanceof HTMLInputElement && element.checked);
      if (!isChecked) await page.click(box);
    }
    await page.click({ role: "button", name: "Compute" });
    const digest = createHash("sha256").update(app.files["model.gguf"]).digest("hex");
    await page.see({ css: "tr", within: "gguf-hash", text: digest });
  },
};

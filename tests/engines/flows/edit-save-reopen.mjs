import assert from "node:assert/strict";
import { basename } from "node:path";
import { Gguf } from "gguf-wasm/node";
import { removePickers, seeSummary } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "edit, save and open again",
  async run(page, app) {
    await page.open(app.page());
    await removePickers(page);
    const field = { css: "input[type=file]", hidden: true };
    await page.choose(field, [app.path("model.gguf")]);
    await page.see({ css: "gguf-identity", text: "Wave" });
    await page.click({ role: "button", name: "Edit" });
    await page.see({ role: "toolbar", name: "Editing" });
    await page.click({ role: "tab", name: "/^Metadata/" });
    await page.click({ css: ".row", within: "gguf-metadata-table", text: "general.name" });
    await page.fill({ role: "textbox", name: "Value of general.name" }, "Renamed");
    await page.press("Enter");
    await page.click({ role: "button", name: "Save…" });
    await page.click({ role: "button", name: "Download", within: "dialog" });

    const { bytes, path } = await app.downloaded();
    const [before, after] = await Promise.all([Gguf.open(app.files["model.gguf"]), Gguf.open(bytes)]);
    assert.equal(after.name, "Renamed");
    // The data are copied as they are.
    const data = app.files["model.gguf"].subarray(before.dataOffset);
    assert.deepEqual(Buffer.from(bytes.subarray(after.dataOffset)), Buffer.from(data));

    await page.open(app.page());
    await page.choose(field, [path]);
    await seeSummary(page, basename(path), "Renamed");
  },
};

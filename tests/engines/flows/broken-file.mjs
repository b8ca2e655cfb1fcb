/** @type {import("../flow.mjs").Flow} */
export default {
  name: "a broken file",
  async run(page, app) {
    await page.open(app.page());
    await page.choose({ css: "input[type=file]", hidden: true }, [app.path("broken.gguf")]);
    await page.see({ role: "heading", name: "/./", within: "gguf-error-panel" });
    await page.see({ css: "gguf-error-panel", text: "broken.gguf" });
  },
};

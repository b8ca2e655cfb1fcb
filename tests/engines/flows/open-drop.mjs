import { seeSummary } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "open a dropped file",
  async run(page, app) {
    await page.open(app.page());
    await page.see({ role: "textbox", name: "/^Address of a GGUF file/" });
    const drag = (/** @type {string} */ kind) =>
      page.run(
        async ({ kind, url }) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([await (await fetch(url)).arrayBuffer()], "dropped.gguf"));
          const options = { dataTransfer, bubbles: true, composed: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent(kind, options));
        },
        { kind, url: app.url("model.gguf") },
      );
    await drag("dragover");
    await page.see({ css: ".veil", text: "Drop to open" });
    await drag("drop");
    await page.gone({ css: ".veil" });
    await seeSummary(page, "dropped.gguf");
  },
};

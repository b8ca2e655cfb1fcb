import { openModel } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "tokenise a text",
  async run(page, app) {
    await openModel(page, app, "view=tokenizer");
    await page.fill({ role: "textbox", name: "Text", within: "gguf-tokenizer" }, "hello world");
    // "hello" and " world" are tokens that the merges make.
    await page.until("the ids of hello and world", () =>
      page.with({ role: "textbox", name: "Ids" }, ([field]) =>
        /\b104 109\b/.test(/** @type {HTMLInputElement | undefined} */ (field)?.value ?? ""),
      ),
    );
    await page.see({ css: ".token", within: "gguf-try-tokenizer", text: "hello" });
  },
};

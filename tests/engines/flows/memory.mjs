import { openModel } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "memory of a context",
  async run(page, app) {
    await openModel(page, app, "view=memory");
    const table = { role: "table", name: "Memory by part and device" };
    const before = await page.see({ ...table, text: "/[KM]i?B/" });
    await page.select({ role: "combobox", name: "KV cache type (values)" }, "F32");
    await page.until("another size of the cache", async () => (await page.see(table)) !== before);
  },
};

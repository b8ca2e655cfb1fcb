import { openModel, seeHeatMap } from "../open-model.mjs";

/** @type {import("../flow.mjs").Flow} */
export default {
  name: "tensor and heat map",
  async run(page, app) {
    await openModel(page, app, "view=tensors");
    await seeHeatMap(page, "blk.0.ffn_up.weight");
    await page.hover({ css: "canvas", within: "gguf-heat-map" });
    await page.see({ css: ".tip", within: "gguf-heat-map", text: "/\\d\\.\\d/" });
  },
};

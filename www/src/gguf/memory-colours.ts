/** The colours of the parts of a memory, wherever they are drawn. */

import { unsafeCSS } from "lit";

/** A part of a device's memory. */
type Part = "weights" | "cache" | "state" | "output" | "compute";

/** The colour of each part, in the light and in the dark theme. Each has a contrast of 3 to 1 with the surfaces of its theme. */
const COLOURS: Readonly<Record<Part, readonly [light: string, dark: string]>> = {
  weights: ["#2c5f9e", "#7aa9e6"],
  cache: ["#b35c00", "#f0a955"],
  state: ["#7d3f98", "#c79ae0"],
  output: ["#00696f", "#4fc9cc"],
  compute: ["#5f7a1f", "#b0cf6a"],
};

/** Sets `--hue` of the elements that show a part. `selectorOf` gives their selector. */
export function partColours(selectorOf: (part: Part) => string) {
  return unsafeCSS(
    Object.entries(COLOURS)
      .map(([part, [light, dark]]) => `${selectorOf(part as Part)} { --hue: light-dark(${light}, ${dark}); }`)
      .join("\n"),
  );
}

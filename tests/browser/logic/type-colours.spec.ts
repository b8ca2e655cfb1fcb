import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { ggmlTypes, initSync } from "gguf-wasm/init";
import { colourName, OTHER_COLOUR, TYPE_COLOURS } from "../../../www/src/gguf/type-colours.ts";

const linear = (hex: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];

const luminance = (hex: string) => {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const contrast = (a: string, b: string) => {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

// The distance in OKLab. Adjacent colours with a distance of 0.02 differ just noticeably.
const oklab = (hex: string) => {
  const [r, g, b] = linear(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};

const distance = (a: string, b: string) => {
  const other = oklab(b);
  return Math.hypot(...oklab(a).map((part, i) => part - (other[i] ?? 0)));
};

test("every type that ggml uses has a colour of its own", async () => {
  initSync(await readFile(new URL("../../../pkg/gguf_wasm_bg.wasm", import.meta.url)));
  const used = ggmlTypes().filter(({ blockSize }) => blockSize > 0);
  expect(used.length).toBeGreaterThan(30);
  expect(used.map(({ name }) => name).filter((name) => colourName(name) !== name)).toEqual([]);
  expect(["unknown(137)", "toString"].map(colourName)).toEqual(["other", "other"]);
  expect(["Q4_2", "Q4_3"].map(colourName)).toEqual(["Q4_2", "Q4_3"]);
  expect(["Q4_0_V1", "Q5_1_V1"].map(colourName)).toEqual(["Q4_0", "Q5_1"]);
});

for (const [theme, at, surfaces] of [
  ["light", 0, ["#ffffff", "#f4f4f1"]],
  ["dark", 1, ["#191c1f", "#202428"]],
] as const) {
  test(`in the ${theme} theme, types differ from each other and from the background`, () => {
    const colours = [...Object.entries(TYPE_COLOURS), ["other", OTHER_COLOUR] as const];
    for (const [i, [type, own]] of colours.entries()) {
      for (const surface of surfaces) expect(contrast(own[at], surface), `${type} on ${surface}`).toBeGreaterThan(3);
      for (const [other, its] of colours.slice(i + 1))
        expect(distance(own[at], its[at]), `${type} and ${other}`).toBeGreaterThan(0.05);
    }
    // Types that occur in one file differ more.
    for (const group of [
      ["Q4_0", "Q4_1", "Q4_2", "Q4_3", "Q4_K", "MXFP4"],
      ["F32", "F16", "BF16"],
      ["F32", "Q4_K", "Q5_K", "Q6_K", "Q8_0"],
    ])
      for (const [i, a] of group.entries())
        for (const b of group.slice(i + 1))
          expect(distance(TYPE_COLOURS[a]?.[at] ?? "", TYPE_COLOURS[b]?.[at] ?? ""), `${a} and ${b}`).toBeGreaterThan(
            0.075,
          );
  });
}

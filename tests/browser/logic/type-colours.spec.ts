import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { ggmlTypes, initSync } from "gguf-wasm/full/init";
import { bitsColour, placeOfBits } from "../../../www/src/gguf/bits-colours.ts";
import { colourName, OTHER_COLOUR, TYPE_BITS, TYPE_COLOURS } from "../../../www/src/gguf/type-colours.ts";

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

// What people without red-sensitive cones (protanopia) and without green-sensitive cones (deuteranopia) see, in linear RGB: the matrices of
// Viénot, Brettel and Mollon 1999.
const BLINDNESS = {
  protanopia: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deuteranopia: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
};

/** The colour that is seen, as `#rrggbb`. */
const seenBy = (matrix: readonly (readonly number[])[], hex: string) =>
  `#${matrix
    .map((row) => {
      const part = row.reduce((sum, factor, at) => sum + factor * (linear(hex)[at] ?? 0), 0);
      const clamped = Math.min(1, Math.max(0, part));
      const encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055;
      return Math.round(255 * encoded)
        .toString(16)
        .padStart(2, "0");
    })
    .join("")}`;

/** What people with a kind of eyes see of a colour. */
const EYES = [
  { eye: "all colours", by: (hex: string) => hex },
  ...Object.entries(BLINDNESS).map(([eye, matrix]) => ({ eye, by: (hex: string) => seenBy(matrix, hex) })),
];

const typeColour = (type: string, at: 0 | 1) => TYPE_COLOURS[type]?.[at] ?? "";

test("every type that ggml uses has the colour of its bits per weight", async () => {
  initSync(await readFile(new URL("../../../pkg/full/gguf_wasm_full_bg.wasm", import.meta.url)));
  const used = ggmlTypes().filter(({ blockSize }) => blockSize > 0);
  expect(used.length).toBeGreaterThan(30);
  for (const { name, blockSize, typeSize } of used) {
    expect(colourName(name)).toBe(name);
    expect(TYPE_BITS[name], name).toBe((8 * typeSize) / blockSize);
    expect(TYPE_COLOURS[name], name).toEqual(bitsColour((8 * typeSize) / blockSize));
  }
  expect(["unknown(137)", "toString"].map(colourName)).toEqual(["other", "other"]);
  expect(["Q4_2", "Q4_3"].map(colourName)).toEqual(["Q4_2", "Q4_3"]);
  expect(["Q4_0_V1", "Q5_1_V1"].map(colourName)).toEqual(["Q4_0", "Q5_1"]);
});

test("the ramp never falls, and ends at 1 and at 32 bits", () => {
  expect([0, 0.5, 1, 32, 64].map(placeOfBits)).toEqual([0, 0, 0, 1, 1]);
  for (let bits = 1; bits < 32; bits += 0.25) expect(placeOfBits(bits + 0.25)).toBeGreaterThan(placeOfBits(bits));
});

for (const [theme, at, surfaces] of [
  ["light", 0, ["#ffffff", "#f4f4f1"]],
  ["dark", 1, ["#191c1f", "#202428"]],
] as const) {
  test(`in the ${theme} theme, the ramp stands out from the background, and more bits stand out more`, () => {
    const colours = [...Object.entries(TYPE_COLOURS), ["other", OTHER_COLOUR] as const];
    for (const [type, own] of colours)
      for (const surface of surfaces) expect(contrast(own[at], surface), `${type} on ${surface}`).toBeGreaterThan(3);
    const [surface] = surfaces;
    for (let bits = 1; bits < 32; bits *= 1.1)
      expect(contrast(bitsColour(bits * 1.1)[at], surface), String(bits)).toBeGreaterThan(
        contrast(bitsColour(bits)[at], surface),
      );
  });

  test(`in the ${theme} theme, types of common mixtures differ for every eye`, () => {
    const mixtures = [
      ["Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_0", "F16", "F32"],
      ["IQ1_S", "IQ2_XXS", "IQ3_XXS", "IQ4_XS", "Q5_K", "Q6_K"],
    ];
    for (const seen of EYES)
      for (const types of mixtures)
        for (const [i, a] of types.entries())
          for (const b of types.slice(i + 1))
            expect(
              distance(seen.by(typeColour(a, at)), seen.by(typeColour(b, at))),
              `${a} and ${b}, ${seen.eye}`,
            ).toBeGreaterThan(0.02);
  });

  test(`in the ${theme} theme, the types of one file of K quants are told apart at a glance`, () => {
    const types = ["Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_0"];
    const pairs = types.slice(1).map((type, i) => [types[i] ?? "", type] as const);
    for (const seen of EYES) {
      const colours = (pair: readonly string[]) =>
        pair.map((type) => seen.by(typeColour(type, at))) as [string, string];
      for (const pair of pairs) {
        const [a, b] = colours(pair);
        expect(distance(a, b), `${pair.join(" and ")}, ${seen.eye}`).toBeGreaterThan(0.035);
        expect(Math.abs((oklab(a)[0] ?? 0) - (oklab(b)[0] ?? 0)), `${pair.join(" and ")}, ${seen.eye}`).toBeGreaterThan(
          0.025,
        );
      }
      // Q4_K_M has these two types.
      expect(distance(...colours(["Q4_K", "Q6_K"])), seen.eye).toBeGreaterThan(0.12);
    }
  });
}

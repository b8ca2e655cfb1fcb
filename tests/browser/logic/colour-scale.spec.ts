import { expect, test } from "@playwright/test";
import { colourScale, percentile, positionOn, colourRamp } from "../../../www/src/ui/colour-scale.ts";

const within = (count: number, at: (i: number) => number) => Float32Array.from({ length: count }, (_, i) => at(i));

test("numbers of both signs have a scale around zero, other numbers a scale from low to high", () => {
  expect(colourScale([-1, 3])).toEqual({ kind: "diverging", low: -3, high: 3, below: 0, above: 0 });
  expect(colourScale([2, 5, 3])).toEqual({ kind: "sequential", low: 2, high: 5, below: 0, above: 0 });
  expect(colourScale([-2, 0])).toMatchObject({ kind: "sequential", low: -2, high: 0 });
  expect(colourScale([NaN, Infinity])).toBeUndefined();
  expect(colourScale([NaN, 7])).toMatchObject({ low: 7, high: 7 });
});

test("a few outliers lie beyond the scale, ordinary variation does not", () => {
  const wave = within(1000, (i) => Math.sin(i));
  expect(colourScale(wave)).toMatchObject({ below: 0, above: 0 });
  wave[3] = 1e30;
  wave[4] = -50;
  expect(colourScale(wave)).toMatchObject({ kind: "diverging", below: 1, above: 1 });
  expect(colourScale(wave)?.high).toBeLessThanOrEqual(1);
  const norms = within(1000, (i) => 1 + (i % 10) / 100);
  norms[5] = 40;
  norms[6] = 0;
  expect(colourScale(norms)).toMatchObject({ kind: "sequential", below: 1, above: 1 });
  // Nearly all numbers are equal, so the others determine the scale.
  expect(colourScale(within(1000, (i) => (i === 7 ? -3 : i === 8 ? 3 : 0)))).toMatchObject({ high: 3, above: 0 });
});

test("the position of a number on the scale is limited to its ends", () => {
  const scale = { kind: "diverging", low: -2, high: 2, below: 0, above: 0 } as const;
  expect([-9, -2, 0, 1, 9].map((number) => positionOn(scale, number))).toEqual([0, 0, 0.5, 0.75, 1]);
  expect(positionOn({ ...scale, low: 3, high: 3 }, 3)).toBe(0.5);
  const widest = { ...scale, low: -Number.MAX_VALUE, high: Number.MAX_VALUE };
  expect(positionOn(widest, 0)).toBe(0.5);
});

test("lightness grows evenly from zero, and blue and orange differ without red and green", () => {
  for (const dark of [false, true]) {
    const colours = colourRamp("diverging", dark);
    const light = (i: number) =>
      0.2126 * (colours[i * 3] ?? 0) + 0.7152 * (colours[i * 3 + 1] ?? 0) + 0.0722 * (colours[i * 3 + 2] ?? 0);
    for (let i = 1; i < 128; i += 1) {
      expect(dark ? light(i - 1) >= light(i) - 0.6 : light(i - 1) <= light(i) + 0.6, `${dark} ${i}`).toBe(true);
    }
    expect(colours[2]).toBeGreaterThan((colours[0] ?? 0) + 40);
    expect(colours[255 * 3]).toBeGreaterThan((colours[255 * 3 + 2] ?? 0) + 40);
  }
});

test("percentiles", () => {
  const sorted = Float64Array.of(1, 2, 3, 4);
  expect([0, 0.25, 0.5, 0.51, 1].map((share) => percentile(sorted, share))).toEqual([1, 1, 2, 3, 4]);
});

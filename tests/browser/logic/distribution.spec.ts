import { expect, test } from "@playwright/test";
import { linearBars, logarithmicBars } from "../../../www/src/ui/histogram-bins.ts";
import { groupSize, readDistribution, sampledElements } from "../../../www/src/values/distribution.ts";

/** Weights around zero as they are in models, without chance: the sum of three waves. */
const weight = (i: number) => 0.02 * (Math.sin(i) + Math.sin(1.7 * i) + Math.sin(2.3 * i));

const distributionOf = (numbers: readonly number[], group?: number) => {
  const all = Float32Array.from(numbers);
  const ranges = [{ start: 0, end: all.length }];
  return readDistribution({ ranges, group }, (start, end) => Promise.resolve(all.slice(start, end)));
};

test("one outlier does not make the histogram one bar", async () => {
  const numbers = Array.from({ length: 10_000 }, (_, i) => weight(i));
  numbers[77] = 7.9;
  const found = await distributionOf(numbers);
  if (!found) throw new Error("there are no bins");
  const bars = linearBars(found);
  // Every number is counted once, and the outlier has a bar of its own.
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
  expect(bars.at(-1)).toEqual({ start: found.frame.high, end: Math.fround(7.9), count: 1, beyond: "above" });
  expect(found.frame.high).toBeLessThan(0.1);
  expect(bars.filter(({ count }) => count > 50).length).toBeGreaterThan(40);
  // Without outliers, the axis goes from the least to the most.
  const usual = await distributionOf(numbers.toSpliced(77, 1));
  expect(usual?.below).toBe(0);
  expect(usual?.above).toBe(0);
  expect(usual?.frame.high).toBeCloseTo(usual?.most ?? NaN, 9);
});

test("the logarithmic axis has both signs, and zeros in the middle", async () => {
  const found = await distributionOf([-1000, -10, -1, 0, 0, 0, 1, 10, 100, NaN, Infinity]);
  if (!found) throw new Error("there are no bins");
  const bars = logarithmicBars(found);
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(9);
  const ofZero = bars.find(({ start, end }) => start < 0 && end > 0);
  expect(ofZero?.count).toBe(3);
  for (const [i, { end }] of bars.slice(0, -1).entries()) expect(bars[i + 1]?.start).toBe(end);
  expect(bars[0]?.start).toBeLessThanOrEqual(-1000);
  expect(bars.at(-1)?.end).toBeGreaterThanOrEqual(100);
});

test("equal numbers have no bins, and other numbers of one kind have", async () => {
  expect(await distributionOf([5, 5, 5, NaN])).toBeNull();
  const tiny = await distributionOf([0, 1e-45, 3e-45]);
  expect(linearBars(tiny as never).reduce((sum, { count }) => sum + count, 0)).toBe(3);
});

test("the levels are those of the group with the median scale", async () => {
  const scales = [0.001, 1, 0.01];
  const numbers = scales.flatMap((scale) => Array.from({ length: 32 }, (_, i) => ((i % 4) - 2) * scale));
  const found = await distributionOf(numbers, 32);
  expect(found?.levels?.group).toEqual({ start: 64, end: 96 });
  expect(found?.levels?.values).toEqual([-2, -1, 0, 1].map((level) => Math.fround(level * 0.01)));
  expect(["Q4_0", "Q6_K", "IQ4_NL", "F16", "I8"].map(groupSize)).toEqual([32, 16, 32, undefined, undefined]);
});

test("of a download, few runs are read again", () => {
  const sampledRows = Array.from({ length: 64 }, (_, i) => ({ start: i * 100, end: i * 100 + 8 }));
  const sampledColumns = Array.from({ length: 64 }, (_, i) => ({ start: i * 64, end: i * 64 + 64 }));
  const tensor = { dimensions: [4096, 6400] };
  expect(sampledElements({ sampledRows, sampledColumns }, tensor, false)).toHaveLength(64);
  const few = sampledElements({ sampledRows, sampledColumns }, tensor, true);
  expect(few).toHaveLength(4);
  expect(few.every(({ start, end }) => start % 256 === 0 && (end - start) % 256 === 0)).toBe(true);
  // Parts of rows are ranges of their own.
  const parts = sampledElements(
    { sampledRows: [{ start: 3, end: 5 }], sampledColumns: [{ start: 64, end: 128 }] },
    tensor,
    false,
  );
  expect(parts).toEqual([
    { start: 3 * 4096 + 64, end: 3 * 4096 + 128 },
    { start: 4 * 4096 + 64, end: 4 * 4096 + 128 },
  ]);
});

import { expect, test } from "@playwright/test";
import { formatMeasured } from "../../../www/src/ui/numbers.ts";
import { barHeight, joinBins } from "../../../www/src/ui/histogram-bars.ts";
import { axisLabels } from "../../../www/src/values/axis-labels.ts";
import { axisTicks, countTicks, sizeTicks } from "../../../www/src/ui/ticks.ts";

const texts = (found: { text: string }[]) => found.map(({ text }) => text);

test("ticks are round numbers with enough digits to differ", () => {
  expect(texts(axisTicks(-1.08, 1.48, 5))).toEqual(["-1.0", "-0.5", "0", "0.5", "1.0"]);
  expect(texts(axisTicks(0.1384, 0.9531, 4))).toEqual(["0.2", "0.4", "0.6", "0.8"]);
  expect(texts(axisTicks(-0.0004, 0.0003, 3))).toEqual(["-4e-4", "-2e-4", "0", "2e-4"]);
  expect(texts(axisTicks(0, 3e7, 3))).toEqual(["0", "1e7", "2e7", "3e7"]);
  expect(texts(axisTicks(5, 5, 3))).toEqual(["5"]);
  expect(axisTicks(NaN, NaN, 3)).toEqual([]);
  expect(axisTicks(-3e38, 3e38, 4).length).toBeGreaterThan(2);
});

test("ticks of counts are integers, or powers of ten", () => {
  expect(texts(countTicks(18_514, false, 4))).toEqual(["0", "5K", "10K", "15K"]);
  expect(texts(countTicks(2, false, 4))).toEqual(["0", "1", "2"]);
  expect(texts(countTicks(18_514, true, 4))).toEqual(["0", "1", "100", "10K"]);
});

test("ticks of sizes are multiples of a power of two, in one unit", () => {
  expect(texts(sizeTicks(24 * 2 ** 30, 5))).toEqual(["0", "8 GiB", "16 GiB", "24 GiB"]);
  expect(texts(sizeTicks(1025 * 2 ** 20, 5))).toEqual(["0", "0.25 GiB", "0.5 GiB", "0.75 GiB", "1 GiB"]);
  expect(texts(sizeTicks(2, 5))).toEqual(["0", "1 byte", "2 bytes"]);
  expect(sizeTicks(0, 5)).toEqual([]);
});

test("joined bins are no more than the limit, and keep the total count", () => {
  const histogram = { start: -1, width: 0.01, counts: Float64Array.from({ length: 205 }, () => 2) };
  const found = joinBins(histogram, 80);
  expect(found).toHaveLength(69);
  expect(found[0]).toEqual({ start: -1, end: -0.97, count: 6 });
  expect(found.at(-1)?.count).toBe(2);
  expect(found.at(-1)?.end).toBeCloseTo(1.05);
  expect(joinBins({ start: 0, width: 0, counts: new Float64Array() }, 80)).toEqual([]);
  expect([0, 1, 100].map((count) => barHeight(count, 100, false))).toEqual([0, 0.01, 1]);
  expect(barHeight(1, 1_000_000, true)).toBeGreaterThan(0.04);
});

test("measured numbers have short texts", () => {
  expect([0, -0.0123456, 1234567, 1e-7, 0.001, NaN, -Infinity, 12.5, 999_949].map(formatMeasured)).toEqual([
    "0",
    "-0.01235",
    "1.235e6",
    "1e-7",
    "0.001",
    "NaN",
    "-∞",
    "12.5",
    "999900",
  ]);
});

test("the axis of a heat map shows its first and its last index", () => {
  const cells = Array.from({ length: 64 }, (_, i) => ({ start: i * 10, end: i * 10 + 10 }));
  const labels = axisLabels(cells, 5, String);
  expect(labels.map(({ text }) => text)).toEqual(["0", "160", "320", "470", "639"]);
  expect(labels[0]?.at).toBeCloseTo(0.5 / 64);
  expect(axisLabels(cells.slice(0, 1), 5, String).map(({ text }) => text)).toEqual(["0"]);
  expect(axisLabels(cells.slice(0, 3), 5, String)).toHaveLength(3);
  expect(axisLabels([], 5, String)).toEqual([]);
});

import { expect, test } from "@playwright/test";
import {
  formatBytes,
  formatCount,
  formatFirst,
  formatFloat,
  formatHex,
  formatId,
  formatParameters,
  formatPercent,
} from "../../../www/src/ui/numbers.ts";
import { paceText } from "../../../www/src/ui/pace.ts";
import { unbroken } from "../../../www/src/ui/unbroken.ts";
import { headerProgress } from "../../../www/src/viewer/header-progress.ts";

test("sizes are decimal, with three digits", () => {
  expect([0, 1, 999, 1000, 1020, 99_960, 999_600, 4_920_000_000].map(formatBytes)).toEqual([
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1.00 kB",
    "1.02 kB",
    "100 kB",
    "1.00 MB",
    "4.92 GB",
  ]);
  expect([8_030_261_312, 130_000, 12].map(formatParameters)).toEqual(["8.03 B", "130 K", "12"]);
});

test("counts have separators and a noun in the right number, names of things have no separators", () => {
  expect([0, 1, 2, 128_256].map((count) => formatCount(count, "token"))).toEqual([
    "0 tokens",
    "1 token",
    "2 tokens",
    "128,256 tokens",
  ]);
  expect([1, 3].map((count) => formatFirst(count, "block"))).toEqual(["the first block", "the first 3 blocks"]);
  expect([formatId(128_000), formatId(2n ** 60n)]).toEqual(["128000", "1152921504606846976"]);
});

test("a part is never shown as 0%, and an incomplete whole never as 100%", () => {
  expect(formatPercent(1, 1e9)).toBe("<0.1%");
  expect(formatPercent(1e9 - 1, 1e9)).toBe(">99.9%");
  expect(formatPercent(1, 3)).toBe("33.3%");
  expect(formatPercent(0, 0)).toBe("0%");
});

test("a float32 is shown as the shortest text that converts back to it", () => {
  expect(formatFloat(Math.fround(0.00001), 32)).toBe("0.00001");
  expect(formatFloat(Math.fround(0.1), 32)).toBe("0.1");
  expect(formatFloat(0.1, 64)).toBe("0.1");
  expect(formatFloat(-0, 32)).toBe("-0");
  expect(formatFloat(Number.NaN, 32)).toBe("NaN");
  expect(formatFloat(Math.fround(3.4028235e38), 32)).toBe("3.4028235e+38");
  expect(formatHex(499)).toBe("0x1f3");
});

test("progress is known as soon as the number of entries has been read", () => {
  const known = { bytesRead: 50, requests: 1, metadataRead: 3, tensorsRead: 1, headerEstimate: 200 };
  expect(headerProgress(known)).toBeUndefined();
  expect(headerProgress({ ...known, metadataCount: 6, tensorCount: 2 })).toBe(0.25);
  expect(headerProgress({ ...known, metadataCount: 6, tensorCount: 2, headerEstimate: 40 })).toBe(1);
});

test("the pace of a task is its rate and the time that is left", () => {
  expect(paceText(5e8, 1e9, 999)).toBe("");
  expect(paceText(0, 1e9, 5000)).toBe("");
  expect(paceText(5e8, 1e9, 5000)).toBe("100 MB/s, about 5 s left");
  expect(paceText(1e9, 300e9, 10_000)).toBe("100 MB/s, about 50 min left");
  expect(paceText(1e8, 300e9, 10_000)).toBe("10.0 MB/s, about 8.3 h left");
  expect(paceText(1e9, 1e9, 10_000)).toBe("100 MB/s");
});

test("no line ends between a number and its unit", () => {
  expect(unbroken("7.34 GiB of 32.0 GiB main memory, 8,192 tokens. All 2")).toBe(
    "7.34\u00a0GiB of 32.0\u00a0GiB main memory, 8,192\u00a0tokens. All 2",
  );
  expect(unbroken("blocks 0–4, 6 and more")).toBe("blocks 0–4, 6\u00a0and more");
});

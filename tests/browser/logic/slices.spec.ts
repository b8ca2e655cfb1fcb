import { expect, test } from "@playwright/test";
import { rowCoordinates } from "../../../www/src/values/matrix.ts";
import { isStacked, rowLabel, rowOfSlice, rowTitle, formatRows, sliceRows } from "../../../www/src/values/slices.ts";

const experts = { name: "blk.0.ffn_down_exps.weight", dimensions: [7, 3, 4] };
const kernel = { name: "v.patch_embd.weight", dimensions: [7, 3, 4, 2] };
const plain = { name: "output.weight", dimensions: [7, 3] };

test("a slice has the rows at its position in the tensor", () => {
  expect(sliceRows([2], experts)).toEqual({ start: 6, end: 9 });
  expect(sliceRows([3, 1], kernel)).toEqual({ start: 21, end: 24 });
  expect(rowOfSlice(1, [3, 1], kernel)).toBe(22);
  expect(rowCoordinates(22, kernel.dimensions)).toEqual([1, 3, 1]);
});

test("the name of a row contains its slice", () => {
  const one = (row: number) => ({ start: row, end: row + 1 });
  expect(formatRows(one(7), experts)).toBe("Expert 2 · row 1");
  expect(formatRows({ start: 6, end: 9 }, experts)).toBe("Expert 2 · rows 0–2");
  expect(formatRows({ start: 8, end: 10 }, experts)).toBe("Expert 2 · row 2 to Expert 3 · row 0");
  expect(formatRows(one(22), kernel)).toBe("Dimension 3: 1 · Dimension 2: 3 · row 1");
  expect(formatRows(one(2), plain)).toBe("Row 2");
  expect(formatRows(one(7), { ...experts, name: "conv.weight" })).toBe("Slice 2 · row 1");
  expect([rowTitle(experts), rowTitle(plain), rowTitle(kernel)]).toEqual([
    "Expert · row",
    "Row",
    "Dimension 3 · Dimension 2 · row",
  ]);
  expect([rowLabel(7, experts), rowLabel(22, kernel), rowLabel(2, plain)]).toEqual(["2 · 1", "1 · 3 · 1", "2"]);
  // Trailing dimensions of 1 have no slices.
  expect(isStacked({ dimensions: [7, 3, 1, 1] })).toBe(false);
  expect(formatRows(one(2), { name: "a", dimensions: [7, 3, 1] })).toBe("Row 2");
});

import { expect, test } from "@playwright/test";
import { cellWords, sampleWords } from "../../../www/src/values/sample-words.ts";

/** `count` ranges of `size`, each `distance` after the one before. */
const ranges = (count: number, start: number, distance: number, size = 1) =>
  Array.from({ length: count }, (_, i) => ({ start: start + i * distance, end: start + i * distance + size }));

const rowText = (row: number) => `row ${row}`;
const whole = ranges(64, 0, 64, 64);

test("a sample of rows is described by its number, its distance and its ends", () => {
  const tensor = { rows: 14_336, rowLength: 4096, rowText };
  expect(sampleWords({ sampledRows: ranges(512, 0, 28), sampledColumns: whole }, tensor)).toBe(
    "Shows 512 of 14,336 rows: one in 28, from row 0 to row 14308.",
  );
  expect(
    sampleWords({ sampledRows: [...ranges(3, 0, 28), { start: 85, end: 86 }], sampledColumns: whole }, tensor),
  ).toBe("Shows 4 of 14,336 rows: about one in 3,584, from row 0 to row 85.");
  // Two cells show the neighbouring rows of one group.
  const groups = ranges(32, 100, 448).flatMap(({ start }) => ranges(2, start, 7, 7));
  expect(sampleWords({ sampledRows: groups, sampledColumns: whole }, tensor)).toBe(
    "Shows 448 of 14,336 rows, in 32 groups of 14, spread evenly, from row 100 to row 14001.",
  );
});

test("a sample of elements names its parts, and a whole tensor needs no words", () => {
  const columns = ranges(4, 128, 1024, 256);
  expect(
    sampleWords({ sampledRows: ranges(8, 5, 100), sampledColumns: columns }, { rows: 800, rowLength: 4096, rowText }),
  ).toBe(
    "Shows 8 of 800 rows: one in 100, from row 5 to row 705. Of each row, it shows 1,024 of 4,096 elements, in 4 parts of 256.",
  );
  expect(
    sampleWords({ sampledRows: ranges(1, 0, 1), sampledColumns: columns }, { rows: 1, rowLength: 4096, rowText }),
  ).toBe("Shows 1,024 of 4,096 elements, in 4 parts of 256, spread evenly.");
  expect(
    sampleWords(
      { sampledRows: ranges(8, 0, 100, 100), sampledColumns: whole },
      { rows: 800, rowLength: 4096, rowText },
    ),
  ).toBe("");
});

test("a cell names the rows and columns that it stands for", () => {
  expect(cellWords({ sampledRows: ranges(8, 0, 7, 7), sampledColumns: [...whole, { start: 4096, end: 4159 }] })).toBe(
    "7 × 63–64",
  );
});

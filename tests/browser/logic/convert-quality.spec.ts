/** The quality of file types before a conversion: points, the slider, errors of a plan, the command of a mix, strips. */

import { expect, test } from "@playwright/test";
import type { ErrorEstimate } from "gguf-wasm/convert";
import { Gguf } from "gguf-wasm/explain";
import {
  bestWithin,
  elementCounts,
  meanError,
  measuredWords,
  plannedErrors,
  qualityPoints,
  savedText,
  sliderPoints,
} from "../../../www/src/convert/quality/curve-points.ts";
import { limitedMachines, limitsOf } from "../../../www/src/convert/quality/card-limit.ts";
import { mixCommand } from "../../../www/src/convert/quality/mix-command.ts";
import { stripsOf } from "../../../www/src/convert/quality/strips.ts";
import { missing, read } from "../../package/corpus.mjs";
import { formatError } from "../../../www/src/gguf/nmse.ts";

const fileType = (name: string, size: number, normalisedError: number, weighted = {}) => ({
  name,
  size,
  normalisedError,
  types: [],
  ...weighted,
});

test("a point is on the curve if no smaller file type has as little error", () => {
  const points = qualityPoints({
    fileTypes: [
      fileType("Q8_0", 80, 0.0001),
      fileType("Q4_0", 41, 0.009),
      fileType("Q4_K_M", 45, 0.004),
      fileType("Q4_1", 46, 0.006),
      fileType("F16", 160, 0),
    ],
  });
  // A type that loses nothing has no place on a logarithmic axis.
  expect(points.map(({ name, isBest }) => [name, isBest])).toEqual([
    ["Q4_0", true],
    ["Q4_K_M", true],
    ["Q4_1", false],
    ["Q8_0", true],
  ]);
  expect(sliderPoints(points, "Q8_0").map(({ name }) => name)).toEqual(["Q4_0", "Q4_K_M", "Q8_0"]);
  expect(sliderPoints(points, "Q4_1").map(({ name }) => name)).toEqual(["Q4_0", "Q4_K_M", "Q4_1", "Q8_0"]);
});

test("of file types that make the same file, the one with the short name is on the curve", () => {
  const points = qualityPoints({ fileTypes: [fileType("MXFP4_MOE", 80, 0.0001), fileType("Q8_0", 80, 0.0001)] });
  expect(points.map(({ name, isBest }) => [name, isBest])).toEqual([
    ["Q8_0", true],
    ["MXFP4_MOE", false],
  ]);
});

test("the limits of cards: each size alone, the smallest first, and all together", () => {
  const titles = (cards?: number[]) => limitedMachines({ cards }).map(([title, { cards: own }]) => [title, own]);
  expect(titles([24, 12, 24])).toEqual([
    ["one 12 GB card", [12]],
    ["one 24 GB card", [24]],
    ["24 + 12 + 24 GB", [24, 12, 24]],
  ]);
  expect(titles([12])).toEqual([["12 GB", [12]]]);
  expect([titles([]), titles()]).toEqual([[], []]);
  const points = qualityPoints({ fileTypes: [fileType("Q4_0", 40, 0.01), fileType("Q8_0", 80, 0.0001)] });
  expect([39, 79, 80].map((bytes) => bestWithin(points, bytes)?.name)).toEqual([undefined, "Q4_0", "Q8_0"]);
});

test("the largest file for a card leaves room for the context and the buffers", async () => {
  test.skip(missing !== false, "the corpus is not there");
  using gguf = await Gguf.open(read("memory/llama-3.1-8b.gguf"));
  const size = gguf.tensors.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
  const of = (...cards: number[]) =>
    limitsOf(gguf, size, {}, { cards, context: 8192 }).map(({ bytes }) => bytes / 2 ** 30);
  const [small = 0, large = 0, both = 0] = of(12, 8);
  // 1 GiB of each card is left free, and the keys and values of 8,192 tokens take another one. The token embedding stays on the CPU.
  expect(small).toBeGreaterThan(8 - 2);
  expect(small).toBeLessThan(8 - 1.5);
  expect(large - small).toBeCloseTo(4, 0);
  expect(both).toBeGreaterThan(large + 4);
  expect(both).toBeLessThan(small + large + 2);
  // A card that the buffers alone fill has no limit.
  expect(of(1)).toEqual([]);
});

test("with an importance matrix, the errors by importance count", () => {
  const weighted = { weightedError: 0.002, weightedErrorWithoutImportance: 0.003 };
  expect(qualityPoints({ fileTypes: [fileType("Q4_K_M", 45, 0.004, weighted)] })).toEqual([
    { name: "Q4_K_M", size: 45, error: 0.002, without: 0.003, isBest: true },
  ]);
});

test("the errors of a plan are those of its types, as far as they were tried", () => {
  const tensor = (name: string, elementCount: number, ...errors: [type: string, error: number][]) => ({
    name,
    elementCount,
    rowsRead: 4,
    rowCount: 8,
    types: errors.map(([type, normalisedError]) => ({ type, byteLength: 1, normalisedError })),
  });
  const tensors: ErrorEstimate["tensors"] = [
    tensor("a", 300, ["Q4_K", 0.004], ["Q8_0", 0]),
    tensor("b", 100, ["Q6_K", 0.001]),
  ];
  const planned = (...types: string[]) => types.map((newType) => ({ newType }));
  expect([...plannedErrors({ tensors }, planned("Q4_K", "Q5_K"))]).toEqual([[0, 0.004]]);
  expect(meanError(tensors, plannedErrors({ tensors }, planned("Q4_K", "Q5_K")))).toBeUndefined();
  const errors = plannedErrors({ tensors }, planned("Q4_K", "Q6_K"));
  expect(meanError(tensors, errors)).toBeCloseTo((0.004 * 300 + 0.001 * 100) / 400, 12);
  // After a conversion, the measured error stands beside the estimated one.
  const counts = elementCounts({ tensors: [{ dimensions: [30, 10] }, { dimensions: [100] }] });
  expect(measuredWords(counts, new Map([[0, 0.005]]), errors)).toBe("");
  const measured = new Map([
    [0, 0.005],
    [1, 0.001],
  ]);
  expect(measuredWords(counts, measured, errors)).toBe("Error (NMSE) over all rows: 0.004, estimated before: 0.00325.");
  expect(measuredWords(counts, measured, undefined)).toBe("Error (NMSE) over all rows: 0.004.");
});

test("beside measured errors, those are estimated in which all weights count the same", () => {
  const type = { type: "Q4_K", byteLength: 1, normalisedError: 0.004, weightedError: 0.003 };
  const tensors: ErrorEstimate["tensors"] = [{ name: "a", elementCount: 1, rowsRead: 1, rowCount: 1, types: [type] }];
  const errorsOf = (kind: "equal" | "importance") => [
    ...plannedErrors({ tensors }, [{ newType: "Q4_K" }], kind).values(),
  ];
  expect([errorsOf("importance"), errorsOf("equal")]).toEqual([[0.003], [0.004]]);
});

test("errors and their comparison in words", () => {
  expect([0, 0.0042149, 0.0000123456, Infinity].map(formatError)).toEqual(["0", "0.00421", "1.23e-5", "∞"]);
  expect([savedText(0.004, 0.003), savedText(0.004, 0.005)]).toEqual(["25 % smaller", "25 % larger"]);
});

test("the command of a mix has its rules and quotes what shells would change", () => {
  const mix = {
    fileType: "Q4_K_M",
    tensorTypes: ["^blk\\.(0|3)\\.ffn_down\\.weight$=q6_k"],
    size: 1,
    normalisedError: 0,
    types: [],
  };
  const command = mixCommand(mix, { input: "my model.gguf", output: "it's.gguf", imatrix: "imatrix.gguf" });
  expect(command.split(" \\\n  ")).toEqual([
    "llama-quantize",
    "--imatrix imatrix.gguf",
    "--tensor-type '^blk\\.(0|3)\\.ffn_down\\.weight$=q6_k'",
    "'my model.gguf' 'it'\\''s.gguf' Q4_K_M",
  ]);
});

test("strips have the first columns, and one scale for the original and the quantized rows", () => {
  const original = Float32Array.of(1, -1, 5, 0.5, -0.5, 5);
  const converted = Float32Array.of(1, -1, 4, 0.5, -0.5, 5);
  const rows = { type: "Q4_0", firstRow: 0, rowCount: 2, columns: 3, original, converted };
  const { all, shownColumns, relative } = stripsOf(rows, 2);
  expect(shownColumns).toBe(2);
  expect([...all[0].cells.numbers]).toEqual([1, -1, 0.5, -0.5]);
  expect(all[1].scale).toBe(all[0].scale);
  // The column that is not shown counts, too.
  expect([...all[2].cells.numbers]).toEqual([0, 0, 0, 0]);
  expect(relative).toBeCloseTo(Math.sqrt(1 / 52.5), 6);
});

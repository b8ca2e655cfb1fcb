/** The errors of compared tensors, the files that are suggested, and the shares of blocks. No page is needed. */

import { expect, test } from "@playwright/test";
import { type ComparedPair, parseRepository, type Repository, type TensorInfo, tensorRole } from "gguf-wasm/full";
import { errorScale, errorStyle, placeOnScale, scaleTicks } from "../../../www/src/gguf/error-scale.ts";
import { errorsByType, pointsOf, smallerSide, typeAxis } from "../../../www/src/compare/errors/points.ts";
import { largestError, stateOf, swappedPairs, tensorErrors } from "../../../www/src/compare/errors/tensor-errors.ts";
import { countWords, errorWords, typeWords } from "../../../www/src/compare/errors/words.ts";
import { repositoryOf } from "../../../www/src/gguf/repository-place.ts";
import { siblings } from "../../../www/src/compare/suggestions.ts";
import { placeFinder } from "../../../www/src/summary/block-roles.ts";
import { blockShare, blockSizes } from "../../../www/src/tensors/block-sizes.ts";

/** A tensor with 256 elements. */
const tensor = (index: number, name: string, type = "F16", byteLength = 512): TensorInfo =>
  ({ index, name, type, byteLength, elementCount: 256, dimensions: [256], offset: 0 }) as unknown as TensorInfo;

const measured = (a: number, b: number, nmse: number, isSampled = false): [number, ComparedPair] => [
  a,
  { a, b, data: "different", values: { count: 256, nmse, largestDifference: 1, nonFinite: 0, isSampled } },
];

const LISTS = {
  a: [
    tensor(0, "token_embd.weight"),
    tensor(1, "blk.0.attn_q.weight"),
    tensor(2, "blk.0.ffn_down.weight"),
    tensor(3, "blk.1.attn_q.weight"),
    tensor(4, "blk.1.ffn_down.weight"),
    tensor(5, "only.here"),
  ],
  // In another order, and one tensor has another name.
  b: [
    tensor(0, "blk.1.attn_q.weight", "Q4_0", 144),
    tensor(1, "blk.0.attn_q.weight", "Q4_0", 144),
    tensor(2, "renamed.weight", "F16"),
    tensor(3, "blk.0.ffn_down.weight", "Q8_0", 272),
    { ...tensor(4, "blk.1.ffn_down.weight", "Q8_0", 272), elementCount: 128 },
  ],
};
const PAIRS = new Map<number, ComparedPair>([
  [0, { a: 0, b: 2, data: "equal" }],
  measured(1, 1, 0.01),
  measured(2, 3, 1e-5, true),
]);

test("a tensor has an error, is equal, is not compared yet, or cannot be compared", () => {
  const states = (isRunning: boolean) =>
    tensorErrors(LISTS, PAIRS, isRunning).map(({ state, nmse, reason, other }) => [state, nmse, other?.index, reason]);
  expect(states(true)).toEqual([
    ["measured", 0, 2, ""],
    ["measured", 0.01, 1, ""],
    ["measured", 1e-5, 3, ""],
    ["pending", undefined, 0, "not compared yet"],
    ["pending", undefined, 4, "not compared yet"],
    ["unmeasured", undefined, undefined, "only in A"],
  ]);
  expect(states(false).slice(3)).toEqual([
    ["unmeasured", undefined, 0, "its data was not read, or its type is not known"],
    ["unmeasured", undefined, 4, "its dimensions differ"],
    ["unmeasured", undefined, undefined, "only in A"],
  ]);
  const noNumbers = new Map<number, ComparedPair>([
    measured(1, 1, NaN),
    [2, { a: 2, b: 3, data: "different" }],
    [3, { a: 3, b: 0, data: "equal-in-sample" }],
  ]);
  const [, nan, opaque, sampled] = tensorErrors(LISTS, noNumbers, false);
  expect([nan?.state, nan?.reason]).toEqual([
    "unmeasured",
    "no pair of finite numbers, or numbers too large for a sum of squares",
  ]);
  expect(opaque?.reason).toBe("its bytes differ, and its type has no numbers");
  expect([sampled?.nmse, sampled?.isSampled]).toEqual([0, true]);
});

test("a picture links to the tensors that the table of differences has", () => {
  expect(tensorErrors(LISTS, PAIRS, false).map(({ isListed }) => isListed)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  const same = new Map<number, ComparedPair>([[1, { a: 1, b: 1, data: "equal" }]]);
  expect(tensorErrors(LISTS, same, false)[1]?.isListed).toBe(false);
  // The table is the one before, while values are being compared.
  expect(tensorErrors(LISTS, PAIRS, true).some(({ isListed }) => isListed)).toBe(false);
});

test("exchanged sides have the errors relative to the other file", () => {
  const swapped = swappedPairs(PAIRS, (a) => (a === 1 ? measured(1, 1, 0.02)[1] : undefined));
  expect([...swapped].map(([key, { a, b, values }]) => [key, a, b, values?.nmse])).toEqual([
    [2, 2, 0, undefined],
    [1, 1, 1, 0.02],
    [3, 3, 2, 1e-5],
  ]);
});

test("the words of a cell name the largest error, and what is left out", () => {
  const errors = tensorErrors(LISTS, PAIRS, false);
  expect(errorWords(errors.slice(1, 3))).toBe("error 0.01 in the sample");
  expect(errorWords(errors.slice(0, 1))).toBe("equal");
  expect(errorWords(errors.slice(1, 4))).toBe("error 0.01 in the sample, 1 tensor not compared");
  expect(errorWords(errors.slice(5))).toBe("not compared: only in A");
  expect(errorWords(tensorErrors(LISTS, PAIRS, true).slice(3, 4))).toBe("not compared yet");
  expect(typeWords(errors.slice(1, 3))).toBe("F16 in A, Q4_0 and Q8_0 in B");
  expect(typeWords(errors.slice(5))).toBe("F16");
  expect(countWords(errors, 2)).toBe("3 tensors compared, 1 equal. 3 tensors of A not compared. 2 tensors only in B.");
  expect(countWords(tensorErrors(LISTS, PAIRS, true), 0)).toBe(
    "3 tensors of 5 compared so far, 1 equal. 1 tensor of A not compared.",
  );
  expect([largestError(errors), stateOf(errors), stateOf(errors.slice(3))]).toEqual([0.01, "measured", "unmeasured"]);
});

test("the scale of errors is logarithmic, and leaves out what has no place on it", () => {
  const scale = errorScale([0, undefined, 1e-6, 1e-2, Infinity]);
  expect(scale).toEqual({ low: 1e-6, high: 1e-2 });
  if (!scale) return;
  expect([1e-7, 1e-6, 1e-4, 1e-2, Infinity].map((error) => placeOnScale(scale, error))).toEqual([
    0,
    0,
    expect.closeTo(0.5, 10),
    1,
    1,
  ]);
  expect(scaleTicks(scale)).toEqual([1e-6, 1e-5, 1e-4, 1e-3, 1e-2]);
  // Errors that are nearly the same have nearly the same colour.
  const narrow = errorScale([1e-3, 1.1e-3]);
  expect((narrow?.high ?? 0) / (narrow?.low ?? 1)).toBeCloseTo(10, 6);
  expect(errorScale([0, undefined])).toBeUndefined();
  expect(errorStyle(scale, 0)).toBe("");
  expect(errorStyle(scale, 1e-4)).toMatch(/^--hue: light-dark\(rgb\(.*\), rgb\(.*\)\); --place: 0\.500$/);
  expect(scaleTicks({ low: 2e-4, high: 3e-3 }).length).toBeGreaterThan(2);
});

test("errors that a float can just hold have places on the scale, and infinite ones have the strongest colour", () => {
  const scale = errorScale([1e-300, 1, 1e300]);
  if (!scale) throw new Error("no scale");
  expect([1e-300, 1, 1e300].map((error) => placeOnScale(scale, error))).toEqual([0, expect.closeTo(0.5, 10), 1]);
  // The only error may be infinite: a tensor of zeros in the first file.
  expect(errorScale([0, Infinity])).toBeUndefined();
  expect(errorStyle(undefined, Infinity)).toBe(errorStyle({ low: 1e-6, high: 1e-2 }, Infinity));
  expect(errorStyle(undefined, Infinity)).toMatch(/--place: 1\.000$/);
  expect(errorStyle(undefined, 0.1)).toBe("");
});

test("each tensor with an error is a point: its bits in the smaller file, its error, its kind", () => {
  expect(smallerSide(LISTS)).toBe("b");
  expect(smallerSide({ a: LISTS.b, b: LISTS.a })).toBe("a");
  expect(smallerSide({ a: LISTS.a, b: LISTS.a })).toBe("b");
  const points = pointsOf(tensorErrors(LISTS, PAIRS, false), "b", placeFinder(tensorRole));
  expect(points.map(({ bits, nmse, type, kind, block }) => [bits, nmse, type, kind, block])).toEqual([
    [4.5, 0.01, "Q4_0", "attention", 0],
    [8.5, 1e-5, "Q8_0", "feed-forward", 0],
    [16, 0, "F16", "outer", undefined],
  ]);
  expect(errorsByType(points)).toEqual([
    { type: "Q4_0", bits: 4.5, count: 1, equal: 0, least: 0.01, median: 0.01, largest: 0.01 },
    { type: "Q8_0", bits: 8.5, count: 1, equal: 0, least: 1e-5, median: 1e-5, largest: 1e-5 },
    { type: "F16", bits: 16, count: 1, equal: 1, least: undefined, median: undefined, largest: undefined },
  ]);
});

test("each type has a column of its own, in which the points stand in the order of their blocks", () => {
  const points = [
    { type: "Q6_K", bits: 6.5625, block: 0 },
    { type: "Q4_K", bits: 4.5, block: 0 },
    { type: "Q4_K", bits: 4.5, block: 31 },
    { type: "F32", bits: 32, block: undefined },
  ];
  const { columns, each, x } = typeAxis(points, [60, 360]);
  expect(columns.map(({ type, left }) => [type, left])).toEqual([
    ["Q4_K", 60],
    ["Q6_K", 160],
    ["F32", 260],
  ]);
  expect(each).toBe(100);
  expect(points.map(x)).toEqual([170, 70, 150, 310]);
});

test("the repository of an address on Hugging Face", () => {
  const of = (address: string | undefined) => repositoryOf(address, parseRepository);
  expect(of("https://huggingface.co/owner/name/resolve/main/a/b.gguf?download=true")).toBe("owner/name");
  expect(of("https://huggingface.co/owner/name/resolve/v2/b.gguf")).toBe("owner/name@v2");
  expect(of("https://huggingface.co/owner/name")).toBeUndefined();
  expect(of("https://example.com/owner/name/resolve/main/b.gguf")).toBeUndefined();
  expect(of("models/b.gguf")).toBeUndefined();
  expect(of(undefined)).toBeUndefined();
});

test("the other models of a repository are suggested, the largest first", () => {
  const file = (name: string, size: number, role = "model") => {
    const url = `https://huggingface.co/owner/name/resolve/main/${name}`;
    return { name, size, role, url, encoding: name.slice(0, -5), parts: [{ name, size, url }] };
  };
  const files = [
    file("Q4_K_M.gguf", 4e9),
    file("F16.gguf", 14e9),
    file("Q8_0.gguf", 7e9),
    file("m.gguf", 1e9, "projector"),
    { ...file("F32.gguf", 21e9), shards: { count: 4, present: 3 } },
    { ...file("BF16.gguf", 14.5e9), shards: { count: 2, present: 2 } },
  ];
  const found = siblings(
    { files } as unknown as Repository,
    "https://huggingface.co/owner/name/resolve/main/Q4_K_M.gguf?download=true",
  );
  expect(found.map(({ name, about }) => `${name}: ${about}`)).toEqual([
    "BF16.gguf: BF16, 14.5 GB",
    "F16.gguf: F16, 14.0 GB",
    "Q8_0.gguf: Q8_0, 7.00 GB",
  ]);
  expect(found[1]?.open()).toEqual({ kind: "address", address: files[1]?.url });
});

test("a tensor has a share in the bytes of its block", async () => {
  const tensors = [
    tensor(0, "token_embd.weight", "F16", 900),
    tensor(1, "output.weight", "F16", 100),
    tensor(2, "blk.3.attn_q.weight", "F16", 250),
    tensor(3, "blk.3.ffn_up.weight", "F16", 750),
    tensor(4, "blk.31.ffn_up.weight", "F16", 4),
    { index: 5, name: "blk.4.unknown", type: "unknown(99)" } as unknown as TensorInfo,
  ];
  const sizes = await blockSizes(tensors, new AbortController().signal);
  expect(tensors.map((one) => blockShare(one, sizes))).toEqual([
    { part: 0.9, words: "90.0% outside blocks" },
    { part: 0.1, words: "10.0% outside blocks" },
    { part: 0.25, words: "25.0% of blk.3" },
    { part: 0.75, words: "75.0% of blk.3" },
    { part: 1, words: "100.0% of blk.31" },
    undefined,
  ]);
});

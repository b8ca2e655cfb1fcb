import { expect, test } from "@playwright/test";
import type { Finding } from "gguf-wasm/full";
import { refusalText } from "../../../www/src/gguf/error-texts.ts";
import { planSentence, planSummary } from "../../../www/src/edit/plan-summary.ts";
import { afterFailure, savedName, saveWays } from "../../../www/src/edit/save-ways.ts";
import { isTruncated } from "../../../www/src/summary/facts.ts";

test("a plan is summarised in a sentence", () => {
  const plan = (inPlace: boolean, kinds: string[] = []) => ({
    size: 2000,
    inPlace,
    findings: [{ code: "duplicate-key", severity: "error", message: "m" }] satisfies Finding[],
    patches: () => (inPlace ? [{ bytes: new Uint8Array(3) }, { bytes: new Uint8Array(4) }] : undefined),
    segments: () => kinds.map((kind) => ({ kind })),
  });
  const tensors = { kept: 3, removed: 0 };
  for (const [inPlace, kinds, original, sentence] of [
    [true, [], { size: 2000, ...tensors }, "7 bytes of 2.00 kB change, in 2 places. Tensor data does not change."],
    [true, [], { size: 2000, kept: 0, removed: 0 }, "7 bytes of 2.00 kB change, in 2 places."],
    [
      false,
      [],
      { size: 1000, ...tensors },
      "The new file is 2.00 kB, 1.00 kB larger than the original. Tensor data is copied unchanged.",
    ],
    [
      false,
      ["copy", "swap"],
      { size: 2000, ...tensors },
      "The new file is 2.00 kB, the same size as the original. Tensor data is converted to the other byte order.",
    ],
    [false, [], { size: 2000, kept: 0, removed: 0 }, "The new file is 2.00 kB, the same size as the original."],
    [
      false,
      [],
      { size: 2500, kept: 2, removed: 1 },
      "The new file is 2.00 kB, 500 bytes smaller than the original. The data of the remaining tensors is copied unchanged.",
    ],
    [
      false,
      ["swap"],
      { size: 2500, kept: 2, removed: 1 },
      "The new file is 2.00 kB, 500 bytes smaller than the original. The data of the remaining tensors is converted to the other byte order.",
    ],
    [
      false,
      [],
      { size: 2500, kept: 0, removed: 3 },
      "The new file is 2.00 kB, 500 bytes smaller than the original. All tensors are removed.",
    ],
  ] as const) {
    expect(planSentence(planSummary(plan(inPlace, [...kinds]), original))).toBe(sentence);
  }
  expect(planSummary(plan(false, ["copy", "swap"]), { size: 2000, ...tensors })).toMatchObject({
    swaps: true,
  });
});

const given = {
  writable: false,
  local: true,
  picker: true,
  storage: true,
  inPlace: true,
  swaps: false,
  size: 4e9,
  headerSize: 1000,
};

for (const [name, more, kinds] of [
  ["a picked file", { writable: true }, ["in-place", "as", "download"]],
  ["a file from an input", {}, ["as", "download"]],
  ["where nothing can be picked", { picker: false }, ["download"]],
  ["another byte order", { swaps: true, picker: false }, ["collect"]],
  ["another byte order without storage", { swaps: true, picker: false, storage: false }, []],
  ["a remote file", { local: false }, ["as", "header"]],
  ["a remote file where nothing can be picked", { local: false, picker: false }, ["collect", "header"]],
  ["a large remote file without storage", { local: false, picker: false, storage: false }, ["header"]],
  [
    "a small remote file without storage",
    { local: false, picker: false, storage: false, size: 1000 },
    ["collect", "header"],
  ],
] as const) {
  test(name, () => {
    expect(saveWays({ ...given, ...more }).map((way) => way.kind)).toEqual(kinds);
  });
}

test("names of saved files, and the state after a failure", () => {
  expect(savedName("a.Q4.GGUF", "as")).toBe("a.Q4-edited.gguf");
  expect(savedName("a.gguf", "in-place")).toBe("a.gguf");
  // The number of a shard is at the end of its name.
  expect(savedName("a-00002-of-00003.gguf", "download")).toBe("a-edited-00002-of-00003.gguf");
  expect(savedName("a-00002-of-00003.gguf", "header")).toBe("a-00002-of-00003.header.gguf");
  expect(savedName("", "header")).toBe("model.header.gguf");
  expect(afterFailure("interrupted", "in-place")).toContain("only some of the changes");
  expect(afterFailure("write-failed", "in-place")).toBe("The file is not changed.");
  expect(refusalText({ code: "does-not-fit", message: "`a` is 5" })).toBe("`a` is 5.");
});

test("a file is truncated if it is smaller than its header and data", () => {
  expect(isTruncated({ fileSize: 100, requiredSize: 100 })).toBe(false);
  expect(isTruncated({ fileSize: 99, requiredSize: 100 })).toBe(true);
  expect(isTruncated({ fileSize: undefined, requiredSize: 100 })).toBe(false);
  // From 2^53 on the required size is undefined, and no file is that large.
  expect(isTruncated({ fileSize: 100, requiredSize: undefined })).toBe(true);
});

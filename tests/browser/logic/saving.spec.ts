import { expect, test } from "@playwright/test";
import type { Finding } from "gguf-wasm";
import { refusalText } from "../../../www/src/gguf/error-texts.ts";
import { planSentence, planSummary } from "../../../www/src/edit/plan-summary.ts";
import { afterFailure, savedName, saveWays } from "../../../www/src/edit/save-ways.ts";
import { isTruncated } from "../../../www/src/summary/facts.ts";

test("a plan is summed up in a sentence", () => {
  const plan = (inPlace: boolean, kinds: string[] = []) => ({
    size: 2000,
    inPlace,
    findings: [{ code: "duplicate-key", severity: "error", message: "m" }] satisfies Finding[],
    patches: () => (inPlace ? [{ bytes: new Uint8Array(3) }, { bytes: new Uint8Array(4) }] : undefined),
    segments: () => kinds.map((kind) => ({ kind })),
  });
  const tensors = { kept: 3, removed: 0 };
  for (const [inPlace, kinds, original, sentence] of [
    [
      true,
      [],
      { size: 2000, ...tensors },
      "7 bytes of 2.00 kB change, in 2 places; the tensors’ data stays where it is.",
    ],
    [true, [], { size: 2000, kept: 0, removed: 0 }, "7 bytes of 2.00 kB change, in 2 places."],
    [
      false,
      [],
      { size: 1000, ...tensors },
      "A new file of 2.00 kB is written, 1.00 kB more than the original: the tensors’ data moves, unchanged.",
    ],
    [
      false,
      ["copy", "swap"],
      { size: 2000, ...tensors },
      "A new file of 2.00 kB is written, the same size as the original: the tensors’ data is written in the other byte order.",
    ],
    [
      false,
      [],
      { size: 2000, kept: 0, removed: 0 },
      "A new file of 2.00 kB is written, the same size as the original.",
    ],
    [
      false,
      [],
      { size: 2500, kept: 2, removed: 1 },
      "A new file of 2.00 kB is written, 500 bytes less than the original: the data of the tensors that stay moves, unchanged.",
    ],
    [
      false,
      ["swap"],
      { size: 2500, kept: 2, removed: 1 },
      "A new file of 2.00 kB is written, 500 bytes less than the original: the data of the tensors that stay is written in the other byte order.",
    ],
    [
      false,
      [],
      { size: 2500, kept: 0, removed: 3 },
      "A new file of 2.00 kB is written, 500 bytes less than the original: no tensor stays.",
    ],
  ] as const) {
    expect(planSentence(planSummary(plan(inPlace, [...kinds]), original))).toBe(sentence);
  }
  expect(planSummary(plan(false, ["copy", "swap"]), { size: 2000, ...tensors })).toMatchObject({
    swaps: true,
    errors: [{ code: "duplicate-key" }],
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

test("names and what a failure leaves behind", () => {
  expect(savedName("a.Q4.GGUF", "as")).toBe("a.Q4-edited.gguf");
  expect(savedName("a.gguf", "in-place")).toBe("a.gguf");
  expect(savedName("", "header")).toBe("model.header.gguf");
  expect(afterFailure("interrupted", "in-place")).toContain("Some of the changes");
  expect(afterFailure("write-failed", "in-place")).toContain("as it was");
  expect(refusalText({ code: "does-not-fit", message: "`a` is 5" })).toBe("`a` is 5.");
});

test("a file is cut off if it is smaller than its header and data need", () => {
  expect(isTruncated({ fileSize: 100, requiredSize: 100 })).toBe(false);
  expect(isTruncated({ fileSize: 99, requiredSize: 100 })).toBe(true);
  expect(isTruncated({ fileSize: undefined, requiredSize: 100 })).toBe(false);
  // From 2^53 bytes on the size is undefined, and no file is as large.
  expect(isTruncated({ fileSize: 100, requiredSize: undefined })).toBe(true);
});

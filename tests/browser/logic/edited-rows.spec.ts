import { expect, test } from "@playwright/test";
import { type EditedEntry, type MetadataEntry } from "gguf-wasm";
import { editedEntries } from "../../../www/src/edit/edit-rows.ts";
import { keySuggestions } from "../../../www/src/edit/key-suggestions.ts";
import { plainEntries } from "../../../www/src/gguf/shown-file.ts";
import { markedFacts } from "../../../www/src/summary/marked-facts.ts";

test("rows show what is added, changed and removed, each where it stands", () => {
  const entry = (index: number, key: string, origin?: number) =>
    ({
      index,
      key,
      type: "UINT32",
      value: 1,
      offset: 0,
      byteLength: 4,
      ...(origin === undefined ? {} : { origin }),
    }) as EditedEntry;
  const original = ["a", "b", "c", "d"].map((key, at) => entry(at, key)) as MetadataEntry[];
  const edited = [entry(0, "b", 1), entry(1, "new"), entry(2, "d", 3)];
  const rows = editedEntries(original, edited, new Set(["3"]));
  expect(rows.map((row) => `${row.entry.key} ${row.mark} ${row.position}`)).toEqual([
    "a removed 0",
    "b undefined 0",
    "c removed 1",
    "new added 1",
    "d changed 2",
  ]);
  expect(plainEntries(original).map((row) => row.id)).toEqual(["0", "1", "2", "3"]);
  // What is there again under its old key is gone no more.
  expect(editedEntries(original.slice(0, 1), [entry(0, "a")], new Set()).map((row) => row.mark)).toEqual(["added"]);
});

test("keys are suggested that the file does not have", () => {
  const keys = keySuggestions(["general.name", "llama.context_length"], "llama");
  expect(keys).not.toContain("general.name");
  expect(keys).toContain("general.license");
  expect(keys).toContain("llama.rope.freq_base");
  expect(keys).toContain("llama.");
});

test("facts say what they were, what is new and what is gone", () => {
  const was = [
    { label: "Blocks", value: "2" },
    { label: "Licence", value: "mit" },
    { label: "File size", value: "6.14 MB", exact: "6,139,000 bytes" },
  ];
  const willBe = [
    { label: "Blocks", value: "3" },
    { label: "File size", value: "6.14 MB", exact: "6,139,032 bytes" },
    { label: "Experts", value: "8" },
  ];
  expect(markedFacts(was, willBe)).toEqual([
    { label: "Blocks", value: "3", mark: "changed", before: "2" },
    { label: "Licence", value: "–", mark: "removed", before: "mit" },
    { label: "File size", value: "6.14 MB", exact: "6,139,032 bytes" },
    { label: "Experts", value: "8", mark: "added" },
  ]);
  expect(markedFacts(was, was)).toEqual(was);
  // What is gone stands where it stood.
  const [first, second, third] = ["A", "B", "C"].map((label) => ({ label, value: label }));
  if (!first || !second || !third) throw new Error("no facts");
  const gone = (label: string) => ({ label, value: "–", mark: "removed", before: label });
  expect(markedFacts([first, second, third], [third])).toEqual([gone("A"), gone("B"), third]);
  expect(markedFacts([first, second, third], [first])).toEqual([first, gone("B"), gone("C")]);
});

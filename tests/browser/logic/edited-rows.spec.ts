import { expect, test } from "@playwright/test";
import "gguf-wasm/explain";
import { Gguf } from "gguf-wasm/full";
import { entryRows, tensorMarks, tensorRows } from "../../../www/src/edit/edit-rows.ts";
import { keySuggestions, matchingSuggestions } from "../../../www/src/edit/key-suggestions.ts";
import { plainEntries } from "../../../www/src/gguf/shown-file.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { markedFacts } from "../../../www/src/summary/marked-facts.ts";

test("the rows of an edited file: added, changed and removed entries, each at its position", async () => {
  const gguf = await Gguf.open(
    ggufBytes(
      ["a", "b", "c", "d"].map((key) => [key, text(key)]),
      [],
    ),
  );
  expect(plainEntries(gguf.entries).map((row) => row.id)).toEqual(["0", "1", "2", "3"]);
  const editor = gguf.edit();
  const rows = () => entryRows(editor).map((row) => `${row.entry.key} ${row.mark} ${row.position}`);
  editor.remove("a");
  editor.remove("c");
  editor.add("new", 1, "UINT32", 1);
  editor.set("d", "another value");
  expect(rows()).toEqual(["a removed 0", "b undefined 0", "c removed 1", "new added 1", "d changed 2"]);
  const ids = entryRows(editor).map((row) => row.id);
  expect(new Set(ids).size).toBe(5);
  // A row keeps its id when its entry is renamed.
  editor.rename("d", "e");
  expect(entryRows(editor).map((row) => row.id)).toEqual(ids);
  // A removed entry cannot be restored while an added entry has its key, so it has no row.
  editor.add("a", 1, "UINT32");
  expect(rows()).toEqual(["b undefined 0", "c removed 1", "new added 1", "e changed 2", "a added 3"]);
});

test("the tensors of an edited file stay in their original order", async () => {
  const gguf = await Gguf.open(
    ggufBytes(
      [],
      ["x", "y", "z"].map((name) => ({ name, dimensions: [32], type: 0, bytes: 128 })),
    ),
  );
  const editor = gguf.edit();
  editor.removeTensor("x");
  editor.renameTensor("z", "w");
  const rows = tensorRows(gguf.tensors, editor);
  expect(rows.map(({ name, index, offset }) => ({ name, index, offset }))).toEqual([
    { name: "x", index: 0, offset: 0 },
    { name: "y", index: 1, offset: 0 },
    { name: "w", index: 2, offset: 128 },
  ]);
  expect(tensorMarks(editor)).toEqual(
    new Map([
      [2, "changed"],
      [0, "removed"],
    ]),
  );
});

test("keys that the file does not have are suggested", () => {
  const suggestions = keySuggestions(["general.name", "llama.context_length"], "llama");
  const keys = suggestions.map(({ key }) => key);
  expect(keys).not.toContain("general.name");
  expect(keys).not.toContain("llama.context_length");
  expect(keys).toContain("general.license");
  expect(keys).toContain("llama.rope.freq_base");
  // The keys that the architecture requires come first.
  expect(keys.slice(0, 8)).toContain("llama.block_count");
  expect(keys.filter((key) => key.includes("{"))).toEqual([]);
  const matching = matchingSuggestions(suggestions, "rope.freq").map(({ key }) => key);
  expect(matching).toContain("llama.rope.freq_base");
  expect(matching).not.toContain("general.license");
  // Titles match, too, and without an architecture no key of an architecture is suggested.
  expect(matchingSuggestions(suggestions, "license").map(({ key }) => key)).toContain("general.license");
  expect(keySuggestions([], undefined).filter(({ info }) => info.pattern.includes("{arch}"))).toEqual([]);
});

test("facts show old values, and which facts are new or removed", () => {
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
  // A removed fact keeps its position.
  const [first, second, third] = ["A", "B", "C"].map((label) => ({ label, value: label }));
  if (!first || !second || !third) throw new Error("no facts");
  const gone = (label: string) => ({ label, value: "–", mark: "removed", before: label });
  expect(markedFacts([first, second, third], [third])).toEqual([gone("A"), gone("B"), third]);
  expect(markedFacts([first, second, third], [first])).toEqual([first, gone("B"), gone("C")]);
});

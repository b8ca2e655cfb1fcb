import { expect, test } from "@playwright/test";
import { type Change, type EditedEntry, type Finding, Gguf, type MetadataEntry } from "gguf-wasm";
import { changeSentence, changeWords } from "../../www/src/edit/change-words.ts";
import { editedEntries } from "../../www/src/edit/edit-rows.ts";
import { keySuggestions } from "../../www/src/edit/key-suggestions.ts";
import { plainEntries } from "../../www/src/gguf/shown-file.ts";
import { refusal } from "../../www/src/gguf/error-texts.ts";
import { findingCounts, findingTarget, gravest, groupFindings } from "../../www/src/checks/findings.ts";
import { fromDifference, lineDiff } from "../../www/src/edit/text-difference.ts";
import { hexText, parseHex, utf8Text } from "../../www/src/edit/hex.ts";
import { markedFacts } from "../../www/src/summary/marked-facts.ts";
import {
  editText,
  elementsOf,
  integerRange,
  newTypeOf,
  parseElements,
  parseScalar,
  type ScalarType,
} from "../../www/src/edit/new-values.ts";
import { planSentence, planSummary } from "../../www/src/edit/plan-summary.ts";
import { afterFailure, savedName, saveWays } from "../../www/src/edit/save-ways.ts";
import { fromField, needsEscapes, toField } from "../../www/src/edit/string-text.ts";
import { isCutOff } from "../../www/src/summary/facts.ts";
import { unplannedLayout } from "../../www/src/edit/unplanned.ts";
import { smallModel } from "../support/gguf-bytes.mjs";

test.describe("typed numbers", () => {
  for (const [type, text, value] of [
    ["UINT8", "0", 0],
    ["UINT8", "255", 255],
    ["UINT8", "0xff", 255],
    ["INT8", "-128", -128],
    ["INT16", "+32767", 32767],
    ["UINT32", "4,294,967,295", 4294967295],
    ["UINT32", "128_256", 128256],
    ["INT32", "-2147483648", -2147483648],
    ["UINT64", "18446744073709551615", 18446744073709551615n],
    ["INT64", "-9223372036854775808", -9223372036854775808n],
    ["INT64", "7", 7n],
    ["FLOAT32", "0.5", 0.5],
    ["FLOAT32", " 1e-5 ", Math.fround(1e-5)],
    ["FLOAT64", "1e308", 1e308],
    ["FLOAT64", ".5", 0.5],
    ["FLOAT32", "NaN", NaN],
    ["FLOAT32", "-inf", -Infinity],
    ["FLOAT64", "Infinity", Infinity],
    ["BOOL", "TRUE", true],
    ["BOOL", "0", false],
    ["STRING", " a ", " a "],
  ] as const) {
    test(`${type} ${text} is ${String(value)}`, () => {
      expect(parseScalar(type, text)).toMatchObject({ value });
    });
  }

  for (const [type, text] of [
    ["UINT8", "256"],
    ["UINT8", "-1"],
    ["INT8", "128"],
    ["UINT64", "18446744073709551616"],
    ["INT64", "-9223372036854775809"],
    ["UINT32", "1.5"],
    ["UINT32", "1e3"],
    ["UINT32", "1,00"],
    ["UINT32", ""],
    ["UINT32", "ten"],
    ["FLOAT32", "3.5e38"],
    ["FLOAT32", "-3.5e38"],
    ["FLOAT64", "1e309"],
    ["FLOAT64", "1,5"],
    ["FLOAT64", "."],
    ["BOOL", "yes"],
    ["STRING", "\ud800"],
  ] as const) {
    test(`${type} ${JSON.stringify(text)} is refused in words`, () => {
      expect(parseScalar(type, text).problem).toMatch(/^\S.*\.$/);
    });
  }

  test("what is stored otherwise than typed is said", () => {
    expect(parseScalar("FLOAT32", "0.1").remark).toBeUndefined();
    expect(parseScalar("FLOAT32", "16777217").remark).toBe("Stored as 16777216, the nearest FLOAT32.");
    expect(parseScalar("FLOAT64", "1e-400").remark).toBe("Stored as 0, the nearest FLOAT64.");
  });

  test("every number reads back from the text that it is shown as", () => {
    for (const [type, values] of [
      ["FLOAT32", [0.1, 1e-45, 3.4028234663852886e38, -0, NaN, -Infinity].map(Math.fround)],
      ["FLOAT64", [0.1, 5e-324, Number.MAX_VALUE, -0, NaN]],
      ["UINT64", [0n, 2n ** 64n - 1n]],
      ["INT8", [-128, 127]],
    ] as [ScalarType, (number | bigint)[]][]) {
      for (const value of values) expect(parseScalar(type, editText(value, type)).value).toBe(value);
    }
  });

  test("ranges are exact", () => {
    expect(integerRange("INT64")).toEqual({ least: -(2n ** 63n), most: 2n ** 63n - 1n });
    expect(integerRange("FLOAT32")).toBeUndefined();
  });
});

test("elements are typed one a line", () => {
  expect(parseElements("STRING", "a\n\nb").value).toEqual(["a", "", "b"]);
  expect(parseElements("INT32", "1\n2\n").value).toEqual([1, 2]);
  expect(parseElements("INT32", "").value).toEqual([]);
  expect(parseElements("UINT8", "1\n300").problem).toMatch(/^Line 2: UINT8 holds 0 to 255/);
  expect(elementsOf("UINT64", [1n, 2n])).toEqual(BigUint64Array.of(1n, 2n));
  expect(newTypeOf("UINT32", 1)).toBe("UINT32");
});

test.describe("texts in fields", () => {
  for (const value of [
    "",
    "one line",
    "a\nb\n",
    "a\r\nb\r\n  ",
    "a\rb",
    "a\r\nb\n",
    "nul\0l",
    "\u001b[0m \\ \t\n",
    "\ufeff\u202e\u200b",
    "\u{1f600}\r",
    "\u0085",
  ]) {
    test(`${JSON.stringify(value)} comes back as it was`, () => {
      expect(fromField(toField(value))).toEqual({ value });
      expect(fromField(toField(value, true))).toEqual({ value });
      // What a text field makes of line breaks loses nothing.
      const field = toField(value);
      expect(field.text.replace(/\r\n?/g, "\n")).toBe(field.text);
    });
  }

  test("only what would be lost needs escapes", () => {
    expect(needsEscapes("a\r\nb")).toBe(false);
    expect(needsEscapes("a\\b\u200b")).toBe(false);
    expect(needsEscapes("a\r\nb\nc")).toBe(true);
    expect(toField("a\\b\0").text).toBe("a\\\\b\\0");
  });

  test("what is no escape is refused", () => {
    for (const text of ["\\", "\\q", "\\u{110000}", "\\ud800"])
      expect(fromField({ text, escaped: true, lineEnd: "lf" }).problem).toBeDefined();
    expect(fromField({ text: "\\x41\\u0042\\u{1f600}\\n", escaped: true, lineEnd: "lf" })).toEqual({ value: "AB😀\n" });
  });
});

test("bytes are typed in hexadecimal", () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, at) => at * 13);
  expect(parseHex(hexText(bytes)).value).toEqual(bytes);
  expect(parseHex("0x61, 0xFF").value).toEqual(Uint8Array.of(0x61, 0xff));
  expect(parseHex("6").problem).toBe("A byte is two digits; one is missing.");
  expect(parseHex("6g").problem).toBe("“g” is no hexadecimal digit.");
  expect(utf8Text(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
  expect(utf8Text(Uint8Array.of(0xff))).toBeUndefined();
});

test.describe("changes in words", () => {
  for (const [change, words] of [
    [
      { kind: "set", key: "a", from: 1, to: 2, fromType: "UINT32", toType: "UINT32" },
      { what: "Value", where: "a", type: "UINT32", from: "1", to: "2" },
    ],
    [
      { kind: "set", key: "a", from: "", to: 2, fromType: "STRING", toType: "UINT8" },
      { type: "STRING → UINT8", from: "(empty)" },
    ],
    [
      { kind: "set-element", key: "a", index: 5, from: "x", to: "y" },
      { what: "Element 5", from: "x", to: "y" },
    ],
    [{ kind: "insert-elements", key: "a", index: 0, count: 2 }, { what: "2 elements inserted at 0" }],
    [
      { kind: "rename-tensor", tensor: "t", from: "t", to: "u" },
      { where: "t", from: "t", to: "u" },
    ],
    [
      { kind: "retype", key: "a", from: 1, to: 1n, fromType: "UINT8", toType: "UINT64" },
      { what: "Type: UINT8 → UINT64" },
    ],
    [{ kind: "move", key: "a", index: 3, from: 1, to: 3 }, { what: "Moved to place 4" }],
    [
      { kind: "version", from: 1, to: 3 },
      { what: "GGUF version", from: "1", to: "3" },
    ],
    [
      { kind: "set", key: "f", from: Math.fround(0.1), to: NaN, fromType: "FLOAT32", toType: "FLOAT32" },
      { from: "0.1", to: "NaN" },
    ],
  ] as [Omit<Change, "id">, Record<string, unknown>][]) {
    test(`${change.kind} ${JSON.stringify(words)}`, () => {
      expect(changeWords({ id: 0, ...change })).toMatchObject(words);
    });
  }

  test("a revert names the change that it reverts", () => {
    const reverted: Change = { id: 7, kind: "set", key: "a", from: 1, to: 2 };
    expect(changeWords({ id: 7, kind: "revert", reverted })).toEqual({ what: "Revert (Value)", where: "a" });
  });

  test("a change of the type names both types, and both values only if their texts differ", () => {
    const types = { fromType: "FLOAT32", toType: "FLOAT64" } as const;
    const retype: Change = { id: 0, kind: "retype", key: "n", from: 1, to: 1, ...types };
    expect(changeSentence(retype)).toBe("n: Type: FLOAT32 → FLOAT64");
    const from = Math.fround(0.1);
    expect(changeSentence({ ...retype, from, to: from })).toBe(
      "n: Type: FLOAT32 → FLOAT64, value: 0.1 → 0.10000000149011612",
    );
    expect(changeSentence({ ...retype, kind: "set" })).toBe("n: Value, type: FLOAT32 → FLOAT64");
    expect(changeSentence({ ...retype, kind: "set", to: 2 })).toBe("n: Value: 1 → 2, type: FLOAT32 → FLOAT64");
    expect(changeWords({ id: 0, kind: "revert", reverted: retype })).toEqual({
      what: "Revert (Type: FLOAT32 → FLOAT64)",
      where: "n",
    });
  });

  test("long texts are shown from shortly before their first difference", () => {
    const [from, to] = ["x".repeat(300), "x".repeat(300)];
    const words = changeWords({ id: 0, kind: "set", key: "a", from: `${from}old`, to: `${to}new` });
    expect([words.from, words.to]).toEqual([`…${"x".repeat(80)}old`, `…${"x".repeat(80)}new`]);
    expect(fromDifference("a😀b", "a😁b", 1)).toEqual(["…😀b", "…😁b"]);
    expect(fromDifference("aa😀b", "aa😁b", 0)).toEqual(["…😀b", "…😁b"]);
  });

  test("long texts are cut", () => {
    const to = changeWords({ id: 0, kind: "set", key: "a", from: "x", to: "y".repeat(5000) }).to;
    expect(to).toHaveLength(160 + "… (5,000 characters)".length);
    expect(changeSentence({ id: 0, kind: "set", key: "a", from: 1, to: 2 })).toBe("a: Value: 1 → 2");
  });
});

test.describe("line differences", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

  test("show what differs with three lines around it, and count the others", async () => {
    const from = numbers(20);
    const to = [...from];
    to[9] = "another";
    to.splice(10, 0, "new");
    expect(await lineDiff(`${from.join("\n")}\n`, `${to.join("\n")}\n`)).toEqual([
      { kind: "gap", lines: 6 },
      ...from.slice(6, 9).map((text) => ({ kind: "same", text })),
      { kind: "removed", text: "line 9" },
      { kind: "added", text: "another" },
      { kind: "added", text: "new" },
      ...from.slice(10, 13).map((text) => ({ kind: "same", text })),
      { kind: "gap", lines: 7 },
    ]);
  });

  test("of texts that begin or end", async () => {
    expect(await lineDiff("", "a\nb\n")).toEqual([
      { kind: "added", text: "a" },
      { kind: "added", text: "b" },
    ]);
    expect(await lineDiff("a\nb\n", "")).toEqual([
      { kind: "removed", text: "a" },
      { kind: "removed", text: "b" },
    ]);
    expect(await lineDiff("a\nb\n", "a\nb\n")).toEqual([]);
    expect(await lineDiff("a\r\n", "a\n")).toEqual([
      { kind: "removed", text: "a\r" },
      { kind: "added", text: "a" },
    ]);
  });

  test("are not searched for in texts that have nothing in common", async () => {
    const from = numbers(3000).join("\n");
    expect(await lineDiff(from, from.replaceAll("line", "row"))).toBeUndefined();
  });
});

test("findings are grouped, the gravest first, and lead somewhere", () => {
  const finding = (severity: Finding["severity"], more: object = {}) =>
    ({ code: "duplicate-key", severity, message: "m", ...more }) satisfies Finding;
  const findings = [finding("info"), finding("error", { key: "a", index: 3 }), finding("error", { tensor: "t" })];
  expect(groupFindings(findings).map((group) => group.title)).toEqual(["2 errors", "1 note"]);
  expect(findingCounts(findings)).toBe("2 errors, 1 note");
  expect(findingCounts([])).toBe("No problems found in the header");
  expect(gravest(findings)).toBe("error");
  expect(findings.map((found) => findingTarget(found)?.name)).toEqual([undefined, "a", "t"]);
});

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

test("a file that cannot be written lies where it would be planned, as far as that is told", async () => {
  const gguf = await Gguf.open(smallModel());
  const editor = gguf.edit();
  const expectPlanned = () => {
    const plan = editor.plan();
    expect(unplannedLayout(gguf, editor)).toEqual({ headerSize: plan.headerSize, dataOffset: plan.dataOffset });
  };
  expectPlanned();
  editor.set("general.name", "a name that is longer than that which it takes the place of");
  expectPlanned();
  editor.add("an.entry", 1, "UINT64");
  editor.insertElements("tokenizer.ggml.tokens", 3, ["another", "token"]);
  expectPlanned();
  while (editor.entries.length > 0) editor.remove(0);
  expectPlanned();
  editor.renameTensor(0, "another name");
  expect(unplannedLayout(gguf, editor).headerSize).toBeUndefined();
  while (editor.tensors.length > 0) editor.removeTensor(0);
  expect(unplannedLayout(gguf, editor)).toEqual({ headerSize: undefined, dataOffset: undefined });
});

test.describe("ways of saving", () => {
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
    expect(refusal({ code: "does-not-fit", message: "`a` is 5" })).toBe("`a` is 5.");
  });
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

test("a file is cut off if it is smaller than its header and data need", () => {
  expect(isCutOff({ fileSize: 100, requiredSize: 100 })).toBe(false);
  expect(isCutOff({ fileSize: 99, requiredSize: 100 })).toBe(true);
  expect(isCutOff({ fileSize: undefined, requiredSize: 100 })).toBe(false);
  // From 2^53 bytes on the size is undefined, and no file is as large.
  expect(isCutOff({ fileSize: 100, requiredSize: undefined })).toBe(true);
});

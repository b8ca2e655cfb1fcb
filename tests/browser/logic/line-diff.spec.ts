import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { initSync, textHunks } from "gguf-wasm/full/init";
import { lineDiff as lineDiffBy, linePairs } from "../../../www/src/gguf/differing-lines.ts";
import { cutParts, isMostlyEqual, splitAtDifference } from "../../../www/src/ui/text-difference.ts";

const lineDiff = (from: string, to: string) => lineDiffBy(from, to, textHunks);

test.beforeAll(async () => {
  initSync(await readFile(new URL("../../../pkg/full/gguf_wasm_full_bg.wasm", import.meta.url)));
});

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

test("show the differing lines with three lines around them, and count the others", () => {
  const from = numbers(20);
  const to = [...from];
  to[9] = "another";
  to.splice(10, 0, "new");
  expect(lineDiff(`${from.join("\n")}\n`, `${to.join("\n")}\n`)).toEqual([
    { kind: "gap", lines: 6 },
    ...from.slice(6, 9).map((text) => ({ kind: "same", text })),
    { kind: "removed", text: "line 9" },
    { kind: "added", text: "another" },
    { kind: "added", text: "new" },
    ...from.slice(10, 13).map((text) => ({ kind: "same", text })),
    { kind: "gap", lines: 7 },
  ]);
});

test("of texts with differences at the beginning or the end", () => {
  expect(lineDiff("", "a\nb\n")).toEqual([
    { kind: "added", text: "a" },
    { kind: "added", text: "b" },
  ]);
  expect(lineDiff("a\nb\n", "")).toEqual([
    { kind: "removed", text: "a" },
    { kind: "removed", text: "b" },
  ]);
  expect(lineDiff("a\nb\n", "a\nb\n")).toEqual([]);
  expect(lineDiff("a\r\n", "a\n")).toEqual([
    { kind: "removed", text: "a\r" },
    { kind: "added", text: "a" },
  ]);
});

test("are not computed for texts without common lines", () => {
  const from = numbers(3000).join("\n");
  expect(lineDiff(from, from.replaceAll("line", "row"))).toBeUndefined();
});

test("a long line is cut around its difference", () => {
  const [from, to] = splitAtDifference(
    `${"a".repeat(5000)}X${"b".repeat(5000)}`,
    `${"a".repeat(5000)}YZ${"b".repeat(5000)}`,
  );
  expect(isMostlyEqual([from, to])).toBe(true);
  expect(cutParts(from, 16)).toEqual({ before: "…aaaa", differing: "X", after: "bbbb…" });
  expect(cutParts(to, 16)).toEqual({ before: "…aaaa", differing: "YZ", after: "bbbb…" });
  const [, longer] = splitAtDifference("ab", `a${"x".repeat(100)}b`);
  expect(cutParts(longer, 16)).toEqual({ before: "a", differing: `${"x".repeat(8)}…`, after: "" });
  expect(cutParts(longer, 200)).toEqual(longer);
  // A common end that is also the common beginning is counted once.
  expect(splitAtDifference("aa", "aaa")).toEqual([
    { before: "aa", differing: "", after: "" },
    { before: "aa", differing: "a", after: "" },
  ]);
});

test("no surrogate pair is split", () => {
  expect(splitAtDifference("a😀b", "a😁b")[0]).toEqual({ before: "a", differing: "😀", after: "b" });
  // U+1F600 and U+1FA00 have the same second half.
  expect(splitAtDifference("a😀b", "a\ud83e\ude00b")[0]).toEqual({ before: "a", differing: "😀", after: "b" });
  expect(cutParts({ before: "😀x", differing: "y", after: "z😀" }, 4).before).toBe("…x");
  expect(cutParts({ before: "", differing: "y", after: "😀z" }, 3)).toEqual({ before: "", differing: "y", after: "…" });
});

test("removed lines belong to the added lines of the same run", () => {
  const line = (kind: "same" | "removed" | "added") => ({ kind, text: "" });
  const lines = [line("same"), line("removed"), line("removed"), line("added"), line("same"), line("added")];
  expect([...linePairs(lines)]).toEqual([
    [1, 3],
    [3, 1],
  ]);
});

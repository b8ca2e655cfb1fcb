import { expect, test } from "@playwright/test";
import { lineDiff } from "../../../www/src/ui/text-difference.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

test("show the differing lines with three lines around them, and count the others", async () => {
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

test("of texts with differences at the beginning or the end", async () => {
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

test("are not computed for texts without common lines", async () => {
  const from = numbers(3000).join("\n");
  expect(await lineDiff(from, from.replaceAll("line", "row"))).toBeUndefined();
});

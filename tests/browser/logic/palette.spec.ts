import { expect, test } from "@playwright/test";
import { findItems, listedGroups } from "../../../www/src/palette/find-items.ts";
import { matchText, wordsOf } from "../../../www/src/palette/match.ts";
import { keyText } from "../../../www/src/ui/keyboard.ts";
import { listSource, type PaletteSource } from "../../../www/src/ui/palette-source.ts";

/** The texts that match, the best first. */
function order(query: string, texts: readonly string[], isStrict = false): string[] {
  const words = wordsOf(query);
  return texts
    .map((text) => ({ text, match: matchText(text, words, isStrict) }))
    .filter(({ match }) => match !== undefined)
    .sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))
    .map(({ text }) => text);
}

test("words match in any order, and letters may have others between them", () => {
  const names = ["blk.0.attn_q.weight", "blk.0.attn_qkv.weight", "blk.12.ffn_up.weight", "output.weight"];
  expect(order("q attn", names)).toEqual(names.slice(0, 2));
  expect(order("b12up", names)).toEqual(["blk.12.ffn_up.weight"]);
  expect(order("OUT", names)).toEqual(["output.weight"]);
  expect(order("b12up", names, true)).toEqual([]);
  expect(order("xyz", names)).toEqual([]);
});

test("a whole text is better than the beginning of a part, and that is better than the middle", () => {
  expect(order("key", ["monkey", "a.key.b", "key", "keys"])).toEqual(["key", "keys", "a.key.b", "monkey"]);
  // The letters at beginnings of parts.
  expect(matchText("general.file_type", ["gft"])?.marks).toEqual([0, 8, 13]);
  expect(matchText("blk.0.attn_q", ["attn"])?.marks).toEqual([6, 7, 8, 9]);
});

test("the best items of each source are found, and the search ends when it is aborted", async () => {
  const run = () => undefined;
  const numbers: PaletteSource = {
    title: "Numbers",
    length: 20_000,
    texts: (from, to) => Array.from({ length: to - from }, (_, at) => `number ${from + at}`),
    item: (at) => ({ title: `number ${at}`, run }),
    isStrict: true,
  };
  const few = listSource(
    "Few",
    [
      { title: "Open", run },
      { title: "One number", run },
    ],
    { isListed: true },
  );
  const { signal } = new AbortController();
  const found = await findItems([few, numbers], "number 19999", signal);
  expect(found.map(({ title, items }) => [title, items.map((item) => item.title)])).toEqual([
    ["Numbers", ["number 19999"]],
  ]);
  const many = await findItems([few, numbers], "number", signal);
  expect(many.map(({ items }) => items.length)).toEqual([1, 6]);
  expect(many[1]?.items[0]?.title).toBe("number 0");
  expect(listedGroups([few, numbers]).map(({ title }) => title)).toEqual(["Few"]);
  await expect(findItems([numbers], "number", AbortSignal.abort())).rejects.toThrow();
});

test("keys have the names of the keyboard", () => {
  expect([keyText("Mod+Shift+Z", true), keyText("Mod+Shift+Z", false)]).toEqual(["⌘ ⇧ Z", "Ctrl + Shift + Z"]);
});

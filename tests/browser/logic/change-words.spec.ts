import { expect, test } from "@playwright/test";
import { type Change } from "gguf-wasm/full";
import { changeSentence, changeWords } from "../../../www/src/edit/change-words.ts";
import { fromDifference } from "../../../www/src/ui/text-difference.ts";

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
  [{ kind: "move", key: "a", index: 3, from: 1, to: 3 }, { what: "Moved to position 4" }],
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

test("a revert describes the reverted change", () => {
  const reverted: Change = { id: 7, kind: "set", key: "a", from: 1, to: 2 };
  expect(changeWords({ id: 7, kind: "revert", reverted })).toEqual({ what: "Revert (Value)", where: "a" });
});

test("a change of the type shows both types, and both values only if their texts differ", () => {
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

test("long texts begin shortly before their first difference", () => {
  const [from, to] = ["x".repeat(300), "x".repeat(300)];
  const words = changeWords({ id: 0, kind: "set", key: "a", from: `${from}old`, to: `${to}new` });
  expect([words.from, words.to]).toEqual([`…${"x".repeat(80)}old`, `…${"x".repeat(80)}new`]);
  expect(fromDifference("a😀b", "a😁b", 1)).toEqual(["…😀b", "…😁b"]);
  expect(fromDifference("aa😀b", "aa😁b", 0)).toEqual(["…😀b", "…😁b"]);
});

test("long texts are truncated", () => {
  const to = changeWords({ id: 0, kind: "set", key: "a", from: "x", to: "y".repeat(5000) }).to;
  expect(to).toHaveLength(160 + "… (5,000 characters)".length);
  expect(changeSentence({ id: 0, kind: "set", key: "a", from: 1, to: 2 })).toBe("a: Value: 1 → 2");
});

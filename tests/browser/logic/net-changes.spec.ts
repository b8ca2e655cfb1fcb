import { expect, test } from "@playwright/test";
import type { Change } from "gguf-wasm/full";
import { netChanges } from "../../../www/src/edit/net-changes.ts";

let ids = 0;
const step = (change: Omit<Change, "id">): Change => ({ id: (ids += 1), ...change });
const set = (entryId: number, from: string | number, to: string | number): Change =>
  step({ kind: "set", entryId, key: `key.${entryId}`, from, to, fromType: "STRING", toType: "STRING" });

/** The changes in short: kind, the place, and the values. */
const words = (steps: readonly Change[]) =>
  netChanges(steps).map(({ kind, key, tensor, index, from, to, steps }) =>
    [kind, key ?? tensor, index, from, to, steps.length].filter((word) => word !== undefined).join(" "),
  );

test("several steps at one entry are one change, from the original to the last value", () => {
  expect(words([set(1, "a", "b"), set(2, "x", "y"), set(1, "b", "c")])).toEqual(["set key.1 a c 2", "set key.2 x y 1"]);
});

test("steps that cancel each other are no change", () => {
  expect(words([set(1, "a", "b"), set(2, "x", "y"), set(1, "b", "a")])).toEqual(["set key.2 x y 1"]);
  const rename = (from: string, to: string) => step({ kind: "rename", entryId: 1, key: from, from, to });
  expect(words([rename("a", "b"), rename("b", "a")])).toEqual([]);
  const version = (from: number, to: number) => step({ kind: "version", from, to });
  expect(words([version(3, 2), version(2, 3)])).toEqual([]);
  const element = (from: number, to: number, index = 7) =>
    step({ kind: "set-element", entryId: 1, key: "a", index, from, to });
  expect(words([element(1, 2), element(2, 1), element(5, 6, 8)])).toEqual(["set-element a 8 5 6 1"]);
  // The elements after an inserted one have other places.
  const inserted = step({ kind: "insert-elements", entryId: 1, key: "a", index: 0, count: 1 });
  expect(words([element(1, 2), inserted, element(2, 1)])).toHaveLength(3);
});

test("a value that came back with another type is a change", () => {
  const retype = (fromType: "UINT32" | "INT32", toType: "UINT32" | "INT32") =>
    step({ kind: "retype", entryId: 1, key: "a", from: 1, to: 1, fromType, toType });
  expect(words([retype("UINT32", "INT32")])).toEqual(["retype a 1 1 1"]);
  expect(words([retype("UINT32", "INT32"), retype("INT32", "UINT32")])).toEqual([]);
});

test("an added entry is one change, and none after it is removed", () => {
  const added = step({ kind: "add", entryId: 1, key: "a", index: 3, to: "x", toType: "STRING" });
  const renamed = step({ kind: "rename", entryId: 1, key: "a", from: "a", to: "b" });
  expect(words([added, set(1, "x", "y"), renamed])).toEqual(["add b 3 y 3"]);
  expect(words([added, set(1, "x", "y"), step({ kind: "remove", entryId: 1, key: "a", from: "y" })])).toEqual([]);
});

test("a removed entry is one change with its original value", () => {
  const renamed = step({ kind: "rename", entryId: 1, key: "key.1", from: "key.1", to: "b" });
  const removed = step({ kind: "remove", entryId: 1, key: "b", from: "y", fromType: "STRING" });
  expect(words([set(1, "x", "y"), renamed, removed])).toEqual(["remove key.1 x 3"]);
  const tensor = step({ kind: "rename-tensor", tensorId: 4, tensor: "t", from: "t", to: "u" });
  expect(words([tensor, step({ kind: "remove-tensor", tensorId: 4, tensor: "u", from: "u" })])).toEqual([
    "remove-tensor t u 2",
  ]);
});

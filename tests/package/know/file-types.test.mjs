// `fileTypes`: the values of `general.file_type`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileTypes, ggmlTypes } from "gguf-wasm/full";
import { assertDistinct, assertFrozen } from "./expect.mjs";

test("the list is frozen, is made once, and is in the order of the ids", () => {
  assert.equal(fileTypes(), fileTypes());
  assertFrozen(fileTypes());
  assert.deepEqual(
    fileTypes().map(({ id }) => id),
    Array.from({ length: 42 }, (_, id) => id),
  );
});

test("each row has a name and a description of its own, and names a type of tensors", () => {
  assertDistinct(fileTypes().map(({ name }) => name));
  assertDistinct(fileTypes().map(({ description }) => description));
  const tensorTypes = new Set(ggmlTypes().map(({ name }) => name));
  for (const { name, tensorType, description } of fileTypes()) {
    assert.ok(tensorTypes.has(tensorType), `${name}: ${tensorType}`);
    assert.match(description, /^\S.*\.$/, name);
  }
});

test("removed types are marked", () => {
  const removed = fileTypes().filter(({ isRemoved }) => isRemoved);
  assert.deepEqual(
    removed.map(({ id }) => id),
    [4, 5, 6, 33, 34, 35],
  );
  const { description, ...info } = fileTypes()[15] ?? { description: "" };
  assert.deepEqual(info, { id: 15, name: "Q4_K_M", tensorType: "Q4_K", isRemoved: false });
  assert.match(description, /4-bit/);
});

// The work of an edit does not grow with the number of tensors. The loads from memory are counted, not the time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf } from "gguf-wasm/init";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { instrument } from "../../support/instrumented.mjs";

const count = instrument(["load"]);

/**
 * The loads from memory of 30 calls of `renameTensor`, by name, with a file of so many tensors.
 *
 * @param {number} tensors
 */
async function loadsOfRenames(tensors) {
  const file = ggufBytes(
    [],
    Array.from({ length: tensors }, (_, index) => ({ name: `blk.${index}.w`, dimensions: [8], type: 0, bytes: 32 })),
  );
  const editor = (await Gguf.open(file)).edit();
  const before = count().loads;
  for (let index = 0; index < 10; index += 1) {
    const name = `blk.${tensors - 1 - index}.w`;
    editor.renameTensor(name, `renamed.${index}`);
    assert.throws(() => editor.renameTensor("blk.0.w", `renamed.${index}`), { name: "GgufError", code: "name-taken" });
    editor.renameTensor(`renamed.${index}`, `renamed.again.${index}`);
  }
  const { loads } = count();
  assert.equal(editor.changes.length, 20);
  return loads - before;
}

test("renameTensor does not walk all tensors", async () => {
  const [few, many] = [await loadsOfRenames(200), await loadsOfRenames(5_000)];
  assert.ok(few > 1000, `${few} loads are counted`);
  assert.ok(many < 2 * few, `${many} loads with 5,000 tensors, ${few} with 200`);
});

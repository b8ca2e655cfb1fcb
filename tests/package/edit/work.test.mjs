// The work of an edit does not grow with the size of the header. The test counts loads from memory instead of measuring time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf } from "gguf-wasm/full/init";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { instrument } from "../../support/instrumented.mjs";

const count = instrument(["load"]);

/**
 * The number of loads from memory of 30 calls of `renameTensor` by name, for a file with this number of tensors.
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

test("renameTensor does not visit all tensors", async () => {
  const [few, many] = [await loadsOfRenames(200), await loadsOfRenames(5_000)];
  assert.ok(few > 1000, `${few} loads are counted`);
  assert.ok(many < 2 * few, `${many} loads with 5,000 tensors, ${few} with 200`);
});

/**
 * The numbers of loads from memory of listing the entries after a change, and of listing them again. The file has an array
 * of this number of tokens.
 *
 * @param {number} tokens
 */
async function loadsOfListing(tokens) {
  const file = ggufBytes(
    [
      ["general.name", text("a name")],
      ["tokenizer.ggml.tokens", { type: "strings", count: tokens, at: (index) => `token number ${index}` }],
    ],
    [],
  );
  const editor = (await Gguf.open(file)).edit();
  const measure = (/** @type {() => unknown} */ run) => {
    const before = count().loads;
    run();
    return count().loads - before;
  };
  const list = () => assert.equal(editor.entries.length + editor.metadata.size, 4);
  list();
  editor.set("general.name", "another name");
  const [changed, again] = [measure(list), measure(list)];
  return { changed, again, checked: measure(() => editor.validate()) };
}

test("listing an edited header neither encodes nor decodes it", async () => {
  const [small, large] = [await loadsOfListing(1_000), await loadsOfListing(50_000)];
  assert.ok(small.changed > 100, `${small.changed} loads are counted`);
  assert.ok(
    large.changed < 2 * small.changed,
    `${large.changed} loads with 50,000 tokens, ${small.changed} with 1,000`,
  );
  assert.ok(
    large.again < small.changed / 5,
    `${large.again} loads of the second listing, ${small.changed} of the first`,
  );
  // The checks read every token. This shows that such work would be counted.
  assert.ok(large.checked > 10 * small.checked, `${large.checked} loads of checks, ${small.checked} with 1,000 tokens`);
});

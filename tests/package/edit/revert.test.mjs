// Reverting one change of an editor, also if other changes follow it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { smallModel } from "../../support/gguf-bytes.mjs";

const NAME = "general.name";
const LENGTH = "llama.context_length";

async function editor() {
  return (await Gguf.open(smallModel())).edit();
}

describe("editor.revert", () => {
  test("undoes one change and keeps the later ones", async () => {
    const edited = await editor();
    const before = edited.metadata.get(NAME);
    edited.set(NAME, "One");
    edited.set(LENGTH, 4096);
    edited.remove("general.file_type");
    const [first, ...later] = edited.changes;
    assert.ok(first);
    edited.revert(first);
    assert.deepEqual([edited.metadata.get(NAME), edited.metadata.get(LENGTH)], [before, 4096]);
    assert.equal(edited.metadata.has("general.file_type"), false);
    assert.deepEqual(edited.changes, later);
    const written = await Gguf.open(edited.plan());
    assert.deepEqual([written.metadata.get(NAME), written.metadata.get(LENGTH)], [before, 4096]);
  });

  test("is one step, undone and redone", async () => {
    const edited = await editor();
    edited.set(NAME, "One");
    edited.set(LENGTH, 4096);
    const { changes } = edited;
    const [first, second] = changes;
    assert.ok(first && second);
    edited.revert(first);
    const undone = edited.undo();
    assert.deepEqual(undone, { kind: "revert", id: first.id, reverted: first });
    assert.equal(edited.metadata.get(NAME), "One");
    assert.deepEqual(edited.changes, changes);
    assert.deepEqual(edited.undone, [undone]);
    assert.deepEqual(edited.redo(), undone);
    assert.deepEqual(edited.changes, [second]);
    edited.undo();
    edited.undo();
    assert.deepEqual(edited.undone, [undone, second]);
    assert.equal(edited.undo()?.id, first.id);
    assert.equal(edited.undo(), undefined);
  });

  test("of every change, in any order, restores the file", async () => {
    const edited = await editor();
    const { size } = edited.plan();
    edited.remove(0);
    edited.rename(NAME, "general.title");
    edited.set("general.title", "Another");
    edited.move("general.title", 5);
    edited.renameTensor("output_norm.weight", "norm");
    edited.removeTensor("token_embd.weight");
    edited.repack();
    edited.byteOrder = "big-endian";
    for (const at of [3, 0, 5, 2, 1, 0, 1, 0]) edited.revert(/** @type {any} */ (edited.changes[at]));
    assert.deepEqual(edited.changes, []);
    assert.deepEqual(edited.plan().segments(), [{ kind: "copy", offset: 0, start: 0, end: size }]);
  });

  test("is refused if a later change depends on the change, and changes nothing", async () => {
    const edited = await editor();
    edited.add("my.key", "first");
    edited.set("my.key", "second");
    edited.rename(NAME, "general.title");
    edited.add(NAME, "A new name");
    const { changes } = edited;
    const [added, , renamed] = changes;
    assert.ok(added && renamed);
    assert.throws(() => edited.revert(added), { name: "GgufError", code: "conflict" });
    assert.throws(() => edited.revert(renamed), { name: "GgufError", code: "key-taken", message: /general\.name/ });
    assert.deepEqual(edited.changes, changes);
    edited.undo();
    edited.revert(renamed);
    assert.equal(edited.metadata.get(NAME), "Tiny Test");
  });

  test("refuses an id that is not a change of this editor", async () => {
    const [edited, other] = [await editor(), await editor()];
    edited.set(NAME, "One");
    other.set(NAME, "One");
    const [own] = edited.changes;
    assert.ok(own);
    edited.revert(own);
    for (const given of [own, other.changes[0], {}, { id: "1" }, undefined, null, 0])
      assert.throws(() => edited.revert(/** @type {any} */ (given)), { name: "GgufError", code: "unknown-change" });
  });
});

describe("editor.retype between numbers and text", () => {
  test("the text of a FLOAT32 is its shortest, and converts back to the same number", async () => {
    const edited = await editor();
    edited.add("f", 0.1, "FLOAT32");
    edited.add("list", new Float32Array([0.1, 1e-7, 3e38, -0, Infinity]));
    edited.retype("f", "STRING");
    edited.retype("list", "STRING[]");
    assert.equal(edited.metadata.get("f"), "0.1");
    const texts = /** @type {import("gguf-wasm/full").MetadataArray} */ (edited.metadata.get("list"));
    assert.deepEqual([...texts.toArray()], ["0.1", "1e-7", "3e+38", "-0", "Infinity"]);
    edited.retype("f", "FLOAT32");
    assert.equal(edited.metadata.get("f"), Math.fround(0.1));
    edited.retype("list", "FLOAT32[]");
    const floats = /** @type {import("gguf-wasm/full").MetadataArray} */ (edited.metadata.get("list"));
    assert.deepEqual([...floats.toArray()], [0.1, 1e-7, 3e38, -0, Infinity].map(Math.fround));
  });

  test("text that is not a number of the type is refused", async () => {
    const edited = await editor();
    edited.add("s", "many");
    assert.throws(() => edited.retype("s", "UINT32"), { name: "GgufError", code: "does-not-fit" });
    edited.set("s", "256");
    assert.throws(() => edited.retype("s", "UINT8"), { name: "GgufError", code: "does-not-fit" });
    edited.retype("s", "UINT16");
    assert.equal(edited.metadata.get("s"), 256);
  });
});

// Identifiers and states of entries and tensors, and the original values of changed and removed ones.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufWriter } from "gguf-wasm/full";

/** A file with the entries a, b, c and d, and the tensors t and u. */
function bytes() {
  const writer = new GgufWriter();
  writer.set("a", 1, "UINT32");
  writer.set("b", "text");
  writer.set("c", ["x", "y", "z"]);
  writer.set("d", 0.5, "FLOAT32");
  writer.addTensor("t", { dimensions: [8], type: "F32" });
  writer.addTensor("u", { dimensions: [8], type: "F32" });
  return Buffer.concat([writer.headerBytes(), new Uint8Array(64)]);
}

const open = async () => {
  const gguf = await Gguf.open(bytes());
  return { gguf, editor: gguf.edit() };
};

/** @param {import("gguf-wasm/full").Editor} editor */
const rows = (editor) => editor.entries.map(({ id, key, state }) => `${id} ${key} ${state}`);

describe("entries", () => {
  test("of an unedited file have their positions as ids and are unchanged", async () => {
    const { gguf, editor } = await open();
    assert.deepEqual(rows(editor), ["0 a unchanged", "1 b unchanged", "2 c unchanged", "3 d unchanged"]);
    assert.deepEqual(editor.removedEntries, []);
    for (const [index, entry] of editor.entries.entries()) {
      const { id, state, origin, value, ...members } = entry;
      const { value: original, ...expected } = gguf.entries[index] ?? assert.fail();
      assert.deepEqual([id, state, origin], [index, "unchanged", index]);
      assert.deepEqual(members, expected);
      if (typeof original !== "object") assert.equal(value, original);
    }
  });

  test("keep their ids when they are changed, renamed and moved, and in undo, redo and revert", async () => {
    const { editor } = await open();
    editor.add("new", 1, "UINT8", 0);
    const [added] = editor.entries;
    assert.ok(added && added.id > 3, `the id ${added?.id} is not that of an original entry`);
    editor.rename("new", "newer");
    editor.rename("a", "alpha");
    editor.move("alpha", 4);
    editor.set("b", "another text");
    editor.setElement("c", 1, "w");
    const expected = [`${added.id} newer added`, "1 b changed", "2 c changed", "3 d unchanged", "0 alpha changed"];
    assert.deepEqual(rows(editor), expected);
    while (editor.undo());
    assert.deepEqual(rows(editor), ["0 a unchanged", "1 b unchanged", "2 c unchanged", "3 d unchanged"]);
    while (editor.redo());
    assert.deepEqual(rows(editor), expected);
    const setText = editor.changes.find(({ kind }) => kind === "set");
    assert.ok(setText);
    editor.revert(setText);
    assert.deepEqual(rows(editor), expected.with(1, "1 b unchanged"));
    assert.deepEqual(
      editor.changes.map(({ kind, entryId }) => [kind, entryId]),
      [
        ["add", added.id],
        ["rename", added.id],
        ["rename", 0],
        ["move", 0],
        ["set-element", 2],
      ],
    );
  });

  test("are selected by id, whatever their position is", async () => {
    const { editor } = await open();
    const [a, b] = editor.entries;
    assert.ok(a && b);
    editor.move(a, 3);
    editor.rename({ id: a.id }, "alpha");
    editor.set(a, 2);
    editor.remove(b);
    assert.deepEqual(rows(editor), ["2 c unchanged", "3 d unchanged", "0 alpha changed"]);
    assert.equal(editor.metadata.get("alpha"), 2);
    assert.throws(() => editor.set(b, "x"), { name: "GgufError", code: "unknown-key", message: /id 1/ });
    for (const id of [-1, 0.5, "0", undefined, 1e9])
      assert.throws(() => editor.remove(/** @type {any} */ ({ id })), { name: "GgufError", code: "unknown-key" });
  });

  test("that are changed have their original values, and removed ones their positions", async () => {
    const { gguf, editor } = await open();
    editor.set("b", "another text");
    editor.setElement("c", 1, "w");
    editor.remove("a");
    const [b, c, d] = editor.entries;
    assert.deepEqual([b?.value, b?.original], ["another text", gguf.entries[1]]);
    const [now, before] = [c?.value, c?.original?.value];
    assert.ok(typeof now === "object" && typeof before === "object");
    assert.deepEqual(
      [now.toArray(), before.toArray()],
      [
        ["x", "w", "z"],
        ["x", "y", "z"],
      ],
    );
    assert.equal(d?.original, undefined);
    assert.deepEqual(editor.removedEntries, [{ ...gguf.entries[0], id: 0, state: "removed", position: 0 }]);
    editor.remove("d");
    editor.move("b", 1);
    assert.deepEqual(
      editor.removedEntries.map(({ key, position }) => [key, position]),
      [
        ["a", 0],
        ["d", 1],
      ],
    );
    editor.undo();
    editor.undo();
    editor.undo();
    assert.deepEqual(editor.removedEntries, []);
  });

  test("lists stay the same objects until the next change", async () => {
    const { editor } = await open();
    for (const name of /** @type {const} */ (["entries", "removedEntries", "tensors", "removedTensors", "metadata"])) {
      const before = editor[name];
      assert.equal(editor[name], before, name);
      assert.throws(() => editor.rename("b", "a"), { code: "key-taken" });
      assert.equal(editor[name], before, `${name} after a change that was refused`);
      editor.set("a", 5);
      assert.notEqual(editor[name], before, `${name} after a change`);
    }
  });
});

describe("tensors", () => {
  test("keep their ids, and are selected by them", async () => {
    const { gguf, editor } = await open();
    const [t, u] = editor.tensors;
    assert.ok(t && u);
    editor.removeTensor(t);
    editor.renameTensor(u, "v");
    const { id, state, origin, original, ...info } = editor.tensors[0] ?? assert.fail();
    assert.deepEqual([id, state, origin, original], [1, "changed", 1, gguf.tensors[1]]);
    assert.deepEqual([info.index, info.name, info.offset], [0, "v", 0]);
    assert.deepEqual(editor.removedTensors, [{ ...gguf.tensors[0], id: 0, state: "removed" }]);
    assert.deepEqual(
      editor.changes.map(({ tensorId }) => tensorId),
      [0, 1],
    );
    assert.throws(() => editor.removeTensor(t), { name: "GgufError", code: "unknown-tensor", message: /id 0/ });
    editor.undo();
    editor.undo();
    assert.deepEqual(
      editor.tensors.map(({ id, state }) => [id, state]),
      [
        [0, "unchanged"],
        [1, "unchanged"],
      ],
    );
  });
});

describe("undo and redo", () => {
  test("report whether there is a step", async () => {
    const { editor } = await open();
    assert.deepEqual([editor.canUndo, editor.canRedo], [false, false]);
    editor.remove("a");
    assert.deepEqual([editor.canUndo, editor.canRedo], [true, false]);
    editor.undo();
    assert.deepEqual([editor.canUndo, editor.canRedo], [false, true]);
    editor.remove("b");
    assert.deepEqual([editor.canUndo, editor.canRedo], [true, false]);
  });
});

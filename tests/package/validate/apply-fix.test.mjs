// `Editor.apply`: the fixes of findings, and objects that are no fixes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { types } from "node:util";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { HOSTILE_ARGUMENTS } from "../know/expect.mjs";

/**
 * @import { Editor, Finding, Fix, FixChange, FixKind } from "gguf-wasm/full"
 * @typedef {Parameters<typeof ggufBytes>[0]} Entries
 */

const ARCHITECTURE = /** @type {const} */ (["general.architecture", text("llama")]);
const NAME = "general.name";
const COUNT = "llama.block_count";
const REPEATED = "a.repeated";

/** @type {(name: string, type?: number, bytes?: number) => { name: string, dimensions: number[], type: number, bytes: number }} */
const tensor = (name, type = 0, bytes = 32) => ({ name, dimensions: type === 0 ? [8] : [32], type, bytes });

/** The entry of a type that llama.cpp does not read. @type {Entries[number]} */
const WIDE = [COUNT, { type: "uint64", value: 1n }];

/** A file whose BOOLs have the byte 2: one value, and an array. */
function oddBools() {
  const bytes = ggufBytes([
    ARCHITECTURE,
    ["single", { type: "bool", value: true }],
    ["many", { type: "strings", count: 1, at: () => "xyz" }],
  ]);
  const view = Buffer.from(bytes.buffer);
  bytes[view.indexOf("single") + 10] = 2;
  // An array of one string of 3 bytes has the size of an array of 11 BOOLs.
  const many = view.indexOf("many") + 8;
  view.writeUInt32LE(7, many);
  view.writeBigUInt64LE(11n, many + 4);
  bytes.fill(1, many + 12);
  bytes[many + 13] = 0;
  bytes[many + 14] = 2;
  return bytes;
}

/** A vocabulary of 4 tokens whose EOS token is normal text. @param {number} typeCount The number of token types. */
function vocabulary(typeCount) {
  return ggufBytes([
    ARCHITECTURE,
    ["tokenizer.ggml.model", text("llama")],
    ["tokenizer.ggml.tokens", { type: "strings", count: 4, at: (index) => `token ${index}` }],
    ["tokenizer.ggml.token_type", { type: "int32s", count: typeCount, at: () => 1 }],
    ["tokenizer.ggml.bos_token_id", uint32(1)],
    ["tokenizer.ggml.eos_token_id", uint32(2)],
  ]);
}

/** A file with a finding for each kind of fix that findings have. @type {[FixKind, Uint8Array<ArrayBuffer>][]} */
const FILES = [
  ["set", ggufBytes([ARCHITECTURE, ["general.alignment", uint32(4)]])],
  ["set", oddBools()],
  ["add", ggufBytes([ARCHITECTURE], [tensor("t", 2, 18)])],
  ["remove", ggufBytes([ARCHITECTURE, [REPEATED, uint32(1)], [REPEATED, uint32(1)]])],
  ["rename", ggufBytes([ARCHITECTURE, ["llama.contex_length", uint32(4096)]])],
  ["retype", ggufBytes([ARCHITECTURE, WIDE])],
  ["set-element", vocabulary(4)],
  ["remove-elements", vocabulary(6)],
  ["remove-tensor", ggufBytes([ARCHITECTURE], [tensor("t"), tensor("u"), tensor("t")])],
  ["repack", ggufBytes([ARCHITECTURE], [tensor("t", 0, 96), tensor("u")])],
  ["version", ggufBytes([ARCHITECTURE], [], 2, true)],
  ["byte-order", ggufBytes([ARCHITECTURE], [tensor("t")], 3, true)],
];

/** @param {Uint8Array<ArrayBuffer>} bytes */
const edit = async (bytes) => (await Gguf.open(bytes)).edit();

/** @param {readonly Finding[]} findings */
const fixes = (findings) => findings.flatMap(({ fix }) => fix ?? []);

/** The first fix with a change of a kind. @param {readonly Finding[]} findings @param {FixKind} kind */
function fixOf(findings, kind) {
  const fix = fixes(findings).find(({ changes }) => changes.some((change) => change.kind === kind));
  assert.ok(fix, kind);
  return fix;
}

/** The lists of the edited file, without the objects that JavaScript cannot compare. @param {Editor} editor */
const stateOf = (editor) => ({
  entries: editor.entries.map(({ key, type, state, index }) => ({ key, type, state, index })),
  values: editor.entries.map((entry) => editor.valueBytes(entry)),
  tensors: editor.tensors,
  findings: editor.validate().map(({ code, message, offset }) => ({ code, message, offset })),
  changes: editor.changes.map(({ id }) => id),
  undone: editor.undone.map(({ id }) => id),
});

/** Asserts that a call is refused, and that it changes nothing. @param {Editor} editor @param {unknown} fix @param {object} expected */
function refused(editor, fix, expected) {
  const before = stateOf(editor);
  assert.throws(() => editor.apply(/** @type {any} */ (fix)), expected);
  assert.deepEqual(stateOf(editor), before);
}

/** An editor with a step that can be undone and a step that can be redone. @param {Uint8Array<ArrayBuffer>} bytes */
async function editWithHistory(bytes) {
  const editor = await edit(bytes);
  editor.set("first", 1, "UINT32");
  editor.set("second", 2, "UINT32");
  editor.undo();
  assert.deepEqual([editor.canUndo, editor.canRedo], [true, true]);
  return editor;
}

const INVALID = { name: "GgufError", code: "invalid-argument" };
const CONFLICT = { name: "GgufError", code: "conflict", message: /^cannot apply the fix: .*validate.* again$/ };

describe("the fix of a finding", () => {
  for (const [kind, bytes] of FILES) {
    for (const copied of [false, true]) {
      test(`${kind}${copied ? ", as a structured clone" : ""}`, async () => {
        const editor = await edit(bytes);
        const findings = editor.validate();
        for (const { code, index, fix } of findings) {
          if (!fix) continue;
          const before = { ...stateOf(editor), undone: [] };
          editor.apply(copied ? structuredClone(fix) : fix);
          assert.deepEqual(
            editor.changes.map((change) => change.kind),
            fix.changes.map((change) => change.kind),
          );
          const after = editor.validate();
          const isSame = (/** @type {Finding} */ found) => found.code === code && found.index === index;
          assert.ok(!after.some(isSame), `${code} is still there`);
          const isNewError = (/** @type {Finding} */ found) =>
            found.severity === "error" && !findings.some((earlier) => earlier.code === found.code);
          assert.deepEqual(after.filter(isNewError), []);
          assert.deepEqual((await Gguf.open(editor.plan())).validate(), after);

          assert.equal(editor.undo()?.kind, fix.changes[0]?.kind);
          assert.deepEqual({ ...stateOf(editor), undone: [] }, before);
          assert.equal(editor.undone.length, 1);
          editor.redo();
          assert.deepEqual(editor.validate(), after);
          editor.undo();
          editor.set("discards", 1, "UINT8");
          editor.undo();
          assert.equal(editor.canUndo, false);
        }
        fixOf(findings, kind);
      });
    }
  }

  test("is the same for a Gguf and for its editor", async () => {
    for (const [, bytes] of FILES) {
      const gguf = await Gguf.open(bytes);
      const fix = fixes(gguf.validate())[0];
      const editor = gguf.edit();
      assert.deepEqual(fixes(editor.validate())[0], fix);
      assert.ok(fix);
      editor.apply(fix);
      assert.ok(editor.canUndo);
    }
  });

  test("says what it changes", async () => {
    /** @type {(kind: FixKind) => Promise<FixChange>} */
    const change = async (kind) => {
      const bytes = FILES.find((file) => file[0] === kind)?.[1];
      assert.ok(bytes);
      const [only, ...others] = fixOf((await Gguf.open(bytes)).validate(), kind).changes;
      assert.ok(only && others.length === 0);
      return only;
    };
    assert.deepEqual(await change("set"), {
      kind: "set",
      index: 1,
      key: "general.alignment",
      to: 32,
      toType: "UINT32",
    });
    assert.deepEqual(await change("add"), {
      kind: "add",
      index: 1,
      key: "general.quantization_version",
      to: 2,
      toType: "UINT32",
    });
    assert.deepEqual(await change("remove"), { kind: "remove", index: 2, key: REPEATED, isRepeated: true });
    assert.deepEqual(await change("rename"), {
      kind: "rename",
      index: 1,
      key: "llama.contex_length",
      to: "llama.context_length",
    });
    assert.deepEqual(await change("retype"), { kind: "retype", index: 1, key: COUNT, toType: "UINT32" });
    assert.deepEqual(await change("remove-tensor"), { kind: "remove-tensor", index: 2, tensor: "t", isRepeated: true });
    assert.deepEqual(await change("repack"), { kind: "repack" });
    assert.deepEqual(await change("version"), { kind: "version", to: 3 });
    assert.deepEqual(await change("byte-order"), { kind: "byte-order", to: "little-endian" });
  });

  test("has arrays as plain arrays", async () => {
    const editor = await edit(oddBools());
    const fix = fixes(editor.validate()).find(({ changes }) => changes[0]?.key === "many");
    const to = [true, false, ...Array.from({ length: 9 }, () => true)];
    assert.deepEqual(fix?.changes, [{ kind: "set", index: 2, key: "many", to, toType: "BOOL[]" }]);
  });
});

describe("a fix of several changes", () => {
  /** @type {Fix} */
  const FIX = {
    title: "Several changes",
    isSafe: false,
    changes: [
      { kind: "set", index: 0, key: "general.architecture", to: "qwen2", toType: "STRING" },
      { kind: "rename", index: 1, key: COUNT, to: "qwen2.block_count" },
      { kind: "retype", index: 1, key: "qwen2.block_count", toType: "UINT32" },
      { kind: "add", index: 2, key: NAME, to: "New", toType: "STRING" },
      { kind: "rename-tensor", index: 0, tensor: "t", to: "u" },
    ],
  };
  const BYTES = ggufBytes([ARCHITECTURE, WIDE], [tensor("t")]);

  test("is one step of undo, and several changes", async () => {
    const editor = await edit(BYTES);
    const before = stateOf(editor);
    editor.apply(FIX);
    assert.deepEqual(
      [...editor.metadata],
      [
        ["general.architecture", "qwen2"],
        ["qwen2.block_count", 1],
        [NAME, "New"],
      ],
    );
    assert.equal(editor.tensors[0]?.name, "u");
    const { changes } = editor;
    const kinds = FIX.changes.map(({ kind }) => kind);
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      kinds,
    );

    const undone = editor.undo();
    assert.equal(undone?.kind, "apply");
    assert.deepEqual(undone.changes, changes);
    assert.deepEqual(editor.undone, [undone]);
    assert.deepEqual({ ...stateOf(editor), undone: [] }, before);
    assert.deepEqual([editor.canUndo, editor.canRedo], [false, true]);

    const redone = editor.redo();
    assert.deepEqual(redone, undone);
    assert.deepEqual(editor.changes, changes);
    const [first] = editor.changes;
    assert.ok(first);
    editor.revert(first);
    assert.equal(editor.metadata.get("general.architecture"), "llama");
    assert.equal(editor.metadata.get(NAME), "New");
  });

  test("is refused as a whole", async () => {
    const editor = await editWithHistory(BYTES);
    const refusing = [
      [{ kind: "add", key: NAME, to: "Again", toType: "STRING" }, { code: "key-taken" }],
      [{ kind: "set", key: NAME, to: "text", toType: "UINT32" }, { code: "does-not-fit" }],
      [{ kind: "set", key: NAME, to: 1, toType: "NOTHING" }, INVALID],
      [{ kind: "retype", index: 0, key: "general.architecture", toType: "UINT32" }, { code: "does-not-fit" }],
      [{ kind: "retype", index: 0, key: "general.architecture" }, INVALID],
      [{ kind: "version", to: 4 }, { code: "unsupported-version" }],
      [{ kind: "version" }, INVALID],
      [{ kind: "byte-order", to: "middle-endian" }, INVALID],
      [{ kind: "remove", key: "not.there" }, CONFLICT],
      [{ kind: "remove-tensor", tensor: "t" }, CONFLICT],
      [{ kind: "nothing" }, INVALID],
      [null, INVALID],
    ];
    for (const [last, expected] of refusing) {
      refused(
        editor,
        { ...FIX, changes: [...FIX.changes, last] },
        { name: "GgufError", .../** @type {object} */ (expected) },
      );
    }
    assert.equal(editor.redo()?.key, "second");
    assert.equal(editor.metadata.get("second"), 2);
    editor.apply(FIX);
    assert.equal(editor.canRedo, false);
  });
});

describe("a fix of an earlier state", () => {
  test("finds an entry that has moved", async () => {
    const editor = await edit(ggufBytes([ARCHITECTURE, WIDE, ["b", uint32(1)]]));
    const fix = fixOf(editor.validate(), "retype");
    editor.move(COUNT, 0);
    editor.set("added", 1, "UINT32");
    editor.apply(fix);
    assert.deepEqual([editor.entries[0]?.key, editor.entries[0]?.type], [COUNT, "UINT32"]);
  });

  test("finds a tensor that has moved", async () => {
    const editor = await edit(ggufBytes([ARCHITECTURE], [tensor("x"), tensor("t"), tensor("t")]));
    const fix = fixOf(editor.validate(), "remove-tensor");
    editor.removeTensor("x");
    editor.apply(fix);
    assert.deepEqual(
      editor.tensors.map(({ name, origin }) => [name, origin]),
      [["t", 1]],
    );
    refused(editor, fix, CONFLICT);
  });

  test("is refused if the entry was removed or renamed", async () => {
    const editor = await edit(ggufBytes([ARCHITECTURE, WIDE]));
    const fix = fixOf(editor.validate(), "retype");
    editor.remove(COUNT);
    refused(editor, fix, CONFLICT);
    editor.undo();
    editor.rename(COUNT, "other");
    refused(editor, fix, CONFLICT);
    editor.undo();
    editor.apply(fix);
    assert.equal(editor.entries[1]?.type, "UINT32");
  });

  test("never removes the first of the entries with a key", async () => {
    const repeated = /** @type {Entries} */ ([1, 2, 3].map((value) => [REPEATED, uint32(value)]));
    const editor = await edit(ggufBytes([ARCHITECTURE, ...repeated]));
    for (let fix; (fix = fixes(editor.validate())[0]);) editor.apply(fix);
    assert.deepEqual(
      [...editor.metadata],
      [
        ["general.architecture", "llama"],
        [REPEATED, 1],
      ],
    );
    for (const change of ["remove", "set"]) {
      const again = { changes: [{ kind: change, index: 2, key: REPEATED, isRepeated: true, to: 1, toType: "UINT32" }] };
      refused(editor, again, CONFLICT);
    }
  });

  test("is refused if several entries have the key, and none is at the position", async () => {
    const editor = await edit(
      ggufBytes([
        [REPEATED, uint32(1)],
        [REPEATED, uint32(1)],
        [REPEATED, uint32(1)],
      ]),
    );
    const last = fixes(editor.validate()).at(-1);
    assert.equal(last?.changes[0]?.index, 2);
    refused(editor, { changes: [{ kind: "remove", key: REPEATED }] }, CONFLICT);
    refused(editor, { changes: [{ kind: "remove", key: REPEATED, isRepeated: true }] }, CONFLICT);
    refused(editor, { changes: [{ kind: "remove", key: REPEATED, index: 3 }] }, CONFLICT);
    editor.apply(last);
    assert.equal(editor.entries.length, 2);
  });
});

describe("an object that is not a fix", () => {
  const BYTES = ggufBytes([ARCHITECTURE, WIDE], [tensor("t")]);

  test("is refused", async () => {
    const editor = await editWithHistory(BYTES);
    const finding = editor.validate().find(({ fix }) => fix);
    assert.ok(finding?.fix);
    const message = /^cannot apply .*: expected the `fix` of a finding of validate\(\), with its `changes`$/;
    const [revoked] = HOSTILE_ARGUMENTS.filter(types.isProxy);
    for (const wrong of [revoked, { changes: [revoked] }]) refused(editor, wrong, TypeError);
    refused(editor, { changes: revoked }, { ...INVALID, message });
    for (const wrong of [...HOSTILE_ARGUMENTS.filter((argument) => argument !== revoked), finding, finding.fix]) {
      if (wrong !== finding.fix) refused(editor, wrong, { ...INVALID, message });
      if (!Array.isArray(wrong)) refused(editor, { changes: wrong }, { ...INVALID, message });
      refused(editor, { changes: [wrong] }, { ...INVALID, message });
    }
    for (const wrong of [finding.fix.changes, finding.fix.changes[0]]) refused(editor, wrong, { ...INVALID, message });
    for (const kind of ["set", "remove", "rename", "retype", "rename-tensor", "remove-tensor"]) {
      refused(editor, { changes: [{ kind, index: 0, to: "x", toType: "STRING" }] }, INVALID);
      refused(editor, { changes: [{ kind, index: 0, key: 1, tensor: 1, to: "x", toType: "STRING" }] }, INVALID);
    }
    for (const key of [undefined, 1, ""])
      refused(editor, { changes: [{ kind: "add", key, to: 1 }] }, { name: "GgufError" });
    editor.apply(finding.fix);
    assert.equal(editor.metadata.get(COUNT), 1);
  });

  test("without changes changes nothing", async () => {
    const editor = await editWithHistory(BYTES);
    const before = stateOf(editor);
    editor.apply({ title: "", isSafe: true, changes: [] });
    assert.deepEqual(stateOf(editor), before);
  });

  test("passes on the error of its getters", async () => {
    const editor = await editWithHistory(BYTES);
    const mine = new Error("mine");
    const throws = () => {
      throw mine;
    };
    const hostile = new Proxy({}, { get: throws, has: throws, getPrototypeOf: throws, ownKeys: throws });
    const set = { kind: "set", index: 0, key: "general.architecture", to: "x", toType: "STRING" };
    refused(editor, hostile, mine);
    refused(editor, { changes: new Proxy([set], { get: throws }) }, mine);
    refused(editor, { changes: [set, hostile] }, mine);
    for (const member of ["kind", "to", "toType", "key", "index", "isRepeated"]) {
      const change = Object.defineProperty({ ...set }, member, { get: throws });
      refused(editor, { changes: [set, change] }, mine);
    }
    assert.equal(editor.redo()?.key, "second");
  });

  test("cannot change the editor while it is applied", async () => {
    const editor = await editWithHistory(BYTES);
    /** @type {string[]} */
    const codes = [];
    const change = {
      index: 0,
      key: "general.architecture",
      to: "x",
      toType: "STRING",
      get kind() {
        for (const call of [
          () => editor.set(NAME, 1),
          () => editor.undo(),
          () => editor.apply({ ...FIX, changes: [] }),
        ]) {
          try {
            call();
          } catch (error) {
            codes.push(/** @type {any} */ (error).code);
          }
        }
        return "set";
      },
    };
    const FIX = /** @type {any} */ ({ changes: [change] });
    editor.apply(FIX);
    assert.deepEqual(codes, ["busy", "busy", "busy"]);
    assert.deepEqual([editor.metadata.get("general.architecture"), editor.metadata.has(NAME)], ["x", false]);
  });

  test("can free the editor while it is applied", async () => {
    const editor = await edit(BYTES);
    const other = await edit(BYTES);
    const change = {
      get kind() {
        editor.free();
        return "repack";
      },
    };
    editor.apply(/** @type {any} */ ({ changes: [change] }));
    assert.throws(() => editor.changes, { code: "freed" });
    assert.equal(other.entries.length, 2);
  });
});

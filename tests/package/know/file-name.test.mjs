// `parseFileName` and `suggestFileName`: what the name of a file says, and the name that a file should have.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, parseFileName } from "gguf-wasm/full";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";
import { HOSTILE_ARGUMENTS } from "./expect.mjs";

describe("parseFileName", () => {
  test("gives all parts of a conventional name", () => {
    assert.deepEqual(parseFileName("mmproj-Mixtral-8x7B-Instruct-v0.1-Q4_K_M-LoRA-00003-of-00009.gguf"), {
      isConventional: true,
      problems: [],
      sidecar: "mmproj",
      baseName: "Mixtral",
      sizeLabel: "8x7B",
      fineTune: "Instruct",
      version: "v0.1",
      encoding: "Q4_K_M",
      type: "LoRA",
      shard: { number: 3, count: 9 },
    });
  });

  test("leaves out the parts that a name does not have", () => {
    const { problems, ...parts } = parseFileName("gemma-3-27b-it-UD-Q4_K_XL.gguf");
    assert.deepEqual(parts, {
      isConventional: false,
      baseName: "gemma-3",
      sizeLabel: "27b",
      fineTune: "it",
      encoding: "UD-Q4_K_XL",
    });
    const rules = problems.map(({ rule }) => rule);
    assert.ok(rules.includes("version-missing"), rules.join());
    for (const problem of problems) {
      assert.deepEqual(Object.keys(problem), ["rule", "message"]);
      assert.match(problem.message, /^\S.*\.$/);
    }
  });

  test("takes any text as a name", () => {
    const { isConventional, problems, ...parts } = parseFileName("");
    assert.equal(isConventional, false);
    assert.deepEqual([problems.length > 0, parts], [true, {}]);
    for (const name of [".gguf", "-", "\0", "\ud800.gguf", "\u{1f600}-7B.gguf", "constructor", "__proto__"]) {
      assert.equal(parseFileName(name).isConventional, false, name);
    }
    assert.equal(parseFileName("Größe-7B-v1.0.gguf").baseName, "Größe");
  });

  test("takes names of up to 65,535 characters", () => {
    assert.equal(parseFileName("a".repeat(65_535)).isConventional, false);
    for (const length of [65_536, 1 << 28]) {
      const message = `the argument name has ${length} characters, expected at most 65535`;
      const expected = { name: "GgufError", code: "invalid-argument", message };
      assert.throws(() => parseFileName("a".repeat(length)), expected);
    }
    assert.equal(parseFileName("Mixtral-8x7B-v0.1.gguf").isConventional, true);
  });

  test("refuses arguments that are not strings", () => {
    for (const argument of HOSTILE_ARGUMENTS) {
      const call = () => parseFileName(/** @type {any} */ (argument));
      assert.throws(call, { name: "GgufError", code: "invalid-argument", message: /^the argument name is .*string$/ });
    }
    assert.throws(/** @type {any} */ (parseFileName), { code: "invalid-argument" });
  });
});

const NAMED = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["general.basename", text("My: model")],
    ["general.size_label", text("7B")],
    ["general.finetune", text("Instruct")],
    ["general.version", text("v0.3")],
    ["general.file_type", uint32(15)],
  ],
  [{ name: "token_embd.weight", dimensions: [256, 2], type: 12, bytes: 288 }],
);

describe("suggestFileName", () => {
  test("builds the name from metadata and tensors", async () => {
    const gguf = await Gguf.open(NAMED);
    assert.equal(gguf.suggestFileName(), "My--model-7B-Instruct-v0.3-Q4_K_M.gguf");
    assert.equal((await Gguf.open(smallModel())).suggestFileName(), "Tiny-Test-4.2M-Q4_K_M.gguf");
    assert.equal((await Gguf.open(ggufBytes([]))).suggestFileName(), "ggml-model.gguf");
  });

  test("of an editor follows every change", async () => {
    const gguf = await Gguf.open(NAMED);
    const editor = gguf.edit();
    assert.equal(editor.suggestFileName(), gguf.suggestFileName());
    editor.set("general.basename", "Other");
    editor.remove("general.version");
    assert.equal(editor.suggestFileName(), "Other-7B-Instruct-Q4_K_M.gguf");
    editor.remove("general.file_type");
    assert.equal(editor.suggestFileName(), "Other-7B-Instruct-Q4_K.gguf");
    assert.equal((await Gguf.open(editor.plan())).suggestFileName(), editor.suggestFileName());
    while (editor.undo());
    assert.equal(editor.suggestFileName(), gguf.suggestFileName());
  });

  test("leaves out texts that are too long for a file name, and cuts the longest part of a name that is too long", async () => {
    const editor = (await Gguf.open(NAMED)).edit();
    editor.set("general.finetune", "x".repeat(256));
    assert.equal(editor.suggestFileName(), "My--model-7B-v0.3-Q4_K_M.gguf");
    editor.set("general.finetune", "x".repeat(255));
    const [before, after] = ["My--model-7B-", "-v0.3-Q4_K_M.gguf"];
    assert.equal(editor.suggestFileName(), `${before}${"x".repeat(255 - before.length - after.length)}${after}`);
  });
});

// `validate` through JavaScript: for files, for editors and for plans.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { json, missing, read } from "../corpus.mjs";

/** @typedef {import("gguf-wasm/full").Finding} Finding */

const { files = [] } = json("files/index.json");
const { cases = [] } = json("malformed/index.json");

/** The same list as in the Rust tests; tests/validate/corpus_files.rs explains it. */
const table = JSON.parse(readFileSync(new URL("../../fixtures/expected-findings.json", import.meta.url), "utf8"));

/** The malformed files that can be opened, each with the code of its fault. @type {Map<string, string | undefined>} */
const EXPECTED = new Map([
  ...table.malformedWithoutFault.map((/** @type {string} */ name) => [name, undefined]),
  ...Object.entries(table.malformed).flatMap(([code, names]) =>
    names.map((/** @type {string} */ name) => [name, code]),
  ),
]);

/** @param {readonly Finding[]} findings */
const codes = (findings) => findings.map(({ code }) => code);

/** The errors that are not about the missing parts of a model. @param {readonly Finding[]} findings */
const formatErrors = (findings) =>
  findings.filter(({ code, severity }) => severity === "error" && !table.incompleteModel.includes(code));

/** The file with the fault of this name. @param {string} name */
const broken = (name) => read(`malformed/${cases.find((/** @type {{ name: string }} */ of) => of.name === name).file}`);

/** Asserts that the subjects of findings exist. @param {Gguf} gguf @param {readonly Finding[]} findings @param {number} size */
function check(gguf, findings, size) {
  assert.ok(Object.isFrozen(findings));
  for (const { code, severity, message, key, tensor, index, offset } of findings) {
    assert.match(code, /^[a-z0-9-]+$/);
    assert.ok(["error", "warning", "info"].includes(severity), severity);
    assert.match(message, /^[^\n{}]{10,300}\.$/, code);
    assert.ok(key === undefined || tensor === undefined);
    if (index === undefined) {
      // A finding can be about an entry or a tensor that the file lacks.
      assert.ok(key === undefined || !gguf.metadata.has(key), key);
      assert.ok(tensor === undefined || gguf.tensor(tensor) === undefined, tensor);
    } else if (tensor === undefined) assert.equal(gguf.entries[index]?.key, key);
    else assert.equal(gguf.tensors[index]?.name, tensor);
    assert.ok(offset === undefined || (Number.isInteger(offset) && offset >= 0 && offset <= size), `${code} ${offset}`);
  }
}

describe("malformed files", { skip: missing }, () => {
  for (const { name, file } of cases) {
    test(name, async () => {
      const bytes = read(`malformed/${file}`);
      const gguf = await Gguf.open(bytes).catch(() => undefined);
      assert.equal(gguf !== undefined, EXPECTED.has(name), "which files open is in the table");
      if (!gguf) return;
      const findings = gguf.validate();
      check(gguf, findings, bytes.length);
      const code = EXPECTED.get(name);
      if (code)
        assert.ok(
          codes(findings).some((found) => found === code),
          codes(findings).join(),
        );
      else assert.deepEqual(formatErrors(findings), []);
    });
  }
});

test("files that ggml reads have no errors, nor do plans without changes", { skip: missing }, async () => {
  for (const { file, c_reader: reader } of files) {
    const bytes = read(`files/${file}`);
    const gguf = await Gguf.open(bytes);
    const findings = gguf.validate();
    check(gguf, findings, bytes.length);
    if (reader.metadata === "ok") assert.deepEqual(formatErrors(findings), [], file);
    const editor = gguf.edit();
    assert.deepEqual(editor.validate(), findings, file);
    assert.deepEqual(editor.plan().findings, findings, file);
  }
});

describe("the subject of a finding", { skip: missing }, () => {
  /** @param {string} name @param {string} code */
  async function first(name, code) {
    const gguf = await Gguf.open(broken(name));
    const finding = gguf.validate().find((finding) => finding.code === code);
    assert.ok(finding);
    return { gguf, finding };
  }

  test("an entry", async () => {
    const { gguf, finding } = await first("hc-kv-duplicate-key", "duplicate-key");
    const { index = -1, key } = finding;
    const before = gguf.entries.findIndex((entry) => entry.key === key);
    assert.ok(before < index);
    assert.equal(finding.severity, "error");
    assert.equal(
      finding.message,
      `entry ${before} has the same key, and llama.cpp refuses the file. Rename or remove one of them.`,
    );
    // The entry begins with the length of its key. The value follows 4 bytes of type.
    const { offset = -1 } = finding;
    const entry = gguf.entries[index];
    assert.ok(entry);
    assert.equal(offset + 8 + gguf.keyBytes(entry).length + 4, entry.offset);
  });

  test("a value", async () => {
    const { gguf, finding } = await first("align-3", "bad-alignment");
    const entry = gguf.entries.find(({ key }) => key === "general.alignment");
    assert.deepEqual(finding, {
      code: "bad-alignment",
      severity: "error",
      message: "the alignment is 3, expected a power of two. Set it to 32.",
      key: "general.alignment",
      index: entry?.index,
      offset: entry?.offset,
      fix: {
        title: "Set the alignment to 32",
        isSafe: false,
        changes: [{ kind: "set", index: entry?.index, key: "general.alignment", to: 32, toType: "UINT32" }],
      },
    });
  });

  test("a tensor", async () => {
    const { gguf, finding } = await first("offset-unaligned-1", "unaligned-tensor");
    const tensor = gguf.tensors.find(({ offset }) => offset % gguf.alignment !== 0);
    assert.equal(finding.index, tensor?.index);
    assert.equal(finding.tensor, tensor?.name);
    const bytes = new DataView(gguf.headerBytes().buffer);
    assert.equal(Number(bytes.getBigUint64(finding.offset ?? -1, true)), tensor?.offset);
  });

  test("the file", async () => {
    const gguf = await Gguf.open(broken("trunc-0460"));
    assert.deepEqual(codes(gguf.validate()).includes("missing-padding"), true);
    const { gguf: cut, finding } = await first("data-half", "truncated");
    assert.equal(finding.severity, "error");
    assert.equal(finding.offset, cut.fileSize);
    assert.match(
      finding.message,
      new RegExp(`^the file has ${cut.fileSize} bytes, but its header and tensors need [0-9]+\\. `),
    );
    const { offset = 0, tensor } = finding;
    const incomplete = cut.tensors.find(({ fileOffset = 0, byteLength = 0 }) => fileOffset + byteLength > offset);
    assert.equal(tensor, incomplete?.name);
  });

  test("nothing, if the size of the file is unknown", async () => {
    const bytes = broken("data-half");
    const gguf = await Gguf.open(new Response(bytes).body ?? bytes);
    assert.equal(gguf.fileSize === undefined, !codes(gguf.validate()).includes("truncated"));
  });
});

describe("edits", { skip: missing }, () => {
  test("a duplicate key that is removed and restored", async () => {
    const gguf = await Gguf.open(broken("key-duplicate-other-type"));
    const finding = gguf.validate().find(({ code }) => code === "duplicate-key");
    const editor = gguf.edit();
    const before = editor.plan();
    editor.remove(finding?.index ?? -1);
    assert.ok(!codes(editor.validate()).includes("duplicate-key"));
    assert.ok(!codes(editor.plan().findings).includes("duplicate-key"));
    // Neither the plan nor the file changes.
    assert.ok(codes(before.findings).includes("duplicate-key"));
    assert.equal(before.findings, before.findings);
    assert.ok(codes(gguf.validate()).includes("duplicate-key"));
    editor.undo();
    assert.ok(codes(editor.validate()).includes("duplicate-key"));
  });

  test("a value of another type, at its position in the new file", async () => {
    const gguf = await Gguf.open(
      read(`files/${files.find((/** @type {{ category: string }} */ of) => of.category !== "edge").file}`),
    );
    const editor = gguf.edit();
    editor.add("general.file_type", 7, "UINT32", 0);
    const severe = () => editor.validate().filter(({ code }) => code === "wrong-type");
    assert.deepEqual(severe(), []);
    editor.set("general.file_type", "MOSTLY_Q8_0", "STRING");
    const [finding] = severe();
    assert.equal(
      finding?.message,
      "the type is STRING, but llama.cpp reads only UINT32. Change the type of the value.",
    );
    assert.equal(finding?.key, "general.file_type");
    assert.equal(finding?.offset, (editor.entries[finding?.index ?? -1]?.offset ?? 0) - 4);
    const edited = await Gguf.open(editor.plan());
    assert.deepEqual(edited.validate(), editor.validate());
  });

  test("the other byte order, and an older version", async () => {
    const gguf = await Gguf.open(read("files/be-v2.gguf"));
    assert.ok(codes(gguf.validate()).includes("big-endian-before-version-3"));
    const editor = gguf.edit();
    editor.version = 3;
    assert.ok(codes(editor.validate()).includes("big-endian"));
    editor.byteOrder = "little-endian";
    for (const findings of [editor.validate(), editor.plan().findings]) {
      assert.ok(!codes(findings).some((code) => code.startsWith("big-endian")));
    }
  });

  test("an editor of a truncated file, which cannot be planned", async () => {
    const editor = (await Gguf.open(broken("data-half"))).edit();
    editor.add("a.key", 1);
    editor.repack();
    assert.ok(!editor.validate().some(({ code }) => code === "trailing-bytes"));
  });
});

test("a file of version 3 without tensors that says version 1", async () => {
  const bytes = ggufBytes([
    ["general.architecture", text("gptj")],
    ["general.name", text("a model whose version field is wrong")],
  ]);
  assert.deepEqual((await Gguf.open(bytes)).validate(), []);
  bytes[4] = 1;
  const sources = [() => bytes, () => new Blob([bytes]), () => new Blob([bytes]).stream()];
  for (const source of sources) {
    const gguf = await Gguf.open(source());
    assert.deepEqual([gguf.version, gguf.entries.length, gguf.tensors.length], [1, 0, 0]);
    const finding = gguf.validate().find(({ code }) => code === "wrong-version");
    assert.deepEqual(finding, {
      code: "wrong-version",
      severity: "error",
      message:
        "the version is 1, but the next bytes read as version 2 or 3 with a metadata count of 2. Correct the version.",
      offset: 4,
    });
    const rest = gguf.validate().find(({ code }) => code === "bytes-without-tensors");
    assert.equal(rest !== undefined, gguf.fileSize !== undefined);
    if (rest) assert.deepEqual([rest.severity, rest.offset], ["warning", 32]);
  }
});

test("a finding names the entry or the tensor that the file lacks", async () => {
  const bytes = ggufBytes(
    [["general.architecture", text("llama")]],
    [{ name: "token_embd.weight", dimensions: [32, 2], type: 0, bytes: 256 }],
  );
  const findings = (await Gguf.open(bytes)).validate();
  const of = (/** @type {string} */ code) => findings.filter((finding) => finding.code === code);
  assert.ok(of("missing-key").some(({ key, index }) => key === "llama.block_count" && index === undefined));
  assert.deepEqual(
    of("missing-tensor").map(({ tensor, index }) => [tensor, index]),
    [["output_norm.weight", undefined]],
  );
});

test("the name of the file is compared with the header", async () => {
  const editor = (await Gguf.open(ggufBytes([["general.architecture", text("gptj")]]))).edit();
  editor.add("general.basename", "Model");
  editor.add("split.no", 1, "UINT16");
  editor.add("split.count", 3, "UINT16");
  editor.add("split.tensors.count", 0, "INT32");
  for (const checked of [editor, await Gguf.open(editor.plan())]) {
    const named = (/** @type {string} */ fileName) =>
      codes(checked.validate({ fileName })).filter((code) => code.includes("file-name"));
    assert.deepEqual(named("Model-00002-of-00003.gguf"), []);
    assert.deepEqual(named("Model-00001-of-00003.gguf"), ["file-name-shard"]);
    assert.deepEqual(checked.validate({}), checked.validate());
    for (const fileName of [1, {}, Symbol("name")]) {
      // @ts-expect-error The name is a string.
      assert.throws(() => checked.validate({ fileName }), { name: "GgufError", code: "invalid-argument" });
    }
  }
});

// The layout of the draft of GGUF: it is read if the caller asks for it, and becomes GGUF of today.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openDraft } from "gguf-wasm/convert/node";
import { Gguf } from "gguf-wasm/full/node";
import { draftFile } from "../../support/draft-file.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";

const FILE = draftFile();

const dir = await temporaryFolder();

test("the entries, the tensors and the values are those of the file", async () => {
  const plan = await openDraft(FILE, { fileName: "old.gguf" });
  assert.equal(plan.suggestedName, "old.gguf");
  assert.deepEqual(
    plan.findings.map(({ severity, kind }) => [severity, kind]),
    [["error", "missing-key"]],
  );
  assert.ok(plan.tensors.every(({ relation, isLossy }) => relation === "same bytes" && !isLossy));
  const gguf = await Gguf.open(plan);
  assert.equal(gguf.version, 3);
  assert.deepEqual(
    [...gguf.metadata.keys()],
    ["general.architecture", "llama.hidden_size", "llama.attention.num_heads", "tokenizer.embedded.tokens"],
  );
  assert.equal(gguf.metadata.get("llama.hidden_size"), 64);
  assert.deepEqual(
    gguf.tensors.map(({ name, type, dimensions }) => [name, type, dimensions]),
    [
      ["norm", "F32", [2]],
      ["q", "Q4_0", [32]],
    ],
  );
  assert.deepEqual([...new Float32Array((await gguf.readBytes("norm")).buffer)], [1, 2]);
  assert.deepEqual([...(await gguf.preview("q")).mean], [...Array(16).fill(0), ...Array(16).fill(1)]);
  gguf.free();
});

test("validate names the keys that others replaced, and its fixes rename them", async () => {
  const gguf = await Gguf.open(await openDraft(FILE));
  const replaced = gguf.validate().filter(({ code }) => code === "deprecated-key" || code === "unread-key");
  assert.deepEqual(
    replaced.map(({ key }) => key),
    ["llama.hidden_size", "llama.attention.num_heads", "tokenizer.embedded.tokens"],
  );
  const editor = gguf.edit();
  for (const { fix } of replaced) if (fix) editor.apply(fix);
  assert.equal(editor.metadata.get("llama.embedding_length"), 64);
  assert.equal(editor.metadata.get("llama.attention.head_count"), 2);
  gguf.free();
});

test("the new file is written, and never over the old one", async () => {
  const [path, output] = [join(dir, "draft.gguf"), join(dir, "new.gguf")];
  await writeFile(path, FILE);
  const plan = await openDraft(path);
  await assert.rejects(plan.writeTo(path), { code: "write-failed" });
  await plan.writeTo(output);
  assert.deepEqual(new Uint8Array(await readFile(path)), FILE);
  assert.deepEqual(new Uint8Array(await readFile(output)), await plan.read(0, plan.size));
});

test("a damaged file and a GGUF file as released are refused with the offset", async () => {
  const released = new Uint8Array(await (await Gguf.open(await openDraft(FILE))).headerBytes());
  await assert.rejects(openDraft(released), { name: "GgufError", code: "unsupported-version", offset: 4 });
  await assert.rejects(openDraft(FILE.subarray(0, -100)), { name: "GgufError", code: "unexpected-eof" });
  await assert.rejects(Gguf.open(FILE), { name: "GgufError" });
});

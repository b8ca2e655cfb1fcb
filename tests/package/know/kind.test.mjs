// `Gguf.kind`, `Gguf.classification` and `fileKinds`: what a file is, and what in it says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf, fileKinds } from "gguf-wasm/full";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";
import { assertDistinct, assertFrozen } from "./expect.mjs";

/** @typedef {Parameters<typeof ggufBytes>[0]} Entries */

/** @type {(name: string) => { name: string, dimensions: number[], type: number, bytes: number }} */
const tensor = (name) => ({ name, dimensions: [4, 2], type: 0, bytes: 32 });
/** @type {(value: boolean) => { type: "bool", value: boolean }} */
const bool = (value) => ({ type: "bool", value });
const ARCHITECTURE = /** @type {const} */ (["general.architecture", text("llama")]);
const TOKENS = /** @type {const} */ ([
  "tokenizer.ggml.tokens",
  { type: "strings", count: 2, at: (/** @type {number} */ index) => `t${index}` },
]);
const STATISTICS = ["blk.0.ffn_up.weight.in_sum2", "blk.0.ffn_up.weight.counts"];

/** A file of each kind: its entries and the names of its tensors. @type {[string, Entries, string[]][]} */
const FILES = [
  ["model", [ARCHITECTURE], ["token_embd.weight"]],
  ["embedding", [ARCHITECTURE, ["llama.pooling_type", uint32(1)]], ["token_embd.weight"]],
  ["reranker", [ARCHITECTURE, ["llama.pooling_type", uint32(4)]], ["token_embd.weight"]],
  ["classifier", [["general.architecture", text("bert")]], ["token_embd.weight", "cls.output.weight"]],
  ["text-diffusion", [["general.architecture", text("dream")]], ["token_embd.weight"]],
  ["image-diffusion", [["general.architecture", text("flux")]], ["img_in.weight"]],
  ["vae", [], ["first_stage_model.decoder.conv_in.weight"]],
  ["text-encoder", [], ["text_encoders.t5xxl.transformer.shared.weight"]],
  [
    "clip",
    [
      ["general.architecture", text("clip")],
      ["clip.has_text_encoder", bool(true)],
    ],
    ["v.patch_embd.weight"],
  ],
  ["speech-recognition", [["general.architecture", text("parakeet")]], ["encoder.weight"]],
  ["text-to-speech", [["general.architecture", text("wavtokenizer-dec")]], ["token_embd.weight"]],
  ["draft", [["general.architecture", text("eagle3")]], ["token_embd.weight"]],
  ["adapter", [["general.type", text("adapter")], ARCHITECTURE], ["blk.0.attn_q.weight.lora_a"]],
  ["mmproj", [["general.architecture", text("clip")]], ["v.patch_embd.weight"]],
  ["imatrix", [["general.type", text("imatrix")]], STATISTICS],
  ["control-vector", [["general.architecture", text("controlvector")]], ["direction.1"]],
  ["vocabulary", [ARCHITECTURE, TOKENS], []],
  ["shard", [ARCHITECTURE, ["split.count", uint32(2)]], ["token_embd.weight"]],
  ["unknown", [], ["a"]],
];

/** @param {Entries} entries @param {string[]} tensors */
const open = (entries, tensors) => Gguf.open(ggufBytes(entries, tensors.map(tensor)));

test("fileKinds lists each kind once; the list is frozen and is made once", () => {
  assert.equal(fileKinds(), fileKinds());
  assertFrozen(fileKinds());
  assert.deepEqual(
    fileKinds()
      .map(({ name }) => name)
      .toSorted(),
    FILES.map(([kind]) => kind).toSorted(),
  );
  assertDistinct(fileKinds().map(({ title }) => title));
  assertDistinct(fileKinds().map(({ description }) => description));
  for (const { description } of fileKinds()) assert.match(description, /^[A-Z].*\.$/);
});

for (const [kind, entries, tensors] of FILES) {
  test(`a file of the kind ${kind}`, async () => {
    const gguf = await open(entries, tensors);
    assert.equal(gguf.kind, kind);
    const { classification } = gguf;
    const info = fileKinds().find(({ name }) => name === kind);
    assert.deepEqual(
      [classification.kind, classification.title, classification.description],
      [info?.name, info?.title, info?.description],
    );
    assert.equal(classification.evidence.length > 0, kind !== "unknown");
    for (const sentence of classification.evidence) assert.match(sentence, /^\S.*\.$/);
    assert.equal("shard" in classification, kind === "shard");
    assert.deepEqual(classification.modalities, []);
    assert.equal(gguf.classification, classification);
    assertFrozen(classification);
  });
}

test("an edited file is classified again", async () => {
  const gguf = await open([["general.type", text("adapter")]], ["a.lora_a"]);
  const editor = gguf.edit();
  assert.deepEqual(editor.classification, gguf.classification);
  editor.set("general.type", "imatrix");
  assert.equal(editor.classification.kind, "imatrix");
  assert.deepEqual(editor.classification.evidence, ["`general.type` is `imatrix`."]);
  assertFrozen(editor.classification);
  assert.equal((await Gguf.open(editor.plan())).kind, "imatrix");
  assert.equal(gguf.kind, "adapter");
  editor.undo();
  assert.equal(editor.classification.kind, "adapter");
});

test("the evidence is given as sentences", async () => {
  const gguf = await open(
    [
      ["general.type", text("adapter")],
      ["adapter.type", text("lora")],
    ],
    ["a.lora_a"],
  );
  const expected = ["`general.type` is `adapter`.", "`adapter.type` is `lora`."];
  assert.deepEqual(gguf.classification.evidence, expected);
  assert.deepEqual((await Gguf.open(smallModel())).classification.evidence, ["`general.architecture` is `llama`."]);
});

test("a sentence has the start of a long value", async () => {
  const long = text("é".repeat(1 << 22));
  const gguf = await open(
    [
      ["general.type", text("adapter")],
      ["adapter.type", long],
    ],
    ["a.lora_a"],
  );
  assert.equal(gguf.classification.evidence[1], `\`adapter.type\` is \`${"é".repeat(40)}…\`.`);
});

test("a shard has its place in the set", async () => {
  /** @type {(entries: Entries) => Promise<unknown>} */
  const shard = async (entries) => (await open(entries, ["a"])).classification.shard;
  const [count, number, tensors] = /** @type {Entries} */ ([
    ["split.count", { type: "uint32", value: 3 }],
    ["split.no", uint32(1)],
    ["split.tensors.count", { type: "int32", value: 291 }],
  ]);
  assert.ok(count && number && tensors);
  assert.deepEqual(await shard([ARCHITECTURE, number, count, tensors]), {
    number: 2,
    count: 3,
    tensorCount: 291,
    setKind: "model",
  });
  assert.deepEqual(await shard([count]), { count: 3, setKind: "unknown" });
  assert.equal(await shard([ARCHITECTURE, ["split.count", uint32(1)]]), undefined);
});

test("a projector has its modalities", async () => {
  const names = ["clip.has_vision_encoder", "clip.has_audio_encoder", "clip.has_gen_audio_encoder"];
  /** @type {(flags: boolean[]) => Promise<unknown>} */
  const modalities = async (flags) => {
    const entries = flags.map((flag, index) => /** @type {const} */ ([names[index] ?? "", bool(flag)]));
    return (await open([["general.architecture", text("clip")], ...entries], ["a"])).classification.modalities;
  };
  assert.deepEqual(await modalities([true, false, false]), ["vision"]);
  assert.deepEqual(await modalities([false, true, true]), ["audio", "speech"]);
  assert.deepEqual(await modalities([true, true, true]), ["vision", "audio", "speech"]);
});

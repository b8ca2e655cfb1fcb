// `loads` through JavaScript: whether llama.cpp loads a file, an edited file, or a set of shards. `cargo test -p tests
// llama_cpp_loader` compares the rules with llama.cpp.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufSet, llamaCppRules } from "gguf-wasm/full";
import { text, uint32 } from "../../support/gguf-bytes.mjs";
import { llamaModel } from "../../support/llama-model.mjs";
import { shardFiles } from "../../support/shards.mjs";

/** @typedef {NonNullable<Parameters<typeof llamaModel>[0]>} Options */

/** @param {ReadableStream<Uint8Array>} stream */
async function collect(stream) {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

/** @param {Options} [options] */
const loadsOf = async (options) => (await Gguf.open(llamaModel(options))).loads();

/** The files of a model that is split. @param {Options} [options] */
async function shardsOf(options) {
  const gguf = await Gguf.open(new File([llamaModel(options)], "m.gguf"));
  const shards = gguf.split({ maxTensors: 10 });
  return Promise.all(shards.map(async ({ name, plan }) => new File([await collect(plan.stream())], name)));
}

/** @param {{ answer: string, reason?: { code: string } | undefined }} loads */
const short = ({ answer, reason }) => [answer, reason?.code];

describe("a file", () => {
  test("a model that loads has no reason", async () => {
    assert.deepEqual(await loadsOf(), {
      answer: "yes",
      sentence: "llama.cpp loads the file.",
      rules: llamaCppRules(),
    });
    assert.match(llamaCppRules(), /^llama\.cpp of [A-Z][a-z]+ \d{4} \(b\d+, \d{4}-\d\d-\d\d\)$/);
  });

  test("the reason is a finding of validate, and the sentence names its subject", async () => {
    const gguf = await Gguf.open(llamaModel({ tensors: { "blk.1.attn_q.weight": [64, 65] } }));
    const { answer, sentence, reason } = gguf.loads();
    const finding = gguf.validate().find(({ severity }) => severity === "error");
    assert.equal(answer, "no");
    assert.equal(reason?.code, "tensor-shape");
    assert.equal(reason.tensor, "blk.1.attn_q.weight");
    assert.deepEqual(reason, finding);
    assert.equal(
      sentence,
      `llama.cpp does not load the file, because of the tensor "blk.1.attn_q.weight": ${reason.message}`,
    );
  });

  test("keys are read before tensors, and the tokenizer between them", async () => {
    const shape = { "blk.1.attn_q.weight": [64, 65] };
    const pre = /** @type {const} */ (["tokenizer.ggml.model", text("nobody's")]);
    const without = ["llama.attention.head_count"];
    assert.deepEqual(short(await loadsOf({ tensors: shape })), ["no", "tensor-shape"]);
    // A newer llama.cpp may have the tokenizer, but it refuses the tensor, too.
    assert.deepEqual(short(await loadsOf({ entries: [[...pre]] })), ["unknown", "unknown-tokenizer"]);
    assert.deepEqual(short(await loadsOf({ tensors: shape, entries: [[...pre]] })), ["no", "tensor-shape"]);
    assert.deepEqual(short(await loadsOf({ tensors: shape, entries: [[...pre]], without })), ["no", "missing-key"]);
    assert.match(
      (await loadsOf({ without })).sentence,
      /^llama\.cpp does not load the file: the entry llama\.attention/,
    );
  });

  test("an architecture that may be newer", async () => {
    const { answer, reason, sentence } = await loadsOf({ architecture: "my-own" });
    assert.deepEqual([answer, reason?.code], ["unknown", "unknown-architecture"]);
    assert.match(
      sentence,
      /because of the key "general\.architecture": .*my-own.* unknown, perhaps newer than llama\.cpp b11549/,
    );
  });

  test("a truncated file", async () => {
    const whole = llamaModel();
    const gguf = await Gguf.open(whole.slice(0, -64));
    assert.deepEqual(short(gguf.loads()), ["no", "truncated"]);
  });

  test("other kinds of files name the option that takes them", async () => {
    /** @type {[Options["entries"], RegExp][]} */
    const kinds = [
      [
        [
          ["general.type", text("adapter")],
          ["adapter.type", text("lora")],
        ],
        /\(kind: Adapter\)\. .* --lora,/,
      ],
      [
        [
          ["general.type", text("mmproj")],
          ["general.architecture", text("clip")],
        ],
        /\(kind: Multimodal projector\)\. .* --mmproj,/,
      ],
      [[["general.type", text("imatrix")]], /\(kind: Importance matrix\)\.$/],
    ];
    for (const [entries = [], expected] of kinds) {
      const { answer, reason, sentence } = await loadsOf({ entries, without: ["llama.block_count"] });
      assert.deepEqual([answer, reason?.code, reason?.severity], ["no", "not-a-model", "info"], sentence);
      assert.match(sentence, expected);
    }
  });

  test("the numbers of a model with which llama.cpp would divide by zero give no answer", async () => {
    const loads = await loadsOf({ entries: [["llama.attention.head_count", uint32(0)]] });
    assert.equal(loads.answer, "no");
  });

  test("a name that is long is not part of the sentence", async () => {
    const name = "x".repeat(2000);
    const { answer, sentence, reason } = await loadsOf({ tensors: { [name]: [64] } });
    assert.deepEqual([answer, reason?.tensor], ["no", name]);
    assert.ok(sentence.length < 1000, sentence);
  });

  test("an edited file has the answer of the file that would be written", async () => {
    const gguf = await Gguf.open(llamaModel());
    const editor = gguf.edit();
    assert.deepEqual(editor.loads(), gguf.loads());
    editor.remove("llama.context_length");
    assert.deepEqual(short(editor.loads()), ["no", "missing-key"]);
    assert.deepEqual(editor.loads(), (await Gguf.open(await collect(editor.plan().stream()))).loads());
    editor.undo();
    assert.equal(editor.loads().answer, "yes");
  });

  test("after free() there is no answer", async () => {
    const gguf = await Gguf.open(llamaModel());
    gguf.free();
    assert.throws(() => gguf.loads(), { name: "GgufError", code: "freed" });
  });
});

describe("a set of shards", () => {
  test("one shard is unknown, and the set is known", async () => {
    const files = await shardsOf();
    assert.ok(files.length > 1);
    for (const file of files) {
      const { answer, reason, sentence } = (await Gguf.open(file)).loads();
      assert.deepEqual([answer, reason?.code], ["unknown", "not-a-model"]);
      assert.match(sentence, /^It is not known whether llama\.cpp loads the file: it is one shard of a set/);
    }
    const { answer, sentence } = (await GgufSet.open(files)).loads();
    assert.deepEqual([answer, sentence], ["yes", "llama.cpp loads the set of shards."]);
  });

  test("a reason in a later shard is found, and has no position", async () => {
    const set = await GgufSet.open(await shardsOf({ tensors: { "blk.1.ffn_down.weight": [96, 65] } }));
    const { answer, reason, sentence } = set.loads();
    assert.deepEqual([answer, reason?.code, reason?.tensor], ["no", "tensor-shape", "blk.1.ffn_down.weight"]);
    assert.deepEqual([reason?.index, reason?.offset], [undefined, undefined]);
    assert.match(
      sentence,
      /^llama\.cpp does not load the set of shards, because of the tensor "blk\.1\.ffn_down\.weight": /,
    );
  });

  test("a missing shard, and a broken one", async () => {
    const files = await shardsOf();
    const missing = (await GgufSet.open(files.slice(1))).loads();
    assert.deepEqual([...short(missing), missing.reason?.shard], ["no", "missing-shard", 1]);
    const last = /** @type {File} */ (files.at(-1));
    const cut = new File([last.slice(0, last.size - 64)], last.name);
    assert.deepEqual(short((await GgufSet.open([...files.slice(0, -1), cut])).loads()), ["no", "truncated-shard"]);
    const text = new File(["no model"], last.name);
    const unreadable = (await GgufSet.open([...files.slice(0, -1), text])).loads();
    assert.deepEqual([unreadable.answer, unreadable.reason?.shard], ["unknown", files.length]);
    assert.match(unreadable.sentence, /^It is not known whether llama\.cpp loads the set of shards: /);
  });

  test("a set of one file has the answer of the file", async () => {
    const bytes = llamaModel();
    const set = await GgufSet.open(new File([bytes], "m.gguf"));
    assert.equal(set.loads().answer, (await Gguf.open(bytes)).loads().answer);
  });

  test("the answer of a set and its reason are frozen", async () => {
    const set = await GgufSet.open(Object.entries(shardFiles(2)).map(([name, bytes]) => new File([bytes], name)));
    const loads = set.loads();
    assert.ok(Object.isFrozen(loads) && Object.isFrozen(loads.reason));
  });
});

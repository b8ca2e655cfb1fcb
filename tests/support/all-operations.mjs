// Almost all operations of the package as a list, for tests of faults.

import { setTimeout as sleep } from "node:timers/promises";
import { ggufBytes, text, uint32 } from "./gguf-bytes.mjs";
import { hubModelFiles } from "./hub-model.mjs";
import { legacyFile } from "./legacy-file.mjs";

/** @import { Editor, EditPlan, Gguf, MetadataArray, MetadataEntry } from "gguf-wasm/full" */
/** @typedef {import("./faulty-module.mjs").Package} Package */

export const FILE = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokens", { type: "strings", count: 2000, at: (index) => `token ${index}` }],
    ["numbers", { type: "float32s", count: 10, at: (index) => index }],
    ["nested", { type: "nested", value: [["a"], ["b", "c"]] }],
    ["n", uint32(1)],
    ["n64", { type: "uint64", value: 1n << 60n }],
  ],
  [
    { name: "t", dimensions: [4096], type: 0, bytes: 16_384 },
    { name: "q", dimensions: [1024], type: 8, bytes: 1088 },
  ],
);

/** The result of an operation that does not end. */
export const HUNG = "hung";

/** A file in which each expert is a tensor. */
const EXPERTS = ggufBytes(
  [["general.architecture", text("llama")]],
  [0, 1].map((expert) => ({ name: `blk.0.ffn_up.${expert}.weight`, dimensions: [4, 4], type: 0, bytes: 64 })),
);

/** A file with a tokenizer. */
const VOCABULARY = ggufBytes([
  ["tokenizer.ggml.model", text("gpt2")],
  ["tokenizer.ggml.tokens", { type: "strings", count: 2, at: (index) => ["a", "b"][index] ?? "" }],
  ["tokenizer.ggml.merges", { type: "strings", count: 0, at: () => "" }],
]);

/**
 * Runs all operations. Each one runs even if others have failed.
 *
 * @param {Package & Partial<typeof import("gguf-wasm/convert") & typeof import("gguf-wasm/models")>} api of one module: functions that it
 *   does not have fail
 * @param {string} origin the origin of a server that has the file at `/file`, redirects `/redirect` to it, and answers as a hub below `/hub`
 * @returns {Promise<Map<string, unknown>>} for each operation the error, `HUNG`, or undefined
 */
export async function runAll(
  {
    Gguf,
    GgufSet,
    GgufWriter,
    compare,
    dequantize,
    ggmlTypes,
    listRepository,
    manifestAlgorithms,
    openLegacy,
    openModel,
    parseRepository,
    parseShardName,
    requantize,
    shardName,
  },
  origin,
) {
  /** @type {Map<string, unknown>} */
  const results = new Map();
  /** @template T @param {string} name @param {() => T | Promise<T>} operation @returns {Promise<T | undefined>} */
  const run = async (name, operation) => {
    const timer = new AbortController();
    try {
      const hung = sleep(4000, HUNG, { signal: timer.signal });
      hung.catch(() => undefined);
      const result = await Promise.race([(async () => operation())(), hung]);
      results.set(name, result === HUNG ? HUNG : undefined);
      return result === HUNG ? undefined : /** @type {T} */ (result);
    } catch (error) {
      results.set(name, error);
      return undefined;
    } finally {
      timer.abort();
    }
  };
  /** @param {Gguf | undefined} gguf @param {string} key */
  const array = (gguf, key) => /** @type {MetadataArray} */ (gguf?.metadata.get(key));
  /** @param {Gguf | undefined} gguf */
  const entry = (gguf) => /** @type {MetadataEntry} */ (gguf?.entries[1]);
  const nothing = () => undefined;
  const custom = {
    size: FILE.length,
    read: async (/** @type {number} */ start, /** @type {number} */ end) => FILE.slice(start, end),
  };
  const options = { retries: 1, timeout: 1000, responseTimeout: 5000, headers: { "X-Test": "1" } };
  const signal = new AbortController().signal;

  const vocabulary = await run("open vocabulary", () => Gguf.open(VOCABULARY));
  const tokenizer = await run("tokenizer", () => vocabulary?.tokenizer());
  await run("encode", () => tokenizer?.encode("ab"));
  await run("tokenize", () => tokenizer?.tokenize("ab"));
  await run("decode", () => tokenizer?.decode(Int32Array.of(0, 1)));
  await run("decode an iterable", () => tokenizer?.decode(new Set([0, 1]), { skipSpecial: true }));
  await run("token", () => tokenizer?.token(1));

  const gguf = await run("open bytes", () => Gguf.open(FILE, { onProgress: nothing }));
  await run("open blob", () => Gguf.open(new Blob([FILE])));
  await run("open stream", () => Gguf.open(new Blob([FILE]).stream()));
  await run("open custom", () => Gguf.open(custom, { signal, limits: { arrayDepth: 5 } }));
  const remote = await run("open url", () => Gguf.open(`${origin}/file`, options));
  await run("open redirect", () => Gguf.open(`${origin}/redirect`, options));
  await run("read url", () => remote?.read("t"));
  await run("values", () =>
    [...(gguf?.metadata.values() ?? [])].map((value) => (typeof value === "object" ? value.toArray() : value)),
  );
  await run("array", () => {
    const numbers = array(gguf, "numbers");
    return numbers && [numbers.toTypedArray(), numbers.indexOf(5), numbers.bytes(1), numbers.at(-1), [...numbers]];
  });
  await run("listing", () => [gguf?.entries, gguf?.tensors, gguf?.tensor("q"), gguf?.validate(), gguf?.headerBytes()]);
  await run(
    "stored",
    () =>
      gguf && [
        gguf.keyBytes(entry(gguf)),
        gguf.valueBytes(entry(gguf)),
        gguf.stringBytes(/** @type {MetadataEntry} */ (gguf.entries[0])),
      ],
  );
  await run("readBytes", () => gguf?.readBytes("t", { start: 1, end: 100 }));
  await run("read", () => gguf?.read("q", { as: "float64" }));
  await run("preview", () => gguf?.preview("q", { rows: 4, columns: 4, onProgress: nothing }));
  await run("statistics", () => gguf?.statistics("t", { onProgress: nothing }));
  const hashes = await run("hash", () => gguf?.hash({ algorithms: ["xxh64", "sha256", "uuid"], onProgress: nothing }));
  await run("hash file", () => gguf?.hash({ algorithms: ["sha1"], tensors: false, file: true, signal }));
  await run("hashes", () => [hashes?.data, hashes?.tensors, hashes?.fileSha256]);
  await run("manifest", () => {
    const manifest = hashes?.manifest("model.gguf");
    return manifest && [hashes?.check(manifest), manifestAlgorithms(manifest)];
  });
  await run("compare", async () => {
    if (!gguf) return undefined;
    const editor = gguf.edit();
    editor.set("n", 5);
    editor.renameTensor("t", "other");
    const other = await Gguf.open(editor.plan());
    const comparison = await compare(gguf, other, { values: true, onProgress: nothing, signal });
    const { isEqual, dataCoverage, summary, format, counts } = comparison;
    const lists = [comparison.entries(), comparison.tensors(), comparison.entryDetails(0)];
    const texts = [comparison.toJSON(), comparison.toMarkdown({ limit: 3 })];
    comparison.free();
    other.free();
    return [isEqual, dataCoverage, summary, format, counts, lists, texts];
  });
  await run("export", () => [
    gguf?.toJSON({ arrays: "short" }),
    JSON.stringify(gguf),
    gguf?.toMarkdown({ fileName: "model.gguf" }),
    gguf?.tensorsToCsv(),
    vocabulary?.tokensToCsv(),
    gguf?.chatTemplates(),
  ]);
  const npy = await run("npy", () => gguf?.toNpy("q"));
  await run("npy parts", () => [npy?.size, npy?.dtype, npy?.shape]);
  await run("npy stream", () => npy && drain(npy.stream({ onProgress: nothing, signal })));
  await run("npy stored", () => gguf && drain(gguf.toNpy("q", { as: "stored" }).stream()));
  await run("listRepository", () =>
    listRepository("owner/name", { hub: `${origin}/hub`, headers: { "X-Test": "1" }, retries: 1, timeout: 1000 }),
  );
  await run("parseRepository", () => parseRepository("owner/name"));
  await run("parseShardName", () => parseShardName("m-00002-of-00003.gguf"));
  await run("shardName", () => shardName("m", 2, 3));
  await run("dequantize", () => dequantize("Q8_0", new Uint8Array(34)));
  await run("types", () => ggmlTypes());
  /** @type {Editor | undefined} */
  const editor = await run("edit", () => gguf?.edit());
  await run("change", () => {
    if (!editor) return undefined;
    editor.set("n", 2);
    editor.set("name", "a name");
    editor.set("list", [1, 2, 3], "UINT32[]");
    editor.set("copy", array(gguf, "tokens"));
    editor.setElement("tokens", 5, "other");
    editor.renameTensor("t", "u");
    editor.undo();
    editor.redo();
    return [editor.changes, editor.undone, editor.entries, editor.validate()];
  });
  /** @type {EditPlan | undefined} */
  const plan = await run("plan", () => editor?.plan());
  await run("plan parts", () => [plan?.findings, plan?.segments(), plan?.headerBytes(), plan?.patches()]);
  await run("plan read", () => plan?.read(0, plan.size));
  await run("plan stream", () => plan && drain(plan.stream({ onProgress: nothing })));
  await run("plan blob", () => plan?.toBlob(new Blob([FILE])));
  await run("open plan", () => plan && Gguf.open(plan));
  await run("write", () => {
    const writer = new GgufWriter();
    writer.set("general.architecture", "llama");
    writer.addTensor("t", { dimensions: [2], type: "F32", data: new Float32Array(2) });
    return drain(writer.stream());
  });
  await run("join experts", async () => (await Gguf.open(EXPERTS)).joinExperts());
  const shards = await run("split", () => gguf?.split({ maxTensors: 1 }));
  const set = await run("open set", () =>
    GgufSet.open(shards?.map(({ plan }) => plan) ?? [FILE], { onProgress: nothing }),
  );
  await run("set", () => [
    set?.shards,
    set?.tensors,
    set?.metadata,
    set?.findings,
    set?.fileSize,
    set?.validate(),
    set?.edit(),
    set?.toJSON(),
  ]);
  await run("read set", () => set?.read("q"));
  await run("merge", () => set && drain(set.merge().stream()));
  await run("open set url", () => GgufSet.open(`${origin}/file`, options));
  const legacy = await run("open legacy", () => /** @type {Function} */ (openLegacy)(legacyFile()));
  const migration = await run("migrate", () => legacy?.migrate());
  await run("migrated", () => migration && drain(migration.stream()));
  const requantized = await run("requantize", async () =>
    /** @type {Function} */ (requantize)(migration && (await Gguf.open(migration)), { type: "Q4_0", workers: 0 }),
  );
  await run("requantized", () => requantized && drain(requantized.stream({ onProgress: nothing })));
  const model = await run("open model", () => /** @type {Function} */ (openModel)(hubModelFiles()));
  await run(
    "convert model",
    async () => model && drain((await model.convert()).stream({ onProgress: nothing, signal })),
  );
  await run("free", () => {
    for (const object of [editor, plan, hashes, npy, gguf, gguf, set]) object?.free();
  });
  await run("afterwards", async () => {
    const again = await Gguf.open(FILE);
    if (again.metadata.get("n") !== 1) throw new Error("the reopened file has another value");
  });
  return results;
}

/** @param {ReadableStream<Uint8Array>} stream */
async function drain(stream) {
  let length = 0;
  for await (const chunk of stream) length += chunk.length;
  return length;
}

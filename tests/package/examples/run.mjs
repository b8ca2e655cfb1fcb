// Runs the examples whose names are the arguments, one after the other, each with new objects. Prints what failed, as JSON.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { openLegacy, requantize } from "gguf-wasm/convert/node";
import { convertAdapter, mergeAdapter, openModel } from "gguf-wasm/models/node";
import { compare, Gguf, GgufSet, GgufWriter } from "gguf-wasm/full/node";

const print = console.log;
console.log = () => {};

/** The sample, with a tensor that most examples read. */
const MODEL = await (async () => {
  const editor = (await Gguf.open("sample.gguf")).edit();
  editor.renameTensor("blk.0.ffn_down.weight", "output.weight");
  editor.set("general.name", "An example");
  const plan = editor.plan();
  return plan.read(0, plan.size);
})();
await writeFile("model.gguf", MODEL);
const original = await Gguf.open(MODEL);

/** An importance matrix for a tensor that the model does not have. */
const IMATRIX = await (async () => {
  const writer = new GgufWriter();
  writer.set("imatrix.datasets", ["text.txt"]);
  writer.set("imatrix.chunk_count", 1, "UINT32");
  writer.set("imatrix.chunk_size", 512, "UINT32");
  for (const name of ["in_sum2", "counts"]) {
    const bytes = new Uint8Array(new Float32Array([4]).buffer);
    writer.addTensor(`other.weight.${name}`, { type: "F32", dimensions: [1], data: bytes });
  }
  return new Uint8Array(await new Response(writer.stream()).arrayBuffer());
})();

/** The files of the network, by the ends of their URLs. @type {Record<string, Uint8Array<ArrayBuffer>>} */
const FILES = {
  ".gguf": MODEL,
  ".imatrix.gguf": IMATRIX,
  ".bin": new Uint8Array(await readFile("ggml-model-q4_0.bin")),
};
for (const { name, plan } of original.split({ name: "model", maxTensors: 20 })) {
  const shard = await plan.read(0, plan.size);
  FILES[name] = shard;
  await writeFile(name, shard);
}

/** A model of Hugging Face: its folder, and its files. */
const HUB_MODEL = "models/Qwen3-0.6B";
/** @type {Record<string, Uint8Array<ArrayBuffer>>} */
const HUB_FILES = {};
for (const name of await readdir(HUB_MODEL)) HUB_FILES[name] = new Uint8Array(await readFile(`${HUB_MODEL}/${name}`));
const HUB_TREE = Object.entries(HUB_FILES).map(([path, { length: size }]) => ({ type: "file", path, size }));

/** The file of a plan. @param {import("gguf-wasm/models").ModelPlan} plan */
const written = async (plan) => new File([await new Response(plan.stream()).arrayBuffer()], plan.suggestedName);

/** The model and an adapter for it, in GGUF. */
const ADAPTER = "models/my-adapter";
const MODEL_FILE = await written(await (await openModel(HUB_MODEL)).convert());
const ADAPTER_FILE = await written(await convertAdapter(ADAPTER, { base: HUB_MODEL }));
/** @type {File[]} */
const ADAPTER_FILES = [];
for (const name of await readdir(ADAPTER)) ADAPTER_FILES.push(new File([await readFile(`${ADAPTER}/${name}`)], name));

/** The listing of a repository, as the hub answers it. */
const LISTING = {
  id: "ggml-org/gemma-3-1b-it-GGUF",
  sha: "0123456789012345678901234567890123456789",
  siblings: [{ rfilename: "model.gguf" }],
};
const TREE = [
  { type: "file", path: "model.gguf", size: MODEL.length, oid: "0", lfs: { oid: "0".repeat(64), size: MODEL.length } },
];

/** The network: files by their ranges, and one repository. @type {typeof fetch} */
const fetchFile = async (input, init) => {
  const url = new URL(String(input));
  if (url.pathname.startsWith("/api/models/Qwen/")) return Response.json(HUB_TREE);
  if (url.pathname.startsWith("/api/")) return Response.json(url.pathname.includes("/tree/") ? TREE : LISTING);
  const names = Object.keys(FILES).sort((a, b) => b.length - a.length);
  const ofHub = url.pathname.startsWith("/Qwen/") ? HUB_FILES[url.pathname.split("/").at(-1) ?? ""] : undefined;
  const file = ofHub ?? FILES[names.find((name) => url.pathname.endsWith(name)) ?? ""];
  if (!file) return new Response(null, { status: 404 });
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get("Range") ?? "") ?? [];
  if (start === undefined) return new Response(file);
  const part = file.slice(Number(start), Number(end) + 1);
  const headers = { "Content-Range": `bytes ${start}-${Number(start) + part.length - 1}/${file.length}` };
  return new Response(part, { status: 206, headers });
};

const file = () => new File([MODEL], "model.gguf", { lastModified: 1 });

/** A handle of the page's file system, and of `node:fs`, whose writes go nowhere. */
const handle = () => ({
  getFile: async () => file(),
  createWritable: async () => new WritableStream(),
  write: async () => ({ bytesWritten: 0 }),
  truncate: async () => {},
});

/** Whether an example has a name. What it does not name is not made. @param {string} code @param {string[]} names */
const has = (code, ...names) => names.some((name) => new RegExp(`\\b${name}\\b`).test(code));

/** The variables with other values in examples of models before GGUF. @param {string} code */
async function legacyVariables(code) {
  if (!has(code, "model", "openLegacy", "openDraft", "exactness")) return {};
  const model = await openLegacy("ggml-model-q4_0.bin");
  return {
    model,
    ...(/openLegacy\(/.test(code) && { file: new File([await readFile("ggml-model-q4_0.bin")], "model.bin") }),
    ...(/openDraft\(/.test(code) && { file: new File([await readFile("draft.gguf")], "draft.gguf") }),
    ...(/\bplan\.exactness\(/.test(code) && { plan: model.migrate() }),
  };
}

/** The variables with other values in examples of models of Hugging Face. @param {string} code */
async function hubVariables(code) {
  const files = Object.entries(HUB_FILES).map(([name, bytes]) => new File([bytes], name));
  return {
    ...(has(code, "hubModel") && { hubModel: await openModel(HUB_MODEL) }),
    ...{ modelFile: MODEL_FILE, adapterFile: ADAPTER_FILE, adapterFiles: ADAPTER_FILES },
    ...(has(code, "merged") && { merged: mergeAdapter(await Gguf.open(MODEL_FILE), await Gguf.open(ADAPTER_FILE)) }),
    ...(/openModel\(/.test(code) && { files, fileInput: { files } }),
  };
}

/** The variables of an example: see `page.d.ts`. @param {string} code */
async function variables(code) {
  const gguf = await Gguf.open(file());
  const other = gguf.edit();
  other.set("general.name", "Another name");
  other.setElement("tokenizer.ggml.tokens", 5, "another token");
  const b = await Gguf.open(other.plan());
  const editor = gguf.edit();
  editor.set("general.description", "Another");
  const writer = new GgufWriter();
  writer.set("general.architecture", "llama");
  const text = has(code, "text") ? (await gguf.hash({ algorithms: ["xxh64"] })).manifest("model.gguf") : "";
  const shards = Object.entries(FILES).flatMap(([name, bytes]) =>
    name.includes("-of-") ? new File([bytes], name) : [],
  );
  return {
    ...{ gguf, a: gguf, b, oldModel: gguf, newModel: b, projector: gguf, editor, writer, plan: editor.plan() },
    ...(has(code, "set") && { set: await GgufSet.open("https://example.com/model-00001-of-00003.gguf") }),
    ...(has(code, "conversion") && { conversion: await requantize(gguf, { type: "Q8_0", allowRequantize: true }) }),
    imatrixFile: new File([IMATRIX], "model.imatrix.gguf"),
    ...(has(code, "comparison") && { comparison: await compare(gguf, b, { values: true }) }),
    ...(has(code, "tokenizer") && { tokenizer: gguf.tokenizer() }),
    entry: gguf.entries.find(({ key }) => key === "tokenizer.chat_template"),
    array: gguf.getArray("tokenizer.ggml.tokens"),
    npy: gguf.toNpy("output_norm.weight"),
    ...{ header: gguf.headerBytes(), data: new Uint8Array(1) },
    ...{ url: "https://example.com/model.gguf", oldUrl: "https://example.com/old.gguf" },
    ...{ newUrl: "https://example.com/new.gguf", text, template: "{{ messages }}", expected: "" },
    ...{ file: file(), files: shards, fileInput: { files: shards }, start: 0, end: 256 * 210 },
    ...{ fileHandle: handle(), handleOfFirstShard: handle(), handle: handle() },
    folder: { getFileHandle: async () => handle() },
    writable: new WritableStream(),
    worker: { postMessage() {} },
    link: {},
    signal: AbortSignal.timeout(60_000),
    ...{ onProgress() {}, show() {}, addEventListener() {} },
    compute: async () => new Float32Array(64),
    writeData: async () => 0,
    writeFile: async () => {},
    ...{ showOpenFilePicker: async () => [handle()], showSaveFilePicker: async () => handle() },
    fetch: fetchFile,
  };
}

Object.defineProperty(globalThis, "navigator", {
  value: { clipboard: { writeText: async () => {} } },
  configurable: true,
});
globalThis.fetch = fetchFile;

/** @type {Record<string, string>} */
const failures = {};
for (const name of process.argv.slice(2)) {
  for (const left of ["renamed.gguf", "model.gguf.part", "ggml-model-q4_0.gguf", "Qwen3-0.6B-Q8_0.gguf", "merged.gguf"])
    await rm(left, { force: true });
  try {
    const code = await readFile(`${name}.mjs`, "utf8");
    Object.assign(globalThis, await variables(code), await legacyVariables(code), await hubVariables(code));
    await import(`./${name}.mjs`);
  } catch (error) {
    failures[name] = String(error);
  }
}
print(JSON.stringify(failures));

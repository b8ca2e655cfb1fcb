// Makes many objects of one kind without leaving the microtasks, and prints the memory that they take as JSON.
// many-objects.test.mjs runs it in its own process. The arguments are the kind, and `free` if the objects are freed.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compare, Gguf, GgufSet, GgufWriter, initSync } from "gguf-wasm/full/init";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";

/**
 * @typedef {{ free(): void }} Freeable
 *
 * @typedef {object} Kind
 * @property {number} count how many objects are made if they are not freed
 * @property {boolean} [hasSmallParts] whether a part that is smaller than a large header could stay in memory
 * @property {(index: number) => Promise<Freeable[]>} make
 *
 * @typedef {{ made: number, wasm: number, rss: number }} Use sizes in bytes: the largest WebAssembly memory, and the largest
 *   growth of the memory of the process
 */

const vocabulary = (/** @type {number} */ tokens) =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["tokenizer.ggml.model", text("llama")],
      ["tokenizer.ggml.tokens", { type: "strings", count: tokens, at: (index) => `token ${index} ${"x".repeat(200)}` }],
    ],
    [{ name: "t", dimensions: [4], type: 0, bytes: 16 }],
  );
const small = vocabulary(3);
const large = vocabulary(3000);
const blob = new Blob([large]);
/** Most headers are small. All of them together are larger than the memory of a module. */
const file = (/** @type {number} */ index) => (index % 4 === 0 ? large : small);
/** @param {Uint8Array} bytes */
const custom = (bytes) => ({
  size: bytes.length,
  read: async (/** @type {number} */ start, /** @type {number} */ end) => bytes.subarray(start, end),
});

/** So many that the memory of all of them, with a large header each, is more than the 512 MiB that a test allows. */
const MANY = ofRun(1000, 2000);
/** The same for `file(index)`, of which every fourth file is large. */
const MANY_MORE = ofRun(4000, 20_000);

/**
 * How many objects are made. Freed objects may take 128 MiB in all. A third of the objects is enough to exceed that if a large header
 * stayed.
 *
 * @param {Kind} kind
 * @param {boolean} freed
 */
export const countOf = ({ count, hasSmallParts = false }, freed) =>
  freed && !hasSmallParts ? Math.ceil(count / 3) : count;

/** @type {Record<string, Kind>} */
export const KINDS = {
  bytes: { count: MANY_MORE, make: async (index) => [await Gguf.open(file(index))] },
  custom: { count: MANY_MORE, make: async (index) => [await Gguf.open(custom(file(index)))] },
  blob: { count: MANY, make: async () => [await Gguf.open(blob)] },
  stream: { count: MANY, make: async () => [await Gguf.open(blob.stream())] },
  set: { count: MANY, make: async () => [await GgufSet.open([large])] },
  array: {
    count: MANY,
    make: async () => {
      const gguf = await Gguf.open(large);
      return [/** @type {Freeable} */ (gguf.metadata.get("tokenizer.ggml.tokens")), gguf];
    },
  },
  tokenizer: {
    count: MANY,
    make: async () => {
      const gguf = await Gguf.open(large);
      return [gguf.tokenizer(), gguf];
    },
  },
  edit: {
    count: MANY,
    hasSmallParts: true,
    make: async () => {
      const gguf = await Gguf.open(large);
      const editor = gguf.edit();
      editor.set("added", "x".repeat(200_000));
      const plan = editor.plan();
      return [plan, editor.planHeader(), editor, gguf];
    },
  },
  writer: {
    count: MANY,
    make: async () => {
      const writer = new GgufWriter();
      writer.set("added", "x".repeat(600_000));
      return [writer, await Gguf.open(writer.headerBytes())];
    },
  },
  comparison: {
    count: MANY,
    make: async () => {
      const [a, b] = [await Gguf.open(large), await Gguf.open(small)];
      return [await compare(a, b), a, b];
    },
  },
  hashes: {
    count: MANY,
    make: async () => {
      const gguf = await Gguf.open(large);
      return [await gguf.hash(), gguf];
    },
  },
  npy: {
    count: MANY,
    make: async () => {
      const gguf = await Gguf.open(large);
      return [gguf.toNpy("t"), gguf];
    },
  },
};

const [, , name = "", free] = process.argv;
const kind = KINDS[name];
if (kind) {
  const { memory } = initSync(
    readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/full/gguf_wasm_full_bg.wasm"))),
  );
  await kind.make(0);
  const rssBefore = process.memoryUsage.rss();
  const use = { made: 0, wasm: 0, rss: 0 };
  for (const count = countOf(kind, free === "free"); use.made < count; use.made += 1) {
    const objects = await kind.make(use.made);
    if (free) for (const object of objects) object.free();
    if (use.made % 100 !== 0) continue;
    use.wasm = Math.max(use.wasm, memory.buffer.byteLength);
    use.rss = Math.max(use.rss, process.memoryUsage.rss() - rssBefore);
  }
  console.log(JSON.stringify(use));
}

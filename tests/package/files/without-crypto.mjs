// A program on a host without `node:crypto`, for sha.test.mjs: prints how many modules are loaded for hashes, and how the first SHA ends. With
// the argument `offline`, no module can be loaded, and how much was read for it is printed.

import { Gguf } from "gguf-wasm/full";
import { ggufBytes } from "../../support/gguf-bytes.mjs";

const isOffline = process.argv[2] === "offline";
const { getBuiltinModule } = process;
Object.assign(process, {
  getBuiltinModule: (/** @type {string} */ name) => (name === "node:crypto" ? undefined : getBuiltinModule?.(name)),
});
let loaded = 0;
const { Module } = WebAssembly;
WebAssembly.Module = class extends Module {
  /** @param {BufferSource} bytes */
  constructor(bytes) {
    if (isOffline) throw new Error("no connection");
    super(bytes);
    loaded += 1;
  }
};

const file = ggufBytes([], [{ name: "a", dimensions: [64], type: 24, bytes: 64 }]);
let reads = 0;
const gguf = await Gguf.open({
  size: file.length,
  read: async (/** @type {number} */ start, /** @type {number} */ end) => {
    reads += 1;
    return file.slice(start, end);
  },
});
await gguf.hash();
const ofXxh64 = loaded;
reads = 0;
const ending = await gguf.hash({ algorithms: ["uuid"] }).then(
  () => "",
  ({ name, code, message }) => `${name} ${code} ${message}`,
);
const ofSha = [ending, isOffline ? reads : loaded];
if (!isOffline) await Promise.all([gguf.hash({ file: true }), gguf.hash({ algorithms: ["sha1", "sha256"] })]);
console.log(JSON.stringify({ ofXxh64, ofSha, ofMore: loaded }));

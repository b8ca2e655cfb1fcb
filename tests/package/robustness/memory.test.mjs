// The memory that opening takes: little more WebAssembly memory than the header, and almost no JavaScript heap.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MIB = 1 << 20;
const MEMORY_USE = fileURLToPath(new URL("memory-use.mjs", import.meta.url));

describe("a header like that of Llama 3", { concurrency: true }, () => {
  for (const source of ["bytes", "blob", "stream"]) {
    test(`given as ${source}`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", MEMORY_USE, source]);
      /** @type {import("./memory-use.mjs").MemoryUse} */
      const { header, wasm, heap, wasmAfterFew, wasmAfterMany } = JSON.parse(stdout);
      assert.ok(header > 7e6 && header < 9e6, `a header of ${header} bytes`);
      for (const taken of [wasm, wasmAfterMany]) {
        assert.ok(taken <= header * 1.15 + 3 * MIB, `${taken} bytes of WebAssembly memory for ${header} of header`);
      }
      assert.ok(heap < 2 * MIB, `the heap has grown by ${heap} bytes`);
      assert.equal(wasmAfterMany, wasmAfterFew, "what is freed is not used again");
    });
  }
});

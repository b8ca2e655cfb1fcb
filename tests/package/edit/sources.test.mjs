// Edits of files from all kinds of sources give the same bytes, and never change the original.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { missing, read } from "../corpus.mjs";
import { collect } from "./outcome.mjs";

describe("a file in the other byte order", { skip: missing }, () => {
  /** @type {Record<string, (bytes: Uint8Array<ArrayBuffer>) => import("gguf-wasm/full").GgufSource>} */
  const sources = {
    bytes: (bytes) => bytes,
    "an ArrayBuffer": (bytes) => bytes.buffer,
    "a Blob": (bytes) => new Blob([bytes]),
    "a source that returns views of what it has": (bytes) => ({
      size: bytes.length,
      read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
    }),
  };
  for (const [what, source] of Object.entries(sources)) {
    test(`of ${what}, as often as it is read, and the original stays`, async () => {
      const [little, big] = [read("files/le-v3-quant.gguf"), Buffer.from(read("files/be-v3-quant.gguf"))];
      const before = little.slice();
      const editor = (await Gguf.open(source(little))).edit();
      editor.byteOrder = "big-endian";
      const plan = editor.plan();
      for (let time = 0; time < 2; time += 1) {
        assert.ok(big.equals(await plan.read(0, plan.size)));
        assert.ok(big.equals(await collect(plan.stream())));
        assert.deepEqual(little, before);
      }
    });
  }
});

test("a file from a stream has no known size: size-unknown", { skip: missing }, async () => {
  const gguf = await Gguf.open(new Blob([read("files/le-v3-quant.gguf")]).stream());
  assert.throws(() => gguf.edit().plan(), { name: "GgufError", code: "size-unknown" });
});

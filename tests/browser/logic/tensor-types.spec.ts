import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { ggmlTypes, initSync } from "gguf-wasm/full/init";
import { blockLayout } from "../../../www/src/tensors/block-layouts.ts";
import { whyUnavailable } from "../../../www/src/values/unavailable-values.ts";

test("every type with blocks has a description with its own sizes", async () => {
  initSync(await readFile(new URL("../../../pkg/full/gguf_wasm_full_bg.wasm", import.meta.url)));
  const types = ggmlTypes();
  for (const type of types) {
    const { name, blockSize, typeSize } = type;
    const words = blockLayout(type);
    if (blockSize === 0) expect(words, name).toBeUndefined();
    else if (blockSize > 1) expect(words, name).toContain(`Blocks of ${blockSize} weights in ${typeSize} bytes: `);
    else expect(words, name).toContain(`Numbers of ${typeSize * 8} bits: `);
  }
});

test("the reason why values cannot be shown", () => {
  const tensor = { type: "Q4_0", typeId: 2, dimensions: [32, 2], elementCount: 64, byteLength: 36 };
  const q4 = { id: 2, name: "Q4_0", blockSize: 32, typeSize: 18 };
  const unsized = { type: "Q4_0", typeId: 2, dimensions: [33], elementCount: 33 };
  expect(whyUnavailable(tensor, q4, false)).toBeUndefined();
  expect(whyUnavailable(tensor, q4, true)).toContain("the file ends before the data of this tensor");
  expect(whyUnavailable({ ...tensor, typeId: 137 }, undefined, false)).toContain("tensor type 137");
  expect(whyUnavailable(tensor, { ...q4, blockSize: 0, typeSize: 0 }, false)).toContain("removed");
  expect(whyUnavailable({ ...tensor, elementCount: 0 }, q4, false)).toContain("no elements");
  expect(whyUnavailable(unsized, q4, false)).toContain(
    "33 elements, which is not a multiple of the block size of Q4_0, 32",
  );
  expect(whyUnavailable({ ...unsized, dimensions: [2 ** 40, 2 ** 40] }, q4, false)).toContain("more elements");
});

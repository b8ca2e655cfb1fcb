// The kernels for blocks of the formats before GGUF, compiled to WebAssembly: scalar and simd128 give the bits of the corpus.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { generator } from "../../support/chance.mjs";
import { differencesBetween, elementBits } from "../../support/kernel-checks.mjs";
import { kernels } from "../../support/kernels.mjs";

const CORPUS = new URL(process.env["GGUF_CORPUS"] ?? "../../../../shared/corpus", import.meta.url);
const folder = new URL(`${CORPUS.href}/legacy/`);

const instances = { scalar: await kernels("scalar"), simd128: await kernels("simd128") };

/** The types in the order of `BLOCK_TYPES`. */
const NAMES = ["Q4_0_V1", "Q4_0_V2", "Q4_1_V1", "Q4_1_V2", "Q4_2", "Q4_3", "Q5_0_V1", "Q5_1_V1", "Q8_0_V1"];

const types = NAMES.map((name, index) => ({
  name,
  id: instances.scalar.legacy_type(index),
  blockSize: instances.scalar.legacy_block_size(index),
  typeSize: instances.scalar.legacy_type_size(index),
}));

test("these are all types", () => {
  assert.equal(instances.scalar.legacy_type(NAMES.length), 0);
});

for (const type of types) {
  test(`${type.name}: scalar and simd128 give equal bits for random blocks`, () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const { scalar, simd128 } = instances;
    assert.deepEqual(differencesBetween(scalar, simd128, type, generator(seed)), [], `seed ${seed}`);
  });
}

/**
 * The name of a type under the block rules of a file. `undefined` if GGUF has the type.
 *
 * @param {string} type
 * @param {string} rules
 */
function nameOf(type, rules) {
  const names = type === "Q8_0" && rules === "v2" ? ["Q8_0_V1"] : [type, `${type}_${rules.toUpperCase()}`];
  return types.find(({ name }) => names.includes(name));
}

test("scalar and simd128 give the values of the period programs", { skip: !existsSync(folder) }, async () => {
  const index = JSON.parse(await readFile(new URL("index.json", folder), "utf8"));
  const used = new Set();
  for (const { file, expected } of index.files) {
    const dump = JSON.parse(await readFile(new URL(expected, folder), "utf8"));
    const bytes = await readFile(new URL(file, folder));
    for (const { name, type: typeName, offset, nbytes, f32_sha256 } of dump.tensors) {
      const type = nameOf(typeName, dump.block_rules);
      if (!type) continue;
      used.add(type.name);
      for (const [instance, exports] of Object.entries(instances)) {
        const bits = elementBits(exports, type, bytes.subarray(offset, offset + nbytes));
        const hashed = bits.map((bits) => ((bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits));
        const hash = createHash("sha256").update(new Uint8Array(hashed.buffer)).digest("hex");
        assert.equal(hash, f32_sha256, `${instance}: ${file} ${name}`);
      }
    }
  }
  assert.deepEqual([...used].sort(), NAMES);
});

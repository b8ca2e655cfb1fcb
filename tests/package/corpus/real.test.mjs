// A real model: the elements of every tensor, and their statistics compared with those of NumPy in float64.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { json, missing, read } from "../corpus.mjs";

const NAME = "all-MiniLM-L6-v2-Q4_K_M";

test("every tensor of a real model", { skip: missing }, async () => {
  const gguf = await Gguf.open(read(`real/${NAME}.gguf`));
  const { tensors } = json(`real/expected/${NAME}.json`);
  const figures = new Map(
    json(`real/${NAME}.stats.json`).tensors.map((/** @type {{ name: string }} */ tensor) => [tensor.name, tensor]),
  );
  assert.equal(gguf.tensors.length, tensors.length);
  assert.ok(tensors.length > 90);
  for (const { name, f32_sha256 } of tensors) {
    const floats = await gguf.read(name);
    assert.equal(createHash("sha256").update(new Uint8Array(floats.buffer)).digest("hex"), f32_sha256, name);
    const expected = figures.get(name);
    const statistics = await gguf.statistics(name);
    const { mean, standardDeviation } = statistics;
    assert.deepEqual(
      [statistics.count, statistics.min, statistics.max, statistics.absoluteMaximum, statistics.zeros, statistics.nans],
      [floats.length, expected.min, expected.max, expected.abs_max, expected.zeros, expected.nan],
      name,
    );
    assert.ok(Math.abs(mean - expected.mean) <= 1e-9 * expected.std, `${name}: ${mean}, not ${expected.mean}`);
    assert.ok(
      Math.abs(standardDeviation - expected.std) <= 1e-9 * expected.std,
      `${name}: ${standardDeviation}, not ${expected.std}`,
    );
    assert.equal(
      statistics.histogram.counts.reduce((sum, count) => sum + count),
      floats.length,
    );
  }
});

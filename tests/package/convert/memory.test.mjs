// The memory of a conversion is bounded, whatever the size of the file and of its tensors.

import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertConversionMemory } from "../../support/conversion-memory.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";

const SCRIPT = new URL("measure-conversion.mjs", import.meta.url);
const MIB = 1 << 20;
const F16 = 1;
/** A tensor of 16384 × 16384 has 512 MiB. */
const DIMENSIONS = [16384, 16384];
const BYTES = 16384 * 16384 * 2;

/**
 * Writes a sparse model. Its weights are 0.
 *
 * @param {string} path
 * @param {number} count The number of tensors.
 * @returns The size, or `undefined` if the file system has no sparse files.
 */
async function writeModel(path, count) {
  const tensors = Array.from({ length: count }, (_, block) => ({
    name: `blk.${block}.ffn_up.weight`,
    dimensions: DIMENSIONS,
    type: F16,
    bytes: BYTES,
  }));
  const header = ggufBytes([["general.name", text("test")]], tensors, 3, false, false);
  const size = header.length + count * BYTES;
  const file = await open(path, "w");
  try {
    await file.truncate(size);
    await file.write(header, 0, header.length, 0);
    const { blocks } = await file.stat();
    return blocks * 512 < size / 4 ? size : undefined;
  } finally {
    await file.close();
  }
}

for (const workers of [0, 1, 2]) {
  test(`an F16 model of ${ofRun("512 MB", "4 GB")} becomes Q8_0 with ${workers} workers`, async (t) => {
    const path = join(await temporaryFolder(), "model.gguf");
    if (!(await writeModel(path, ofRun(1, 8)))) return t.skip("the file system has no sparse files: NOT COVERED");
    await assertConversionMemory(t, (64 * workers + 128) * MIB, SCRIPT, [path, String(workers)]);
  });
}

// The memory of a conversion from safetensors is bounded, whatever the size of the model and of its tensors.

import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertConversionMemory } from "../../support/conversion-memory.mjs";
import { safetensorsHeader, smallFilesOf, tensorsOf } from "../../support/hub-model.mjs";
import { ofRun } from "../../support/long.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";

const SCRIPT = new URL("measure-conversion.mjs", import.meta.url);

/** The most memory of a conversion, in bytes: with two workers. */
const MOST = 256 << 20;

/** A block of the large model has 2 GB. The small one has 335 MB. */
const SIZES = ofRun(
  { width: 4096, inner: 8192, heads: 32, blocks: 1 },
  { width: 8192, inner: 30720, heads: 64, blocks: 4 },
);

/** The number of files with tensors. */
const PARTS = 3;

/**
 * Writes a sparse model. Its weights are 0.
 *
 * @param {string} folder
 * @returns The size of the files with tensors, or `undefined` if the file system has no sparse files.
 */
async function writeModel(folder) {
  for (const [name, bytes] of Object.entries(smallFilesOf(SIZES))) await writeFile(join(folder, name), bytes);
  const tensors = tensorsOf(SIZES);
  /** @type {Record<string, string>} */
  const map = {};
  let total = 0;
  let taken = 0;
  for (let part = 0; part < PARTS; part++) {
    const name = `model-0000${part + 1}-of-0000${PARTS}.safetensors`;
    const own = tensors.filter((_, i) => Math.floor((i * PARTS) / tensors.length) === part);
    for (const [tensor] of own) map[tensor] = name;
    const { header, dataSize } = safetensorsHeader(own);
    const file = await open(join(folder, name), "w");
    try {
      await file.truncate(header.length + dataSize);
      await file.write(header, 0, header.length, 0);
      taken += (await file.stat()).blocks * 512;
      total += header.length + dataSize;
    } finally {
      await file.close();
    }
  }
  await writeFile(join(folder, "model.safetensors.index.json"), JSON.stringify({ metadata: {}, weight_map: map }));
  return taken < total / 4 ? total : undefined;
}

for (const [type, workers] of /** @type {const} */ ([
  ["q8_0", undefined],
  ["f32", 2],
  ["auto", 2],
])) {
  const how = workers === undefined ? "itself" : `${type}, and Q8_0 with ${workers} workers`;
  test(`a model of ${ofRun("335 MB", "8 GB")} in ${PARTS} parts becomes Q8_0 ${how}`, async (t) => {
    const folder = await temporaryFolder();
    if (!(await writeModel(folder))) return t.skip("the file system has no sparse files: NOT COVERED");
    await assertConversionMemory(t, MOST, SCRIPT, [folder, type, String(workers ?? "")]);
  });
}

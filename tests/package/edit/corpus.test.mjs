// Edits of every file of the corpus: the new file has the bytes that the model expects, and other readers read it correctly.

import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { EDITS, byteOrder, everything } from "../../support/edits.mjs";
import { encodeChanged, hex, parse } from "../../support/gguf-model.mjs";
import { missing as ggufPyMissing } from "../../support/gguf-py.mjs";
import { startReaders } from "../../support/readers.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { json, missing, read } from "../corpus.mjs";
import { outcome } from "./outcome.mjs";

/** For files larger than this, other readers read only the original and the file with all edits, because they are slow. */
const SMALL = 10_000;

/**
 * For files larger than this, the edits are made at once, and only the other byte order alone. The edits are alone in all other files, which
 * have every kind of entry and tensor; `tests/editing/corpus_files.rs` sets each value of these files, too.
 */
const LARGE = 1 << 19;

/** @typedef {import("../../support/edits.mjs").EditOf} EditOf */

/** @type {EditOf} */
const nothing = { name: "nothing", make: () => true };

test("the PyPI package gguf is installed", { skip: ggufPyMissing }, () => {});

/** The edits after which other readers read a file. Without an edit, a file equals the original, and a large one takes gguf-py seconds. */
const isRead = (/** @type {number} */ size, /** @type {EditOf} */ edit) =>
  edit === everything || size <= SMALL || (edit === nothing && size <= LARGE);

const dir = await temporaryFolder();

describe("files of the corpus", { skip: missing, concurrency: true }, () => {
  const readers = startReaders();
  after(() => readers.close());

  for (const folder of ["files", "real"]) {
    for (const { file, size } of json(`${folder}/index.json`).files ?? []) {
      test(file, async () => {
        const bytes = read(`${folder}/${file}`);
        const model = parse(bytes);
        for (const edit of [nothing, ...(size > LARGE ? [byteOrder] : EDITS), everything]) {
          const edited = await outcome(bytes, edit, model);
          if (!edited || !isRead(size, edit)) continue;
          const path = join(dir, `${file.replaceAll("/", "-")}, ${edit.name}.gguf`);
          await writeFile(path, edited);
          await readers.check(path, parse(edited), file, edit !== nothing).catch((error) => {
            error.message = `${edit.name}: ${error.message}`;
            throw error;
          });
          await rm(path);
        }
      });
    }
  }

  test("the other byte order has the bytes that gguf-py's converter writes", async () => {
    const [little, big] = [read("files/le-v3-quant.gguf"), read("files/be-v3-quant.gguf")];
    assert.deepEqual(await outcome(little, byteOrder), Buffer.from(big));
    assert.deepEqual(await outcome(big, byteOrder), Buffer.from(little));
  });
});

/** A file of the corpus whose tensors have unknown types, so that their sizes are unknown. */
function withUnknownTypes() {
  const model = parse(read("files/dims.gguf"));
  const types = [200, 31, 4, 0xffffffff];
  const tensors = model.tensors.map((tensor, index) => ({ ...tensor, type: types[index] ?? tensor.type }));
  return new Uint8Array(encodeChanged(model, { tensors }));
}

/** A file of the corpus with another alignment. */
function aligned128() {
  const model = parse(read("files/align-64.gguf"));
  const is = hex("general.alignment");
  const entries = model.entries.map((entry) => (entry.key === is ? { ...entry, value: "00000080" } : entry));
  return new Uint8Array(encodeChanged(model, { entries }));
}

describe("an edit preserves, byte for byte,", { skip: missing }, () => {
  /** @type {Record<string, () => Uint8Array<ArrayBuffer>>} */
  const cases = {
    "arrays of u8": () => read("files/arrays.gguf"),
    "nested arrays": () => read("files/nested-arrays.gguf"),
    "eight arrays in each other": () => read("files/nested-arrays-depth8.gguf"),
    "empty arrays": () => read("files/arrays-empty.gguf"),
    "text that is not UTF-8": () => read("files/strings-invalid-utf8.gguf"),
    "keys that are not UTF-8": () => read("files/keys-bytes.gguf"),
    "the key __proto__": () => read("files/keys.gguf"),
    "booleans that are neither 0 nor 1": () => read("files/bool-nonstandard.gguf"),
    "NaNs of all kinds": () => read("files/floats.gguf"),
    "tensors of types that nobody knows": withUnknownTypes,
    "alignment 64": () => read("files/align-64.gguf"),
    "alignment 128": aligned128,
    "alignment 256": () => read("files/align-256.gguf"),
    "trailing bytes": () => read("files/trailing-bytes.gguf"),
    "gaps between tensors": () => read("files/offsets-gap.gguf"),
    "big-endian files": () => read("files/be-v3.gguf"),
    "quantized big-endian files": () => read("files/be-v3-quant.gguf"),
  };
  for (const [what, make] of Object.entries(cases)) {
    test(what, async () => {
      const bytes = make();
      const gguf = await Gguf.open(bytes);
      const editor = gguf.edit();
      editor.add("interop.name", "edited", undefined, 0);
      if (gguf.tensors.length > 0) editor.renameTensor(gguf.tensors.length - 1, "interop.renamed");
      const plan = editor.plan();
      const edited = await plan.read(0, plan.size);
      const again = await Gguf.open(edited);
      assert.equal(again.metadata.get("interop.name"), "edited");
      assert.equal(again.entries.length, gguf.entries.length + 1);
      for (const entry of gguf.entries) {
        const { index, type, elementType } = entry;
        const after = again.entries[index + 1] ?? assert.fail();
        assert.deepEqual([after.type, after.elementType], [type, elementType]);
        assert.deepEqual(again.keyBytes(after), gguf.keyBytes(entry));
        assert.deepEqual(again.valueBytes(after), gguf.valueBytes(entry));
      }
      for (const [index, info] of gguf.tensors.entries()) {
        const after = again.tensors[index] ?? assert.fail();
        const name = index === gguf.tensors.length - 1 ? "interop.renamed" : info.name;
        assert.deepEqual({ ...after, fileOffset: undefined }, { ...info, name, fileOffset: undefined });
      }
      // Without tensors there is no alignment, except if the bytes after the header are only padding.
      const isAligned = gguf.tensors.length > 0 || gguf.dataOffset === bytes.length;
      const [from, to] = isAligned ? [gguf.dataOffset, again.dataOffset] : [gguf.headerSize, again.headerSize];
      assert.deepEqual(edited.subarray(to), bytes.subarray(from));
      const has = (/** @type {readonly { code: string }[]} */ findings) =>
        findings.some(({ code }) => code === "trailing-bytes");
      assert.equal(has(plan.findings), has(gguf.validate()));
    });
  }

  test("tensors of unknown types are preserved, also when other tensors are repacked", async () => {
    for (const edit of [...EDITS, everything]) await outcome(withUnknownTypes(), edit);
  });
});

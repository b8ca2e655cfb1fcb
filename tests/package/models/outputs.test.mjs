// What other parts of the package and other programs make of converted models, and of stored tensors that are shown.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openModel } from "gguf-wasm/models/node";
import * as main from "gguf-wasm/full/node";
import { parse } from "../../support/gguf-model.mjs";
import { startReaders } from "../../support/readers.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { missing } from "../corpus.mjs";
import { bytesOf, filesOf, folderOf, INDEX, model, optionsOf } from "./corpus.mjs";

/** The first run of each model that gives a file. */
const RUNS = (missing ? [] : INDEX.models).map((model) => {
  const run = model.runs.find(({ exit }) => exit === 0);
  assert.ok(run, model.folder);
  return { model, run };
});

/**
 * llama.cpp knows the Lite models, which do not have this key, by their 27 blocks. This one has two.
 *
 * @type {Record<string, string>}
 */
const ALLOWED = { "models/DeepSeek-V2-Lite-tiny": "deepseek2.attention.q_lora_rank" };

/** The plan of a run. @param {(typeof RUNS)[number]} run */
const planOf = async ({ model: { folder, pre }, run }) =>
  (await openModel(folderOf(folder))).convert(optionsOf(run, pre));

const dir = await temporaryFolder();

describe("a converted model", { skip: missing }, () => {
  test("has no errors, and its memory and its tokens can be computed", async () => {
    for (const chosen of RUNS) {
      const { folder } = chosen.model;
      const plan = await planOf(chosen);
      const gguf = main.Gguf.from(plan.gguf);
      const all = gguf.validate();
      const isAllowed = (/** @type {import("gguf-wasm/full").Finding} */ { severity, key }) =>
        severity !== "error" || key === ALLOWED[folder];
      assert.deepEqual(
        all.filter((finding) => !isAllowed(finding)),
        [],
        folder,
      );
      const own = plan.findings.map(({ code }) => code);
      assert.deepEqual(
        plan.findings,
        all.filter(({ code }) => own.includes(code)),
        folder,
      );
      assert.ok(gguf.memory({ contextLength: 64 }).weights, folder);
      const tokenizer = gguf.tokenizer();
      assert.ok(tokenizer.encode("Hello world").length > 0, folder);
      assert.equal(chosen.model.gguf_arch, gguf.metadata.get("general.architecture"), folder);
    }
  });

  test("is read by other programs", async () => {
    const readers = startReaders();
    try {
      for (const chosen of RUNS) {
        const plan = await planOf(chosen);
        const path = join(dir, "model.gguf");
        await writeFile(path, await bytesOf(plan));
        await readers.check(path, parse(new Uint8Array(await readFile(path))), chosen.model.folder, false);
      }
    } finally {
      readers.close();
    }
  });

  test("says what comes from defaults, and what is left out", async () => {
    const sparse = await planOf({ model: model("qwen2-yarn"), run: /** @type {any} */ ({ args: [] }) });
    assert.ok(sparse.defaultedKeys.length > 0);
    for (const key of sparse.defaultedKeys) assert.ok(sparse.gguf.metadata.has(key), key);
    assert.equal(sparse.type, "bf16");
    assert.equal(sparse.suggestedName, "qwen2-yarn-BF16.gguf");
    const dropped = await planOf({ model: model("bert-old-names"), run: /** @type {any} */ ({ args: [] }) });
    assert.ok(dropped.droppedTensors.some((name) => name.startsWith("cls.predictions")));
    const [tensor] = dropped.tensors;
    const shown = dropped.gguf.tensors[0];
    assert.deepEqual(
      [tensor?.name, tensor?.type, tensor?.dimensions, tensor?.byteLength],
      [shown?.name, shown?.type, shown?.dimensions, shown?.byteLength],
    );
  });
});

describe("the stored tensors of a model", { skip: missing }, () => {
  /** The number of bytes of an element. @type {Record<string, number>} */
  const BYTES = {
    BF16: 2,
    F16: 2,
    F32: 4,
    F64: 8,
    I64: 8,
    I32: 4,
    I16: 2,
    I8: 1,
    U8: 1,
    BOOL: 1,
    F8_E4M3: 1,
    F8_E5M2: 1,
  };

  test("are shown with their own bytes, and their values", async () => {
    const types = new Set();
    for (const { folder } of INDEX.models) {
      const files = filesOf(folder);
      const opened = await openModel(folderOf(folder));
      const gguf = main.Gguf.from(opened.gguf);
      assert.equal(gguf.metadata.get("general.name"), opened.name);
      const data = opened.parts.map(({ name }) => {
        const bytes = files[name];
        assert.ok(bytes, name);
        const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
        return { start: 8 + length, bytes, header: JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString()) };
      });
      assert.equal(
        opened.tensors.length,
        data.flatMap(({ header }) => Object.keys(header)).filter((name) => name !== "__metadata__").length,
      );
      assert.equal(gguf.tensors.length, opened.tensors.filter(({ viewType }) => viewType !== undefined).length);
      for (const { name, dataType, shape, byteLength, part, viewType } of opened.tensors) {
        const { header, start, bytes } = data[part] ?? assert.fail(name);
        const { dtype, shape: storedShape, data_offsets: offsets } = header[name];
        assert.deepEqual([dataType, shape], [dtype, storedShape], name);
        assert.equal(
          byteLength,
          shape.reduce((product, length) => product * length, 1) * (BYTES[dataType] ?? NaN),
          name,
        );
        const stored = bytes.subarray(start + offsets[0], start + offsets[1]);
        if (viewType === dataType) {
          const found = await gguf.readBytes(name);
          assert.ok(Buffer.from(stored).equals(found), `${folder} ${name}`);
        } else if (dataType === "BOOL" || dataType === "U8") {
          assert.equal(viewType, "F32");
          assert.deepEqual([...(await gguf.read(name))], [...stored], `${folder} ${name}`);
        }
        types.add(dataType);
      }
      opened.free();
    }
    for (const type of ["BF16", "F16", "F32", "I64", "U8", "BOOL", "F8_E4M3"]) assert.ok(types.has(type), type);
  });

  test("have previews and statistics in the main entry", async () => {
    const opened = await openModel(folderOf("models/qwen3-fp8"));
    const gguf = main.Gguf.from(opened.gguf);
    const [scaled] = opened.tensors.filter(({ dataType }) => dataType === "F8_E4M3");
    assert.ok(scaled);
    assert.equal(scaled.viewType, "F32");
    const { statistics } = await gguf.preview(scaled.name);
    assert.ok(statistics && statistics.max <= 448 && statistics.min >= -448 && statistics.max > statistics.min);
    assert.deepEqual(gguf.tensor(scaled.name)?.dimensions, [...scaled.shape].reverse());
  });
});

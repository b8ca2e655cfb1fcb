// Models in the formats before GGUF: every file of the corpus gives its dump and its values, and becomes the expected GGUF.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Gguf, openLegacy } from "gguf-wasm/convert/node";
import * as main from "gguf-wasm/full/node";
import { serveFile } from "../../support/file-server.mjs";
import { parse } from "../../support/gguf-model.mjs";
import { startReaders } from "../../support/readers.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { json, missing, pathOf, read } from "../corpus.mjs";
import { bytesOf, sha256 } from "./corpus.mjs";

/** @import { LegacyAnswers, LegacyModel } from "gguf-wasm/convert" */

const INDEX = json("legacy/index.json");

/** The models of the corpus: the bytes of their parts, and their dumps. */
const models = () =>
  INDEX.files.map((/** @type {{ file: string, expected: string }} */ { file, expected }) => {
    const dump = json(`legacy/${expected}`);
    const names = dump.files.map((/** @type {{ file: string }} */ { file }) => file);
    return { file, dump, names, parts: names.map((/** @type {string} */ name) => read(`legacy/${name}`)) };
  });

/** Dumps have the names of the types in the programs of the time, without the version of the blocks. @param {string} type */
const dumpedType = (type) => type.replace(/_V[12]$/, "");

/** The values of a tensor, with all NaNs alike. @param {Float32Array} values */
function valuesHash(values) {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length).slice();
  for (const [i, value] of values.entries()) if (Number.isNaN(value)) bits[i] = 0x7fc00000;
  return sha256(new Uint8Array(bits.buffer));
}

/** The answers that the corpus gives. @param {any} dump @returns {LegacyAnswers} */
function answersOf({ migration: { given_by_user: given } }) {
  return {
    ...(given?.name !== undefined && { name: given.name }),
    ...(given?.context_length !== undefined && { contextLength: given.context_length }),
    ...(given?.layer_norm_rms_epsilon !== undefined && { rmsEpsilon: given.layer_norm_rms_epsilon }),
  };
}

describe("every file of the corpus", { skip: missing }, () => {
  test("gives its dump", async () => {
    for (const { file, dump, parts } of models()) {
      const model = await openLegacy(parts);
      const { summary } = model;
      assert.equal(summary.container, dump.container, file);
      assert.equal(summary.version ?? null, dump.version, file);
      const families = [model.family, ...model.alternatives].sort();
      assert.deepEqual(families, [dump.family, ...(dump.family_alternatives ?? [])].sort(), file);
      assert.equal(summary.variant, dump.header_variant ?? undefined, file);
      assert.equal(summary.blockRules, dump.block_rules, file);
      assert.equal(summary.alignment, dump.alignment, file);
      assert.equal(summary.hyperparametersOffset, dump.hparams_offset, file);
      const fields = Object.fromEntries(summary.hyperparameters.map(({ name, value }) => [name, Math.fround(value)]));
      assert.deepEqual(fields, dump.hparams, file);
      assert.equal(summary.fileType?.value, dump.ftype?.value, file);
      assert.equal(summary.fileType?.name, dump.ftype?.name, file);
      const { offset, end, count, has_scores: hasScores, count_field: countField } = dump.vocab ?? {};
      const vocabulary = dump.vocab && { offset, end, count, hasScores, ...(countField !== null && { countField }) };
      assert.deepEqual(summary.vocabulary && { ...summary.vocabulary }, vocabulary ?? undefined, file);
      const dumps = [dump, ...(dump.other_parts ?? [])];
      for (const [i, part] of model.parts.entries()) {
        assert.equal(part.size, parts[i].length, file);
        const expected = dumps[i].tensors.map((/** @type {any} */ tensor) => ({
          name: tensor.name,
          dimensions: tensor.dims,
          type: tensor.type,
          typeId: tensor.type_id,
          headerOffset: tensor.header_offset,
          offset: tensor.offset,
          byteLength: tensor.nbytes,
        }));
        assert.deepEqual(
          part.tensors.map((tensor) => ({ ...tensor, type: dumpedType(tensor.type) })),
          expected,
          file,
        );
      }
    }
  });

  test("gives its tokens, its stored bytes and its values", async () => {
    for (const { file, dump, parts } of models().filter((/** @type {any} */ { parts }) => parts.length === 1)) {
      const model = await openLegacy(parts);
      const gguf = await main.Gguf.open(model.asGguf());
      for (const [i, { name, sha256: stored, f32_sha256: values }] of dump.tensors.entries()) {
        const tensor = model.gguf.tensors[i];
        assert.ok(tensor && tensor.name === name, file);
        assert.equal(sha256(await model.gguf.readBytes(tensor)), stored, `${file} ${name}`);
        assert.equal(valuesHash(await gguf.read(name)), values, `${file} ${name}`);
      }
      if (!dump.vocab) continue;
      const { tokens } = json(`legacy/${dump.vocab.content}`);
      const found = model.gguf.metadata.get("tokenizer.ggml.tokens");
      assert.ok(typeof found === "object");
      for (const [id, token] of tokens.entries())
        if (typeof token === "string") assert.equal(found.at(id), token, file);
      assert.equal(found.length, tokens.length, file);
    }
  });
});

const dir = await temporaryFolder();

describe("a migration", { skip: missing }, () => {
  test("gives the expected tensors, whose loss was known before", async () => {
    for (const { file, dump, parts } of models()) {
      const model = await openLegacy(parts, { fileName: file });
      if (!dump.migration.possible) {
        assert.ok(model.obstacles.length > 0, file);
        assert.throws(() => model.migrate(), { code: "unsupported" }, file);
        assert.ok(
          model.migrate({ forInspection: true }).findings.some(({ kind }) => kind === "not-runnable"),
          file,
        );
        continue;
      }
      const plan = model.migrate(answersOf(dump));
      const { tensors: lossy } = await plan.exactness();
      const bytes = await bytesOf(plan.stream());
      assert.equal(bytes.length, plan.size, file);
      const gguf = await main.Gguf.open(bytes);
      const errors = gguf.validate().filter(({ severity }) => severity === "error");
      assert.deepEqual(errors, [], file);
      for (const [i, expected] of dump.migration.tensors.filter((/** @type {any} */ { name }) => name).entries()) {
        const tensor = gguf.tensors[i];
        assert.ok(tensor, file);
        assert.deepEqual(
          [tensor.name, tensor.type, tensor.dimensions],
          [expected.name, expected.type, expected.dims],
          file,
        );
        assert.equal(sha256(await gguf.readBytes(tensor)), expected.sha256, `${file} ${expected.name}`);
        const planned = plan.tensors[i];
        assert.deepEqual(
          [planned?.oldName, planned?.relation],
          [expected.from, expected.relation ?? "transposed"],
          file,
        );
        const exactness = lossy.find(({ index }) => index === i)?.exactness;
        assert.equal((exactness?.changed ?? 0) === 0, expected.values_equal ?? true, `${file} ${expected.name}`);
        assert.equal(exactness?.lostToOverflow ?? 0, expected.values_lost_to_overflow ?? 0, `${file} ${expected.name}`);
      }
    }
  });

  test("opens in gguf-py and in @huggingface/gguf", async () => {
    const readers = startReaders();
    try {
      for (const name of ["llama-ggjt1-q4_0.bin", "llama-ggjt3-q4_k_m.bin", "lora.ggla.bin"]) {
        const bytes = await bytesOf((await openLegacy(read(`legacy/${name}`))).migrate().stream());
        const path = join(dir, "read.gguf");
        await writeFile(path, bytes);
        await readers.check(path, parse(bytes), name, true);
      }
    } finally {
      readers.close();
    }
  });

  test("finds the other parts beside a path and beside a URL", async () => {
    const name = "llama-ggml-q4_0-2parts.bin";
    const path = pathOf(`legacy/${name}`);
    const given = await bytesOf(
      (await openLegacy([read(`legacy/${name}`), read(`legacy/${name}.1`)])).migrate({ name: "x" }).stream(),
    );
    for (const source of [path, pathToFileURL(path)]) {
      const model = await openLegacy(source);
      assert.deepEqual([model.parts.length, model.partCount, model.fileName], [2, 2, name]);
      assert.deepEqual(await bytesOf(model.migrate({ name: "x" }).stream()), given);
    }
    // Without the other part, the model is listed, and not migrated.
    const alone = await openLegacy(read(`legacy/${name}`));
    assert.deepEqual([alone.parts.length, alone.partCount, alone.gguf.tensors.length], [1, 2, 12]);
    assert.throws(() => alone.migrate(), { code: "unsupported", message: /other parts/ });
  });

  test("refuses parts in another order, and one part twice", async () => {
    const name = "llama-ggml-q4_0-2parts.bin";
    const [bytes, others] = [read(`legacy/${name}`), read(`legacy/${name}.1`)];
    const [first, second] = [new File([bytes], name), new File([others], `${name}.1`)];
    const whole = await bytesOf((await openLegacy([bytes, others])).migrate({ name: "x" }).stream());
    const model = await openLegacy([first, second]);
    assert.deepEqual(await bytesOf(model.migrate({ name: "x" }).stream()), whole);
    const paths = [pathOf(`legacy/${name}`), pathOf(`legacy/${name}.1`)];
    assert.equal((await openLegacy(paths)).parts.length, 2);
    /** @type {[import("gguf-wasm/convert").GgufSource[], RegExp][]} */
    const refused = [
      [[second, first], /sources\[1\] is the file "llama-ggml-q4_0-2parts.bin", expected/],
      [paths.toReversed(), /sources\[1\] is the file .*NAME\.1/],
      [[first, new File([bytes], name)], /sources\[1\] is the file .*expected "llama-ggml-q4_0-2parts.bin.1"/],
      [[first, first], /sources\[1\] is sources\[0\] again/],
      [[bytes, bytes], /sources\[1\] is sources\[0\] again/],
      [[paths[0] ?? "", paths[0] ?? ""], /sources\[1\] is sources\[0\] again/],
    ];
    for (const [sources, message] of refused) {
      await assert.rejects(openLegacy(sources), { code: "invalid-argument", message }, String(message));
    }
  });

  test("is written to a path, which is never that of the model", async () => {
    const source = join(dir, "model.bin");
    await writeFile(source, read("legacy/llama-ggjt2-q8_0.bin"));
    const model = await openLegacy(source);
    const plan = model.migrate();
    assert.equal(plan.suggestedName, "model.gguf");
    await assert.rejects(plan.writeTo(source), { code: "write-failed" });
    const refused = { code: "invalid-argument", message: /made from this file/ };
    await assert.rejects(plan.writeTo(source, { overwrite: true }), refused);
    assert.ok((await readFile(source)).equals(read("legacy/llama-ggjt2-q8_0.bin")));
    const target = join(dir, "model.gguf");
    /** @type {number[]} */
    const written = [];
    await plan.writeTo(target, { onProgress: ({ bytesWritten }) => written.push(bytesWritten) });
    assert.equal(written.at(-1), plan.size);
    assert.deepEqual(new Uint8Array(await readFile(target)), await bytesOf(plan.stream()));
    const rest = await bytesOf(plan.stream({ start: 1000 }));
    assert.deepEqual(rest, (await bytesOf(plan.stream())).slice(1000));
    const aborted = AbortSignal.abort(new Error("enough"));
    await assert.rejects(plan.exactness({ signal: aborted }), { message: "enough" });
  });

  test("asks questions whose defaults change nothing, and checks answers", async () => {
    const model = await openLegacy(read("legacy/llama-ggjt1-q4_2.bin"), { fileName: "old.bin" });
    const questions = model.questions();
    assert.deepEqual(questions.map(({ id }) => id).slice(0, 2), ["name", "contextLength"]);
    const all = Object.fromEntries(questions.map(({ id, default: answer }) => [id, answer]));
    assert.deepEqual(await bytesOf(model.migrate(all).stream()), await bytesOf(model.migrate().stream()));
    assert.throws(() => model.migrate({ contextLength: 0 }), { code: "invalid-argument" });
    assert.throws(() => model.migrate({ removedTypes: "Q4_K" }), { code: "invalid-argument" });
    assert.throws(() => model.migrate(/** @type {any} */ ({ epsilon: 1 })), { code: "invalid-argument" });
    const exact = model.migrate({ removedTypes: "F32" });
    assert.equal((await exact.exactness()).total.changed, 0);
  });
});

describe("an opened model", { skip: missing }, () => {
  test("has the family that the caller chooses among those that fit", async () => {
    const file = read("legacy/gpt2-f16.bin");
    const model = await openLegacy(file);
    assert.deepEqual([model.family, model.alternatives], ["gpt2", ["starcoder"]]);
    const chosen = await openLegacy(file, { family: "starcoder" });
    assert.deepEqual([chosen.family, chosen.alternatives], ["starcoder", ["gpt2"]]);
    await assert.rejects(openLegacy(file, { family: /** @type {any} */ ("bert") }), { code: "invalid-argument" });
    await assert.rejects(openLegacy(file, { family: "whisper" }), { code: "bad-structure" });
  });

  test("has previews, statistics and .npy files of old block layouts", async () => {
    const model = await openLegacy(new Blob([read("legacy/llama-ggjt1-q4_0.bin")]));
    const name = "layers.0.attention.wq.weight";
    assert.equal(model.gguf.tensor(name)?.type, "Q4_0_V1");
    const gguf = await main.Gguf.open(model.asGguf());
    const values = await gguf.read(name);
    const { statistics } = await gguf.preview(name);
    assert.equal(statistics.max, Math.max(...values));
    const npy = await bytesOf(gguf.toNpy(name).stream());
    assert.deepEqual(new Float32Array(npy.slice(-4 * values.length).buffer), values);
    // Its header is in no file, so other modules cannot take it over.
    assert.throws(() => main.Gguf.from(model.gguf), { code: "unsupported" });
  });

  test("is read from a server by ranges", async (context) => {
    const bytes = read("legacy/llama-ggjt3-f32.bin");
    const server = await serveFile(context, bytes);
    const model = await openLegacy(server.url);
    const name = model.gguf.tensors.at(-1)?.name ?? "";
    const here = await openLegacy(bytes);
    assert.deepEqual(await model.gguf.readBytes(name), await here.gguf.readBytes(name));
  });
});

describe("a malformed file", { skip: missing }, () => {
  test("is treated as the corpus expects", async () => {
    for (const { name, file, expect, stage } of INDEX.malformed) {
      const bytes = read(`legacy/malformed/${file}`);
      /** @type {LegacyModel | undefined} */
      let model;
      /** @type {any} */
      let failure;
      // Parts lie beside the path.
      await openLegacy(pathOf(`legacy/malformed/${file}`)).then(
        (opened) => (model = opened),
        (error) => (failure = error),
      );
      if (expect === "error") {
        assert.ok(failure, name);
        assert.equal(typeof failure.offset, "number", name);
        assert.ok(failure.offset <= bytes.length + 4, name);
      } else if (expect === "ok") assert.ok(model, `${name}: ${failure}`);
      else if (expect === "list-only") {
        if (model) assert.throws(() => /** @type {LegacyModel} */ (model).migrate(), { code: "unsupported" }, name);
        else assert.deepEqual([failure.code, stage], ["bad-structure", "tensor header"], name);
      }
    }
  });

  test("of GGUF is no legacy model, and a legacy model is no GGUF file", async () => {
    await assert.rejects(Gguf.open(read("legacy/llama-ggml-f16.bin")), { code: "bad-magic" });
    await assert.rejects(openLegacy(read("legacy/malformed/gguf-magic.bin")), {
      code: "bad-magic",
      message: /GGUF file/,
    });
    await assert.rejects(openLegacy(read("legacy/malformed/session.bin")), { message: /saved session/ });
  });
});

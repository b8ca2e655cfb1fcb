// LoRA adapters: the files of convert_lora_to_gguf.py, and adapters merged into models.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, link, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { requantize } from "gguf-wasm/convert/node";
import { convertAdapter, mergeAdapter } from "gguf-wasm/models/node";
import { Gguf } from "gguf-wasm/full/node";
import { range, serveFiles, whole } from "../../support/file-server.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { json, missing, read } from "../corpus.mjs";
import { bytesOf, filesOf, folderOf } from "./corpus.mjs";

/** @type {{ lora: { folder: string, base: string, runs: { id: string, args: string[], exit: number, output: { sha256: string } }[] }[] }} */
const INDEX = missing ? { lora: [] } : json("convert/index.json");

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The type of a run. @param {readonly string[]} args @returns {any} */
const typeOf = (args) => (args.includes("--outtype") ? args[args.indexOf("--outtype") + 1] : undefined);

describe("adapters of PEFT", { skip: missing }, () => {
  test("every run of the reference, by path and by files", async () => {
    for (const { folder, base, runs } of INDEX.lora) {
      for (const { id, args, exit, output } of runs) {
        const type = typeOf(args);
        const options = { base: folderOf(base), ...(type && { type }) };
        if (exit !== 0) {
          await assert.rejects(convertAdapter(folderOf(folder), options), {
            name: "GgufError",
            code: "invalid-argument",
          });
          continue;
        }
        const plan = await convertAdapter(folderOf(folder), options);
        assert.equal(sha256(await bytesOf(plan)), output.sha256, id);
        assert.equal(plan.type, type ?? "f32");
        assert.deepEqual(
          plan.findings.filter(({ severity }) => severity === "error"),
          [],
          id,
        );
        const name = folder.slice(folder.lastIndexOf("/") + 1);
        assert.equal(plan.suggestedName, `${name}-${plan.type.toUpperCase()}.gguf`);
        const given = await convertAdapter(filesOf(folder), { ...options, base: filesOf(base), folderName: name });
        assert.equal(sha256(await bytesOf(given)), output.sha256, id);
      }
    }
  });

  test("the headers of the adapter are not sent to the server of its base model", async (t) => {
    const [{ folder, base, runs }] = /** @type {[any]} */ (INDEX.lora);
    /** @type {Record<string, string[]>} */
    const seen = {};
    /** @param {string} from @returns {import("../../support/file-server.mjs").Answer} */
    const noting =
      (from) =>
      (request, ...rest) => {
        (seen[from] ??= []).push(String(request.headers["x-token"]));
        return (request.headers.range ? range : whole)(request, ...rest);
      };
    const adapters = await serveFiles(t, filesOf(folder), noting("adapter"));
    const bases = await serveFiles(t, filesOf(base), noting("base"));
    const plan = await convertAdapter(`${adapters.origin}/`, {
      base: `${bases.origin}/`,
      folderName: "attn-only",
      headers: { "X-Token": "secret" },
    });
    assert.equal(sha256(await bytesOf(plan)), runs[0].output.sha256);
    assert.deepEqual([...new Set(seen["adapter"])], ["secret"]);
    assert.deepEqual([...new Set(seen["base"])], ["undefined"]);
    await convertAdapter(`${adapters.origin}/`, {
      base: `${bases.origin}/`,
      baseRequest: { headers: { "X-Token": "other" } },
    });
    assert.ok(seen["base"]?.includes("other"));
  });

  test("what is missing is named", async () => {
    const [{ folder, base }] = /** @type {[any]} */ (INDEX.lora);
    const files = filesOf(folder);
    /** @param {string} missing */
    const without = (missing) => Object.fromEntries(Object.entries(files).filter(([path]) => path !== missing));
    const options = { base: folderOf(base) };
    for (const path of ["adapter_config.json", "adapter_model.safetensors"]) {
      const refused = { name: "GgufError", code: "incomplete-model", message: new RegExp(path.replace(".", "\\.")) };
      await assert.rejects(convertAdapter(without(path), options), refused);
    }
    const pickled = { ...without("adapter_model.safetensors"), "adapter_model.bin": new Uint8Array(8) };
    await assert.rejects(convertAdapter(pickled, options), { code: "incomplete-model", message: /adapter_model\.bin/ });
    await assert.rejects(convertAdapter(files, { base: { "README.md": new Uint8Array(1) } }), {
      code: "incomplete-model",
      message: /config\.json/,
    });
    const unknown = { ...options, baseRequest: { header: {} } };
    // @ts-expect-error no such option
    await assert.rejects(convertAdapter(files, unknown), { code: "invalid-argument", message: /did you mean headers/ });
    // @ts-expect-error the base is missing
    await assert.rejects(convertAdapter(files, {}), { code: "invalid-argument", message: /base/ });
  });
});

describe("an adapter merged into a model", { skip: missing }, () => {
  const model = () => Gguf.open(read("convert/expected/llama3-style.f16.gguf"));
  const adapter = () => Gguf.open(read("convert/expected/attn-only.default.gguf"));

  test("changes its tensors by scale · alpha / rank · B · A", async () => {
    const [opened, lora] = [await model(), await adapter()];
    const merged = mergeAdapter(opened, lora, { scale: 0.5 });
    const changed = merged.tensors.filter(({ adapters }) => adapters > 0);
    assert.equal(changed.length, 12);
    assert.ok(changed.every(({ newType }) => newType === "F16"));
    assert.deepEqual(
      merged.findings.filter(({ severity }) => severity === "error"),
      [],
    );

    const name = "blk.1.attn_k.weight";
    const before = await opened.read(name);
    const [a, b] = [await lora.read(`${name}.lora_a`), await lora.read(`${name}.lora_b`)];
    const rows = await merged.rows(name, 2, 5);
    const exact = mergeAdapter(opened, lora, { scale: 0.5, types: "f32" });
    const written = await Gguf.open(await bytesOf(exact));
    const after = await written.read(name);
    for (let row = 2; row < 5; row++) {
      for (let column = 0; column < 64; column++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += Math.fround((a[k * 64 + column] ?? NaN) * (b[row * 4 + k] ?? NaN));
        const old = before[row * 64 + column] ?? NaN;
        // alpha is 8, the rank is 4.
        const expected = Math.fround(Math.fround(Math.fround(sum) * 1) + old);
        const place = (row - 2) * 64 + column;
        assert.equal(rows.before[place], old);
        assert.equal(rows.after[place], expected);
        assert.equal(after[row * 64 + column], expected);
      }
    }
    assert.equal((await Gguf.open(await bytesOf(merged))).metadata.get("general.file_type"), 1);
    assert.equal(await merged.read(0, 4).then((bytes) => new TextDecoder().decode(bytes)), "GGUF");
  });

  test("can be opened, quantized, and merged into again", async () => {
    const [opened, lora] = [await model(), await adapter()];
    const merged = mergeAdapter(opened, lora, { types: "f32" });
    const name = "blk.0.attn_q.weight";
    const shown = Gguf.from(merged.gguf);
    const values = await shown.read(name);
    assert.deepEqual(values, (await merged.rows(name, 0, 64)).after);
    const plan = await requantize(merged.gguf, { type: "Q8_0", allowRequantize: true, workers: 0 });
    assert.ok(plan.tensors.some(({ name: other, newType }) => other === name && newType === "Q8_0"));
    const without = mergeAdapter(merged.gguf, lora, { types: "f32", scale: -1 });
    const back = (await without.rows(name, 0, 64)).after;
    const old = await opened.read(name);
    for (const [i, value] of back.entries()) assert.ok(Math.abs(value - (old[i] ?? NaN)) < 1e-5, `element ${i}`);
    const kept = mergeAdapter(opened, lora, { types: "keep" });
    assert.ok(kept.tensors.every(({ oldType, newType }) => oldType === newType));
  });

  test("is refused if it does not fit", async () => {
    const [opened, lora] = [await model(), await adapter()];
    const other = await Gguf.open(read("convert/expected/gemma2_tiny.f16.gguf"));
    const refused = (/** @type {RegExp} */ message) => ({ name: "GgufError", code: "invalid-argument", message });
    assert.throws(() => mergeAdapter(other, lora), refused(/for the architecture "llama"/));
    assert.throws(() => mergeAdapter(opened, other), refused(/no LoRA adapter/));
    assert.throws(() => mergeAdapter(opened, lora, { scale: Infinity }), refused(/scale/));
    const merged = mergeAdapter(opened, lora);
    await assert.rejects(merged.rows("none", 0, 1), refused(/no tensor "none"/));
    await assert.rejects(merged.rows("blk.0.attn_q.weight", 0, 65), { code: "out-of-range" });
    await assert.rejects(merged.rows("blk.0.attn_q.weight", 2, 1), { code: "out-of-range" });
  });
});

describe("a plan for an adapter", { skip: missing }, () => {
  test("replaces no file of the adapter, of its base model, or of a merge", async () => {
    const [{ folder, base }] = /** @type {[any]} */ (INDEX.lora);
    const dir = await temporaryFolder();
    const own = { adapter: join(dir, "adapter"), base: join(dir, "base") };
    await cp(folderOf(folder), own.adapter, { recursive: true });
    await cp(folderOf(base), own.base, { recursive: true });
    const plan = await convertAdapter(own.adapter, { base: own.base });
    const refused = { code: "invalid-argument", message: /made from this file/ };
    for (const path of [
      join(own.adapter, "adapter_model.safetensors"),
      join(own.adapter, "adapter_config.json"),
      join(own.base, "config.json"),
    ]) {
      const before = await readFile(path);
      await assert.rejects(plan.writeTo(path, { overwrite: true }), refused, path);
      assert.deepEqual(await readFile(path), before);
    }
    const [model, adapter] = [join(dir, "model.gguf"), join(dir, "adapter.gguf")];
    await writeFile(model, read("convert/expected/llama3-style.f16.gguf"));
    await plan.writeTo(adapter);
    await link(model, join(dir, "same.gguf"));
    const merged = mergeAdapter(await Gguf.open(model), await Gguf.open(adapter));
    for (const path of [model, adapter, join(dir, "same.gguf")]) {
      await assert.rejects(merged.writeTo(path, { overwrite: true }), refused, path);
    }
    await merged.writeTo(join(dir, "merged.gguf"));
  });

  test("takes no options that are no object, and no scale that is too large", async () => {
    const opened = await Promise.all([
      Gguf.open(read("convert/expected/llama3-style.f16.gguf")),
      Gguf.open(read("convert/expected/attn-only.default.gguf")),
    ]);
    /** @type {any} */
    const wrong = 5;
    assert.throws(() => mergeAdapter(...opened, wrong), { code: "invalid-argument", message: /^the options are 5/ });
    assert.throws(() => mergeAdapter(...opened, { scale: 1e39 }), {
      code: "invalid-argument",
      message: /options\.scale/,
    });
    await assert.rejects(convertAdapter({}, wrong), { code: "invalid-argument", message: /^the options are 5/ });
  });

  test("an error of the base model says that it is about the base model", async () => {
    const [{ folder }] = /** @type {[any]} */ (INDEX.lora);
    for (const [bytes, code] of /** @type {const} */ ([
      ["{", "bad-json"],
      ['{"architectures":["Other"]}', "unsupported-model"],
    ])) {
      const base = { "config.json": new TextEncoder().encode(bytes) };
      await assert.rejects(convertAdapter(folderOf(folder), { base }), { code, message: /^the base model: / });
    }
  });
});

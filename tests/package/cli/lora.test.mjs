// The commands for LoRA adapters: the files of convert_lora_to_gguf.py, and adapters merged into models.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full/node";
import { range, serveFiles, whole } from "../../support/file-server.mjs";
import { json, missing, pathOf } from "../corpus.mjs";
import { filesOf } from "../models/corpus.mjs";
import { cutPart, installCommandLine, namesIn } from "./command-line.mjs";

const cli = await installCommandLine(["convert", "models"]);

const [DONE, ANSWER_IS_NO, WRONG_USE, FAILED] = [0, 1, 2, 3];

/** Answers with ranges to those who ask for them. @type {import("../../support/file-server.mjs").Answer} */
const either = (request, ...rest) => (request.headers.range ? range : whole)(request, ...rest);

/** @param {string} path */
const sha256 = async (path) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

describe("convert-lora", { skip: missing }, () => {
  const base = () => pathOf("convert/models/llama3-style");

  test("writes the files of convert_lora_to_gguf.py", async () => {
    const folder = await cli.folder();
    for (const { folder: adapter, runs } of json("convert/index.json").lora) {
      for (const { id, args, exit, output } of runs) {
        const type = args.includes("--outtype") ? ["--type", args[args.indexOf("--outtype") + 1].toUpperCase()] : [];
        const out = join(folder, `${id}.gguf`);
        const { code, stderr } = await cli.run([
          "convert-lora",
          pathOf(`convert/${adapter}`),
          out,
          "--base",
          base(),
          ...type,
        ]);
        // The reference fails for `auto`, which no adapter can have.
        assert.equal(code, exit === 0 ? DONE : WRONG_USE, stderr);
        if (exit === 0) assert.equal(await sha256(out), output.sha256, id);
        else await assert.rejects(stat(out), { code: "ENOENT" });
      }
    }
  });

  test("reads a server, prints JSON, and writes nothing with --dry-run", async (t) => {
    const folder = await cli.folder();
    const files = filesOf("lora/attn-only");
    const served = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`attn-only/${path}`, bytes]));
    const { origin } = await serveFiles(t, served, either);
    const out = join(folder, "out.gguf");
    const args = ["convert-lora", `${origin}/attn-only/`, out, "--base", base(), "--json"];
    const dry = await cli.run([...args, "--dry-run"]);
    assert.equal(dry.code, DONE, dry.stderr);
    assert.deepEqual(JSON.parse(dry.stdout).written, []);
    assert.deepEqual(await namesIn(folder), []);
    const { stdout } = await cli.succeed(args);
    const { type, tensors, size } = JSON.parse(stdout);
    assert.deepEqual([type, tensors.length, size], ["f32", 24, 23392]);
    const [run] = json("convert/index.json").lora[0].runs;
    assert.equal(await sha256(out), run.output.sha256);
  });

  test("says why an adapter is refused", async () => {
    const folder = await cli.folder();
    const [adapter, other] = [pathOf("convert/lora/attn-only"), join(folder, "other")];
    await cp(adapter, other, { recursive: true });
    const config = JSON.parse(await readFile(join(adapter, "adapter_config.json"), "utf8"));
    await rm(join(other, "adapter_config.json"));
    await writeFile(join(other, "adapter_config.json"), JSON.stringify({ ...config, use_rslora: true }));
    const refused = await cli.run(["convert-lora", other, join(folder, "out.gguf"), "--base", base()]);
    assert.equal(refused.code, FAILED);
    assert.match(refused.stderr, /"use_rslora" is true/);
    const wrong = await cli.run(["convert-lora", adapter, join(folder, "out.gguf")]);
    assert.equal(wrong.code, WRONG_USE);
    assert.match(wrong.stderr, /--base/);
  });

  test("names the folder that an error is about", async () => {
    const folder = await cli.folder();
    const [adapter, out] = [pathOf("convert/lora/attn-only"), join(folder, "out.gguf")];
    const broken = join(folder, "broken");
    await mkdir(broken);
    await writeFile(join(broken, "config.json"), "{");
    for (const [args, file] of /** @type {[string[], string][]} */ ([
      [[adapter, out, "--base", broken], broken],
      [[adapter, out, "--base", join(folder, "none")], join(folder, "none")],
      [[adapter, out, "--base", join(broken, "config.json")], join(broken, "config.json")],
      [[join(folder, "none"), out, "--base", base()], join(folder, "none")],
      [[broken, out, "--base", base()], broken],
    ])) {
      const { error } = await cli.json(["convert-lora", ...args], FAILED);
      assert.equal(error.file, file);
    }
  });

  test("continues no part of another adapter", async () => {
    const folder = await cli.folder();
    const [own, out] = [join(folder, "adapter"), join(folder, "out.gguf")];
    await cp(pathOf("convert/lora/attn-only"), own, { recursive: true });
    const args = ["convert-lora", own, out, "--base", base()];
    await cli.leavePart(args);
    const whole = await readFile(`${out}.part`);
    await cutPart(out, whole.length - 100);
    const tensors = join(own, "adapter_model.safetensors");
    const bytes = await readFile(tensors);
    const changed = Buffer.from(bytes);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await writeFile(tensors, changed);
    const other = await cli.run([...args, "--resume"]);
    assert.equal(other.code, ANSWER_IS_NO, other.stderr);
    assert.match(other.stderr, /made from another \S*adapter_model\.safetensors: its content .*\(foreign-part\)/);
    await writeFile(tensors, bytes);
    await cli.succeed([...args, "--resume"]);
    assert.ok(whole.equals(await readFile(out)));
  });

  test("replaces no file that it reads", async () => {
    const folder = await cli.folder();
    const own = { adapter: join(folder, "adapter"), base: join(folder, "base") };
    await cp(pathOf("convert/lora/attn-only"), own.adapter, { recursive: true });
    await writeFile(join(own.adapter, "generation_config.json"), "{}");
    await cp(base(), own.base, { recursive: true });
    for (const path of [
      join(own.adapter, "adapter_model.safetensors"),
      join(own.adapter, "generation_config.json"),
      join(own.base, "config.json"),
    ]) {
      const before = await sha256(path);
      const refused = await cli.run(["convert-lora", own.adapter, path, "--base", own.base, "--force"]);
      assert.equal(refused.code, ANSWER_IS_NO, refused.stderr);
      assert.match(refused.stderr, /\(output-is-input\)/);
      assert.equal(await sha256(path), before);
    }
  });
});

describe("merge-lora", { skip: missing }, () => {
  const model = () => pathOf("convert/expected/llama3-style.f16.gguf");
  const adapter = () => pathOf("convert/expected/attn-only.default.gguf");

  test("changes the tensors of the adapter, and copies all others", async () => {
    const folder = await cli.folder();
    const out = join(folder, "out.gguf");
    const { stdout } = await cli.succeed(["merge-lora", model(), adapter(), out, "--scale", "0.5", "--json"]);
    const { changedTensors, scale, written } = JSON.parse(stdout);
    assert.deepEqual([changedTensors.length, scale, written], [12, 0.5, [out]]);
    const [before, after] = [await Gguf.open(model()), await Gguf.open(out)];
    assert.equal(before.tensors.length, after.tensors.length);
    for (const { name } of before.tensors) {
      const [old, now] = [await before.read(name), await after.read(name)];
      assert.equal(
        old.every((value, i) => value === now[i]),
        !changedTensors.includes(name),
        name,
      );
    }
  });

  test("quantizes the result, and continues what broke off", async () => {
    const folder = await cli.folder();
    const out = join(folder, "out.gguf");
    const plain = await cli.run(["merge-lora", model(), adapter(), out, "--type", "Q8_0", "--threads", "0"]);
    assert.equal(plain.code, DONE, plain.stderr);
    assert.match(plain.stdout, /12 tensors of \d+ changed/);
    const types = (await Gguf.open(out)).tensors.map(({ type }) => type);
    assert.ok(types.includes("Q8_0") && !types.includes("F16"), types.join());

    const whole = join(folder, "whole.gguf");
    assert.equal((await cli.run(["merge-lora", model(), adapter(), whole])).code, DONE);
    const bytes = await readFile(whole);
    const part = join(folder, "part.gguf");
    await cli.leavePart(["merge-lora", model(), adapter(), part]);
    await cutPart(part, Math.floor(bytes.length / 2));
    const resumed = await cli.run(["merge-lora", model(), adapter(), part, "--resume"]);
    assert.equal(resumed.code, DONE, resumed.stderr);
    assert.equal(await sha256(part), await sha256(whole));
  });

  test("continues no part of another scale, or of another adapter with the same header", async () => {
    const folder = await cli.folder();
    const [own, out] = [join(folder, "adapter.gguf"), join(folder, "out.gguf")];
    await writeFile(own, await readFile(adapter()));
    for (const type of ["f16", "Q8_0"]) {
      const args = ["merge-lora", model(), own, out, "--type", type, "--threads", "0"];
      await cli.leavePart([...args, "--force"]);
      const { size } = await stat(`${out}.part`);
      await cutPart(out, size - 500);
      const scaled = await cli.run([...args, "--resume", "--scale", "0.5"]);
      assert.equal(scaled.code, ANSWER_IS_NO, scaled.stderr);
      assert.match(scaled.stderr, /scale was 1, and is 0\.5.*\(foreign-part\)/);
      const [bytes, { mtime }] = [await readFile(own), await stat(own)];
      const { tensors } = await Gguf.open(own);
      const { fileOffset = 0 } = tensors[0] ?? {};
      const changed = Buffer.from(bytes);
      changed[fileOffset] = (changed[fileOffset] ?? 0) ^ 1;
      await writeFile(own, changed);
      await utimes(own, mtime, mtime);
      const other = await cli.run([...args, "--resume"]);
      assert.equal(other.code, ANSWER_IS_NO, other.stderr);
      assert.match(other.stderr, /made from another \S*adapter\.gguf: its content is different.*\(foreign-part\)/);
      await writeFile(own, bytes);
      // Without a scale, it is 1.
      assert.equal((await cli.run([...args, "--resume", "--scale", "1", "--dry-run"])).code, WRONG_USE);
      await cli.succeed([...args, "--resume", "--scale", "1"]);
      await rm(out);
    }
  });

  test("refuses files that do not fit together", async () => {
    const folder = await cli.folder();
    const out = join(folder, "out.gguf");
    const other = pathOf("convert/expected/gemma2_tiny.f16.gguf");
    const refused = await cli.run(["merge-lora", other, adapter(), out]);
    assert.equal(refused.code, FAILED);
    assert.match(refused.stderr, /for the architecture "llama".*\(wrong-adapter\)/);
    const none = await cli.run(["merge-lora", model(), other, out]);
    assert.equal(none.code, FAILED);
    assert.match(none.stderr, /the file is no LoRA adapter.*\(wrong-adapter\)/);
    for (const scale of ["much", "1e39"]) {
      const wrong = await cli.run(["merge-lora", model(), adapter(), out, "--scale", scale]);
      assert.equal(wrong.code, WRONG_USE);
    }
    assert.deepEqual(await namesIn(folder), []);
  });
});

// Models that read images or sound on the command line: both files in one pass, the projector alone, and whether two files belong together.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { missing, pathOf } from "../corpus.mjs";
import { october, run as recorded } from "../models/corpus.mjs";
import { installCommandLine, namesIn } from "./command-line.mjs";

const cli = await installCommandLine(["convert", "models"]);

const [ANSWER_IS_NO, WRONG_USE, FAILED] = [1, 2, 3];

const NAME = "Qwen3-VL-4X-Instruct";
/** A model whose vocabulary needs no pre-tokenizer, and which reads images, too. */
const OTHER = "gemma-3-4X-it";

/** @param {string} name */
const folderOf = (name) => pathOf(`convert-2026-10/${october(name).folder}`);

/** @param {string} path */
const sha256 = async (path) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** The SHA-256 of a run of the reference. @param {string} id @param {string} [name] */
const expected = (id, name = NAME) => recorded(october(name), id).output.sha256;

/** The arguments that convert the model. @param {string} output @param {readonly string[]} options */
const convert = (output, ...options) => [
  "convert",
  folderOf(NAME),
  output,
  "--pre",
  october(NAME).pre ?? "",
  ...options,
];

describe("convert --with-mmproj", { skip: missing }, () => {
  test("writes the two files of the reference, and says that they belong together", async () => {
    const folder = await cli.folder();
    const { stdout } = await cli.succeed(
      convert(join(folder, "m.gguf"), "--type", "q8_0", "--with-mmproj", "--mmproj-type", "F16"),
    );
    const projector = `mmproj-${NAME}-F16.gguf`;
    assert.deepEqual(await namesIn(folder), ["m.gguf", projector]);
    assert.equal(await sha256(join(folder, "m.gguf")), expected("q8_0"));
    assert.equal(await sha256(join(folder, projector)), expected("mmproj-f16"));
    assert.match(stdout, /^Projector +images$/m);
    assert.match(
      stdout,
      /m\.gguf: written, .*Q8_0, 25 tensors\n.*mmproj-.*-F16\.gguf: written, .*F16, 58 tensors\n.*fits the model/,
    );
  });

  test("quantizes the model, and leaves the projector at 16 bits", async () => {
    const folder = await cli.folder();
    const [output, alone] = [join(folder, "both-Q4_K_M.gguf"), join(folder, "alone.gguf")];
    await cli.succeed(convert(output, "--type", "Q4_K_M", "--with-mmproj", "--threads", "0"));
    await cli.succeed(convert(alone, "--type", "Q4_K_M", "--threads", "0"));
    assert.equal(await sha256(output), await sha256(alone));
    assert.equal(await sha256(join(folder, `mmproj-${NAME}-BF16.gguf`)), expected("mmproj-auto"));
  });

  test("with --json and with --dry-run", async () => {
    const folder = await cli.folder();
    const [output, path] = [join(folder, "m.gguf"), join(folder, `mmproj-${NAME}-BF16.gguf`)];
    const args = convert(output, "--type", "f16", "--with-mmproj");
    const dry = await cli.json([...args, "--dry-run"]);
    assert.deepEqual(await namesIn(folder), []);
    assert.match(
      (await cli.succeed([...args, "--dry-run"])).stdout,
      /mmproj-.*\.gguf would have .* The projector fits/,
    );
    const result = await cli.json(args);
    assert.deepEqual(result.written, [output, path]);
    assert.deepEqual([dry.written, dry.output, dry.projector.output], [[], null, null]);
    assert.deepEqual(
      { ...dry, written: result.written, output, projector: { ...dry.projector, output: path } },
      result,
    );
    const { hasVision, type, size, tensors, fit } = result.projector;
    const { output: recordedOutput } = recorded(october(NAME), "mmproj-auto");
    assert.deepEqual([hasVision, type, size], [true, "bf16", recordedOutput.size]);
    assert.equal(tensors.length, recordedOutput.tensors.length);
    assert.equal(fit.answer, "yes");
  });

  test("continues both files with --resume", async () => {
    const folder = await cli.folder();
    const output = join(folder, "m.gguf");
    const args = convert(output, "--type", "f16", "--with-mmproj", "--mmproj-type", "f16");
    await cli.leavePart(args);
    const unasked = await cli.run(args);
    assert.equal(unasked.code, FAILED, unasked.stderr);
    // Of the second file, nothing is there.
    await rm(join(folder, `mmproj-${NAME}-F16.gguf.part`));
    await rm(join(folder, `mmproj-${NAME}-F16.gguf.part.record`));
    await cli.succeed([...args, "--resume"]);
    assert.deepEqual(await namesIn(folder), ["m.gguf", `mmproj-${NAME}-F16.gguf`]);
    assert.equal(await sha256(output), expected("f16"));
    assert.equal(await sha256(join(folder, `mmproj-${NAME}-F16.gguf`)), expected("mmproj-f16"));
  });

  test("writes nothing of a model without a projector", async () => {
    const folder = await cli.folder();
    const { folder: path, pre } = october("Qwen3-Next-80x-A3x");
    const args = ["convert", pathOf(`convert-2026-10/${path}`), join(folder, "m.gguf"), "--pre", pre ?? ""];
    const { code, stderr } = await cli.run([...args, "--with-mmproj"]);
    assert.equal(code, FAILED);
    assert.match(
      stderr,
      /no projector can be made .*\. Without --with-mmproj, the model is converted alone\. \(unsupported-model\)/,
    );
    assert.deepEqual(await namesIn(folder), []);
  });

  test("a model whose text is not supported names the way to its projector", async () => {
    const folder = await cli.folder();
    const model = join(folder, NAME);
    await cp(folderOf(NAME), model, { recursive: true });
    const path = join(model, "config.json");
    const config = JSON.parse(await readFile(path, "utf8"));
    config.text_config.rope_scaling.rope_type = "other";
    await writeFile(path, JSON.stringify(config));
    const args = ["convert", model, join(folder, "m.gguf"), "--pre", october(NAME).pre ?? ""];
    const { code, stderr } = await cli.run(args);
    assert.equal(code, FAILED);
    assert.match(stderr, /"other".*\. With --mmproj, its projector is converted alone\. \(unsupported-model\)/);
    await cli.succeed([...args, "--mmproj", "--type", "f16"]);
    assert.equal(await sha256(join(folder, "m.gguf")), expected("mmproj-f16"));
  });

  test("does not replace a projector without --force, or the model itself", async () => {
    const folder = await cli.folder();
    const args = convert(join(folder, "m.gguf"), "--with-mmproj");
    await cli.succeed(args);
    await rm(join(folder, "m.gguf"));
    const refused = await cli.run(args);
    assert.equal(refused.code, FAILED);
    assert.match(refused.stderr, /mmproj-.*-BF16\.gguf: the file exists already/);
    assert.deepEqual(await namesIn(folder), [`mmproj-${NAME}-BF16.gguf`]);
    await cli.succeed([...args, "--force"]);
    const same = await cli.run(convert(join(folder, `mmproj-${NAME}-BF16.gguf`), "--with-mmproj", "--force"));
    assert.equal(same.code, WRONG_USE);
    assert.match(same.stderr, /which is the name of the projector\. Choose another name for the model\./);
  });

  test("refuses options that contradict it", async () => {
    const output = join(await cli.folder(), "m.gguf");
    for (const [options, message] of /** @type {[string[], RegExp][]} */ ([
      [["--with-mmproj", "--mmproj"], /--with-mmproj and --mmproj cannot be given together/],
      [["--with-mmproj", "--vocab-only"], /--with-mmproj and --vocab-only cannot be given together/],
      [["--with-mmproj", "--mtp"], /--with-mmproj and --mtp cannot be given together/],
      [["--mmproj-type", "f16"], /--mmproj-type is only for --with-mmproj/],
      [["--mmproj", "--mmproj-type", "f16"], /With --mmproj, --type is the type of the projector/],
      [
        ["--with-mmproj", "--mmproj-type", "Q4_K_M"],
        /expected auto, f32, f16, bf16 or q8_0\. .*--mmproj --type Q4_K_M/,
      ],
    ])) {
      const { code, stderr } = await cli.run(convert(output, ...options));
      assert.equal(code, WRONG_USE, options.join(" "));
      assert.match(stderr, message);
    }
  });
});

describe("convert --mmproj", { skip: missing }, () => {
  test("to a type of quantize is the projector of --type f32, quantized; a note says what it loses", async () => {
    const folder = await cli.folder();
    const at = (/** @type {string} */ name) => join(folder, name);
    const { stderr } = await cli.succeed(convert(at("1.gguf"), "--mmproj", "--type", "q4_k_m", "--threads", "0"));
    assert.match(
      stderr,
      /the projector becomes Q4_K_M, so that it loses detail of images and sound\..*f16, bf16 and q8_0/,
    );
    const usual = await cli.succeed(convert(at("f32.gguf"), "--mmproj", "--type", "F32"));
    assert.equal(usual.stderr, "");
    await cli.succeed(["quantize", at("f32.gguf"), at("2.gguf"), "Q4_K_M", "--threads", "0"]);
    assert.equal(await sha256(at("1.gguf")), await sha256(at("2.gguf")));
  });
});

describe("whether a projector belongs to a model", { skip: missing }, async () => {
  const folder = await cli.folder();
  const at = (/** @type {string} */ name) => join(folder, name);
  const [model, projector, other] = [at("m.gguf"), at(`mmproj-${NAME}-BF16.gguf`), at("other.gguf")];
  if (!missing) {
    await cli.succeed(convert(model, "--with-mmproj"));
    await cli.succeed(["convert", folderOf(OTHER), other]);
  }

  test("is said by validate --beside, with its exit code", async () => {
    for (const args of [
      [model, "--beside", projector],
      [projector, "--beside", model],
    ]) {
      const { stdout } = await cli.succeed(["validate", ...args]);
      assert.match(stdout, /mmproj-.*: The projector fits the model: its embeddings have 192 numbers/);
    }
    const wrong = await cli.run(["validate", other, "--beside", projector]);
    assert.equal(wrong.code, ANSWER_IS_NO);
    assert.match(wrong.stdout, /The projector is of the kind qwen3vl_merger, .* the model has the architecture gemma3/);
    const models = await cli.run(["validate", other, "--beside", model]);
    assert.equal(models.code, ANSWER_IS_NO);
    assert.match(models.stdout, /m\.gguf: The file is no projector/);
    const gone = await cli.run(["validate", other, "--beside", at("gone.gguf")]);
    assert.equal(gone.code, FAILED);
    const { files } = await cli.json(["validate", other, "--beside", projector], ANSWER_IS_NO);
    const [{ isValid, projectorFits }] = files;
    assert.equal(isValid, false);
    assert.deepEqual(
      [projectorFits[0].model, projectorFits[0].projector, projectorFits[0].answer],
      [other, projector, "no"],
    );
    const fix = await cli.run(["validate", other, "--beside", projector, "--fix", "-n"]);
    assert.equal(fix.code, WRONG_USE);
  });

  test("is said by memory and compare", async () => {
    const fits = /mmproj-.*-BF16\.gguf: The projector fits the model/;
    assert.match((await cli.succeed(["memory", model, "--beside", projector])).stdout, fits);
    // llama-server names it so.
    assert.match((await cli.succeed(["memory", model, "--mmproj", projector])).stdout, fits);
    const { projectorFits } = await cli.json(["memory", other, "--beside", projector, "--beside", model]);
    assert.deepEqual(
      projectorFits.map((/** @type {{ answer: string }} */ { answer }) => answer),
      ["no"],
    );
    const compared = await cli.run(["compare", projector, model, "--headers"]);
    assert.equal(compared.code, ANSWER_IS_NO);
    assert.match(compared.stdout, fits);
    const result = await cli.json(["compare", model, projector, "--headers"], ANSWER_IS_NO);
    assert.equal(result.projectorFits[0].answer, "yes");
    assert.equal("projectorFits" in (await cli.json(["compare", model, other, "--headers"], ANSWER_IS_NO)), false);
  });

  test("commands that make no projector say which one does", async () => {
    const { code, stderr } = await cli.run(["quantize", model, at("q.gguf"), "Q4_0", "--mmproj", projector]);
    assert.equal(code, WRONG_USE);
    assert.match(stderr, /There is no option "--mmproj"\. `convert` makes a projector with --mmproj\./);
  });
});

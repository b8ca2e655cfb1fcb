// What the checks say about a new file is printed before it is written, and a model without a required key is not converted.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { draftFile } from "../../support/draft-file.mjs";
import { llamaModel } from "../../support/llama-model.mjs";
import { installCommandLine, namesIn } from "./command-line.mjs";

const cli = await installCommandLine(["convert"]);

/** A model in which the first two tokens have the same text. */
const TWICE = llamaModel({
  entries: [
    ["tokenizer.ggml.tokens", { type: "strings", count: 64, at: (index) => (index < 2 ? "same" : `token ${index}`) }],
  ],
});

const folder = await cli.folder();
/** @param {string} name */
const path = (name) => join(folder, name);
await writeFile(path("twice.gguf"), TWICE);

describe("a model in which two tokens have the same text", () => {
  test("quantize, split and merge say that llama.cpp refuses the new file", async () => {
    const commands = [
      ["quantize", path("twice.gguf"), path("quantized.gguf"), "F16", "--threads", "0"],
      ["split", path("twice.gguf"), path("part"), "--max-tensors", "10"],
      ["merge", path("part-00001-of-00003.gguf"), path("merged.gguf")],
    ];
    for (const command of commands) {
      const { code, stderr } = await cli.run(command);
      assert.equal(code, 0, `${command[0]}: ${stderr}`);
      assert.match(stderr, /error +duplicate-token +tokenizer\.ggml\.tokens: 1 of 64 tokens/, command[0]);
      assert.match(
        stderr,
        /the new file: llama\.cpp does not load the file, because of the key "tokenizer\.ggml\.tokens"/,
        command[0],
      );
      // A dry run says it, too, and --json has it in the result.
      const json = await cli.run([...command, "--dry-run", "--json", "--force"]);
      assert.equal(json.code, 0, json.stderr);
      const { findings, loads } = JSON.parse(json.stdout);
      const found = findings.filter((/** @type {{ message: string }} */ { message }) =>
        message.includes("1 of 64 tokens"),
      );
      assert.equal(found.length, 1, command[0]);
      assert.equal(loads.answer, "no");
    }
  });

  test("migrate says what llama.cpp refuses", async () => {
    await writeFile(path("draft.bin"), draftFile());
    const { stderr } = await cli.succeed(["migrate", path("draft.bin"), path("migrated.gguf"), "--dialect", "draft"]);
    assert.match(stderr, /error +missing-key/);
    assert.match(stderr, /the new file: llama\.cpp does not load the file/);
  });

  test("a plan of the package says it", async () => {
    const plan = await requantize(await Gguf.open(TWICE), { type: "F16" });
    assert.deepEqual(
      plan.findings.map(({ severity, check }) => [severity, check]),
      [["warning", "duplicate-token"]],
    );
  });
});

describe("a model without a required key", () => {
  const KEY = "llama.attention.layer_norm_rms_epsilon";
  const model = llamaModel({ without: [KEY] });

  test("quantize refuses it, names the key and writes nothing", async () => {
    await writeFile(path("without.gguf"), model);
    const before = namesIn(folder);
    const refused = await cli.run(["quantize", path("without.gguf"), path("new.gguf"), "F16"]);
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(
      refused.stderr,
      new RegExp(`nothing was written: the model has no entry ${KEY.replaceAll(".", "\\.")}`),
    );
    assert.deepEqual(namesIn(folder), before);
    const dry = await cli.run(["quantize", path("without.gguf"), "F16", "--dry-run", "--json"]);
    assert.equal(dry.code, 1);
    assert.equal(JSON.parse(dry.stdout).error.code, "incomplete-model");
  });

  test("a plan of the package is not written, unless an option gives the value", async () => {
    const plan = await requantize(await Gguf.open(model), { type: "F16", workers: 0 });
    const [finding] = plan.findings;
    assert.deepEqual([finding?.severity, finding?.code, finding?.check], ["error", "incomplete-model", "missing-key"]);
    assert.throws(() => plan.stream(), { name: "GgufError", code: "incomplete-model" });
    await assert.rejects(plan.writeTo(path("no.gguf")), { name: "GgufError", code: "incomplete-model" });
  });
});

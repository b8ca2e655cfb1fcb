// What `inspect` and `validate` say about files of other programs: what such a file is, which programs load it, and no advice that breaks it.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { llamaModel } from "../../support/llama-model.mjs";
import { missing, pathOf } from "../corpus.mjs";
import { expression, forbiddenFinding, rows } from "../producers.mjs";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine(["convert"]);

/** @type {(name: string, dimensions?: number[]) => { name: string, dimensions: number[], type: number, bytes: number }} */
const tensor = (name, dimensions = [4, 2]) => {
  return { name, dimensions, type: 0, bytes: dimensions.reduce((a, b) => a * b) * 4 };
};

/** A model of flux. @param {string} [architecture] */
const flux = (architecture = "flux") =>
  ggufBytes([["general.architecture", text(architecture)]], [tensor("double_blocks.0.img_attn.proj.weight")]);

/** @param {string} name @param {Uint8Array} bytes */
async function written(name, bytes) {
  const path = join(await cli.folder(), name);
  await writeFile(path, bytes);
  return path;
}

test("inspect begins with what the file is and which programs load it", async () => {
  const path = await written("flux.gguf", flux());
  const { stdout } = await cli.succeed(["inspect", path]);
  assert.match(
    stdout,
    /^Image model, flux\. ComfyUI-GGUF and stable-diffusion\.cpp load it; llama\.cpp does not\.\n\nArchitecture +flux\n/,
  );
  assert.match(stdout, /\nParts +diffusion\n/);
  const { kind, family, variant, blocks, parts, programs } = await cli.json(["inspect", path]);
  assert.deepEqual([kind, family, variant, blocks, parts], ["image-diffusion", "flux", undefined, 1, ["diffusion"]]);
  assert.deepEqual(programs[1], { program: "ComfyUI-GGUF", answer: "yes", how: "Unet Loader (GGUF)" });
  assert.equal(programs[0].answer, "no");
  const model = await cli.succeed(["inspect", await written("llama.gguf", llamaModel())]);
  assert.match(model.stdout, /^Model, llama\. llama\.cpp loads it\.\n\n/);
});

test("validate says which programs load a file of other programs, and how", async () => {
  const path = await written("flux.gguf", flux());
  const { stdout } = await cli.succeed(["validate", path]);
  const [first = "", ...lines] = stdout.split("\n");
  assert.equal(first, `${path}: Image model, flux. ComfyUI-GGUF and stable-diffusion.cpp load it; llama.cpp does not.`);
  assert.deepEqual(lines.slice(0, 3), [
    "ComfyUI-GGUF          Unet Loader (GGUF)",
    "stable-diffusion.cpp  --diffusion-model",
    "llama.cpp does not load the file: it is for other programs (kind: Image diffusion model).",
  ]);
  assert.match(lines[3] ?? "", /^no problems found; rules of llama\.cpp/);
  const [file] = (await cli.json(["validate", path])).files;
  assert.deepEqual([file.isValid, file.loads.answer, file.programs[2].how], [true, "no", "--diffusion-model"]);
});

test("the exit code follows the findings, not the programs", async () => {
  const cut = await written("flux.gguf", flux().slice(0, -1));
  const { code, stdout } = await cli.run(["validate", cut]);
  assert.equal(code, 1);
  assert.match(stdout, /error +truncated/);
});

test("a broken language model is no text encoder of image models", async () => {
  const path = await written("llama.gguf", llamaModel({ tensors: { "blk.1.attn_q.weight": [64, 65] } }));
  const { code, stdout } = await cli.run(["validate", path]);
  assert.equal(code, 1);
  assert.ok(
    stdout.startsWith(`${path}: llama.cpp does not load the file, because of the tensor "blk.1.attn_q.weight": `),
    stdout,
  );
  assert.doesNotMatch(stdout, /ComfyUI/);
});

test("validate --fix keeps what the programs say", async () => {
  const shape = /** @type {const} */ ({ type: "int32s", count: 1, at: () => 8 });
  const entries = /** @type {Parameters<typeof ggufBytes>[0]} */ ([
    ["general.architecture", text("flux")],
    ["comfy.gguf.orig_shape.missing", shape],
  ]);
  const path = await written("flux.gguf", ggufBytes(entries, [tensor("double_blocks.0.img_attn.proj.weight")]));
  const { stdout } = await cli.succeed(["validate", path, "--fix"]);
  assert.match(stdout, /^.*: Image model, flux\..*\n(.*\n)*warning +shape-without-tensor/);
});

test("the shards of a file get no advice that is for a whole one", { skip: missing }, async () => {
  for (const file of ["ollama-gemma3-4b-vision.gguf", "comfy-sd1-F16.gguf"]) {
    const folder = await cli.folder();
    await cli.succeed(["split", pathOf(`producers/${file}`), join(folder, "m"), "--max-tensors", "5"]);
    const [first = ""] = readdirSync(folder).sort();
    const { stdout } = await cli.run(["validate", join(folder, first)]);
    assert.doesNotMatch(stdout, /missing-key|shape-without-tensor|Remove the entry/, file);
  }
});

describe("files of other programs", { skip: missing }, () => {
  for (const { file, mustSay, mustNotSay } of rows) {
    test(file, async () => {
      const path = pathOf(`producers/${file}`);
      const outcomes = [];
      for (const command of ["inspect", "validate"]) outcomes.push(await cli.run([command, path]));
      const said = outcomes.map(({ stdout, stderr }) => stdout + stderr).join("\n");
      for (const rule of mustSay) assert.match(said, expression(rule));
      for (const rule of mustNotSay) {
        const found = forbiddenFinding(rule);
        const code = found?.code === "*" ? "[\\w-]+" : found?.code;
        assert.doesNotMatch(said, found ? new RegExp(`^${found.severity} +${code} `, "m") : expression(rule));
      }
    });
  }
});

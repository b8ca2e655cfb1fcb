// The commands on models in formats before GGUF: what `inspect` lists, `export`, `migrate`, and what broken files end with.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/node";
import { json, missing, pathOf } from "../corpus.mjs";
import { installCommandLine, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();

const MALFORMED_FILE = 3;

/** The path of a file of the corpus. @param {string} name */
const legacy = (name) => pathOf(`legacy/${name}`);

/** @param {string} name */
const dumpOf = (name) => json(`legacy/expected/${name.replace(/\.bin$/, "")}.json`);

/** @param {string} path */
const sha256 = async (path) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** Runs a command that prints an object, and succeeds without another word. @param {string[]} args */
async function printed(args) {
  const { code, stderr, stdout } = await cli.run([...args, "--json"]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

describe("models in formats before GGUF", { skip: missing }, () => {
  /** The first file of each family. */
  const families = () =>
    new Map(
      json("legacy/index.json").files.map((/** @type {{ family: string, file: string }} */ { family, file }) => [
        family,
        file,
      ]),
    );

  test("inspect lists a file of each family as its dump does", async () => {
    assert.ok(families().size > 8);
    for (const [family, name] of families()) {
      const dump = dumpOf(name);
      const found = await printed(["inspect", legacy(name), "--tensors"]);
      assert.equal(found.kind, "legacy", name);
      assert.equal(found.container, dump.container, name);
      assert.ok([found.family, ...found.alternatives].includes(family), name);
      assert.equal(found.hyperparametersOffset, dump.hparams_offset, name);
      assert.equal(found.parts[0].tensorsOffset, dump.tensors_offset, name);
      assert.equal(found.isMigratable, dump.migration.possible, name);
      /** @typedef {{ name: string, dims: number[], type: string, type_id: number, header_offset: number, offset: number, nbytes: number }} Dumped */
      const expected = dump.tensors.map((/** @type {Dumped} */ tensor) => ({
        name: tensor.name,
        dimensions: tensor.dims,
        type: tensor.type,
        typeId: tensor.type_id,
        headerOffset: tensor.header_offset,
        offset: tensor.offset,
        byteLength: tensor.nbytes,
      }));
      const tensors = found.parts[0].tensors.map((/** @type {{ type: string }} */ tensor) => ({
        ...tensor,
        // Dumps have the names of the types in the programs of the time, without the version of the blocks.
        type: tensor.type.replace(/_V[12]$/, ""),
      }));
      assert.deepEqual(tensors, expected, name);
    }
  });

  test("inspect for people names the family, and the tensors by their own names", async () => {
    const { code, stdout } = await cli.run(["inspect", legacy("llama-ggjt1-q4_2.bin"), "--tensors"]);
    assert.equal(code, 0);
    assert.match(stdout, /llama/i);
    assert.match(stdout, /layers\.0\.attention\.wq\.weight .*Q4_2/);
  });

  test("export writes the values of an old block layout", async () => {
    const output = join(await cli.folder(), "wq.npy");
    const { code, stderr } = await cli.run([
      "export",
      legacy("llama-ggjt1-q4_2.bin"),
      "--tensor",
      "layers.0.attention.wq.weight",
      "--output",
      output,
    ]);
    assert.equal(code, 0, stderr);
    const bytes = await readFile(output);
    const start = 10 + bytes.readUInt16LE(8);
    const tensors = dumpOf("llama-ggjt1-q4_2.bin").tensors;
    const { f32_sha256: expected } = tensors.find(
      (/** @type {{ name: string }} */ { name }) => name === "layers.0.attention.wq.weight",
    );
    assert.equal(createHash("sha256").update(bytes.subarray(start)).digest("hex"), expected);
  });

  test("migrate finds the other parts, and says which answers are defaults", async () => {
    const output = join(await cli.folder(), "out.gguf");
    const { code, stdout, stderr } = await cli.run(["migrate", legacy("llama-ggmf-f16-2parts.bin"), output]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /2048/);
    assert.match(stdout, /default/i);
    const gguf = await Gguf.open(output);
    const { tensors } = dumpOf("llama-ggmf-f16-2parts.bin").migration;
    assert.deepEqual(
      gguf.tensors.map(({ name, type, dimensions }) => ({ name, type, dimensions })),
      tensors.map((/** @type {{ name: string, type: string, dims: number[] }} */ { name, type, dims }) => ({
        name,
        type,
        dimensions: dims,
      })),
    );
    for (const { name, sha256: expected } of tensors) {
      assert.equal(
        createHash("sha256")
          .update(await gguf.readBytes(name))
          .digest("hex"),
        expected,
        name,
      );
    }
    gguf.free();
  });

  test("with --json, answers say whether they are defaults", async () => {
    const output = join(await cli.folder(), "out.gguf");
    const args = ["migrate", legacy("llama-ggjt3-q4_0.bin"), output, "--context-length", "4096", "--dry-run"];
    const { answers, written, exactness } = await printed(args);
    const byId = new Map(answers.map((/** @type {{ id: string }} */ answer) => [answer.id, answer]));
    assert.equal(byId.get("contextLength").value, "4096");
    assert.equal(byId.get("contextLength").isDefault, false);
    assert.equal(byId.get("rmsEpsilon").isDefault, true);
    assert.notEqual(byId.get("rmsEpsilon").reason, undefined);
    assert.deepEqual(written, []);
    assert.equal(exactness.total.changed, 0);
  });

  test("lost precision and overflow are a warning", async () => {
    const output = join(await cli.folder(), "out.gguf");
    const { code, stderr } = await cli.run(["migrate", legacy("llama-ggjt1-q4_0-edge.bin"), output]);
    assert.equal(code, 0);
    assert.match(stderr, /infinite/);
  });

  test("an ambiguous family does not stop a command, and an option chooses", async () => {
    const file = legacy("gpt2-f16.bin");
    const { family, alternatives } = await printed(["inspect", file]);
    assert.deepEqual([family, alternatives], ["gpt2", ["starcoder"]]);
    const chosen = await printed(["inspect", file, "--family", "starcoder"]);
    assert.equal(chosen.family, "starcoder");
  });

  test("a malformed file ends with the code of malformed files, also if only data is cut", async () => {
    for (const name of ["ggjt3-cut-hparams.bin", "ggjt3-cut-last-byte.bin", "ggjt3-token-length-0x40000000.bin"]) {
      const folder = await cli.folder();
      const output = join(folder, "out.gguf");
      for (const args of [["inspect"], ["migrate", output]]) {
        const [command = "", ...others] = args;
        const { code, stderr } = await cli.run([command, legacy(`malformed/${name}`), ...others]);
        assert.equal(code, MALFORMED_FILE, `${command} ${name}: ${stderr}`);
        assert.match(stderr, /0x[0-9a-f]+/, name);
      }
      assert.deepEqual(namesIn(folder), []);
    }
  });

  test("migrate does not write over the model that it reads", async () => {
    const folder = await cli.folder();
    const file = join(folder, "model.bin");
    await copyFile(legacy("llama-ggjt3-q4_0.bin"), file);
    const before = await sha256(file);
    for (const force of [[], ["--force"]]) {
      const { code } = await cli.run(["migrate", file, file, ...force]);
      assert.notEqual(code, 0);
      assert.equal(await sha256(file), before);
    }
    assert.deepEqual(namesIn(folder), ["model.bin"]);
  });
});

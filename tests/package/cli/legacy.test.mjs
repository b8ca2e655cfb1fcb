// The commands on models in formats before GGUF: what `inspect` lists, `export`, `migrate`, and what broken files end with.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, copyFile, cp, link, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full/node";
import { draftFile } from "../../support/draft-file.mjs";
import { json, missing, pathOf } from "../corpus.mjs";
import { cutPart, installCommandLine, namesIn } from "./command-line.mjs";

const cli = await installCommandLine(["convert"]);

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
  const { stderr, stdout } = await cli.succeed([...args, "--json"]);
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
    const { stdout } = await cli.succeed(["inspect", legacy("llama-ggjt1-q4_2.bin"), "--tensors"]);
    assert.match(stdout, /llama/i);
    assert.match(stdout, /layers\.0\.attention\.wq\.weight .*Q4_2/);
  });

  test("export writes the values of an old block layout", async () => {
    const output = join(await cli.folder(), "wq.npy");
    await cli.succeed([
      "export",
      legacy("llama-ggjt1-q4_2.bin"),
      "--tensor",
      "layers.0.attention.wq.weight",
      "--output",
      output,
    ]);
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
    const { stdout } = await cli.succeed(["migrate", legacy("llama-ggmf-f16-2parts.bin"), output]);
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

  test("a wrong answer is named by its option, and nothing is written", async () => {
    const folder = await cli.folder();
    const file = legacy("llama-ggjt3-q4_0.bin");
    /** @type {[string, string, RegExp][]} */
    const wrong = [
      ["--context-length", "0", /--context-length is "0", expected an integer from 1 to 4294967295/],
      ["--rms-epsilon", "1e-60", /--rms-epsilon is "1e-60", expected a number from 1e-45 to 3\.4e38/],
      ["--rope-base", "1e39", /--rope-base is "1e39", expected a number from 1e-45 to 3\.4e38/],
      ["--bos-token", "4000000000", /--bos-token is "4000000000", expected the id of one of/],
    ];
    for (const [option, value, message] of wrong) {
      const { code, stderr } = await cli.run(["migrate", file, join(folder, "out.gguf"), option, value]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /contextLength|rmsEpsilon|ropeBase|bosToken/);
    }
    assert.deepEqual(namesIn(folder), []);
  });

  test("missing parts are named, and the first file if another one is given", async () => {
    const folder = await cli.folder();
    const name = "llama-ggmf-f16-2parts.bin";
    const [file, second] = [join(folder, "model.bin"), join(folder, "other.bin.1")];
    await copyFile(legacy(name), file);
    await copyFile(legacy(`${name}.1`), second);
    const first = await cli.run(["inspect", file]);
    assert.match(first.stderr, /model\.bin: 1 part of 2 is missing: model\.bin\.1 beside the file\.\n$/);
    const last = await cli.run(["inspect", second]);
    assert.match(last.stderr, /other\.bin\.1: this is part 2 of 2 of a model\. Open other\.bin\.\n$/);
  });

  test("commands for GGUF files name the command that makes one", async () => {
    const file = legacy("llama-ggjt3-q4_0.bin");
    const output = join(await cli.folder(), "out.gguf");
    for (const args of [
      ["validate", file],
      ["hash", file],
      ["quantize", file, output, "Q8_0"],
    ]) {
      const { stderr } = await cli.run(args);
      assert.match(stderr, /a model in a format before GGUF.*`gguf-wasm migrate FILE OUTPUT`.*\(bad-magic, offset 0\)/);
      assert.doesNotMatch(stderr, /Check that it is a GGUF file/);
    }
    // A saved session is no model.
    const session = await cli.run(["validate", legacy("malformed/session.bin")]);
    assert.match(session.stderr, /It is a saved session of llama\.cpp/);
  });

  test("lost precision and overflow are a warning", async () => {
    const output = join(await cli.folder(), "out.gguf");
    const { stderr } = await cli.succeed(["migrate", legacy("llama-ggjt1-q4_0-edge.bin"), output]);
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

  test("migrate refuses every part that it reads, also through links", async () => {
    const folder = await cli.folder();
    const [file, second] = [join(folder, "model.bin"), join(folder, "model.bin.1")];
    await copyFile(legacy("llama-ggmf-f16-2parts.bin"), file);
    await copyFile(legacy("llama-ggmf-f16-2parts.bin.1"), second);
    await link(second, join(folder, "hard.gguf"));
    await link(second, join(folder, "out.gguf.part"));
    const before = namesIn(folder);
    for (const output of [second, join(folder, "hard.gguf"), join(folder, "out.gguf")]) {
      const { code, stderr } = await cli.run(["migrate", file, output, "--force"]);
      assert.equal(code, 1, output);
      assert.match(stderr, /\(output-is-input\)/);
    }
    assert.deepEqual(namesIn(folder), before);
    assert.equal(await sha256(second), await sha256(legacy("llama-ggmf-f16-2parts.bin.1")));
  });

  test("a migration that fails leaves no new file, and an old one as it is", async () => {
    const model = await readFile(legacy("llama-ggjt3-q4_0.bin"));
    let allowed = Infinity;
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      const [, from = "", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
      if (requests > allowed || request.url !== "/model.bin") {
        response.writeHead(404).end();
        return;
      }
      const end = Math.min(model.length, to === "" ? model.length : Number(to) + 1);
      response.writeHead(206, { "content-range": `bytes ${from}-${end - 1}/${model.length}` });
      response.end(model.subarray(Number(from), end));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
    try {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      const url = `http://127.0.0.1:${port}/model.bin`;
      await printed(["inspect", url]);
      allowed = requests;
      requests = 0;
      const folder = await cli.folder();
      const output = join(folder, "out.gguf");
      assert.notEqual((await cli.run(["migrate", url, output])).code, 0);
      assert.deepEqual(namesIn(folder), []);
      await writeFile(output, "mine");
      requests = 0;
      assert.notEqual((await cli.run(["migrate", url, output, "--force"])).code, 0);
      assert.deepEqual(namesIn(folder), ["out.gguf"]);
      assert.equal(await readFile(output, "utf8"), "mine");
    } finally {
      server.close();
    }
  });

  test("--resume continues a part that ends anywhere, and refuses one of other answers", async () => {
    const model = join(await cli.folder(), "model.bin");
    await copyFile(legacy("llama-ggjt2-q4_0.bin"), model);
    const made = join(await cli.folder(), "out.gguf");
    await cli.leavePart(["migrate", model, made]);
    const whole = await readFile(`${made}.part`);
    /** @param {number} end */
    const folderWithPart = async (end) => {
      const folder = await cli.folder();
      await cp(dirname(made), folder, { recursive: true });
      await cutPart(join(folder, "out.gguf"), end);
      return folder;
    };
    for (const end of [0, 1, 5000, whole.length - 1, whole.length]) {
      const folder = await folderWithPart(end);
      const output = join(folder, "out.gguf");
      await cli.succeed(["migrate", model, output, "--resume"]);
      assert.deepEqual(await readFile(output), whole, `from ${end}`);
      assert.deepEqual(namesIn(folder), ["out.gguf"]);
    }
    const folder = await folderWithPart(5000);
    const output = join(folder, "out.gguf");
    const unfinished = await cli.run(["migrate", model, output]);
    assert.match(unfinished.stderr, /--resume.*--force.*\(unfinished-file\)/);
    const foreign = await cli.run(["migrate", model, output, "--resume", "--context-length", "99"]);
    assert.match(foreign.stderr, /context-length was "\d+", and is "99".*\(foreign-part\)/);
    // A tensor has another value, in a file with the old size and the old time.
    const [bytes, { mtime }] = [await readFile(model), await stat(model)];
    await chmod(model, 0o644);
    bytes[bytes.length - 40] = (bytes.at(-40) ?? 0) ^ 16;
    await writeFile(model, bytes);
    await utimes(model, mtime, mtime);
    const changed = await cli.run(["migrate", model, output, "--resume"]);
    assert.equal(changed.code, 1);
    assert.match(changed.stderr, /made from another \S*model\.bin: its content is different.*\(foreign-part\)/);
    await copyFile(legacy("llama-ggjt2-q4_0.bin"), model);
    assert.deepEqual(namesIn(folder), ["out.gguf.part", "out.gguf.part.record"]);
    assert.equal((await cli.run(["migrate", model, output, "--force"])).code, 0);
    assert.deepEqual(await readFile(output), whole);
  });

  test("the exported lists have the types, the sizes and the places of the file", async () => {
    const name = "llama-ggjt1-q4_0.bin";
    const { tensors } = await printed(["inspect", legacy(name), "--tensors"]);
    const types = tensors.map((/** @type {{ type: string }} */ { type }) => type);
    assert.ok(types.includes("Q4_0_V1"));
    const csv = (await cli.run(["export", legacy(name), "--format", "csv"])).stdout.trimEnd().split("\r\n").slice(1);
    assert.deepEqual(
      csv.map((line) => line.split(",")),
      tensors.map((/** @type {any} */ { name, type, dimensions, byteLength, fileOffset }, /** @type {number} */ i) =>
        [
          i,
          name,
          type,
          dimensions.join("x"),
          dimensions.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1),
          byteLength,
          fileOffset,
        ].map(String),
      ),
    );
    const exported = JSON.parse((await cli.run(["export", legacy(name)])).stdout);
    assert.deepEqual(
      Object.values(exported.tensors).map(({ type }) => type),
      types,
    );
    const markdown = (await cli.run(["export", legacy(name), "--format", "markdown"])).stdout;
    assert.match(markdown, /\| Q4_0_V1 +\| +5\.0000 \|/);
  });
});

test("a file in the layout of the draft is read if the option says so", async () => {
  const folder = await cli.folder();
  const [file, output] = [join(folder, "draft.gguf"), join(folder, "new.gguf")];
  await writeFile(file, draftFile());
  assert.notEqual((await cli.run(["inspect", file])).code, 0);
  const { metadata, tensors } = await printed(["inspect", file, "--dialect", "draft", "--tensors"]);
  assert.deepEqual([metadata.length, tensors.length], [4, 2]);
  assert.match((await cli.run(["inspect", file, "--dialect", "other"])).stderr, /expected draft/);
  const { answers, tensors: moved } = await printed(["migrate", file, output, "--dialect", "draft"]);
  assert.deepEqual([answers, moved.length], [[], 2]);
  assert.notEqual((await cli.run(["migrate", file, file, "--dialect", "draft", "--force"])).code, 0);
  const gguf = await Gguf.open(output);
  assert.equal(gguf.metadata.get("llama.hidden_size"), 64);
  gguf.free();
  const { stdout } = await cli.run(["validate", output]);
  assert.match(stdout, /llama\.embedding_length/);
});

// `gguf-wasm hash`: the manifests of llama.cpp, and checks of manifests.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { open, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, test } from "node:test";
import { serveFile } from "../../support/file-server.mjs";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { json, missing, pathOf } from "../corpus.mjs";
import { installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();

const { folder, path: model } = await cli.newModel(await modelBytes());

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("hex");

describe("hashes", () => {
  test("xxh64 of each tensor and of all data, if nothing else is asked for", async () => {
    const { stdout } = await cli.succeed(["hash", model]);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.length, 4);
    for (const line of lines) assert.match(line, /^xxh64 {5}[0-9a-f]{16} {2}.*model\.gguf/);
    assert.ok(lines[1]?.endsWith(`${model}:blk.1.attn_q.weight`));
    assert.ok(lines[3]?.endsWith(`  ${model}`));
    const whole = await cli.run(["hash", model, "--no-tensors"]);
    assert.equal(whole.stdout, `${lines[3]}\n`);
  });

  test("--json", async () => {
    const { data, tensors, fileSha256 } = await cli.json(["hash", model, "--all", "--uuid", "--file"]);
    assert.deepEqual(Object.keys(data).sort(), ["sha1", "sha256", "uuid", "xxh64"]);
    assert.equal(tensors[2].name, "blk.2.attn_q.weight");
    assert.equal(tensors[2].sha256, sha256(new Uint8Array(128).fill(3)));
    assert.equal(fileSha256, sha256(await readFile(model)));
  });

  test("--file is what sha256sum prints", async (context) => {
    const bytes = readFileSync(model);
    const { stdout } = await cli.run(["hash", model, "--file"]);
    assert.equal(stdout, `${sha256(bytes)}  ${model}\n`);
    const { url } = await serveFile(context, bytes);
    assert.equal((await cli.run(["hash", url, "--file"])).stdout, `${sha256(bytes)}  model.gguf\n`);
  });

  test("the manifests of the corpus", { skip: missing }, async () => {
    const { files } = json("hash/index.json");
    const complete = files.filter((/** @type {any} */ { exit, manifest }) => exit === 0 && manifest);
    assert.ok(complete.length > 10);
    for (const { file, options, manifest } of complete.filter(
      (/** @type {any} */ _, /** @type {number} */ i) => i % 9 === 0,
    )) {
      const { stdout } = await cli.shell(
        `cd "${pathOf(file).replace(/[^/]*$/, "")}" && gguf-wasm hash ${basename(file)} ${options.join(" ")}`,
      );
      assert.equal(stdout, readFileSync(pathOf(`hash/${manifest}`), "utf8"), file);
    }
  });
});

test("control characters of a file do not reach a terminal", async (context) => {
  const { printRaw } = await import(cli.module("output.js"));
  const { isTTY } = process.stdout;
  /** @type {string[]} */
  const written = [];
  const write = context.mock.method(process.stdout, "write", (/** @type {string} */ text) => written.push(text) > 0);
  try {
    for (const terminal of [true, false]) {
      process.stdout.isTTY = terminal;
      printRaw("\u{1b}[2Ja\tb\n\u202ec\n");
    }
  } finally {
    write.mock.restore();
    process.stdout.isTTY = isTTY;
  }
  assert.deepEqual(written, ["\\u{1b}[2Ja\tb\n\\u{202e}c\n", "\u{1b}[2Ja\tb\n\u202ec\n"]);
});

describe("--check", () => {
  /** A manifest of the model. @param {readonly string[]} options */
  async function manifestOf(...options) {
    const path = join(folder, `manifest${options.join("")}`);
    const { stdout } = await cli.run(["hash", model, ...options]);
    await writeFile(path, stdout);
    return path;
  }

  test("an intact file: exit code 0", async () => {
    for (const options of [[], ["--all"], ["--sha1"], ["--no-tensors"], ["--uuid"]]) {
      const manifest = await manifestOf(...options);
      const { code, stdout, stderr } = await cli.run(["hash", model, "--check", manifest]);
      assert.equal(code, 0, `${options}: ${stdout}${stderr}`);
      assert.match(stdout, /^.*model\.gguf: intact, \d hash(es)? of \w+ agrees?$/m);
    }
    const json = await cli.json(["hash", model, "--check", await manifestOf("--all")]);
    assert.deepEqual([json.algorithm, json.result, json.lines.length], ["sha256", "match", 4]);
    const chosen = await cli.json(["hash", model, "--sha1", "--check", await manifestOf("--all")]);
    assert.equal(chosen.algorithm, "sha1");
  });

  test("one flipped bit names the tensor: exit code 1", async (context) => {
    const manifest = await manifestOf("--sha256");
    const bytes = await readFile(model);
    const { tensors } = await cli.json(["inspect", model]);
    const position = tensors[1].fileOffset + 5;
    bytes.writeUInt8(bytes.readUInt8(position) ^ 16, position);
    const damaged = join(folder, "damaged.gguf");
    await writeFile(damaged, bytes);
    const { url } = await serveFile(context, bytes);
    for (const name of [damaged, url]) {
      const { code, stdout } = await cli.run(["hash", name, "--check", manifest]);
      assert.equal(code, 1);
      assert.match(stdout, /DIFFERENT from the manifest, 2 hashes of sha256 agree$/m);
      assert.match(stdout, /^blk\.1\.attn_q\.weight +expected [0-9a-f]{64}, found [0-9a-f]{64}$/m);
      assert.doesNotMatch(stdout, /^blk\.[02]/m);
    }
    const { lines } = await cli.json(["hash", damaged, "--check", manifest], 1);
    assert.deepEqual(
      lines.map((/** @type {any} */ { tensor, result }) => [tensor, result]),
      [
        ["blk.0.attn_q.weight", "match"],
        ["blk.1.attn_q.weight", "mismatch"],
        ["blk.2.attn_q.weight", "match"],
        [undefined, "mismatch"],
      ],
    );
  });

  test("tensors that the manifest does not name: exit code 0, but the file is not called intact", async () => {
    const [first = ""] = (await cli.run(["hash", model])).stdout.split("\n");
    const path = join(folder, "part");
    await writeFile(path, first);
    const { stdout } = await cli.succeed(["hash", model, "--check", path]);
    assert.match(stdout, /model\.gguf: 1 hash of xxh64 agree, 2 tensors are not in the manifest\n/);
    assert.match(stdout, /^blk\.1\.attn_q\.weight +not in the manifest$/m);
    assert.doesNotMatch(stdout, /intact/);
  });

  test("a manifest from the standard input", async () => {
    const { stdout: manifest } = await cli.run(["hash", model]);
    const { stdout } = await cli.succeed(["hash", model, "--check", "-"], { input: manifest });
    assert.match(stdout, /intact, 4 hashes/);
    const twice = await cli.run(["hash", "-", "--check", "-"], { input: manifest });
    assert.equal(twice.code, 2);
    assert.match(twice.stderr, /the file must be a path or a URL/);
  });

  test("a manifest of any length that this program writes can be checked", async () => {
    const path = join(folder, "long-names.gguf");
    const tensors = Array.from({ length: 300 }, (_, i) => {
      return { name: `${i}.${"n".repeat(60_000)}`, dimensions: [1], type: 0, bytes: 4 };
    });
    await writeFile(path, ggufBytes([], tensors));
    const manifest = join(folder, "long-manifest");
    const { stdout } = await cli.run(["hash", path]);
    // More than a text that the package works on otherwise.
    assert.ok(stdout.length > 1 << 24);
    await writeFile(manifest, stdout);
    const checked = await cli.run(["hash", path, "--check", manifest]);
    assert.equal(checked.code, 0, checked.stderr);
    assert.match(checked.stdout, /: intact, 301 hashes of xxh64 agree/);
  });

  test("a manifest that is too large is refused before it is read", async () => {
    const path = join(folder, "huge");
    const handle = await open(path, "w");
    // No disk has this space: the file has no bytes of its own.
    await handle.truncate(2 ** 40);
    await handle.close();
    const { code, stderr } = await cli.run(["hash", model, "--check", path]);
    assert.equal(code, 3);
    assert.match(stderr, /huge: the manifest has more than 268\.4 MB\. .*\(too-large\)/);
    const endless = await cli.shell(`cat /dev/zero | gguf-wasm hash "${model}" --check -`);
    assert.equal(endless.code, 3);
    assert.match(endless.stderr, /-: the manifest has more than 268\.4 MB/);
  });

  test("options that --check cannot use are wrong use", async () => {
    const path = await manifestOf("--sha1");
    /** @type {[string[], RegExp][]} */
    const cases = [
      [["--file"], /--file cannot be given with it/],
      [["--sha256"], /the manifest has no sha256, but sha1\. Give --sha1, or no algorithm\./],
    ];
    for (const [options, message] of cases) {
      const { code, stderr } = await cli.run(["hash", model, "--check", path, ...options]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });

  test("a foreign, a broken and a missing manifest", async () => {
    const foreign = join(folder, "foreign");
    await writeFile(foreign, `sha1      ${"0".repeat(40)}  other.gguf:other.weight\n`);
    assert.equal((await cli.run(["hash", model, "--check", foreign])).code, 1);
    const broken = join(folder, "broken");
    await writeFile(broken, "no hashes\n");
    const { code, stderr } = await cli.run(["hash", model, "--check", broken]);
    assert.equal(code, 3);
    assert.match(stderr, /broken: .*\(bad-manifest/);
    const none = await cli.run(["hash", model, "--check", join(folder, "none")]);
    assert.equal(none.code, 3);
    assert.match(none.stderr, /none: there is no such file.*\(ENOENT\)/);
    assert.equal((await cli.run(["hash", model, "--check", foreign, "--all"])).code, 2);
  });
});

// Long values, long names and many entries: output is written in pieces, tables stay narrow, and values of arguments are read in
// one pass.

import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();

/** A program that has less memory than the whole text of a long result takes. */
const LITTLE_MEMORY = { NODE_OPTIONS: "--max-old-space-size=24" };

/** A file with an array of bytes, after an entry. @param {number} count */
const arrayFile = (count) =>
  ggufBytes([
    ["general.name", text("A model")],
    ["test.array", { type: "uint8s", bytes: new Uint8Array(count).fill(7) }],
  ]);

/** @param {Uint8Array} bytes */
async function saved(bytes, name = "model.gguf") {
  const path = join(await cli.folder(), name);
  await writeFile(path, bytes);
  return path;
}

describe("a long array", () => {
  test("inspect --json and export write it in pieces", async () => {
    const count = 1_500_000;
    const path = await saved(arrayFile(count));
    const output = join(await cli.folder(), "long.json");
    const run = (/** @type {string[]} */ ...args) => cli.runProcess(args, { env: LITTLE_MEMORY });
    const exported = await run("export", path, "-o", output);
    assert.equal(exported.code, 0, exported.stderr);
    // A line for each element.
    assert.ok((await stat(output)).size > 10 * count);
    const { code, stdout, stderr } = await run("inspect", path, "--json");
    assert.equal(code, 0, stderr);
    const { metadata } = JSON.parse(stdout);
    assert.equal(metadata[1].value.length, count);
    assert.ok(metadata[1].value.every((/** @type {number} */ value) => value === 7));
    const key = await run("inspect", path, "--key", "test.array");
    assert.equal(key.code, 0, key.stderr);
    assert.equal(JSON.parse(key.stdout).length, count);
  });

  test("the text of inspect reads only the elements that it shows", async () => {
    const path = await saved(arrayFile(40_000_000));
    const { code, stdout, stderr } = await cli.runProcess(["inspect", path], { env: LITTLE_MEMORY });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^test\.array +UINT8\[40000000\] +\[7, 7, 7, 7, 7, 7, …\]$/m);
  });

  test("a long text is cut before its escapes are made", async () => {
    const path = await saved(ggufBytes([["long", text("\u001b".repeat(8_000_000))]]));
    const { code, stdout } = await cli.runProcess(["inspect", path], { env: LITTLE_MEMORY });
    assert.equal(code, 0);
    assert.ok(stdout.length < 5000, `${stdout.length} characters`);
  });

  test("a reader that ends early ends the program", async () => {
    const path = await saved(arrayFile(8_000_000));
    const { code, stdout, stderr } = await cli.shell(
      `gguf-wasm inspect "${path}" --json | head -c 10; exit \${PIPESTATUS[0]}`,
    );
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(stdout, '{\n  "file"');
  });
});

describe("the writer of JSON", () => {
  test("writes what JSON.stringify writes, in short pieces", async () => {
    /** @type {{ jsonPieces(value: unknown): Iterable<string> }} */
    const { jsonPieces } = await import(cli.module("json.js"));
    const long = 'ä😀"\\\n'.repeat(100_000);
    const values = [
      { a: [], b: {}, c: [[], [1, [2]], {}], d: null, e: true, f: undefined, "g\n": "h", "\u{7f}": 1 },
      [1.5, -0, 1e300, "x", "\ud800"],
      Array.from({ length: 10_000 }, (_, i) => i),
      [long, { long }],
      "text",
      7,
    ];
    for (const value of values) {
      const pieces = [...jsonPieces(value)];
      const text = pieces.join("");
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.equal(text.replaceAll("\\u007f", "\u007f"), `${JSON.stringify(value, undefined, 2)}\n`);
      assert.ok(pieces.every(({ length }) => length < 200_000));
    }
    const special = [1n, NaN, Infinity, new Int32Array([1, 2]), new Set([3])];
    assert.deepEqual(JSON.parse([...jsonPieces(special)].join("")), ["1", "NaN", "Infinity", [1, 2], [3]]);
  });
});

describe("tables", () => {
  test("one long key among 10,000 entries does not widen the others", async () => {
    const long = `long.${"k".repeat(60_000)}`;
    /** @type {[string, import("../../support/gguf-bytes.mjs").Value][]} */
    const metadata = [...Array.from({ length: 10_000 }, (_, i) => `k.${i}`), long].map((key) => [
      key,
      { type: "bool", value: true },
    ]);
    const path = await saved(ggufBytes(metadata));
    const { code, stdout, stderr } = await cli.runProcess(["inspect", path]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^k\.9999 +BOOL {2}true$/m);
    assert.match(stdout, /^long\.k{190,}… {2}BOOL {2}true$/m);
    assert.ok(stdout.length < 2_000_000, `${stdout.length}`);
    const output = join(await cli.folder(), "model.md");
    const markdown = await cli.runProcess(["export", path, "--format", "markdown", "-o", output]);
    assert.equal(markdown.code, 0, markdown.stderr);
    assert.ok((await stat(output)).size < 4_000_000);
    assert.ok((await readFile(output, "utf8")).includes(long));
  });
});

describe("values of arguments", () => {
  /** @param {string} text @param {string[]} options */
  async function set(text, ...options) {
    const path = await saved(await modelBytes());
    const from = await saved(Buffer.from(text), "value");
    return cli.runProcess(["set", path, "test.value", "--from-file", from, "--dry-run", ...options]);
  }

  test("a string without an end takes one pass", { timeout: 60_000 }, async () => {
    const text = `[${'"a", '.repeat(500_000)}"${"\\a".repeat(500_000)}`;
    const { code, stderr } = await set(text, "--type", "STRING[]");
    assert.equal(code, 2);
    assert.match(stderr, /cannot be read as STRING\[\]. Expected a JSON array/);
    const digits = await set(`${"1".repeat(500_000)}x`);
    assert.equal(digits.code, 0, digits.stderr);
  });

  test("a string of 9 million characters in an array is read", async () => {
    const { code, stdout, stderr } = await set(`["${"a".repeat(9_000_000)}", "\\"", "b]"]`, "--type", "STRING[]");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^add test\.value: \["aaaaaaaa/m);
  });

  test("arrays that are nested too deeply are refused", async () => {
    for (const type of [[], ["--type", "UINT32[]"]]) {
      const { code, stderr } = await set(`${"[".repeat(5000)}1${"]".repeat(5000)}`, ...type);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /The value has 5000 levels of nested arrays, expected at most 64/);
    }
  });

  test("long integers stay exact, in strings they stay text", async () => {
    const path = await saved(await modelBytes());
    const { changes } = await cli.json([
      "set",
      path,
      "test.value",
      "[18446744073709551615, 12345678901234567890]",
      "--dry-run",
      "--type",
      "UINT64[]",
    ]);
    assert.deepEqual(changes[0].to, ["18446744073709551615", "12345678901234567890"]);
    const texts = await cli.json(["set", path, "test.value", '["a \\" 12345678901234567890", "\\\\"]', "--dry-run"]);
    assert.deepEqual(texts.changes[0].to, ['a " 12345678901234567890', "\\"]);
  });
});

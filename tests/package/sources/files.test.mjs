// `fileSource` of gguf-wasm/node.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, readFile, rename, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { fileSource, Gguf } from "gguf-wasm/full/node";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { writeSparse } from "../sparse.mjs";

/** The most bytes that opening may read beyond the header. */
const BEYOND = 256 << 10;

const folder = await temporaryFolder();

/** @param {string} name */
const at = (name) => join(folder, name);

/**
 * A source that records how many bytes are read through it.
 *
 * @param {import("gguf-wasm/full/node").FileSource} source
 */
function counted(source) {
  const seen = { bytes: 0, largest: 0 };
  const counting = {
    size: source.size,
    /** @type {import("gguf-wasm/full").CustomSource["read"]} */
    async read(start, end, options) {
      const bytes = await source.read(start, end, options);
      seen.bytes += bytes.length;
      seen.largest = Math.max(seen.largest, end - start);
      return bytes;
    },
  };
  return { seen, counting };
}

/** @type {(count: number) => Parameters<typeof ggufBytes>[0]} */
const vocabulary = (count) => [
  ["general.architecture", text("llama")],
  ["tokenizer.ggml.tokens", { type: "strings", count, at: (i) => `token ${i}` }],
  ["tokenizer.ggml.scores", { type: "float32s", count, at: (i) => -i }],
];

describe("opening reads the header and at most 256 KiB more", () => {
  for (const count of [0, 1000, 10_000, 200_000]) {
    test(`a vocabulary of ${count} in a file of 400 GB`, async (t) => {
      const path = at(`huge-${count}.gguf`);
      const file = await writeSparse(path, vocabulary(count));
      if (!file) return t.skip("the file system of the temporary folder has no sparse files of 400 GB: NOT COVERED");
      const source = await fileSource(path);
      const { seen, counting } = counted(source);
      const gguf = await Gguf.open(counting);
      assert.equal(gguf.headerSize, file.headerSize);
      assert.equal(gguf.fileSize, file.size);
      assert.ok(seen.bytes >= file.headerSize && seen.bytes <= file.headerSize + BEYOND, JSON.stringify(seen));

      const before = seen.bytes;
      assert.equal(gguf.tensor("far")?.fileOffset, file.farOffset);
      assert.equal(new TextDecoder().decode(await gguf.readBytes("far")), file.far);
      assert.equal(seen.bytes, before + file.far.length);
      gguf.free();
      await source.close();
    });
  }
});

test("a file: URL and a path name the same file", async () => {
  const path = at("a model #1 100%.gguf");
  await writeFile(path, ggufBytes(vocabulary(3)));
  for (const name of [path, pathToFileURL(path)]) {
    const source = await fileSource(name);
    assert.equal((await Gguf.open(source)).metadata.get("general.architecture"), "llama");
    await source.close();
  }
});

test("a file that cannot be opened: the error of the system", async () => {
  await assert.rejects(fileSource(at("missing.gguf")), { code: "ENOENT" });
});

test("it is closed at the end of a `using` block", async () => {
  await writeFile(at("bytes"), "0123456789");
  const source = await fileSource(at("bytes"));
  assert.equal(source.size, 10);
  await source[Symbol.asyncDispose]();
  await assert.rejects(source.read(0, 1), { code: "EBADF" });
  await source.close();
});

test("a range beyond the end of the file has fewer bytes", async () => {
  await writeFile(at("bytes"), "0123456789");
  const source = await fileSource(at("bytes"));
  const read = async (/** @type {number} */ start, /** @type {number} */ end) =>
    Buffer.from(await source.read(start, end)).toString();
  assert.deepEqual(await Promise.all([read(2, 5), read(0, 10), read(8, 100), read(10, 20), read(3, 3)]), [
    "234",
    "0123456789",
    "89",
    "",
    "",
  ]);
  assert.equal((await source.read(0, 4)).buffer.byteLength, 4, "no view of memory that others use");
  await source.close();
});

describe("a file that changes on the disk is not read further", () => {
  const changed = { name: "GgufError", code: "changed" };
  const path = () => at("changing.gguf");
  const model = (/** @type {number} */ fill) =>
    Buffer.concat([ggufBytes([["general.architecture", text("llama")]]), Buffer.alloc(100_000, fill)]);

  /** Modification times are too coarse to detect a change that follows at once. */
  async function written() {
    await writeFile(path(), model(1));
    await utimes(path(), 1, 1);
    return fileSource(path());
  }

  for (const [what, change] of /** @type {const} */ ([
    ["overwritten with as many bytes", () => writeFile(path(), model(2))],
    ["cut off", () => truncate(path(), 50_000)],
    ["appended to", () => appendFile(path(), "more")],
  ])) {
    test(what, async () => {
      const source = await written();
      assert.equal((await source.read(0, 5)).length, 5);
      const gguf = await Gguf.open(source);
      const editor = gguf.edit();
      editor.set("general.architecture", "another");
      const plan = editor.plan();
      await change();
      await assert.rejects(source.read(0, 5), changed);
      await assert.rejects(plan.stream().pipeTo(new WritableStream()), changed);
      await assert.rejects(Gguf.open(source), changed);
      await source.close();
    });
  }

  test("a renamed file has not changed", async () => {
    const source = await written();
    await rename(path(), at("renamed.gguf"));
    assert.equal((await source.read(0, 5)).length, 5);
    await source.close();
  });
});

test("a file that is not regular has no size, and its changes are not detected", async (t) => {
  if (!existsSync("/dev/zero")) return t.skip("there is no /dev/zero: NOT COVERED");
  const source = await fileSource("/dev/zero");
  assert.equal(source.size, undefined);
  assert.deepEqual(await source.read(0, 3), new Uint8Array(3));
  await source.close();
});

test("a range longer than one read call is complete", async () => {
  const bytes = new Uint8Array(40_000_000).map((_, index) => index % 251);
  await writeFile(at("large"), bytes);
  const source = await fileSource(at("large"));
  assert.ok(Buffer.from(await source.read(1, 39_999_999)).equals(bytes.subarray(1, 39_999_999)));
  await source.close();
});

test("an aborted read rejects with the reason of the signal", async () => {
  await writeFile(at("bytes"), "0123456789");
  const source = await fileSource(at("bytes"));
  await assert.rejects(source.read(0, 5, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const controller = new AbortController();
  const read = source.read(0, 5, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(read, { message: "enough" });
  await source.close();
});

test("it stays the same file when another file takes its path", async () => {
  await writeFile(at("old"), "old");
  await writeFile(at("new"), "new");
  const source = await fileSource(at("old"));
  if (process.platform !== "win32") await rename(at("new"), at("old"));
  assert.equal(Buffer.from(await source.read(0, 3)).toString(), "old");
  await source.close();
});

test("the example of an edited file in the README of the package works", async () => {
  const readme = await readFile(new URL("../../../pkg-template/README.md", import.meta.url), "utf8");
  const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const code = examples.find((code) => code.includes("writeTo("));
  if (code === undefined) assert.fail("no example writes to a path");
  await writeFile(at("model.gguf"), ggufBytes([["general.name", text("A model")]]));
  const module = JSON.stringify(import.meta.resolve("gguf-wasm/editor/node"));
  await writeFile(at("example.mjs"), code.replace('"gguf-wasm/editor/node"', module));
  await promisify(execFile)(process.execPath, ["example.mjs"], { cwd: folder });
  const edited = await Gguf.open(await readFile(at("model.gguf")));
  assert.deepEqual([...edited.metadata], [["general.name", "My model"]]);
  assert.equal(existsSync(at("model.gguf.part")), false);
});

test("closing waits for running reads", async () => {
  await writeFile(at("large"), new Uint8Array(20_000_000).fill(7));
  const source = await fileSource(at("large"));
  // More bytes than one read call reads.
  const read = source.read(0, 20_000_000);
  await source.close();
  assert.ok((await read).every((byte) => byte === 7));
});

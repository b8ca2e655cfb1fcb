// Hashes of files, and manifests of them: as llama.cpp's gguf-hash writes and checks them, from every kind of source, in constant
// memory, and with the host's hash functions as well as with those of the module.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { Gguf, fileSource, manifestAlgorithms } from "gguf-wasm/full/node";
import { generator } from "../../support/chance.mjs";
import { serveFile } from "../../support/file-server.mjs";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { virtualFile } from "../../support/virtual-file.mjs";
import { json, missing, pathOf, read } from "../corpus.mjs";

/** @import { HashAlgorithm, HashOptions } from "gguf-wasm/full" */

/** @type {readonly HashAlgorithm[]} */
const ALL = ["xxh64", "sha1", "sha256", "uuid"];
const MIB = 1 << 20;
const [F32, I8, UNKNOWN] = [0, 24, 137];

/** @param {"sha1" | "sha256"} algorithm @param {Uint8Array[]} parts */
function digest(algorithm, ...parts) {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/**
 * Runs a function on a host that has no `node:crypto`, as browsers.
 *
 * @template T
 * @param {() => Promise<T>} run
 */
async function withoutHostHash(run) {
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    return await run();
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
}

/** A file of tensors with random data. @param {number[]} sizes @param {number} [type] @param {boolean} [bigEndian] */
function fileOf(sizes, type = I8, bigEndian = false) {
  const tensors = sizes.map((bytes, index) => ({ name: `t${index}`, dimensions: [bytes], type, bytes }));
  const file = ggufBytes([], tensors, 3, bigEndian);
  const length = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / 32) * 32, 0);
  const random = generator(7);
  for (let at = file.length - length; at < file.length; at += 1) file[at] = random() * 256;
  return file;
}

/** The data of each tensor. @param {Gguf} gguf @param {Uint8Array} file */
const dataOf = (gguf, file) =>
  gguf.tensors.map((tensor) => {
    const extent = gguf.extent(tensor);
    assert.ok(extent);
    return file.subarray(extent.start, extent.end);
  });

/** A custom source that records its reads, and how many are in flight at most. @param {Uint8Array} file */
function recording(file) {
  /** @type {[start: number, end: number][]} */
  const reads = [];
  const flight = { now: 0, most: 0 };
  const source = {
    size: file.length,
    /** @param {number} start @param {number} end */
    async read(start, end) {
      reads.push([start, end]);
      flight.most = Math.max(flight.most, (flight.now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      flight.now -= 1;
      return file.slice(start, end);
    },
  };
  return { source, reads, flight };
}

/** @type {{ file: string, manifest?: string, size: number, sha256: string }[]} */
const FILES = (json("hash/index.json").files ?? []).filter((/** @type {any} */ { manifest }) => manifest);
const manifestOf = (/** @type {string} */ path) => new TextDecoder().decode(read(`hash/${path}`));

describe("every manifest of llama.cpp's gguf-hash", { skip: missing }, () => {
  for (const { file, manifest = "", sha256 } of FILES) {
    test(`${file} is reproduced and checks out`, async (t) => {
      const [bytes, expected] = [read(file), manifestOf(manifest)];
      const { url } = await serveFile(t, bytes);
      const local = await fileSource(pathOf(file));
      t.after(() => local.close());
      for (const source of [bytes, local, url]) {
        const gguf = await Gguf.open(source);
        const hashes = await gguf.hash({ algorithms: ALL, file: true });
        assert.equal(hashes.manifest(basename(file)), expected);
        assert.equal(hashes.fileSha256, sha256);
        const { result, algorithm, unlisted } = hashes.check(expected);
        assert.deepEqual([result, algorithm, unlisted], ["match", "sha256", []]);
      }
      const own = await withoutHostHash(async () => (await Gguf.open(bytes)).hash({ algorithms: ALL, file: true }));
      assert.equal(own.manifest(basename(file)), expected);
      assert.equal(own.fileSha256, sha256);
    });
  }

  test("there are many", () => assert.ok(FILES.length > 50));
});

/** What our check says where gguf-hash says something else: see the README of the corpus. */
const BETTER = new Map([
  // It compares a UUID with the lines of sha256.
  ["full --uuid", "match"],
  ["one sha256 tensor line wrong --uuid", "match"],
  ["whole sha256 wrong --uuid", "match"],
  ["uuid only", "match"],
  ["uuid only --uuid", "match"],
  // The manifest does not have the algorithm.
  ["xxh64 only --sha1", "invalid-argument"],
  ["xxh64 only --uuid", "invalid-argument"],
  ["uuid only --sha1", "invalid-argument"],
  ["other file name", "match"],
  ["uppercase hex", "match"],
]);
const RESULTS = new Map([
  [0, "match"],
  [1, "mismatch"],
  [4, "bad-manifest"],
]);

describe("every check of gguf-hash ends alike or better", { skip: missing }, () => {
  /** @type {{ file: string, options: string[], exit: number, manifest_variant: string, manifest_text?: string }[]} */
  const calls = json("hash/index.json").calls ?? [];
  for (const { file, options, exit, manifest_variant, manifest_text } of calls) {
    if (manifest_text === undefined) continue;
    const named = ALL.filter((algorithm) => options.includes(`--${algorithm}`));
    const variant = [manifest_variant, ...named.map((algorithm) => `--${algorithm}`)].join(" ");
    test(`${file}: ${variant}`, async () => {
      const gguf = await Gguf.open(read(file));
      const hashes = await gguf.hash({ algorithms: named.length > 0 ? named : ALL });
      /** @type {string} */
      let result;
      try {
        const check = hashes.check(manifest_text);
        result = check.result;
        assert.ok(check.lines.every((line) => line.result !== "not-in-file"));
      } catch (error) {
        result = /** @type {import("gguf-wasm/full").GgufError} */ (error).code;
      }
      assert.equal(result, BETTER.get(variant) ?? RESULTS.get(exit));
    });
  }
});

describe("the hashes", () => {
  const file = fileOf([5000, 0, 33, 3 * MIB + 1, 64]);

  test("cover the data of each tensor and of all, and the file", async () => {
    const gguf = await Gguf.open(file);
    const data = dataOf(gguf, file);
    for (const run of [(/** @type {() => Promise<any>} */ work) => work(), withoutHostHash]) {
      const hashes = await run(() => gguf.hash({ algorithms: ALL, file: true }));
      assert.equal(hashes.data.sha1, digest("sha1", ...data));
      assert.equal(hashes.data.sha256, digest("sha256", ...data));
      assert.equal(hashes.fileSha256, digest("sha256", file));
      assert.deepEqual(
        hashes.tensors.map((/** @type {any} */ { name, sha1, sha256 }) => ({ name, sha1, sha256 })),
        data.map((part, i) => ({ name: `t${i}`, sha1: digest("sha1", part), sha256: digest("sha256", part) })),
      );
      assert.ok(Object.isFrozen(hashes.data) && Object.isFrozen(hashes.tensors) && Object.isFrozen(hashes.tensors[0]));
      assert.equal(hashes.tensors, hashes.tensors);
    }
  });

  test("are only those that were asked for", async () => {
    const gguf = await Gguf.open(file);
    /** @param {HashOptions} [options] */
    const keys = async (options) => {
      const hashes = await gguf.hash(options);
      return [Object.keys(hashes.data), hashes.tensors.length, Object.keys(hashes.tensors[0] ?? {}), hashes.fileSha256];
    };
    assert.deepEqual(await keys(), [["xxh64"], 5, ["name", "xxh64"], undefined]);
    assert.deepEqual(await keys({ algorithms: ["uuid", "uuid"], tensors: false }), [["uuid"], 0, [], undefined]);
    assert.deepEqual(await keys({ algorithms: [], file: true }), [[], 0, [], digest("sha256", file)]);
  });

  test("work after free() of the file, and end with free() of their own", async () => {
    const gguf = await Gguf.open(file);
    const hashing = gguf.hash({ algorithms: ["sha256"] });
    await Promise.resolve();
    gguf.free();
    const hashes = await hashing;
    assert.equal(hashes.data.sha256, digest("sha256", ...dataOf(await Gguf.open(file), file)));
    hashes.free();
    assert.throws(() => hashes.data, { name: "GgufError", code: "freed" });
    await assert.rejects(gguf.hash(), { name: "GgufError", code: "freed" });
  });

  test("of a host whose hash functions fail are an error with a code, or those of the module", async () => {
    const { getBuiltinModule } = process;
    const gguf = await Gguf.open(file);
    const expected = digest("sha256", ...dataOf(gguf, file));
    /** @type {[createHash: unknown, code: string | undefined][]} */
    const hosts = [
      [undefined, undefined],
      [() => ({}), undefined],
      [() => { throw new Error("not supported"); }, undefined],
      [() => ({ update() { throw new Error("out of order"); }, digest() {} }), "read-failed"],
      [() => ({ update() {}, digest: () => "text" }), "read-failed"],
    ]; // prettier-ignore
    try {
      for (const [createHash, code] of hosts) {
        Object.assign(process, { getBuiltinModule: () => ({ createHash }) });
        const hashing = gguf.hash({ algorithms: ["sha256"] });
        if (code) await assert.rejects(hashing, { name: "GgufError", code });
        else assert.equal((await hashing).data.sha256, expected);
      }
    } finally {
      Object.assign(process, { getBuiltinModule });
    }
  });
});

describe("files of other kinds", () => {
  test("a big-endian file is hashed as stored", { skip: missing }, async () => {
    const bytes = read("files/be-v3-quant.gguf");
    const gguf = await Gguf.open(bytes);
    const { data } = await gguf.hash({ algorithms: ["sha256"] });
    assert.equal(data.sha256, digest("sha256", ...dataOf(gguf, bytes)));
  });

  test("a tensor of zero elements and a file without tensors have the hash of nothing", { skip: missing }, async () => {
    for (const file of ["files/dims-zero-element.gguf", "files/zero-tensors.gguf"]) {
      const bytes = read(file);
      const gguf = await Gguf.open(bytes);
      const hashes = await gguf.hash({ algorithms: ["sha256"], file: true });
      assert.equal(hashes.data.sha256, digest("sha256", ...dataOf(gguf, bytes)), file);
      assert.equal(hashes.fileSha256, digest("sha256", bytes), file);
    }
  });

  test("the data of a tensor of unknown type is its extent", async (t) => {
    const file = fileOf([64, 100], UNKNOWN);
    const { url } = await serveFile(t, file);
    for (const source of [file, url]) {
      const gguf = await Gguf.open(source);
      const hashes = await gguf.hash({ algorithms: ["sha256"] });
      const data = dataOf(gguf, file);
      assert.deepEqual(
        hashes.tensors.map(({ sha256 }) => sha256),
        data.map((part) => digest("sha256", part)),
      );
      assert.equal(data[1]?.length, 128);
    }
  });

  test("without the size of the file, the extent of the last such tensor is not known", async () => {
    const file = fileOf([64], UNKNOWN);
    const gguf = await Gguf.open({ read: async (start, end) => file.slice(start, end) });
    await assert.rejects(gguf.hash(), { code: "size-unknown" });
    const known = fileOf([64]);
    const other = await Gguf.open({ read: async (start, end) => known.slice(start, end) });
    await assert.rejects(other.hash({ file: true }), { code: "size-unknown" });
    assert.equal((await other.hash({ algorithms: ["sha1"] })).data.sha1, digest("sha1", known.subarray(-64)));
  });

  test("a truncated file is refused before anything is read", async () => {
    const file = fileOf([5000, 5000, 5000]);
    const { source, reads } = recording(file.slice(0, -5100));
    const gguf = await Gguf.open(source);
    const before = reads.length;
    const offset = gguf.tensor("t1")?.fileOffset;
    await assert.rejects(gguf.hash({ file: true }), (/** @type {import("gguf-wasm/full").GgufError} */ error) => {
      assert.deepEqual([error.name, error.code, error.offset], ["GgufError", "truncated", offset]);
      assert.match(error.message, /"t1"/);
      return true;
    });
    assert.equal(reads.length, before);
    // The hash of the file alone says what is there.
    const { fileSha256 } = await gguf.hash({ algorithms: [], file: true });
    assert.equal(fileSha256, digest("sha256", file.slice(0, -5100)));
  });

  test("data in another order than that of the list takes a second pass for the file", async () => {
    const file = fileOf([3200, 6400]);
    // The offsets of the two tensors are exchanged.
    const view = new DataView(file.buffer, file.byteOffset);
    const name = Buffer.from(file).indexOf("t0");
    const offsetAt = name + 2 + 4 + 8 + 4;
    view.setBigUint64(offsetAt, 6400n, true);
    view.setBigUint64(offsetAt + 8 + 8 + 2 + 4 + 8 + 4, 0n, true);
    const { source, reads } = recording(file);
    const gguf = await Gguf.open(source);
    const before = reads.length;
    const hashes = await gguf.hash({ algorithms: ["sha256"], file: true });
    assert.equal(hashes.fileSha256, digest("sha256", file));
    assert.equal(hashes.data.sha256, digest("sha256", ...dataOf(gguf, file)));
    assert.notEqual(hashes.data.sha256, digest("sha256", file.subarray(-9600)));
    const bytes = reads.slice(before).reduce((sum, [start, end]) => sum + end - start, 0);
    assert.ok(bytes <= file.length + 9600, `${bytes}`);
  });
});

describe("reading", () => {
  test("takes one pass in parts of 1 MiB, at most six in flight", async () => {
    const file = fileOf([5 * MIB, 100, 12 * MIB + 5]);
    for (const withFile of [false, true]) {
      const { source, reads, flight } = recording(file);
      const gguf = await Gguf.open(source);
      const before = reads.length;
      await gguf.hash({ file: withFile });
      const parts = reads.slice(before);
      const bytes = parts.reduce((sum, [start, end]) => sum + end - start, 0);
      const last = gguf.extent("t2")?.end ?? 0;
      assert.equal(bytes, withFile ? file.length : last - gguf.dataOffset);
      assert.equal(parts.length, Math.ceil(bytes / MIB));
      assert.ok(flight.most <= 6 && flight.most > 2, `${flight.most} in flight`);
    }
  });

  test("a thousand small tensors take one read", async () => {
    const file = fileOf(Array.from({ length: 1000 }, (_, i) => 1 + (i % 70)));
    const { source, reads } = recording(file);
    const gguf = await Gguf.open(source);
    const before = reads.length;
    const hashes = await gguf.hash({ algorithms: ["sha256"] });
    assert.equal(reads.length, before + 1);
    const expected = dataOf(gguf, file).map((part) => digest("sha256", part));
    assert.deepEqual(
      hashes.tensors.map(({ sha256 }) => sha256),
      expected,
    );
  });

  test("over HTTP, parts of 4 MiB are requested, and every byte once", async (t) => {
    const file = fileOf([5 * MIB, 100, 12 * MIB]);
    const { url, requests } = await serveFile(t, file);
    const gguf = await Gguf.open(url);
    const before = requests.length;
    const hashes = await gguf.hash({ algorithms: ["sha256"], file: true });
    assert.equal(hashes.fileSha256, digest("sha256", file));
    const made = requests.slice(before);
    assert.equal(made.length, Math.ceil(file.length / (4 * MIB)));
    assert.equal(
      made.reduce((sum, { sent }) => sum + sent, 0),
      file.length,
    );
  });

  test("progress is reported for every part, and the event loop gets turns", async () => {
    const file = fileOf([20 * MIB]);
    const gguf = await Gguf.open(file);
    /** @type {number[]} */
    const read = [];
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const onProgress = (/** @type {import("gguf-wasm/full").ReadProgress} */ { bytesRead, totalBytes }) => {
      assert.equal(totalBytes, 20 * MIB);
      read.push(bytesRead);
    };
    await withoutHostHash(() => gguf.hash({ algorithms: ["sha256"], onProgress }));
    clearInterval(timer);
    assert.deepEqual(
      read,
      Array.from({ length: 20 }, (_, index) => (index + 1) * MIB),
    );
    assert.ok(turns > 0);
  });

  test("an error of onProgress is passed on", async () => {
    const gguf = await Gguf.open(fileOf([100]));
    const error = new Error("of the caller");
    const onProgress = () => {
      throw error;
    };
    await assert.rejects(gguf.hash({ onProgress }), error);
  });

  test("an abort ends the reading", async () => {
    const file = fileOf([20 * MIB]);
    const { source, reads } = recording(file);
    const gguf = await Gguf.open(source);
    const before = reads.length;
    const controller = new AbortController();
    const reason = new Error("enough");
    const onProgress = (/** @type {import("gguf-wasm/full").ReadProgress} */ { bytesRead }) => {
      if (bytesRead >= 3 * MIB) controller.abort(reason);
    };
    await assert.rejects(gguf.hash({ signal: controller.signal, onProgress }), reason);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(reads.length - before <= 10, `${reads.length - before} reads`);
    await assert.rejects(gguf.hash({ signal: controller.signal }), reason);
    assert.match((await gguf.hash()).data.xxh64 ?? "", /^[0-9a-f]{16}$/);
  });

  test("a failing source fails the hash", async () => {
    const file = fileOf([3 * MIB]);
    let broken = false;
    const gguf = await Gguf.open({
      size: file.length,
      async read(start, end) {
        if (broken) throw new Error("disk on fire");
        return file.slice(start, end);
      },
    });
    broken = true;
    await assert.rejects(gguf.hash(), { name: "GgufError", code: "read-failed", message: /disk on fire/ });
  });

  test("a file of 2 GiB takes no more memory than a small one", async () => {
    const bytes = 2 ** 31;
    const { size, source } = virtualFile({ type: I8, dimensions: [bytes], bytes });
    /** @type {number[]} */
    const held = [];
    let most = 0;
    const zeros = new Uint8Array(MIB);
    const gguf = await Gguf.open({
      size,
      // The zeros of the data are one array, so that memory that grows is that of the package.
      read: async (start, end, options) =>
        start > 0 && end - start === MIB ? zeros : source.read(start, end, options),
    });
    await gguf.hash({
      onProgress({ bytesRead }) {
        if (bytesRead % (64 * MIB) !== 0) return;
        held.push(process.memoryUsage().arrayBuffers);
        most = Math.max(most, held.at(-1) ?? 0);
      },
    });
    assert.ok(held.length >= 30, `${held.length}`);
    assert.ok(most - Math.min(...held) < 64 * MIB, `${most - Math.min(...held)} bytes`);
  });
});

describe("arguments", () => {
  const open = () => Gguf.open(fileOf([100]));
  const REFUSED = { name: "GgufError", code: "invalid-argument" };

  test("options of other kinds are refused", async () => {
    const gguf = await open();
    /** @type {unknown[]} */
    const refused = [
      { algorithms: "sha256" },
      { algorithms: ["md5"] },
      { algorithms: [1] },
      { algorithms: [] },
      { algorithms: [], file: false },
      { file: 1 },
      { tensors: "yes" },
      { signal: 1 },
    ];
    for (const options of refused) {
      await assert.rejects(gguf.hash(/** @type {any} */ (options)), REFUSED, JSON.stringify(options));
    }
  });

  test("manifests and names of other kinds are refused", async () => {
    const hashes = await (await open()).hash();
    for (const value of [undefined, 1, {}, Symbol("x")]) {
      assert.throws(() => hashes.manifest(/** @type {any} */ (value)), REFUSED);
      assert.throws(() => hashes.check(/** @type {any} */ (value)), REFUSED);
      assert.throws(() => manifestAlgorithms(/** @type {any} */ (value)), REFUSED);
    }
    for (const text of ["", "a text", "md5  d41d8cd98f00b204e9800998ecf8427e  m.gguf"]) {
      assert.throws(() => hashes.check(text), { name: "GgufError", code: "bad-manifest" });
      assert.throws(() => manifestAlgorithms(text), { name: "GgufError", code: "bad-manifest" });
    }
    const sha1 = "sha1  a9993e364706816aba3e25717850c26c9cd0d89d  m.gguf";
    assert.deepEqual(manifestAlgorithms(sha1), ["sha1"]);
    assert.throws(() => hashes.check(sha1), REFUSED);
  });
});

describe("a check", () => {
  test("names the tensor with a flipped bit", async () => {
    const file = fileOf([1000, 2000, 3000], F32 + I8);
    const gguf = await Gguf.open(file);
    const manifest = (await gguf.hash({ algorithms: ALL })).manifest("m.gguf");
    assert.deepEqual(manifestAlgorithms(manifest), ["sha256", "sha1", "xxh64", "uuid"]);
    const flipped = (gguf.extent("t1")?.start ?? 0) + 777;
    file[flipped] = (file[flipped] ?? 0) ^ 4;
    for (const algorithm of ALL) {
      const { result, lines } = (await gguf.hash({ algorithms: [algorithm] })).check(manifest);
      assert.equal(result, "mismatch");
      const wrong = lines.filter((line) => line.result === "mismatch");
      assert.deepEqual(
        wrong.map(({ tensor }) => tensor),
        algorithm === "uuid" ? [undefined] : ["t1", undefined],
      );
      for (const { expected, actual } of wrong) assert.notEqual(expected, actual);
    }
  });

  test("of a foreign manifest finds other tensors, and lists its own", async () => {
    const hashes = await (await Gguf.open(fileOf([100]))).hash();
    const { result, lines, unlisted } = hashes.check("xxh64  0123456789abcdef  x.gguf:a b");
    assert.deepEqual(
      { result, lines, unlisted },
      {
        result: "nothing-found",
        lines: [{ tensor: "a b", expected: "0123456789abcdef", result: "not-in-file" }],
        unlisted: ["t0"],
      },
    );
  });
});

// `toNpy`: files that NumPy loads, with the right values for every type of tensors.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf, dequantize, fileSource, ggmlTypes } from "gguf-wasm/full/node";
import { generator } from "../../support/chance.mjs";
import { serveFile } from "../../support/file-server.mjs";
import { layoutOf } from "../../support/ggml-layout.mjs";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { missing as noCorpus, pathOf, read } from "../corpus.mjs";
import { FILES, missing, noPython, otherPrograms } from "./other-programs.mjs";

/** @import { NpyFile } from "gguf-wasm/full" */

const ask = otherPrograms();
const folder = await temporaryFolder();
const MIB = 1 << 20;
const TYPES = ggmlTypes().filter(({ blockSize }) => blockSize > 0);

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("hex");

/** All bytes of a file. @param {NpyFile} npy */
async function bytesOf(npy) {
  const bytes = new Uint8Array(await new Response(npy.stream()).arrayBuffer());
  assert.equal(bytes.length, npy.size);
  return bytes;
}

/** What NumPy loads: type, shape, and the hash of the little-endian elements. @param {NpyFile} npy */
async function loaded(npy) {
  const path = join(folder, "array.npy");
  await writeFile(path, await bytesOf(npy));
  const array = await ask("npy", path);
  assert.deepEqual([array.dtype, array.shape], [npy.dtype, npy.shape]);
  return array;
}

/**
 * A file with one tensor of random bytes.
 *
 * @param {number} type
 * @param {number[]} dimensions
 * @param {{ bigEndian?: boolean, bytes?: number, data?: Uint8Array }} [options]
 */
function fileOf(
  type,
  dimensions,
  { bigEndian = false, data, bytes = data?.length ?? byteLength(type, dimensions) } = {},
) {
  const file = ggufBytes([], [{ name: "t", dimensions, type, bytes }], 3, bigEndian);
  const start = file.length - Math.ceil(bytes / 32) * 32;
  const random = generator(type + 1);
  if (data) file.set(data, start);
  else for (let at = start; at < start + bytes; at += 1) file[at] = random() * 256;
  return { file, data: file.subarray(start, start + bytes) };
}

/** @param {number} type @param {number[]} dimensions */
function byteLength(type, dimensions) {
  const bytes = layoutOf(type)?.byteLength(dimensions.map(BigInt));
  assert.ok(bytes !== undefined);
  return bytes;
}

/** The types that NumPy has, with its names. @type {Record<string, string>} */
const PLAIN = { F16: "f2", F32: "f4", F64: "f8", I8: "i1", I16: "i2", I32: "i4", I64: "i8" };

/** @param {string} plain @param {boolean} [bigEndian] */
const dtype = (plain, bigEndian = false) => `${plain === "i1" ? "|" : bigEndian ? ">" : "<"}${plain}`;

describe("NumPy loads every type", { skip: noPython }, () => {
  for (const { id, name, blockSize } of TYPES) {
    test(name, async () => {
      const { file, data } = fileOf(id, [blockSize * 2, 3]);
      const gguf = await Gguf.open(file);
      const values = await loaded(gguf.toNpy("t"));
      const plain = PLAIN[name];
      const keeps = plain !== undefined && name !== "F16";
      assert.equal(values.dtype, keeps ? dtype(plain) : "<f4");
      assert.deepEqual(values.shape, [3, blockSize * 2]);
      const elements = keeps ? data : new Uint8Array(dequantize(name, data).buffer);
      assert.equal(values.sha256, sha256(elements));

      const stored = await loaded(gguf.toNpy("t", { as: "stored" }));
      assert.equal(stored.dtype, plain === undefined ? "|u1" : dtype(plain));
      assert.equal(stored.sha256, sha256(data));
      const expected = await ask("stored", await saved(file)).catch((error) => error);
      // The package does not know the newest types, and has another size for the blocks of Q8_1.
      const problem = name === "Q8_1" ? /cannot reshape/ : /is not a valid GGMLQuantizationType/;
      if (expected instanceof Error) assert.match(expected.message, problem);
      else assert.deepEqual(stored, expected.t);
    });
  }

  test("the golden vectors of ggml", { skip: noCorpus }, async () => {
    let compared = 0;
    for (const { id, name, typeSize, blockSize } of TYPES) {
      if (PLAIN[name] && name !== "F16") continue;
      for (const kind of ["random", "quantised"]) {
        const vectors = ["blocks", "f32"].map((part) => {
          try {
            return read(`golden/${name}.${kind}.${part}.bin`);
          } catch {
            return undefined;
          }
        });
        const [blocks, floats] = vectors;
        if (!blocks || !floats) continue;
        const { file } = fileOf(id, [(blocks.length / typeSize) * blockSize], { data: blocks });
        const npy = await bytesOf((await Gguf.open(file)).toNpy("t"));
        assertSameFloats(npy.slice(-floats.length), floats, `${name} ${kind}`);
        compared += 1;
      }
    }
    assert.ok(compared > 40, `${compared} vectors`);
  });
});

/** Compares floats by their bits; a NaN may be any NaN. @param {Uint8Array} found @param {Uint8Array} expected @param {string} name */
function assertSameFloats(found, expected, name) {
  const [a, b] = [found, expected].map((bytes) => new Uint8Array(bytes).buffer);
  const [floats, bits] = [
    new Float32Array(/** @type {ArrayBuffer} */ (a)),
    new Uint32Array(/** @type {ArrayBuffer} */ (a)),
  ];
  const [goodFloats, goodBits] = [
    new Float32Array(/** @type {ArrayBuffer} */ (b)),
    new Uint32Array(/** @type {ArrayBuffer} */ (b)),
  ];
  assert.equal(bits.length, goodBits.length, name);
  const wrong = bits.findIndex(
    (bits, i) => bits !== goodBits[i] && !(isNaN(floats[i] ?? 0) && isNaN(goodFloats[i] ?? 0)),
  );
  assert.equal(wrong, -1, `${name}: element ${wrong} is ${floats[wrong]}, expected ${goodFloats[wrong]}`);
}

/** Saves a file for gguf. @param {Uint8Array} file */
async function saved(file) {
  const path = join(folder, "model.gguf");
  await writeFile(path, file);
  return path;
}

test("stored is what gguf-py reads, for the files of the corpus", { skip: missing }, async (context) => {
  let tensors = 0;
  for (const file of FILES) {
    const expected = await ask("stored", pathOf(`files/${file}`)).catch((error) => error);
    if (expected instanceof Error) continue;
    const gguf = await Gguf.open(read(`files/${file}`));
    for (const tensor of gguf.tensors) {
      const stored = await loaded(gguf.toNpy(tensor, { as: "stored" }));
      assert.deepEqual(stored, expected[tensor.name], `${file}: ${tensor.name}`);
      tensors += 1;
    }
  }
  context.diagnostic(`${tensors} tensors`);
  assert.ok(tensors > 100);
});

describe("big-endian files", { skip: noPython }, () => {
  for (const [name, plain] of Object.entries(PLAIN)) {
    test(name, async () => {
      const { id } = TYPES.find((type) => type.name === name) ?? { id: -1 };
      const little = fileOf(id, [5, 3]);
      const swapped = layoutOf(id)?.swapped(little.data);
      assert.ok(swapped);
      const { file } = fileOf(id, [5, 3], { bigEndian: true, data: swapped });
      const [big, small] = [await Gguf.open(file), await Gguf.open(little.file)];
      assert.deepEqual(await loaded(big.toNpy("t")), await loaded(small.toNpy("t")));
      const stored = await loaded(big.toNpy("t", { as: "stored" }));
      assert.deepEqual(stored.dtype, dtype(plain, true));
      assert.equal(stored.sha256, sha256(little.data));
      assert.deepEqual((await bytesOf(big.toNpy("t", { as: "stored" }))).slice(-swapped.length), swapped);
    });
  }
});

describe("shapes", { skip: noPython }, () => {
  /** @type {[dimensions: number[], shape: number[]][]} */
  const cases = [
    [[], []],
    [[7], [7]],
    [
      [2, 3],
      [3, 2],
    ],
    [
      [2, 3, 4, 5],
      [5, 4, 3, 2],
    ],
    [
      [0, 3],
      [3, 0],
    ],
    [
      [4, 0, 2],
      [2, 0, 4],
    ],
  ];
  for (const [dimensions, shape] of cases) {
    test(`(${shape.join(", ")})`, async () => {
      const gguf = await Gguf.open(fileOf(0, dimensions).file);
      for (const as of /** @type {const} */ (["values", "stored"])) {
        assert.deepEqual((await loaded(gguf.toNpy("t", { as }))).shape, shape);
      }
      assert.ok(Object.isFrozen(gguf.toNpy("t").shape));
    });
  }

  test("a long header", async () => {
    const dimensions = Array.from({ length: 8 }, () => 1);
    const gguf = await Gguf.open(fileOf(0, dimensions).file);
    assert.deepEqual((await loaded(gguf.toNpy("t"))).shape, dimensions);
  });
});

describe("types that are not known", () => {
  const UNKNOWN = 137;

  test("are bytes as stored, with the padding", { skip: noPython }, async () => {
    const { file, data } = fileOf(UNKNOWN, [3, 3], { bytes: 64 });
    const stored = await loaded((await Gguf.open(file)).toNpy("t", { as: "stored" }));
    assert.deepEqual(stored, { dtype: "|u1", shape: [64], sha256: sha256(data) });
  });

  test("rows that are no whole blocks", { skip: noPython }, async () => {
    const { file, data } = fileOf(8, [33], { bytes: 96 });
    const gguf = await Gguf.open(file);
    const stored = await loaded(gguf.toNpy("t", { as: "stored" }));
    assert.deepEqual(stored, { dtype: "|u1", shape: [96], sha256: sha256(data) });
    assert.throws(() => gguf.toNpy("t"), { code: "unknown-type" });
  });

  test("have no values: unknown-type", async () => {
    for (const type of [UNKNOWN, 31]) {
      const gguf = await Gguf.open(fileOf(type, [3], { bytes: 32 }).file);
      assert.throws(() => gguf.toNpy("t"), { name: "GgufError", code: "unknown-type" });
    }
  });
});

describe("errors", () => {
  test("a tensor that is not there, and options of no use", async () => {
    const gguf = await Gguf.open(fileOf(0, [1]).file);
    assert.throws(() => gguf.toNpy("u"), { code: "unknown-tensor" });
    for (const wrong of [{ as: "float32" }, { as: 1 }]) {
      assert.throws(() => gguf.toNpy("t", /** @type {any} */ (wrong)), { code: "invalid-argument" });
    }
  });

  test("a truncated file, before anything is read", async () => {
    const { file } = fileOf(0, [100]);
    for (const as of /** @type {const} */ (["values", "stored"])) {
      const gguf = await Gguf.open(file.subarray(0, file.length - 64));
      assert.throws(() => gguf.toNpy("t", { as }), { code: "unexpected-eof" });
    }
  });

  test("the source fails while the file is streamed", async () => {
    const { file } = fileOf(0, [MIB]);
    const error = new Error("unplugged");
    let reads = 0;
    const source = {
      size: file.length,
      /** @param {number} start @param {number} end */
      read: async (start, end) => {
        if (start > 0 && ++reads === 3) throw error;
        return file.slice(start, end);
      },
    };
    const gguf = await Gguf.open(source);
    await assert.rejects(new Response(gguf.toNpy("t").stream()).arrayBuffer(), { code: "read-failed" });
  });
});

describe("a stream", () => {
  test("over HTTP: the ranges of the tensor, each once", async (context) => {
    const { id, typeSize } = TYPES.find(({ name }) => name === "Q4_K") ?? { id: -1, typeSize: 0 };
    const blocks = Math.ceil((9 * MIB) / typeSize);
    const { file, data } = fileOf(id, [256, blocks]);
    const { url, requests } = await serveFile(context, file);
    const gguf = await Gguf.open(url);
    const before = requests.length;
    const bytes = await bytesOf(gguf.toNpy("t"));
    assert.equal(sha256(bytes.subarray(128)), sha256(new Uint8Array(dequantize("Q4_K", data).buffer)));
    const ranges = requests.slice(before).map(
      ({ range }) =>
        /(\d+)-(\d+)/
          .exec(range ?? "")
          ?.slice(1)
          .map(Number) ?? [],
    );
    ranges.sort(([a = 0], [b = 0]) => a - b);
    assert.equal(ranges.length, 3);
    assert.deepEqual([ranges[0]?.[0], ranges.at(-1)?.[1]], [file.length - data.length, file.length - 1]);
    for (const [i, [start = 0]] of ranges.entries()) if (i > 0) assert.equal(start, (ranges[i - 1]?.[1] ?? 0) + 1);
  });

  test("from a file on the disk", async () => {
    const { file, data } = fileOf(1, [1000, 1000]);
    const source = await fileSource(await saved(file));
    const npy = (await Gguf.open(source)).toNpy("t");
    assert.equal(sha256((await bytesOf(npy)).subarray(128)), sha256(new Uint8Array(dequantize("F16", data).buffer)));
    await source.close();
  });

  test("an abort ends the reads", async () => {
    const size = 1 << 30;
    const header = fileOf(0, [size / 4], { bytes: 0 }).file;
    const { source, reads } = slowFile(header, size);
    const gguf = await Gguf.open(source);
    const controller = new AbortController();
    const reader = gguf.toNpy("t").stream({ signal: controller.signal }).getReader();
    assert.equal((await reader.read()).value?.length, 128);
    const pending = reader.read();
    controller.abort(new Error("enough"));
    await assert.rejects(pending, { message: "enough" });
    await new Promise((resolve) => setImmediate(resolve));
    const count = reads.length;
    assert.ok(count > 0 && count <= 6, `${count} reads`);
    assert.ok(reads.every(({ signal }) => signal?.aborted));
    await assert.rejects(reader.read(), { message: "enough" });
    assert.equal(reads.length, count);
  });

  test("a cancelled stream reads no more", async () => {
    const { file } = fileOf(0, [4 * MIB]);
    const gguf = await Gguf.open(file);
    const reader = gguf.toNpy("t").stream().getReader();
    await reader.read();
    await reader.cancel();
    assert.equal((await reader.read()).done, true);
  });

  test("progress: every byte of the file, and the total", async () => {
    const npy = (await Gguf.open(fileOf(8, [32, 100_000]).file)).toNpy("t");
    /** @type {number[]} */
    const written = [];
    for await (const chunk of npy.stream({
      onProgress: ({ bytesWritten, totalBytes }) => {
        assert.equal(totalBytes, npy.size);
        written.push(bytesWritten);
      },
    })) {
      assert.ok(chunk.length <= 4 * MIB);
    }
    assert.deepEqual(
      written,
      [...written].sort((a, b) => a - b),
    );
    assert.equal(written.at(-1), npy.size);
  });

  test("blocks that become 28 times as long are passed on in small chunks", async () => {
    const { id } = TYPES.find(({ name }) => name === "Q1_0") ?? { id: -1 };
    const { file, data } = fileOf(id, [128, 60_000]);
    const npy = (await Gguf.open(file)).toNpy("t");
    const hash = createHash("sha256");
    let chunks = 0;
    for await (const chunk of npy.stream()) {
      assert.ok(chunk.length <= 4 * MIB);
      if (chunks++ > 0) hash.update(chunk);
    }
    assert.ok(chunks > 7);
    assert.equal(hash.digest("hex"), sha256(new Uint8Array(dequantize("Q1_0", data).buffer)));
  });

  test("works after free() of the Gguf, and several times", async () => {
    const { file, data } = fileOf(0, [100]);
    const gguf = await Gguf.open(file);
    const npy = gguf.toNpy("t");
    gguf.free();
    for (let count = 0; count < 2; count += 1) assert.deepEqual((await bytesOf(npy)).slice(128), new Uint8Array(data));
    assert.throws(() => gguf.toNpy("t"), { code: "freed" });
  });
});

/** A file whose data is never read to the end. @param {Uint8Array} header @param {number} size */
function slowFile(header, size) {
  /** @type {{ start: number, signal?: AbortSignal }[]} */
  const reads = [];
  const source = {
    size: header.length + size,
    /** @param {number} start @param {number} end @param {{ signal?: AbortSignal }} options */
    read: (start, end, { signal }) => {
      if (start < header.length) return Promise.resolve(header.slice(start, end));
      reads.push({ start, ...(signal && { signal }) });
      return new Promise(() => {});
    },
  };
  return { source: /** @type {import("gguf-wasm/full").CustomSource} */ (source), reads };
}

// Comparing two models: headers, data, values, and how much is read for it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufSet, compare, ggmlTypes, textHunks } from "gguf-wasm/full";
import { Gguf as OtherGguf } from "gguf-wasm/reader";
import { generator } from "../../support/chance.mjs";
import { fails } from "../../support/expect.mjs";
import { range, serveFile, status } from "../../support/file-server.mjs";
import { ggufBytes, uint32 } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import { asFiles, shardFiles } from "../../support/shards.mjs";
import { virtualFile } from "../../support/virtual-file.mjs";
import { BF16, F16, F32, I8, UNKNOWN, bytesOf, counting, modelOf, randomBytes, randomFloats } from "./models.mjs";

/** @import { ComparedPair, Comparison, TensorDifference } from "gguf-wasm/full" */

const KIB = 1 << 10;
const MIB = 1 << 20;

/** Compares two files. @param {Uint8Array} a @param {Uint8Array} b @param {Parameters<typeof compare>[2]} [options] */
async function compared(a, b, options) {
  return compare(await Gguf.open(a), await Gguf.open(b), options);
}

/** The differences of the tensors as texts. @param {Comparison} comparison */
const tensorTexts = (comparison) =>
  comparison
    .tensors()
    .map(({ change, name, nameB, data }) => [change, name, ...(nameB === undefined ? [] : [nameB]), data].join(" "));

/** The only difference of the tensors. @param {Comparison} comparison @returns {TensorDifference} */
function only(comparison) {
  const [difference, ...others] = comparison.tensors();
  assert.ok(difference !== undefined && others.length === 0);
  return difference;
}

describe("random edits", () => {
  /** A model with tensors of several shapes; some have the same. @param {number} seed */
  const tensorsOf = (seed) =>
    Array.from({ length: 12 }, (_, index) => ({
      name: `t${index}`,
      data: randomBytes([64, 100, 5000, 5000, 20_000][index % 5] ?? 0, seed * 100 + index),
    }));

  for (let seed = 1; seed <= ofRun(20, 60); seed += 1) {
    test(`are listed, and nothing else, with the seed ${seed}`, async () => {
      const random = generator(seed);
      const tensors = tensorsOf(seed);
      const file = modelOf(tensors);
      const editor = (await Gguf.open(file)).edit();
      /** @type {string[]} */
      const expected = [];
      /** @type {string[]} */
      const reversed = [];
      const changed = new Map();
      for (const { name } of tensors) {
        const kind = Math.floor(random() * 8);
        if (kind === 0) {
          editor.removeTensor(name);
          expected.push(`removed ${name} not-compared`);
          reversed.push(`added ${name} not-compared`);
        } else if (kind === 1) {
          editor.renameTensor(name, `new.${name}`);
          expected.push(`renamed ${name} new.${name} equal`);
          reversed.push(`renamed new.${name} ${name} equal`);
        } else if (kind === 2) {
          changed.set(name, random());
          expected.push(`changed ${name} different`);
          reversed.push(`changed ${name} different`);
        }
      }
      const entries = random() < 0.5 ? ["changed tokenizer.chat_template"] : [];
      if (entries.length > 0) editor.set("tokenizer.chat_template", "{{ b }}");
      const edited = new Uint8Array(await new Response(editor.plan().stream()).arrayBuffer());
      // The editor does not change data: one bit of each of these tensors is changed here.
      const b = await Gguf.open(edited);
      for (const [name, place] of changed) {
        const extent = b.extent(name);
        assert.ok(extent);
        const at = extent.start + Math.floor(place * (extent.end - extent.start));
        edited[at] = (edited[at] ?? 0) ^ 4;
      }
      const there = await compared(file, edited);
      const back = await compared(edited, file);
      assert.deepEqual(tensorTexts(there).sort(), expected.sort());
      assert.deepEqual(tensorTexts(back).sort(), reversed.sort());
      for (const comparison of [there, back]) {
        assert.deepEqual(
          comparison.entries().map(({ change, key }) => `${change} ${key}`),
          entries,
        );
        assert.equal(comparison.dataCoverage, "whole");
        assert.equal(comparison.isEqual, expected.length + entries.length === 0);
      }
    });
  }
});

describe("what is read", () => {
  const tensors = [10 * KIB, 3 * MIB, 100, 2 * MIB, 40].map((bytes, index) => ({
    name: `t${index}`,
    data: randomBytes(bytes, index),
  }));
  const file = modelOf(tensors);
  const dataBytes = tensors.reduce((sum, { data }) => sum + data.length, 0);

  test("of equal files, all data once", async () => {
    const [a, b] = [counting(file), counting(file)];
    const models = [await Gguf.open(a), await Gguf.open(b)];
    a.taken();
    b.taken();
    const comparison = await compare(.../** @type {[Gguf, Gguf]} */ (models), { values: true });
    assert.equal(comparison.isEqual, true);
    assert.equal(comparison.summary, "The models are equal.");
    for (const { ranges } of [a, b]) {
      const sorted = ranges.toSorted(([start], [other]) => start - other);
      for (const [index, [start]] of sorted.entries()) assert.ok(start >= (sorted[index - 1]?.[1] ?? 0), "read twice");
    }
    for (const source of [a, b]) {
      const bytes = source.taken();
      // Only padding is read besides.
      assert.ok(bytes >= dataBytes && bytes <= dataBytes + 32 * tensors.length, `${bytes}`);
    }
  });

  test("of the headers only, nothing", async () => {
    const a = counting(file);
    const opened = await Gguf.open(a);
    a.taken();
    const comparison = await compare(opened, await Gguf.open(file), { data: false });
    assert.deepEqual([a.taken(), comparison.isEqual, comparison.dataCoverage], [0, true, "none"]);
    assert.equal(comparison.summary, "The headers are equal; the tensor data was not compared.");
  });

  test("of an edited model and its original, nothing", async () => {
    const a = counting(file);
    const opened = await Gguf.open(a);
    const editor = opened.edit();
    editor.set("tokenizer.chat_template", "a much longer template, so that the data moves");
    editor.renameTensor("t1", "renamed");
    const edited = await Gguf.open(editor.plan());
    const second = edited.edit();
    second.set("general.name", "An edit of an edit");
    const last = await Gguf.open(second.plan());
    a.taken();
    const comparison = await compare(opened, last);
    assert.equal(a.taken(), 0);
    assert.deepEqual(tensorTexts(comparison), ["renamed t1 renamed equal"]);
    assert.deepEqual(
      comparison.entries().map(({ key, change }) => `${change} ${key}`),
      ["changed tokenizer.chat_template", "added general.name"],
    );
    assert.equal(comparison.dataCoverage, "whole");
  });

  test("of tensors that differ, no more than the beginning", async () => {
    const large = 256 * MIB;
    let bytes = 0;
    const source = (/** @type {number} */ first) => {
      const { source } = virtualFile({
        type: I8,
        dimensions: [large],
        bytes: large,
        byte: (at) => (at === 0 ? first : 0),
      });
      const read = source.read.bind(source);
      return {
        ...source,
        read: (/** @type {number} */ start, /** @type {number} */ end) => {
          bytes += end - start;
          return read(start, end, {});
        },
      };
    };
    const models = /** @type {const} */ ([await Gguf.open(source(1)), await Gguf.open(source(2))]);
    bytes = 0;
    const comparison = await compare(...models);
    assert.deepEqual(tensorTexts(comparison), ["changed large different"]);
    assert.ok(bytes <= 32 * MIB, `${bytes} bytes`);
  });

  test("within a limit of bytes, small tensors whole and large ones in parts", async () => {
    const other = modelOf(tensors.map((tensor) => ({ ...tensor, data: tensor.data.slice() })));
    const a = counting(file);
    const [opened, second] = [await Gguf.open(a), await Gguf.open(other)];
    a.taken();
    const limit = 800 * KIB;
    const comparison = await compare(opened, second, { maxBytes: limit });
    assert.ok(a.taken() <= limit / 2 + 32 * tensors.length);
    assert.deepEqual([comparison.dataCoverage, comparison.isEqual], ["sampled", true]);
    assert.match(comparison.summary, /only a part/);
    const values = await compare(opened, second, { maxBytes: 0 });
    assert.deepEqual([values.dataCoverage, values.isEqual], ["none", true]);
  });

  test("within a limit of bytes, also over HTTP and for tensors with other names", async (t) => {
    const many = Array.from({ length: 64 }, (_, index) => ({ name: `t${index}`, data: randomBytes(MIB / 4, index) }));
    const { url, requests } = await serveFile(t, modelOf(many));
    const remote = await Gguf.open(url);
    const sent = () => requests.reduce((sum, { sent }) => sum + sent, 0);
    const equal = await Gguf.open(modelOf(many));
    const renamed = await Gguf.open(modelOf(many.map((tensor) => ({ ...tensor, name: `new.${tensor.name}` }))));
    for (const second of [equal, renamed]) {
      for (const maxBytes of [0, 10_000, 4 * MIB, 20 * MIB]) {
        const before = sent();
        const comparison = await compare(remote, second, { maxBytes });
        assert.ok(sent() - before <= maxBytes / 2 + 64 * 32, `${sent() - before} bytes of ${maxBytes}`);
        // With so few bytes, tensors with other names are not looked for.
        const isNone = maxBytes === 0 || (second === renamed && maxBytes === 10_000);
        assert.equal(comparison.dataCoverage, isNone ? "none" : "sampled");
      }
    }
    const sampled = await compare(remote, renamed, { maxBytes: 20 * MIB });
    assert.equal(sampled.counts.tensors.renamed, 64);
    assert.match(sampled.summary, /^Same weights as far as they were compared, but 64 tensors are renamed/);
  });

  test("over HTTP, small tensors in few requests", async (t) => {
    const small = Array.from({ length: 2000 }, (_, index) => ({ name: `t${index}`, data: randomBytes(64, index) }));
    const [a, b] = [
      await serveFile(t, modelOf(small)),
      await serveFile(t, modelOf(small.with(1500, { name: "t1500", data: randomBytes(64, 1) }))),
    ];
    const models = /** @type {const} */ ([await Gguf.open(a.url), await Gguf.open(b.url)]);
    const before = a.requests.length;
    const comparison = await compare(...models);
    assert.deepEqual(tensorTexts(comparison), ["changed t1500 different"]);
    assert.ok(a.requests.length - before <= 6, `${a.requests.length - before} requests`);
  });
});

describe("tensors with other names", () => {
  /** @param {readonly Uint8Array[]} datas @param {string} prefix */
  const named = (datas, prefix) => modelOf(datas.map((data, index) => ({ name: `${prefix}${index}`, data })));

  test("are found among many with the same shape", async () => {
    const datas = Array.from({ length: 20 }, (_, index) => randomBytes(30_000, index));
    const order = datas.map((_, index) => (index * 7) % 20);
    const comparison = await compared(
      named(datas, "a"),
      named(
        order.map((index) => /** @type {Uint8Array} */ (datas[index])),
        "b",
      ),
    );
    assert.equal(comparison.counts.tensors.renamed, 20);
    for (const { name, nameB } of comparison.tensors()) assert.equal(name, `a${order[Number(nameB?.slice(1))]}`);
    assert.match(comparison.summary, /^Same weights, but 20 tensors are renamed/);
  });

  test("are told apart by all their data if they begin alike", async () => {
    const datas = Array.from({ length: 5 }, (_, index) => {
      const data = new Uint8Array(30_000);
      data[29_999] = index;
      return data;
    });
    const comparison = await compared(named(datas, "a"), named(datas.toReversed(), "b"));
    assert.deepEqual(
      comparison.tensors().map(({ name, nameB }) => `${name} ${nameB}`),
      ["a0 b4", "a1 b3", "a2 b2", "a3 b1", "a4 b0"],
    );
  });

  test("belong together in their order if all are equal", async () => {
    const datas = Array.from({ length: 4 }, () => new Uint8Array(9000));
    const comparison = await compared(named(datas, "a"), named(datas.slice(1), "b"));
    assert.deepEqual(tensorTexts(comparison), [
      "renamed a0 b0 equal",
      "renamed a1 b1 equal",
      "renamed a2 b2 equal",
      "removed a3 not-compared",
    ]);
  });

  test("are not found if another byte differs, or without the data", async () => {
    const data = randomBytes(5000, 1);
    const other = data.with(4999, (data[4999] ?? 0) ^ 1);
    const expected = ["added b0 not-compared", "removed a0 not-compared"];
    assert.deepEqual(tensorTexts(await compared(named([data], "a"), named([other], "b"))), expected);
    assert.deepEqual(tensorTexts(await compared(named([data], "a"), named([data], "b"), { data: false })), expected);
  });
});

describe("values", () => {
  /** NMSE and the rest, with sums of float64 that are compensated (Neumaier). @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
  function reference(a, b) {
    const sums = Array.from({ length: 4 }, () => ({ sum: 0, error: 0 }));
    const add = (/** @type {number} */ index, /** @type {number} */ term) => {
      const to = /** @type {{ sum: number, error: number }} */ (sums[index]);
      const sum = to.sum + term;
      to.error += Math.abs(to.sum) >= Math.abs(term) ? to.sum - sum + term : term - sum + to.sum;
      to.sum = sum;
    };
    let [largest, largestAt, nonFinite] = [0, -1, 0];
    for (let index = 0; index < a.length; index += 1) {
      const [x, y] = [a[index] ?? 0, b[index] ?? 0];
      if (!Number.isFinite(x) || !Number.isFinite(y)) {
        nonFinite += 1;
        continue;
      }
      for (const [place, term] of [x * x, y * y, x * y, (x - y) ** 2].entries()) add(place, term);
      if (Math.abs(x - y) > largest) [largest, largestAt] = [Math.abs(x - y), index];
    }
    const [aa = 0, bb = 0, ab = 0, dd = 0] = sums.map(({ sum, error }) => sum + error);
    return { nmse: dd / aa, largest, largestAt, nonFinite, cosine: ab / Math.sqrt(aa * bb) };
  }

  /** @param {number} actual @param {number} expected */
  const close = (actual, expected) =>
    assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${actual}, expected ${expected}`);

  const COUNT = 256 * 600;
  for (const { id, name, blockSize, typeSize } of ggmlTypes().filter(({ blockSize }) => blockSize > 0)) {
    for (const bigEndian of [false, true]) {
      test(`of ${name}${bigEndian ? " in big-endian order" : ""} and F32`, async () => {
        const floats = randomFloats(COUNT, id);
        const dimensions = [256, COUNT / 256];
        // The squares of random bits that are F64s are too large.
        const isF64 = name === "F64";
        const data = isF64
          ? bytesOf(Float64Array.from(randomFloats(COUNT, 99)))
          : randomBytes((COUNT / blockSize) * typeSize, id + 1);
        if (isF64 && bigEndian)
          new BigUint64Array(data.buffer).forEach((_, at) => data.subarray(8 * at, 8 * at + 8).reverse());
        const a = await Gguf.open(modelOf([{ name: "t", type: F32, dimensions, data: bytesOf(floats) }]));
        const b = await Gguf.open(modelOf([{ name: "t", type: id, dimensions, data }], { bigEndian }));
        for (const [first, second] of /** @type {const} */ ([
          [a, b],
          [b, a],
        ])) {
          const { values, change } = only(await compare(first, second, { values: true }));
          assert.ok(values);
          const [x, y] = [await first.read("t", { as: "float64" }), await second.read("t", { as: "float64" })];
          const expected = reference(x, y);
          close(values.nmse, expected.nmse);
          close(values.cosine ?? NaN, expected.cosine);
          assert.deepEqual(
            [change, values.largestDifference, values.largestAt, values.nonFinite, values.count, values.isSampled],
            ["changed", expected.largest, expected.largestAt, expected.nonFinite, COUNT - expected.nonFinite, false],
          );
        }
      });
    }
  }

  test("of two types whose blocks have other sizes, in parts", async () => {
    const types = ggmlTypes();
    const [q8, q4] = [types.find(({ name }) => name === "Q8_0"), types.find(({ name }) => name === "Q4_K")];
    assert.ok(q8 && q4);
    const elements = 256 * 40_000;
    const dimensions = [512, elements / 512];
    const tensor = (/** @type {import("gguf-wasm/full").GgmlTypeInfo} */ { id, blockSize, typeSize }) => {
      // Scales of 1 or less: the numbers are those that weights have.
      const data = randomBytes((elements / blockSize) * typeSize, id);
      for (let at = 0; at < data.length; at += typeSize) {
        data[at + 1] = 0x2c;
        if (id === q4.id) data[at + 3] = 0x2c;
      }
      return { name: "t", type: id, dimensions, data };
    };
    const [a, b] = [await Gguf.open(modelOf([tensor(q8)])), await Gguf.open(modelOf([tensor(q4)]))];
    const { values } = only(await compare(a, b, { values: true }));
    const expected = reference(await a.read("t"), await b.read("t"));
    close(values?.nmse ?? NaN, expected.nmse);
    assert.equal(values?.largestAt, expected.largestAt);
    // A sample says that it is one, and reads no more than it may.
    const sampled = only(await compare(a, b, { values: true, maxBytes: 2 * MIB }));
    assert.equal(sampled.values?.isSampled, true);
    assert.ok((sampled.values?.count ?? 0) > 500_000 && (sampled.values?.count ?? 0) < elements);
    assert.ok(Math.abs((sampled.values?.nmse ?? 0) / expected.nmse - 1) < 0.1);
  });

  test("of equal bytes are equal, also NaN", async () => {
    const floats = new Float32Array([1, NaN, Infinity, -0]);
    const model = () => modelOf([{ name: "t", type: F32, data: bytesOf(floats), dimensions: [4] }]);
    assert.equal((await compared(model(), model(), { values: true })).isEqual, true);
  });

  test("of the same model in both byte orders are equal", async () => {
    const tensors = [
      { name: "f", type: F32, dimensions: [300], data: bytesOf(randomFloats(300, 1)) },
      { name: "q", type: 12, dimensions: [256, 10], data: randomBytes(1440, 2) },
      { name: "b", type: BF16, dimensions: [100], data: randomBytes(200, 3) },
    ];
    const file = modelOf(tensors);
    const editor = (await Gguf.open(file)).edit();
    editor.byteOrder = "big-endian";
    const swapped = new Uint8Array(await new Response(editor.plan().stream()).arrayBuffer());
    const comparison = await compared(file, swapped, { values: true });
    assert.deepEqual(comparison.format, [{ property: "byteOrder", a: "little-endian", b: "big-endian" }]);
    assert.deepEqual([comparison.tensorCount, comparison.dataCoverage], [0, "whole"]);
    assert.equal(comparison.summary, "Same weights, same metadata, other byte order.");
  });

  test("are not compared if the numbers of elements differ, or a type is unknown", async () => {
    const floats = (/** @type {number} */ count) => ({
      name: "t",
      type: F32,
      dimensions: [count],
      data: new Uint8Array(4 * count),
    });
    const other = only(await compared(modelOf([floats(8)]), modelOf([floats(9)]), { values: true }));
    assert.deepEqual([other.data, other.values, other.change], ["not-compared", undefined, "changed"]);
    const unknown = (/** @type {number} */ byte) => ({
      name: "t",
      type: UNKNOWN,
      dimensions: [8],
      data: new Uint8Array(32).fill(byte),
    });
    assert.equal((await compared(modelOf([unknown(1)]), modelOf([unknown(1)]), { values: true })).isEqual, true);
    const unlike = only(await compared(modelOf([unknown(1)]), modelOf([unknown(2)]), { values: true }));
    assert.deepEqual([unlike.data, unlike.values], ["different", undefined]);
    // The type tells no length, so the space up to the next tensor counts.
    const longer = modelOf([{ name: "t", type: UNKNOWN, dimensions: [8], data: new Uint8Array(64).fill(1) }]);
    const length = only(await compared(modelOf([unknown(1)]), longer));
    assert.deepEqual([length.change, length.data], ["changed", "different"]);
    // Blocks of an unknown type cannot be converted to the other byte order, so nobody knows whether they are equal.
    const swapped = await compared(modelOf([unknown(1)]), modelOf([unknown(1)], { bigEndian: true }));
    assert.deepEqual([only(swapped).change, only(swapped).data, swapped.isEqual], ["unknown", "unreadable", false]);
    assert.match(only(swapped).problem ?? "", /byte order/);
  });

  test("of other dimensions with as many elements are compared", async () => {
    const data = bytesOf(randomFloats(12, 1));
    const tensor = (/** @type {number[]} */ dimensions) => modelOf([{ name: "t", type: F32, dimensions, data }]);
    const { change, data: bytes, values } = only(await compared(tensor([3, 4]), tensor([4, 3]), { values: true }));
    assert.deepEqual([change, bytes, values?.nmse], ["changed", "equal", 0]);
  });
});

describe("the result", () => {
  const a = modelOf([{ name: "t", type: F32, dimensions: [2], data: bytesOf(new Float32Array([1, 2])) }], {
    entries: [["llama.block_count", uint32(2)]],
  });
  const b = modelOf([{ name: "t", type: F16, dimensions: [2], data: bytesOf(new Uint16Array([0x3c00, 0x4200])) }], {
    template: "line\nbreak",
  });

  test("is an object with all members", async () => {
    const comparison = await compared(a, b, { values: true });
    assert.deepEqual(JSON.parse(JSON.stringify(comparison)), {
      isEqual: false,
      dataCoverage: "whole",
      summary: "Other types of 1 of 1 tensor, 2 entries of the metadata differ.",
      format: [],
      counts: {
        entries: { equal: 1, added: 0, removed: 1, changed: 1, retyped: 0, moved: 0 },
        tensors: { equal: 0, added: 0, removed: 0, renamed: 0, changed: 1, unknown: 0, moved: 0, notCompared: 0 },
      },
      entries: [
        {
          key: "tokenizer.chat_template",
          change: "changed",
          isMoved: false,
          a: { index: 1, type: "STRING", value: "{{ a }}" },
          b: { index: 1, type: "STRING", value: "line\nbreak" },
        },
        { key: "llama.block_count", change: "removed", isMoved: false, a: { index: 2, type: "UINT32", value: "2" } },
      ],
      tensors: [
        {
          name: "t",
          change: "changed",
          isMoved: false,
          a: { index: 0, type: "F32", dimensions: [2], byteLength: 8 },
          b: { index: 0, type: "F16", dimensions: [2], byteLength: 4 },
          data: "not-compared",
          values: {
            count: 2,
            nmse: 0.2,
            largestDifference: 1,
            largestAt: 1,
            cosine: 0.9899494936611666,
            nonFinite: 0,
            isSampled: false,
          },
        },
      ],
    });
    assert.deepEqual(comparison.entryDetails(0), {
      unit: "lines",
      hunks: [{ startA: 0, endA: 1, startB: 0, endB: 2 }],
    });
    assert.equal(comparison.entryDetails(1), undefined);
    assert.match(
      comparison.toMarkdown({ nameA: "old.gguf" }),
      /\| `t` \| changed \| F32 \[2\] \| F16 \[2\] \| not-compared \| 2\.000e-1 \| 1e0 \|/,
    );
    assert.throws(() => Object.assign(comparison.counts.entries, { equal: 3 }), TypeError);
  });

  test("can be swapped", async () => {
    const [first, second] = [await Gguf.open(a), await Gguf.open(b)];
    const swapped = (await compare(first, second, { values: true })).swapped();
    assert.deepEqual(swapped.toJSON(), (await compare(second, first, { values: true })).toJSON());
  });

  test("is listed piece by piece", async () => {
    const comparison = await compared(a, b);
    const keys = (/** @type {number} */ start, /** @type {number} */ end = 99) =>
      comparison.entries(start, end).map(({ key }) => key);
    assert.deepEqual(
      [keys(0, 1), keys(1), keys(2), keys(5, 9), keys(1, 1)],
      [["tokenizer.chat_template"], ["llama.block_count"], [], [], []],
    );
    for (const wrong of [-1, 0.5, NaN])
      assert.throws(() => comparison.tensors(wrong), { name: "GgufError", code: "out-of-range" });
    assert.throws(() => comparison.entryDetails(2), { name: "GgufError", code: "out-of-range" });
    assert.throws(() => comparison.entries(/** @type {any} */ ("x")), { name: "GgufError", code: "invalid-argument" });
    assert.throws(() => comparison.toMarkdown({ nameA: /** @type {any} */ (1) }), {
      name: "GgufError",
      code: "invalid-argument",
    });
  });

  test("outlives the files, and can be freed", async () => {
    const [first, second] = [await Gguf.open(a), await Gguf.open(b)];
    const comparison = await compare(first, second);
    first.free();
    second.free();
    assert.equal(comparison.entries()[0]?.a?.value, "{{ a }}");
    comparison.free();
    assert.throws(() => comparison.summary, { name: "GgufError", code: "freed" });
  });
});

describe("sets of shards", () => {
  test("count as one model", async () => {
    const set = await GgufSet.open(asFiles(shardFiles(3)));
    const merged = new Uint8Array(await new Response(set.merge().stream()).arrayBuffer());
    const same = await compare(set, await Gguf.open(merged), { values: true });
    assert.deepEqual([same.isEqual, same.dataCoverage], [true, "whole"]);
    const other = shardFiles(3);
    const last = Object.keys(other).at(-1) ?? "";
    other[last]?.fill(1, other[last].length - 8);
    const different = await compare(await GgufSet.open(asFiles(other)), set, { values: true });
    assert.deepEqual(tensorTexts(different), ["changed t3 different"]);
    assert.equal(different.tensors()[0]?.values?.largestAt, 1022);
  });
});

describe("problems", () => {
  const tensors = [
    { name: "first", data: randomBytes(100, 1) },
    { name: "last", data: randomBytes(100, 2) },
  ];
  const file = modelOf(tensors);

  test("a truncated tensor is said to be unreadable, and the others are compared", async () => {
    const comparison = await compared(file, file.slice(0, -100), { values: true });
    const { change, data, problem, name } = only(comparison);
    assert.deepEqual([name, change, data], ["last", "unknown", "unreadable"]);
    assert.equal(problem, "the data of the tensor in B cannot be compared: the file is truncated");
    assert.deepEqual([comparison.isEqual, comparison.counts.tensors.unknown], [false, 1]);
    assert.match(comparison.summary, /^1 tensor cannot be read/);
  });

  test("wrong arguments are refused", async () => {
    const gguf = await Gguf.open(file);
    for (const wrong of [undefined, null, 1, "x", {}, { _giveTo() {} }, file])
      await fails(compare(gguf, /** @type {any} */ (wrong)), { code: "invalid-argument" });
    const plan = /** @type {any} */ (gguf.edit().plan());
    await fails(compare(gguf, plan), { code: "invalid-argument", message: /Gguf\.open\(plan\)/ });
    await fails(compare(gguf, gguf, { values: true, data: false }), { code: "invalid-argument" });
    await fails(compare(gguf, gguf, { maxBytes: -1 }), { code: "invalid-argument" });
    await fails(compare(gguf, /** @type {any} */ (await OtherGguf.open(file))), { code: "other-module" });
    const freed = await Gguf.open(file);
    freed.free();
    await fails(compare(gguf, freed), { code: "freed" });
  });

  test("a failing source rejects", async (t) => {
    const served = await serveFile(t, file, (request, response, bytes, number) =>
      number === 1 ? range(request, response, bytes, number) : status(404)(request, response, bytes, number),
    );
    const header = file.slice(0, (await Gguf.open(file)).headerSize);
    const failing = await Gguf.open({ size: file.length, read: () => Promise.reject(new Error("gone")) }, { header });
    await fails(compare(await Gguf.open(file), failing), { code: "read-failed" });
    assert.ok(served.requests.length === 0);
  });

  test("an abort ends it, and an error of onProgress too", async () => {
    const controller = new AbortController();
    const source = (/** @type {Uint8Array} */ bytes) => ({
      size: bytes.length,
      read: (/** @type {number} */ start, /** @type {number} */ end) => {
        if (start > 0) controller.abort(new Error("enough"));
        return Promise.resolve(bytes.slice(start, end));
      },
    });
    const large = modelOf([{ name: "t", data: randomBytes(3 * MIB, 1) }]);
    const models = /** @type {const} */ ([await Gguf.open(source(large)), await Gguf.open(large)]);
    await assert.rejects(compare(...models, { signal: controller.signal }), { message: "enough" });
    const onProgress = () => {
      throw new Error("mine");
    };
    await assert.rejects(compared(large, large.slice(), { onProgress }), { message: "mine" });
  });

  test("an abort is seen while many small tensors, or tensors with other names, are compared", async () => {
    const many = Array.from({ length: 40_000 }, (_, index) => ({ name: `t${index}`, data: new Uint8Array(1) }));
    const large = Array.from({ length: 4 }, (_, index) => ({
      name: `t${index}`,
      data: new Uint8Array(20 * MIB).fill(1, -1),
    }));
    for (const [tensors, prefix] of /** @type {const} */ ([
      [many, ""],
      [many, "x"],
      [large, "x"],
    ])) {
      const models = /** @type {const} */ ([
        await Gguf.open(modelOf(tensors)),
        await Gguf.open(modelOf(tensors.map(({ name, data }) => ({ name: prefix + name, data })))),
      ]);
      // The turn that the abort needs is one of the comparison's own: no time is measured.
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("enough")), 0);
      await assert.rejects(compare(...models, { signal: controller.signal }), { message: "enough" });
    }
  });

  test("the progress grows to the end", async () => {
    const many = [4 * MIB, 100, 3 * MIB].map((bytes, index) => ({
      name: `t${index}`,
      data: randomBytes(bytes, index),
    }));
    const other = many.map(({ name, data }) => ({ name, data: data.slice() }));
    other[0]?.data.fill(0, 0, 10);
    /** @type {import("gguf-wasm/full").ReadProgress[]} */
    const seen = [];
    await compared(modelOf(many), modelOf(other), { onProgress: (progress) => void seen.push(progress) });
    assert.ok(seen.length > 3);
    for (const [index, { bytesRead }] of seen.entries()) assert.ok(bytesRead >= (seen[index - 1]?.bytesRead ?? 0));
    const last = seen.at(-1);
    assert.deepEqual([last?.bytesRead, last?.totalBytes], [2 * (7 * MIB + 100), 2 * (7 * MIB + 100)]);
  });

  test("each tensor is reported once its data has been compared, and no others", async () => {
    const numbers = randomFloats(1000, 1);
    const other = numbers.map((number) => number * 1.5);
    const one = modelOf([
      { name: "same", type: F32, dimensions: [1000], data: bytesOf(numbers) },
      { name: "scaled", type: F32, dimensions: [1000], data: bytesOf(numbers) },
      { name: "shorter", type: F32, dimensions: [1000], data: bytesOf(numbers) },
      { name: "only here", data: randomBytes(64, 2) },
    ]);
    const two = modelOf([
      { name: "scaled", type: F32, dimensions: [1000], data: bytesOf(other) },
      { name: "same", type: F32, dimensions: [1000], data: bytesOf(numbers) },
      { name: "shorter", type: F32, dimensions: [500], data: bytesOf(numbers.slice(0, 500)) },
    ]);
    /** @type {ComparedPair[]} */
    const pairs = [];
    const comparison = await compared(one, two, { values: true, onTensor: (pair) => void pairs.push(pair) });
    assert.deepEqual(
      pairs.map(({ a, b, data }) => [a, b, data]),
      [
        [0, 1, "equal"],
        [1, 0, "different"],
      ],
    );
    assert.equal(pairs[0]?.values?.nmse, 0);
    const scaled = comparison.tensors().find(({ name }) => name === "scaled");
    assert.deepEqual(pairs[1]?.values, scaled?.values);
    assert.ok(Math.abs((scaled?.values?.nmse ?? 0) - 0.25) < 1e-6);
    await assert.rejects(
      compared(one, two, {
        onTensor: () => {
          throw new Error("mine");
        },
      }),
      { message: "mine" },
    );
  });

  test("a million entries let others have their turn", async () => {
    const keys = (/** @type {number} */ from) =>
      Array.from(
        { length: 200_000 },
        (_, index) => /** @type {[string, ReturnType<typeof uint32>]} */ ([`k${from + index}`, uint32(1)]),
      );
    const [a, b] = [await Gguf.open(ggufBytes(keys(0))), await Gguf.open(ggufBytes(keys(100_000)))];
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    const comparison = await compare(a, b);
    clearInterval(timer);
    const { entries } = comparison.counts;
    assert.deepEqual(
      [entries.equal, entries.added, entries.removed, comparison.entryCount],
      [100_000, 100_000, 100_000, 200_000],
    );
    assert.ok(turns >= 3, `${turns} turns`);
    assert.equal(comparison.entries(199_999)[0]?.key, "k299999");
  });
});

test("textHunks lists the lines that differ, and refuses what is no text", () => {
  assert.deepEqual(textHunks("a\nb\nc\n", "a\nx\ny\nc\n"), [{ startA: 1, endA: 2, startB: 1, endB: 3 }]);
  assert.deepEqual(textHunks("a", "a\n"), [{ startA: 0, endA: 1, startB: 0, endB: 1 }]);
  assert.deepEqual(textHunks("", "a"), [{ startA: 0, endA: 0, startB: 0, endB: 1 }]);
  assert.deepEqual(textHunks("same\n", "same\n"), []);
  for (const wrong of [undefined, 1, {}])
    assert.throws(() => textHunks(/** @type {any} */ (wrong), ""), { name: "GgufError", code: "invalid-argument" });
});

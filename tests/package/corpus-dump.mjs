// Compares what the package reads in a file with the dump of an independent reader.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ggmlTypes } from "gguf-wasm/full";

/**
 * Compares a whole file: values, types, offsets and sizes of entries, tensors and their data.
 *
 * @param {import("gguf-wasm/full").Gguf} gguf
 * @param {Uint8Array} bytes
 * @param {any} expected
 */
export async function check(gguf, bytes, expected) {
  assert.equal(gguf.version, expected.version);
  assert.equal(gguf.byteOrder, `${expected.endian}-endian`);
  assert.equal(gguf.alignment, expected.alignment);
  assert.equal(gguf.headerSize, expected.meta_end);
  assert.equal(gguf.dataOffset, expected.data_offset);
  assert.equal(gguf.fileSize, expected.size);
  assert.deepEqual(gguf.headerBytes(), bytes.subarray(0, expected.meta_end));

  assert.equal(gguf.entries.length, expected.kv_count);
  for (const [index, entry] of gguf.entries.entries()) {
    const kv = expected.kv[index];
    assert.deepEqual(gguf.keyBytes(entry), stored(kv.key));
    assert.deepEqual(
      [entry.index, entry.key, entry.type, entry.offset, entry.byteLength],
      [index, text(kv.key), kv.type, kv.value_offset, kv.value_nbytes],
    );
    assert.deepEqual(
      gguf.valueBytes(entry),
      bytes.subarray(kv.value_offset, kv.value_offset + kv.value_nbytes),
      entry.key,
    );
    if (kv.type === "ARRAY") {
      assert.equal(entry.elementType, kv.subtype);
      assert.equal(entry.length, kv.len);
      checkArray(/** @type {import("gguf-wasm/full").MetadataArray} */ (entry.value), kv);
    } else {
      assert.equal("elementType" in entry || "length" in entry, false);
      checkScalar(entry.value, kv.value, kv.type);
    }
  }
  const first = new Map();
  for (const entry of gguf.entries) if (!first.has(entry.key)) first.set(entry.key, entry.value);
  assert.deepEqual([...gguf.metadata.keys()], [...first.keys()]);
  for (const [key, value] of gguf.metadata) assert.ok(Object.is(value, first.get(key)), key);

  assert.equal(gguf.tensors.length, expected.tensor_count);
  let parameterCount = 0;
  for (const [index, info] of gguf.tensors.entries()) {
    const tensor = expected.tensors[index];
    assert.deepEqual(info, {
      index,
      name: text(tensor.name),
      dimensions: tensor.dims,
      type: tensor.type,
      typeId: tensor.type_id,
      elementCount: tensor.n_elements,
      byteLength: tensor.nbytes,
      offset: tensor.offset,
      fileOffset: tensor.abs_offset,
    });
    const type = ggmlTypes().find(({ id }) => id === tensor.type_id);
    assert.deepEqual(type, {
      id: tensor.type_id,
      name: tensor.type,
      blockSize: tensor.block_size,
      typeSize: tensor.type_size,
    });
    if (tensor.sha256) assert.equal(sha256(await gguf.readBytes(info)), tensor.sha256, info.name);
    assert.equal(
      gguf.tensor(info.name),
      gguf.tensors.find(({ name }) => name === info.name),
    );
    parameterCount += tensor.n_elements;
  }
  assert.equal(gguf.parameterCount, parameterCount);
  assert.equal(gguf.tensor("no such tensor"), undefined);
}

/**
 * @param {import("gguf-wasm/full").MetadataArray} array
 * @param {any} expected
 */
function checkArray(array, expected) {
  assert.equal(array.elementType, expected.subtype);
  assert.equal(array.length, expected.len);
  const all = array.toArray();
  assert.equal(all.length, expected.len);
  const float = /^FLOAT(\d+)$/.exec(expected.subtype);
  for (const [index, element] of all.entries()) {
    if (expected.subtype === "ARRAY") {
      checkArray(/** @type {import("gguf-wasm/full").MetadataArray} */ (element), expected.value[index]);
    } else if (float) {
      const digits = Number(float[1]) / 4;
      const hex = expected.hex.slice(index * digits, (index + 1) * digits);
      checkScalar(element, { num: expected.value[index], hex }, expected.subtype);
    } else {
      checkScalar(element, expected.value[index], expected.subtype);
    }
  }
  if (expected.subtype === "ARRAY") return;
  assert.deepEqual([...array], all);
  const some = [0, 1, 63, 64, 65, 127, 128, Math.floor(expected.len / 2), expected.len - 1, expected.len, -1, -2];
  for (const index of some) assert.deepEqual(array.at(index), all.at(index), `at(${index})`);
  for (const [start, end] of [[], [0, 0], [1, 70], [60, 200], [-3], [-3, -1], [5, 2]]) {
    assert.deepEqual(array.slice(start, end), all.slice(start, end), `slice(${start}, ${end})`);
  }
  if (expected.subtype === "STRING") {
    assert.throws(() => array.toTypedArray(), { name: "GgufError", code: "invalid-argument" });
    for (const [index, string] of expected.value.entries()) {
      if (index % 61 === 0) assert.deepEqual(array.bytes(index), stored(string));
    }
  } else if (expected.subtype !== "BOOL") {
    assert.deepEqual([...array.toTypedArray()], all);
  }
  for (const index of some.filter((index) => index >= 0 && index < all.length)) {
    const value = /** @type {string | number | bigint | boolean} */ (all[index]);
    assert.equal(array.indexOf(value), all.indexOf(value), `indexOf(${String(value)})`);
    assert.equal(array.indexOf(value, index), all.indexOf(value, index));
  }
}

/**
 * @param {unknown} value
 * @param {any} expected
 * @param {string} type
 */
function checkScalar(value, expected, type) {
  switch (type) {
    case "STRING":
      return assert.equal(value, text(expected));
    case "BOOL":
      return assert.equal(value, typeof expected === "object" ? expected.bool : expected);
    case "UINT64":
    case "INT64":
      return assert.equal(value, BigInt(expected));
    case "FLOAT32":
    case "FLOAT64": {
      const number = /** @type {number} */ (value);
      if (expected.num === "NaN") return assert.ok(Number.isNaN(number));
      const view = new DataView(new ArrayBuffer(8));
      const digits = type === "FLOAT32" ? 8 : 16;
      if (digits === 8) view.setFloat32(0, number);
      else view.setFloat64(0, number);
      return assert.equal(Buffer.from(view.buffer).toString("hex").slice(0, digits), expected.hex);
    }
    default:
      return assert.equal(value, expected);
  }
}

/**
 * The bytes of a dumped string. The dump contains strings that are not UTF-8 in base64.
 *
 * @param {string | { b64: string }} dumped
 */
function stored(dumped) {
  return new Uint8Array(typeof dumped === "string" ? Buffer.from(dumped, "utf8") : Buffer.from(dumped.b64, "base64"));
}

/** @param {string | { b64: string }} dumped */
const text = (dumped) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(stored(dumped));

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

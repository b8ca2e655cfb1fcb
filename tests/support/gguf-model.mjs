// A model of GGUF files in plain JavaScript, which tests compare the package with. It shares no code with the package.
// `parse` decodes a file to values that are independent of version and byte order. `encodeChanged` encodes them again.

import { createHash } from "node:crypto";
import { layoutOf } from "./ggml-layout.mjs";

/**
 * @typedef {{ version: number, bigEndian: boolean }} Format
 *
 * @typedef {string | ArrayValue} Value Hexadecimal digits: of a number, the most significant byte first; of a string, its bytes.
 * @typedef {{ elementType: number, elements: Value[] }} ArrayValue
 *
 * @typedef {{ key: string, type: number, value: Value }} Entry The key is the hexadecimal digits of its bytes.
 *
 * @typedef {object} Tensor
 * @property {string} name The hexadecimal digits of its bytes.
 * @property {bigint[]} dimensions
 * @property {number} type
 * @property {number} offset The offset from the start of the data section.
 * @property {Buffer} data The data. If the size is unknown, all bytes up to the next tensor.
 *
 * @typedef {object} Model
 * @property {number} version
 * @property {boolean} bigEndian
 * @property {Entry[]} entries
 * @property {Tensor[]} tensors
 * @property {number} alignment
 * @property {number} headerSize
 * @property {number} dataOffset
 * @property {Buffer} padding The bytes between header and data section.
 * @property {Buffer} data
 * @property {Buffer} trailing The bytes after the last tensor and its padding.
 *
 * @typedef {object} FileContent The content of a file, as a reader reports it.
 * @property {number} version
 * @property {string} byteOrder
 * @property {number} dataOffset
 * @property {EntryContent[]} entries
 * @property {TensorContent[]} tensors
 *
 * @typedef {object} EntryContent
 * @property {string} key The hexadecimal digits of its bytes.
 * @property {number[]} types The type of the value, of its elements, of the elements of its first element, and so on.
 * @property {number} length The number of elements, including the elements of nested arrays.
 * @property {string[] | string} value The elements as texts. If there are many, their hash.
 *
 * @typedef {object} TensorContent
 * @property {string} name The hexadecimal digits of its bytes.
 * @property {number[]} dimensions
 * @property {number} type
 * @property {number} fileOffset
 * @property {number} [byteLength]
 * @property {string} [sha256]
 */

export const FLOAT32 = 6;
export const BOOL = 7;
export const STRING = 8;
export const ARRAY = 9;
export const FLOAT64 = 12;

/** The width of each value type in bytes. Strings and arrays have none. */
const WIDTHS = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
const SIGNED = [1, 3, 5, 11];
const ALIGNMENT_KEY = hex("general.alignment");
const MAGIC = Buffer.from("GGUF");

/** @param {string | Uint8Array} text */
export function hex(text) {
  return (typeof text === "string" ? Buffer.from(text) : Buffer.from(text)).toString("hex");
}

/** @param {number} size @param {number} alignment */
const padded = (size, alignment) => Math.ceil(size / alignment) * alignment;

class Cursor {
  at = 8;

  /** @param {Buffer} bytes @param {Format} format */
  constructor(bytes, format) {
    this.bytes = bytes;
    this.format = format;
  }
  /** @param {number} length */
  take(length) {
    if (this.at + length > this.bytes.length) throw new RangeError(`the file ends before ${this.at + length}`);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  /** The next number as hexadecimal digits, the most significant byte first. @param {number} width */
  digits(width) {
    const bytes = this.take(width);
    return (this.format.bigEndian || width === 1 ? bytes : Buffer.from(bytes).reverse()).toString("hex");
  }
  u32() {
    return Number(`0x${this.digits(4)}`);
  }
  /** The next count, length or dimension. */
  count() {
    return BigInt(`0x${this.digits(this.format.version === 1 ? 4 : 8)}`);
  }
  string() {
    return this.take(Number(this.count())).toString("hex");
  }
  /** @param {number} type @returns {Value} */
  value(type) {
    if (type === STRING) return this.string();
    if (type !== ARRAY) return this.digits(WIDTHS[type] ?? NaN);
    const elementType = this.u32();
    const elements = Array.from({ length: Number(this.count()) }, () => this.value(elementType));
    return { elementType, elements };
  }
}

/**
 * Parses a file.
 *
 * @param {Uint8Array} file
 * @returns {Model}
 */
export function parse(file) {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, 4).equals(MAGIC)) throw new Error("the file does not begin with GGUF");
  const bigEndian = bytes.readUInt16LE(4) === 0;
  const version = bigEndian ? bytes.readUInt32BE(4) : bytes.readUInt32LE(4);
  const cursor = new Cursor(bytes, { version, bigEndian });
  const counts = [cursor.count(), cursor.count()].map(Number);
  const entries = Array.from({ length: counts[1] ?? 0 }, () => {
    const [key, type] = [cursor.string(), cursor.u32()];
    return { key, type, value: cursor.value(type) };
  });
  const infos = Array.from({ length: counts[0] ?? 0 }, () => {
    const name = cursor.string();
    const dimensions = Array.from({ length: cursor.u32() }, () => cursor.count());
    return { name, dimensions, type: cursor.u32(), offset: Number(`0x${cursor.digits(8)}`) };
  });
  const headerSize = cursor.at;
  const alignment = alignmentOf(entries);
  const dataOffset = padded(headerSize, alignment);
  const data = bytes.subarray(dataOffset);
  const tensors = infos.map((info) => {
    // A tensor without data does not end the data of the tensor before it.
    const withBytes = infos.filter(({ type, dimensions }) => layoutOf(type)?.byteLength(dimensions) !== 0);
    const next = withBytes.map(({ offset }) => offset).filter((offset) => offset > info.offset);
    const length = layoutOf(info.type)?.byteLength(info.dimensions) ?? Math.min(...next, data.length) - info.offset;
    return { ...info, data: data.subarray(info.offset, info.offset + length) };
  });
  const end = Math.max(0, ...tensors.map(({ offset, data }) => offset + data.length));
  return {
    version,
    bigEndian,
    entries,
    tensors,
    alignment,
    headerSize,
    dataOffset,
    padding: bytes.subarray(headerSize, dataOffset),
    data,
    trailing: tensors.length > 0 ? data.subarray(padded(end, alignment)) : bytes.subarray(headerSize),
  };
}

/** The alignment: 32 unless an entry gives a number other than 0. @param {Entry[]} entries */
export function alignmentOf(entries) {
  const entry = entries.find(({ key }) => key === ALIGNMENT_KEY);
  if (typeof entry?.value !== "string" || [FLOAT32, BOOL, STRING, FLOAT64].includes(entry.type)) return 32;
  return Number(`0x${entry.value}`) || 32;
}

/** @param {string} digits @param {Format} format */
function number(digits, { bigEndian }) {
  const bytes = Buffer.from(digits, "hex");
  return bigEndian ? bytes : bytes.reverse();
}

/** @param {number} value @param {Format} format */
const u32 = (value, format) => number(value.toString(16).padStart(8, "0"), format);

/** @param {number | bigint} value @param {Format} format */
const count = (value, format) => number(value.toString(16).padStart(format.version === 1 ? 8 : 16, "0"), format);

/** @param {string} digits @param {Format} format */
const string = (digits, format) => [count(digits.length / 2, format), Buffer.from(digits, "hex")];

/**
 * The bytes of a value in a file.
 *
 * @param {number} type
 * @param {Value} value
 * @param {Format} format
 * @returns {Buffer[]}
 */
function encodeValue(type, value, format) {
  if (typeof value === "string") return type === STRING ? string(value, format) : [number(value, format)];
  const { elementType, elements } = value;
  const parts = elements.flatMap((element) => encodeValue(elementType, element, format));
  return [u32(elementType, format), count(elements.length, format), ...parts];
}

/** The encoded bytes of entries, for the last format. @type {WeakMap<Entry, Format & { bytes: Buffer }>} */
const encoded = new WeakMap();

/**
 * The bytes of an entry in a file. Entries are immutable, so the bytes are cached.
 *
 * @param {Entry} entry
 * @param {Format} format
 */
function encodeEntry(entry, { version, bigEndian }) {
  const last = encoded.get(entry);
  if (last?.version === version && last.bigEndian === bigEndian) return last.bytes;
  const format = { version, bigEndian };
  const { key, type, value } = entry;
  const bytes = Buffer.concat([...string(key, format), u32(type, format), ...encodeValue(type, value, format)]);
  encoded.set(entry, { ...format, bytes });
  return bytes;
}

/** A header with these tensors at these offsets. @param {Pick<Model, "version" | "bigEndian" | "entries" | "tensors">} model */
function encodeHeader(model) {
  const { entries, tensors } = model;
  return Buffer.concat([
    MAGIC,
    u32(model.version, model),
    count(tensors.length, model),
    count(entries.length, model),
    ...entries.map((entry) => encodeEntry(entry, model)),
    ...tensors.flatMap(({ name, dimensions, type, offset }) => [
      ...string(name, model),
      u32(dimensions.length, model),
      ...dimensions.map((extent) => count(extent, model)),
      u32(type, model),
      number(offset.toString(16).padStart(16, "0"), model),
    ]),
  ]);
}

/**
 * The expected file after `changes` to `old`. The data section does not change, unless tensors were removed or the alignment
 * or the byte order has changed. Then all tensors are placed in order, without gaps.
 *
 * @param {Model} old
 * @param {Partial<Pick<Model, "version" | "bigEndian" | "entries" | "tensors">>} changes
 */
export function encodeChanged(old, changes) {
  const model = { ...old, ...changes };
  const alignment = alignmentOf(model.entries);
  const placedAnew =
    alignment !== old.alignment || model.tensors.length !== old.tensors.length || model.bigEndian !== old.bigEndian;
  if (!placedAnew) {
    const header = encodeHeader(model);
    const isPadding = old.headerSize + old.trailing.length === old.dataOffset;
    if (model.tensors.length === 0 && !isPadding) return Buffer.concat([header, old.trailing]);
    const stays = header.length === old.headerSize;
    const padding = stays ? old.padding : Buffer.alloc(padded(header.length, alignment) - header.length);
    return Buffer.concat([header, padding, old.data]);
  }
  let end = 0;
  const tensors = model.tensors.map((tensor) => {
    const offset = end;
    end = padded(end + tensor.data.length, alignment);
    const layout = model.bigEndian === old.bigEndian ? undefined : layoutOf(tensor.type);
    return { ...tensor, offset, data: layout?.isConvertible ? Buffer.from(layout.swapped(tensor.data)) : tensor.data };
  });
  const header = encodeHeader({ ...model, tensors });
  const dataOffset = padded(header.length, alignment);
  if (tensors.length === 0) return Buffer.concat([header, old.trailing]);
  const file = Buffer.alloc(dataOffset + end + old.trailing.length);
  header.copy(file);
  for (const { offset, data } of tensors) data.copy(file, dataOffset + offset);
  old.trailing.copy(file, dataOffset + end);
  return file;
}

/**
 * @typedef {object} Dialect The differences between a reader and a correct reader, in every file.
 * @property {boolean} [javascript] The reader returns an object of JavaScript values. Keys that are numbers come first, all
 *   NaNs are equal, and nested arrays have no element types, so that their elements are compared as numbers or texts.
 * @property {boolean} [infosOnly] The reader does not read tensor data.
 */

/**
 * The content that a reader should report for a file.
 *
 * @param {Model} model
 * @param {Dialect} [dialect]
 * @returns {FileContent}
 */
export function contentOf(model, dialect = {}) {
  return {
    version: model.version,
    byteOrder: model.bigEndian ? "big-endian" : "little-endian",
    dataOffset: model.dataOffset,
    entries: (dialect.javascript ? asProperties(model.entries) : model.entries).map(({ key, type, value }) => ({
      key,
      ...readValue(type, value, dialect),
    })),
    tensors: model.tensors.map(({ name, dimensions, type, offset, data }) => ({
      name,
      dimensions: dimensions.map(Number),
      type,
      fileOffset: model.dataOffset + offset,
      ...(dialect.infosOnly ? {} : { byteLength: data.length, sha256: sha256(data) }),
    })),
  };
}

/** The entries in the order of properties of a JavaScript object. @param {Entry[]} entries */
function asProperties(entries) {
  const numbers = entries.filter(({ key }) => /^(30|3[1-9](3\d){0,8})$/.test(key));
  const value = (/** @type {Entry} */ { key }) => Number(Buffer.from(key, "hex").toString());
  return [...numbers.sort((a, b) => value(a) - value(b)), ...entries.filter((entry) => !numbers.includes(entry))];
}

/** @param {number} type @param {Value} value @param {Dialect} dialect */
function readValue(type, value, { javascript = false }) {
  /** @type {string[]} */
  const texts = [];
  const isNested = typeof value === "object" && value.elementType === ARRAY;
  /** @param {number} type @param {Value} value */
  const walk = (type, value) => {
    if (typeof value === "object") for (const element of value.elements) walk(value.elementType, element);
    else texts.push(elementText(type, value, javascript && isNested, javascript));
  };
  walk(type, value);
  const types = [type];
  for (let inner = value; typeof inner === "object" && (inner.elements.length > 0 || javascript);) {
    types.push(inner.elementType);
    if (javascript) break;
    inner = /** @type {Value} */ (inner.elements[0]);
  }
  return { types, length: texts.length, value: listed(texts) };
}

/**
 * @param {number} type
 * @param {string} digits
 * @param {boolean} asNumber
 * @param {boolean} oneNaN
 */
function elementText(type, digits, asNumber, oneNaN) {
  if (type === STRING) return digits;
  const bits = BigInt(`0x${digits}`);
  if (type === BOOL) return String(bits !== 0n);
  if (type === FLOAT32 || type === FLOAT64) {
    const bytes = Buffer.from(digits, "hex");
    const float = type === FLOAT32 ? bytes.readFloatBE() : bytes.readDoubleBE();
    if (oneNaN && Number.isNaN(float)) return "NaN";
    return asNumber ? String(float) : digits;
  }
  return String(SIGNED.includes(type) ? BigInt.asIntN(digits.length * 4, bits) : bits);
}

/** The texts of the elements, or their hash if there are more than 64. @param {string[]} texts */
export const listed = (texts) => (texts.length <= 64 ? texts : sha256(texts.join(",")));

/** @param {string | Uint8Array} bytes */
export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

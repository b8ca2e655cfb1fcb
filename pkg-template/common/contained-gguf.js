// A GGUF file inside a ZIP archive or a llamafile, which is a program with such an archive behind it.

import { bytesOf, partOf } from "./byte-sources.js";

/** @import { ByteSource } from "./byte-sources.js" */

/**
 * @typedef {object} Contained A GGUF file that is stored without compression, so that it can be read in its place.
 * @property {string} name Its name in the archive, without folders.
 * @property {ByteSource} source
 * @property {readonly string[]} others The names of the other GGUF files in the archive.
 */

/** The sizes of the records of ZIP without what varies, and the longest comment at the end. */
const END_SIZE = 22;
const END_64_SIZE = 56;
const LOCATOR_64_SIZE = 20;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;
const LONGEST_COMMENT = 0xffff;
/** The largest list of files that is read. */
const LARGEST_DIRECTORY = 16 << 20;

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** @param {DataView} view @param {number} at */
const large = (view, at) => Number(view.getBigUint64(at, true));

/**
 * Where the list of the files of an archive is. The records before it may stand behind other bytes, such as a program: `shift` is their
 * number, if the offsets in the archive do not count them.
 *
 * @param {ByteSource} source
 * @param {number} fileSize
 */
async function directoryOf(source, fileSize) {
  const tailStart = Math.max(0, fileSize - LONGEST_COMMENT - END_SIZE - LOCATOR_64_SIZE);
  const tail = viewOf(await bytesOf(source, tailStart, fileSize));
  for (let at = tail.byteLength - END_SIZE; at >= 0; at--) {
    if (tail.getUint32(at, true) !== 0x06054b50 || at + END_SIZE + tail.getUint16(at + 20, true) > tail.byteLength) continue;
    let size = tail.getUint32(at + 12, true);
    let start = tail.getUint32(at + 16, true);
    let end = tailStart + at;
    const locator = at - LOCATOR_64_SIZE;
    if (locator >= 0 && tail.getUint32(locator, true) === 0x07064b50) {
      // The offset of the larger record may not count the bytes before the archive either, so it is looked for before the locator.
      end = tailStart + locator - END_64_SIZE;
      const record = viewOf(await bytesOf(source, Math.max(0, end), end + END_64_SIZE));
      if (end < 0 || record.getUint32(0, true) !== 0x06064b50) return undefined;
      size = large(record, 40);
      start = large(record, 48);
    }
    const shift = end - size - start;
    return size <= LARGEST_DIRECTORY && shift >= 0 ? { start: start + shift, size, shift } : undefined;
  }
  return undefined;
}

/**
 * The larger numbers of an entry, which stand in a field of their own where they do not fit.
 *
 * @param {DataView} view
 * @param {number} at
 * @param {number} length
 * @param {number[]} numbers The sizes and the offset, in the order of the format.
 */
function widened(view, at, length, numbers) {
  const end = at + length;
  for (let field = at; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let next = field + 4;
    for (const [i, number] of numbers.entries()) {
      if (number !== 0xffffffff || next + 8 > end) continue;
      numbers[i] = large(view, next);
      next += 8;
    }
  }
  return numbers;
}

/**
 * The largest GGUF file that a ZIP archive or a llamafile contains without compression.
 *
 * @param {ByteSource} source Its size must be known.
 * @returns {Promise<Contained | undefined>} `undefined` if there is none.
 * @example
 * import { containedGguf } from "gguf-wasm/common/contained-gguf.js";
 *
 * const inside = await containedGguf(fileInput.files[0]);
 * if (inside) console.log(inside.name, (await Gguf.open(inside.source)).tensors.length);
 */
export async function containedGguf(source) {
  const fileSize = source.size;
  const directory = fileSize && (await directoryOf(source, fileSize));
  if (!directory) return undefined;
  const view = viewOf(await bytesOf(source, directory.start, directory.start + directory.size));
  /** @type {{ name: string, size: number, offset: number }[]} */
  const found = [];
  for (let at = 0; at + ENTRY_SIZE <= view.byteLength && view.getUint32(at, true) === 0x02014b50; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((member) => view.getUint16(at + member, true));
    const extra = at + ENTRY_SIZE + /** @type {number} */ (nameLength);
    const end = extra + /** @type {number} */ (extraLength) + /** @type {number} */ (commentLength);
    if (end > view.byteLength) break;
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + ENTRY_SIZE, nameLength));
    const numbers = [24, 20, 42].map((member) => view.getUint32(at + member, true));
    const [size = 0, stored, offset = 0] = widened(view, extra, /** @type {number} */ (extraLength), numbers);
    const isStored = view.getUint16(at + 10, true) === 0 && size === stored;
    if (isStored && /\.gguf$/i.test(name)) found.push({ name: name.split("/").at(-1) ?? name, size, offset });
    at = end;
  }
  found.sort((a, b) => b.size - a.size);
  const [largest, ...others] = found;
  if (largest === undefined) return undefined;
  // The header before the content has its own fields, whose lengths differ from those of the list.
  const at = largest.offset + directory.shift;
  const local = viewOf(await bytesOf(source, at, at + LOCAL_SIZE));
  if (local.byteLength < LOCAL_SIZE || local.getUint32(0, true) !== 0x04034b50) return undefined;
  const start = at + LOCAL_SIZE + local.getUint16(26, true) + local.getUint16(28, true);
  const { name, size } = largest;
  if (start + size > fileSize) return undefined;
  return { name, source: partOf(source, start, size, name), others: others.map((other) => other.name) };
}

// ZIP archives that store files without compression, as llamafiles have them.

/**
 * An archive. Its checksums are zero: nothing reads them.
 *
 * @param {readonly { name: string, bytes: Uint8Array, isCompressed?: boolean, padding?: number }[]} files
 * @param {{ before?: Uint8Array, countsBefore?: boolean, isLarge?: boolean, comment?: string }} [options] `before` stands before the archive,
 *   and its offsets count it unless told otherwise. `isLarge` writes all numbers as those of ZIP64.
 */
export function zipBytes(files, { before = new Uint8Array(), countsBefore = true, isLarge = false, comment = "" } = {}) {
  /** @type {Buffer[]} */
  const content = [Buffer.from(before)];
  /** @type {Buffer[]} */
  const list = [];
  const length = () => content.reduce((sum, { length }) => sum + length, 0) - (countsBefore ? 0 : before.length);
  for (const { name, bytes, isCompressed = false, padding = 0 } of files) {
    const method = isCompressed ? 8 : 0;
    const wide = Buffer.alloc(28);
    wide.writeUInt16LE(1, 0);
    wide.writeUInt16LE(24, 2);
    for (const [i, value] of [bytes.length, bytes.length, length()].entries()) wide.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
    const extra = isLarge ? wide : Buffer.alloc(0);
    const number = (/** @type {number} */ value) => (isLarge ? 0xffffffff : value);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(number(bytes.length), 20);
    entry.writeUInt32LE(number(bytes.length), 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(number(length()), 42);
    list.push(entry, Buffer.from(name), extra);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    local.writeUInt16LE(padding, 28);
    content.push(local, Buffer.from(name), Buffer.alloc(padding), Buffer.from(bytes));
  }
  const start = length();
  const directory = Buffer.concat(list);
  const larger = Buffer.alloc(isLarge ? 56 + 20 : 0);
  if (isLarge) {
    larger.writeUInt32LE(0x06064b50, 0);
    larger.writeBigUInt64LE(BigInt(directory.length), 40);
    larger.writeBigUInt64LE(BigInt(start), 48);
    larger.writeUInt32LE(0x07064b50, 56);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(isLarge ? 0xffffffff : directory.length, 12);
  end.writeUInt32LE(isLarge ? 0xffffffff : start, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...content, directory, larger, end, Buffer.from(comment)]);
}

/** The beginning of a llamafile. */
export const PROGRAM = Buffer.concat([Buffer.from("MZqFpD='\n"), Buffer.alloc(4000)]);

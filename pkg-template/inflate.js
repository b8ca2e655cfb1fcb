// Decompresses the module that is inside a script. `DecompressionStream` would do it, but not before the script ends.

/** The first length of each code of a match, and the number of its further bits. @type {any} */
const LENGTHS = ranges(28, 3, 4).concat([[258, 0]]);
/** The same of the distances. @type {any} */
const DISTANCES = ranges(30, 1, 2);

/** The order in which the lengths of the codes of lengths are stored. @type {any} */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Ranges of numbers that follow each other: the first ones have no further bits, and then each `step` have one bit more.
 *
 * @param {number} count
 * @param {number} first
 * @param {number} step
 */
function ranges(count, first, step) {
  return Array.from({ length: count }, (_, code) => {
    const bits = Math.max(0, Math.floor(code / step) - 1);
    const range = [first, bits];
    first += 1 << bits;
    return range;
  });
}

/**
 * The table of a Huffman code: how many codes have each length, and the symbols in the order of their codes.
 *
 * @param {any} lengths
 * @returns {{ counts: any, symbols: any }}
 */
function codeOf(lengths) {
  /** @type {any} */
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  /** @type {any} */
  const starts = new Uint16Array(16);
  for (let length = 1; length < 16; length++) starts[length] = starts[length - 1] + counts[length - 1];
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    if (lengths[symbol]) symbols[starts[lengths[symbol]]++] = symbol;
  }
  return { counts, symbols };
}

/** The code of a block without a code of its own. */
function fixedCode() {
  const lengths = new Uint8Array(288).fill(8);
  lengths.fill(9, 144, 256).fill(7, 256, 280);
  return codeOf(lengths);
}

/**
 * Decompresses data of the format DEFLATE (RFC 1951).
 *
 * @param {any} data its bytes
 * @param {number} size the number of bytes that it has then
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function inflated(data, size) {
  /** @type {any} */
  const out = new Uint8Array(size);
  let [to, from, buffer, held] = [0, 0, 0, 0];

  /** @param {number} count */
  function bits(count) {
    for (; held < count; held += 8) buffer |= data[from++] << held;
    const value = buffer & ((1 << count) - 1);
    buffer >>>= count;
    held -= count;
    return value;
  }

  /** @param {ReturnType<typeof codeOf>} code */
  function symbol({ counts, symbols }) {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; ; length++) {
      code |= bits(1);
      const count = counts[length];
      if (code - count < first) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
  }

  /** The two codes of a block, which are stored before its data. @returns {[any, any]} */
  function storedCodes() {
    const [literals, distances, count] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
    /** @type {any} */
    const own = new Uint8Array(19);
    for (let i = 0; i < count; i++) own[ORDER[i]] = bits(3);
    const code = codeOf(own);
    /** @type {any} */
    const lengths = new Uint8Array(literals + distances);
    for (let at = 0; at < lengths.length;) {
      const length = symbol(code);
      if (length < 16) lengths[at++] = length;
      else {
        const repeated = length === 16 ? lengths[at - 1] : 0;
        const times = length === 16 ? 3 + bits(2) : length === 17 ? 3 + bits(3) : 11 + bits(7);
        lengths.fill(repeated, at, (at += times));
      }
    }
    return [codeOf(lengths.subarray(0, literals)), codeOf(lengths.subarray(literals))];
  }

  for (let isLast = 0; !isLast;) {
    isLast = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      // The rest of a byte is left out. `bits` never holds a whole one.
      [buffer, held] = [0, 0];
      const length = data[from] | (data[from + 1] << 8);
      out.set(data.subarray(from + 4, from + 4 + length), to);
      [from, to] = [from + 4 + length, to + length];
      continue;
    }
    /** @type {[any, any]} */
    const [literals, distances] = kind === 1 ? [fixedCode(), codeOf(new Uint8Array(30).fill(5))] : storedCodes();
    for (let next = symbol(literals); next !== 256; next = symbol(literals)) {
      if (next < 256) {
        out[to++] = next;
        continue;
      }
      const [length, lengthBits] = LENGTHS[next - 257];
      const end = to + length + bits(lengthBits);
      const [distance, distanceBits] = DISTANCES[symbol(distances)];
      const back = distance + bits(distanceBits);
      for (; to < end; to++) out[to] = out[to - back];
    }
  }
  return out;
}

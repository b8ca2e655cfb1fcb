// A file in the layout of the draft of GGUF, written from the document that proposes it: no program is known that wrote one.

const ALIGNMENT = 64;

/** @param {...number} numbers */
const u32s = (...numbers) => Buffer.from(new Uint8Array(Uint32Array.from(numbers).buffer));

/** A string. @param {string} text */
const string = (text) => Buffer.concat([u32s(Buffer.byteLength(text)), Buffer.from(text)]);

/** @param {string} key @param {number} type @param {Buffer} value */
const entry = (key, type, value) => Buffer.concat([string(key), u32s(value.length, type), value]);

/** An array of strings. @param {readonly string[]} texts */
const strings = (texts) => Buffer.concat([u32s(texts.length, 8), ...texts.map(string)]);

const align = (/** @type {number} */ position) => Math.ceil(position / ALIGNMENT) * ALIGNMENT;

/** A model with keys of the draft and two tensors: `norm`, the floats 1 and 2, and `q`, a block of Q4_0. */
export function draftFile() {
  const tensors = [
    { name: "norm", dimensions: [2], type: 0, data: Buffer.from(new Uint8Array(Float32Array.of(1, 2).buffer)) },
    { name: "q", dimensions: [32], type: 2, data: Buffer.from([0, 0x3c, ...Array(16).fill(0x98)]) },
  ];
  const entries = [
    entry("general.architecture", 8, string("llama")),
    entry("llama.hidden_size", 4, u32s(64)),
    entry("llama.attention.num_heads", 4, u32s(2)),
    entry("tokenizer.embedded.tokens", 9, strings(["<unk>", "a"])),
  ];
  const header = Buffer.concat([Buffer.from("GGUF"), u32s(1, tensors.length, entries.length), ...entries]);
  const start = align(header.length);
  const infos = tensors.map(({ name, dimensions, type }) =>
    Buffer.concat([
      string(name),
      u32s(
        dimensions.length,
        ...dimensions,
        dimensions.reduce((product, extent) => product * extent, 1),
        type,
      ),
    ]),
  );
  let offset = align(start + infos.reduce((sum, info) => sum + info.length + 8, 0));
  const file = Buffer.alloc(offset + tensors.reduce((sum, { data }) => sum + align(data.length), 0));
  header.copy(file);
  let at = start;
  for (const [i, { data }] of tensors.entries()) {
    const info = infos[i] ?? Buffer.alloc(0);
    info.copy(file, at);
    file.writeBigUInt64LE(BigInt(offset), at + info.length);
    at += info.length + 8;
    data.copy(file, offset);
    offset += align(data.length);
  }
  return new Uint8Array(file);
}

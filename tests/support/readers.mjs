// Files as other programs read them, held against what the model says.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as ggufPy from "./gguf-py.mjs";
import * as hf from "./hf-gguf.mjs";
import { reading } from "./gguf-model.mjs";

/**
 * @typedef {import("./gguf-model.mjs").Model} Model
 * @typedef {import("./gguf-model.mjs").Reading} Reading
 *
 * @typedef {object} Exception What a reader does not read, or not rightly: it is an error if it does.
 * @property {string} file In the corpus.
 * @property {"gguf-py" | "@huggingface/gguf"} reader
 * @property {string} reason
 * @property {RegExp} [keys] Of the entries that it reads wrongly; without, it refuses the file.
 * @property {(model: Model) => boolean} [when] Whether it holds for an edited file; without, for all.
 */

const [PY, HF] = /** @type {const} */ (["gguf-py", "@huggingface/gguf"]);
/** @param {Model} model */
const isVersion1 = ({ version }) => version === 1;

/** @type {Exception[]} */
export const EXCEPTIONS = [
  { file: "v1.gguf", reader: PY, reason: "it reads no version 1", when: isVersion1 },
  { file: "v1-empty.gguf", reader: PY, reason: "it reads no version 1", when: isVersion1 },
  { file: "be-v1.gguf", reader: PY, reason: "it reads no version 1", when: isVersion1 },
  { file: "keys-bytes.gguf", reader: PY, reason: "it reads no key that is not UTF-8" },
  { file: "tensor-types.gguf", reader: PY, reason: "it knows no tensor types 41 and 42" },
  { file: "nested-arrays.gguf", reader: PY, reason: "of arrays in an array it tells one type", keys: /^n\.mixed$/ },
  { file: "nested-arrays-depth8.gguf", reader: HF, reason: "it refuses the fourth array in an array" },
  { file: "keys.gguf", reader: HF, reason: "it sets a prototype", keys: /^__proto__$/ },
  { file: "keys-bytes.gguf", reader: HF, reason: "of keys that are not UTF-8 it keeps one", keys: /\ufffd/ },
  {
    file: "strings-invalid-utf8.gguf",
    reader: HF,
    reason: "its strings are always UTF-8",
    keys: /^(bad\.(?!utf16le)|interop\.renamed$)/,
  },
  { file: "strings.gguf", reader: HF, reason: "it drops a byte order mark", keys: /^s\.bom$/ },
  { file: "ggml-vocab-llama-spm.gguf", reader: HF, reason: "it drops a byte order mark", keys: /\.tokens$/ },
  { file: "ggml-vocab-phi-3.gguf", reader: HF, reason: "it drops a byte order mark", keys: /\.tokens$/ },
];

/** Reads files as the others do, until it is closed. */
export function startReaders() {
  const python = ggufPy.missing ? undefined : ggufPy.startGgufPy();
  const readers = [
    ...(python ? [{ name: PY, read: python.read, dialect: {} }] : []),
    { name: HF, read: hf.readWithHf, dialect: hf.dialect },
  ];
  return {
    /**
     * Asserts that all read in the file at `path`, which is one of the corpus, or was made of it, what is in the model.
     *
     * @param {string} path
     * @param {Model} model
     * @param {string} file
     * @param {boolean} isEdited
     */
    async check(path, model, file, isEdited) {
      for (const { name, read, dialect } of readers) {
        const excepted = EXCEPTIONS.find(
          ({ file: of, reader, when }) => of === file && reader === name && (when?.(model) ?? true),
        );
        if (excepted && !excepted.keys) {
          await assert.rejects(read(path), `${name} reads it: there is no need for an exception (${excepted.reason})`);
          continue;
        }
        const [found, expected] = [await read(path), reading(model, dialect)];
        const keys = excepted?.keys;
        if (keys && !isEdited) assertWrong(keys, found, expected);
        assert.deepEqual(without(keys, found), without(keys, expected), name);
      }
    },
    close: () => python?.close(),
  };
}

/** @param {string} key */
const text = (key) => Buffer.from(key, "hex").toString();

/** @param {RegExp | undefined} keys @param {Reading} reading */
const without = (keys, reading) => ({
  ...reading,
  entries: reading.entries.filter(({ key }) => !keys?.test(text(key))),
});

/** Asserts that each entry with such a key is wrong. @param {RegExp} keys @param {Reading} found @param {Reading} expected */
function assertWrong(keys, found, expected) {
  const excepted = expected.entries.filter(({ key }) => keys.test(text(key)));
  for (const entry of excepted) {
    const same = found.entries.some((other) => isDeepStrictEqual(other, entry));
    assert.ok(!same, `${text(entry.key)} is read rightly: there is no need for an exception`);
  }
}

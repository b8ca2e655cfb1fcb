// Compares what other readers read in files with the model of these files.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as ggufPy from "./gguf-py.mjs";
import * as hf from "./hf-gguf.mjs";
import { contentOf } from "./gguf-model.mjs";

/**
 * @typedef {import("./gguf-model.mjs").Model} Model
 * @typedef {import("./gguf-model.mjs").FileContent} FileContent
 *
 * @typedef {object} Exception A part of a file that a reader reads incorrectly. A correct result is an error in this list.
 * @property {string} file The name of the file in the corpus.
 * @property {"gguf-py" | "@huggingface/gguf"} reader
 * @property {string} reason
 * @property {RegExp} [keys] The entries that it reads incorrectly. Without it, the reader refuses the file.
 * @property {(model: Model) => boolean} [when] Whether the exception holds for an edited file. Without it, for all files.
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

/** Reads files with the other readers. `close` ends their processes. */
export function startReaders() {
  const python = ggufPy.missing ? undefined : ggufPy.startGgufPy();
  const readers = [
    ...(python ? [{ name: PY, read: python.read, dialect: {} }] : []),
    { name: HF, read: hf.readWithHf, dialect: hf.dialect },
  ];
  return {
    /**
     * Asserts that all readers read the content of the model in the file at `path`. The file is from the corpus or was made
     * from a file of the corpus.
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
        const [found, expected] = [await read(path), contentOf(model, dialect)];
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

/** @param {RegExp | undefined} keys @param {FileContent} content */
const without = (keys, content) => ({
  ...content,
  entries: content.entries.filter(({ key }) => !keys?.test(text(key))),
});

/** Asserts that each entry with a matching key is wrong. @param {RegExp} keys @param {FileContent} found @param {FileContent} expected */
function assertWrong(keys, found, expected) {
  const excepted = expected.entries.filter(({ key }) => keys.test(text(key)));
  for (const entry of excepted) {
    const same = found.entries.some((other) => isDeepStrictEqual(other, entry));
    assert.ok(!same, `${text(entry.key)} is read rightly: there is no need for an exception`);
  }
}

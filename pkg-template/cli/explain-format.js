// Says what a file is that is not GGUF, and what to do.

import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { recogniseFormat } from "../common/other-formats.js";
import { explain } from "./errors.js";

/** @import { OtherFormat } from "../common/other-formats.js" */

const CONVERT_PYTHON = "Convert the model with llama.cpp's convert_hf_to_gguf.py, or look for its .safetensors files.";
const OF_SERVER = "If a server sent it, it may be an error message. Open the address in a browser to read it.";
const UNPACK = "Unpack it, and give the .gguf file in it.";

/** What a file is, and what to do. @type {Readonly<Record<OtherFormat, string>>} */
export const OTHER_FORMATS = {
  html:
    "It is a web page: the address leads to a page about the file, a login form or an error page. " +
    "Copy the address of the download link; on Hugging Face, it contains /resolve/.",
  zip: `It is a ZIP archive, or a PyTorch checkpoint, which has the same format. ${UNPACK} ${CONVERT_PYTHON}`,
  safetensors:
    "It is a safetensors file, another format for models. `gguf-wasm convert FOLDER OUT` makes a GGUF file of the folder of the model.",
  ggml: "It is a model in a format before GGUF: `gguf-wasm migrate FILE OUTPUT` makes a GGUF file of it.",
  "lfs-pointer":
    "It is a Git LFS pointer: a few lines of text in the place of the file. Get the file with `git lfs pull`, or download it from the page of the model.",
  json: `It is JSON text. ${OF_SERVER} A model in the layout of Hugging Face is a folder: \`gguf-wasm convert FOLDER OUT\`.`,
  gzip: `It is a gzip archive. ${UNPACK}`,
  pickle: `It is a Python pickle, the format of older PyTorch checkpoints. ${CONVERT_PYTHON}`,
  onnx: "It looks like an ONNX model. Look for a GGUF version of the model.",
  text: `It is a text file. ${OF_SERVER}`,
  empty: "The file is empty. Download or copy it again.",
};

/** The bytes that tell formats apart. */
const HEAD = 512;

/**
 * Formats by the ends of file names, for files on servers. Only the first four bytes of such a file are known, from the error.
 *
 * @type {readonly (readonly [RegExp, OtherFormat])[]}
 */
const BY_NAME = [
  [/\.safetensors$/i, "safetensors"],
  [/\.onnx$/i, "onnx"],
  [/\.(?:pt|pth|bin|ckpt)$/i, "pickle"],
  [/\.gz$/i, "gzip"],
];

/**
 * Adds to the error of a file that is not GGUF what it is, if its first bytes tell.
 *
 * @param {unknown} error
 * @param {{ fileName: string, path: string | undefined, head?: Uint8Array | undefined }} file `head` has the first bytes of a stream.
 */
export async function explainFormat(error, { fileName, path, head }) {
  if (!(error instanceof Error) || !("code" in error)) return;
  const { code, offset } = /** @type {Error & { code: unknown, offset?: unknown }} */ (error);
  // A file that is shorter than the magic fails with `unexpected-eof` at offset 0.
  if (code !== "bad-magic" && !(code === "unexpected-eof" && offset === 0)) return;
  const start = head ?? (path === undefined ? undefined : await firstBytes(path).catch(() => undefined));
  const format = start === undefined ? formatOfServer(error.message, fileName) : recogniseFormat(start);
  // Files before GGUF can be models or something else. `errors.js` tells them apart by their magic.
  if (format !== undefined && format !== "ggml") explain(error, OTHER_FORMATS[format]);
}

/** The files of a folder that have tensors. */
const TENSORS = /\.safetensors$/i;

/**
 * Adds to the error of a model folder which of its `.safetensors` files is not in the safetensors format, and what it is. A repository that
 * was cloned without Git LFS contains pointer files instead.
 *
 * @param {unknown} error
 * @param {string} folder
 */
export async function explainTensorFiles(error, folder) {
  if (!(error instanceof Error)) return;
  for (const name of await readdir(folder).catch(() => [])) {
    const start = TENSORS.test(name) ? await firstBytes(join(folder, name)).catch(() => undefined) : undefined;
    const format = start && recogniseFormat(start);
    if (format === undefined || format === "safetensors") continue;
    return explain(error, `. This is about ${name}. ${OTHER_FORMATS[format]}`);
  }
}

/** The first bytes of a file. `undefined` for a pipe, because reading it would wait for a writer. @param {string} path */
async function firstBytes(path) {
  if (!(await stat(path)).isFile()) return undefined;
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * The format of a file on a server, by the four letters in the error and by its name.
 *
 * @param {string} message
 * @param {string} fileName
 */
function formatOfServer(message, fileName) {
  const [, letters] = /the file begins with "(.{4})" instead/su.exec(message) ?? [];
  if (letters === undefined) return undefined;
  if (/^<(?:!do|htm|hea|bod)/i.test(letters)) return "html";
  if (letters === "vers") return "lfs-pointer";
  if (letters.startsWith("PK")) return "zip";
  const byName = BY_NAME.find(([pattern]) => pattern.test(fileName))?.[1];
  return byName ?? (letters.includes("\u00b7") ? undefined : recogniseFormat(Buffer.from(letters)));
}

/**
 * A stream whose first bytes are kept.
 *
 * @param {AsyncIterable<Uint8Array>} stream
 * @param {(head: Uint8Array) => void} keep
 */
export async function* withHead(stream, keep) {
  let isFirst = true;
  for await (const chunk of stream) {
    if (isFirst) keep(chunk.subarray(0, HEAD));
    isFirst = false;
    yield chunk;
  }
  if (isFirst) keep(new Uint8Array());
}

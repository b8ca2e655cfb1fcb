// Formats that people open by mistake instead of GGUF. The page recognises them by the same rules (www/src/gguf/other-formats.ts), and the
// tests of both read tests/fixtures/other-formats.json.

/**
 * @typedef {"html" | "zip" | "safetensors" | "ggml" | "lfs-pointer" | "json" | "gzip" | "pickle" | "onnx" | "text" | "empty"} OtherFormat
 */

/**
 * Recognises one of these formats from the first bytes of a file.
 *
 * @param {Uint8Array} head
 * @returns {OtherFormat | undefined}
 */
export function recogniseFormat(head) {
  if (head.length === 0) return "empty";
  const start = head.subarray(0, 512);
  const text = Buffer.from(start).toString("latin1");
  if (text.startsWith("GGUF") || "GGUF".startsWith(text)) return undefined;
  const begins = (/** @type {number[]} */ ...bytes) => bytes.every((byte, i) => start[i] === byte);
  if (text.startsWith("version https://git-lfs.github.com/spec")) return "lfs-pointer";
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|script|meta|title|\?xml)/i.test(text)) return "html";
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6) || begins(0x50, 0x4b, 7, 8)) return "zip";
  // Magic numbers before GGUF are little-endian integers: their letters stand in reverse order.
  if (/^(?:lmgg|fmgg|tjgg|algg|nsgg|ggml|ggmf|ggjt|ggla|ggsn)/.test(text)) return "ggml";
  // A safetensors file: the length of a JSON object in 8 bytes, then the object.
  if (start[5] === 0 && start[6] === 0 && start[7] === 0 && /^\{\s*"/.test(text.slice(8))) return "safetensors";
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x80) && (start[1] ?? 9) <= 5 && /^[}\x8a\x95c(]/.test(text.slice(2))) return "pickle";
  if (begins(0x08) && (start[1] ?? 99) <= 12 && start[2] === 0x12) return "onnx";
  const hasControl = start.some((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13);
  if (hasControl) return undefined;
  if (/^\s*[{[]/.test(text)) return "json";
  return start.every((byte) => byte < 0x7f) ? "text" : undefined;
}

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

// What people open by mistake in place of a GGUF file, and GGUF files that a program has damaged on their way.
/* eslint no-control-regex: "off" -- the beginnings of binary files have control characters */

/**
 * @typedef {object} FormatText What a file is, and what helps.
 * @property {string} what
 * @property {readonly string[]} next What a user of any program can do.
 * @property {readonly string[]} [inPage] In place of `next`: what the page can do.
 * @property {string} [onCommandLine] In place of `next`: what the command line can do.
 * @property {string} [title] Of a file that is GGUF, but damaged.
 */

const READ_IN_BROWSER = "If a server sent it, it may be an error message. Open the address in a browser to read it.";
const CONVERT = "Convert the model with convert_hf_to_gguf.py of llama.cpp, or look for a GGUF version of it.";
const GGUF_VERSION = "Look for a GGUF version of the model.";
const UNPACK = "Unpack it, and open the .gguf file in it.";
const COPY_AGAIN = "Copy or download the original again, in binary mode.";
const DAMAGED = "This GGUF file is damaged";

/** @param {string} name @returns {FormatText} */
const archive = (name) => ({ what: `It is a ${name} archive.`, next: [UNPACK] });

/** What each format is, and what to do with it. */
export const OTHER_FORMATS = {
  "lfs-pointer": {
    what: "It is a Git LFS pointer: a few lines of text in the place of the file.",
    next: ["Get the file with `git lfs pull`, or download it from the page of the model."],
  },
  html: {
    what: "It is a web page: the address leads to a page about the file, a login form or an error page.",
    next: [
      "Copy the address of the download link; on Hugging Face, it contains /resolve/.",
      "If the page is a login form, log in and download the file again, or give an access token.",
    ],
  },
  "http-response": {
    what: "It is the whole answer of a web server: lines of HTTP stand before the file, or in its place.",
    next: ["Save it with a program that keeps only the content of the answer."],
  },
  llamafile: {
    what: "It is a llamafile: a program with its model in it, as a GGUF file in a ZIP archive.",
    next: [
      "Extract the .gguf file with `unzip`.",
      "In JavaScript, `containedGguf` of gguf-wasm/common/contained-gguf.js makes a source of it.",
    ],
  },
  "pytorch-zip": { what: "It is a PyTorch checkpoint, a ZIP archive with a pickle in it.", next: [CONVERT] },
  npz: { what: "It is a NumPy archive (.npz).", next: [CONVERT] },
  zip: {
    what: "It is a ZIP archive, or a PyTorch checkpoint, which has the same format.",
    next: [UNPACK, CONVERT],
  },
  safetensors: {
    what: "It is a safetensors file, another format for models.",
    next: [CONVERT],
    inPage: [
      "Choose the whole folder of the model, or open its repository by its name: this page makes a GGUF file of it.",
      "Or look for a GGUF version of the model.",
    ],
    onCommandLine: "`gguf-wasm convert FOLDER OUT` makes a GGUF file of the folder of the model.",
  },
  whisper: {
    what: "It is a speech model of whisper.cpp in its own format, ggml: whisper.cpp reads it, and no GGUF file is needed.",
    next: ["LegacyModel of gguf-wasm/convert lists its tensors."],
    inPage: ["Open it by itself: the viewer shows such models."],
    onCommandLine: "`gguf-wasm inspect FILE` lists its tensors.",
  },
  parakeet: {
    what: "It is a Parakeet speech model of whisper.cpp in its own format, ggml: whisper.cpp reads it, and no GGUF file is needed.",
    next: ["Open it with whisper.cpp."],
  },
  ggml: {
    what: "It is a model in a format before GGUF (ggml, ggmf, ggjt or ggla).",
    next: ["LegacyModel of gguf-wasm/convert reads it and makes a GGUF file of it."],
    inPage: [
      "Open it by itself: the viewer shows such models of little-endian machines, and its panel Migrate makes GGUF files of them.",
      "Or look for a newer version of the model.",
    ],
    onCommandLine: "`gguf-wasm migrate FILE OUTPUT` makes a GGUF file of it.",
  },
  session: {
    what: "It is a saved session of llama.cpp, the state of a conversation. It is no model.",
    next: ["Open the model that the session was made with."],
  },
  imatrix: {
    what: "It is an importance matrix in the format before GGUF (imatrix.dat).",
    next: ["Give it to llama-quantize, or convert it with llama-imatrix --in-file OLD -o NEW.gguf."],
    onCommandLine: "`gguf-wasm quantize --imatrix FILE` reads it as it is.",
  },
  gzip: archive("gzip"),
  xz: archive("xz"),
  zstd: archive("Zstandard (zst)"),
  bzip2: archive("bzip2"),
  lz4: archive("LZ4"),
  "7z": archive("7-Zip"),
  rar: archive("RAR"),
  tar: archive("tar"),
  pickle: { what: "It is a Python pickle, the format of older PyTorch checkpoints.", next: [CONVERT] },
  numpy: { what: "It is a NumPy array (.npy).", next: [GGUF_VERSION] },
  hdf5: { what: "It is an HDF5 file, the format of Keras models.", next: [GGUF_VERSION] },
  tflite: { what: "It is a TensorFlow Lite model.", next: [GGUF_VERSION] },
  onnx: { what: "It looks like an ONNX model.", next: [GGUF_VERSION] },
  program: { what: "It is a program, not a model.", next: ["Check that you chose the right file."] },
  picture: { what: "It is a picture or a document, not a model.", next: ["Check that you chose the right file."] },
  "ollama-manifest": {
    what: "It is a manifest of Ollama: it lists the parts of a model.",
    next: [
      "The GGUF file is the part of the type application/vnd.ollama.image.model: a file in the folder blobs of Ollama whose name is its digest, with a dash in place of the colon.",
    ],
  },
  "ollama-config": {
    what: "It is the configuration of a model of Ollama, a small file in the folder blobs.",
    next: ["Open the largest file of the model in this folder: `ollama show MODEL --modelfile` prints its path."],
  },
  modelfile: {
    what: "It is a Modelfile, the recipe for a model of Ollama.",
    next: ["Open the file that its line FROM names."],
  },
  json: {
    what: "It is JSON text.",
    next: [READ_IN_BROWSER],
    onCommandLine: `${READ_IN_BROWSER} A model in the layout of Hugging Face is a folder: \`gguf-wasm convert FOLDER OUT\`.`,
  },
  text: { what: "It is a text file.", next: [READ_IN_BROWSER] },
  empty: { what: "The file is empty.", next: ["Download or copy it again."] },
  zeros: {
    what: "Its beginning is filled with zeros: the space was reserved, but the data never arrived there.",
    next: ["Let the download finish, or download the file again."],
    title: "The beginning of this file is missing",
  },
  "byte-order-mark": {
    what: "It is a GGUF file behind a byte order mark: a program has treated it as text.",
    next: [COPY_AGAIN, "If only the mark was added, removing the first three bytes repairs it: `tail -c +4 FILE`."],
    title: DAMAGED,
  },
  "utf-16": {
    what: "It is a GGUF file that was written as UTF-16 text, as a redirection (>) of Windows PowerShell does. It cannot be repaired.",
    next: [COPY_AGAIN],
    title: DAMAGED,
  },
  "text-mode": {
    what: "It is a GGUF file that was copied as text: a carriage return stands before each of its line feeds (0D 0A in place of 0A).",
    next: [COPY_AGAIN, "FTP has the command `binary` for this; in Git, the attribute `-text` of the file."],
    title: DAMAGED,
  },
  "utf-8": {
    what: "It is a GGUF file that was decoded as UTF-8 text: bytes that are not text were replaced (by EF BF BD). It cannot be repaired.",
    next: [COPY_AGAIN],
    title: DAMAGED,
  },
  "late-gguf": {
    what: "The four letters GGUF stand later in the file: other bytes were written before them.",
    next: [COPY_AGAIN],
    title: DAMAGED,
  },
};

/** @typedef {keyof typeof OTHER_FORMATS} OtherFormat */

/** The texts of a format. @param {OtherFormat} format @returns {FormatText} */
export const formatText = (format) => OTHER_FORMATS[format];

/** The most bytes from the beginning of a file that tell its format. */
export const HEAD_SIZE = 1 << 16;

/**
 * The formats by the first bytes, each of which is a character from U+0000 to U+00FF. The first row that matches is the format.
 *
 * @type {readonly (readonly [OtherFormat, RegExp])[]}
 */
const BY_BEGINNING = [
  ["lfs-pointer", /^version https:\/\/git-lfs\.github\.com\/spec/],
  ["html", /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|!--|html|head|body|script|meta|title|\?xml)/i],
  ["http-response", /^HTTP\/\d/],
  // The two magics of Actually Portable Executables, which llamafiles are.
  ["llamafile", /^(?:MZqFpD|jartsr)='/],
  ["pytorch-zip", /^PK\x03\x04[^]{26}[^\0]{0,200}?data\.pkl/],
  ["npz", /^PK\x03\x04[^]{26}[^\0]{0,200}?\.npy/],
  ["zip", /^PK(?:\x03\x04|\x05\x06|\x07\x08)/],
  ["gzip", /^\x1f\x8b/],
  ["xz", /^\xfd7zXZ\0/],
  ["zstd", /^\x28\xb5\x2f\xfd/],
  ["bzip2", /^BZh[1-9]1AY&SY/],
  ["lz4", /^\x04\x22\x4d\x18/],
  ["7z", /^7z\xbc\xaf\x27\x1c/],
  ["rar", /^Rar!\x1a\x07/],
  ["tar", /^[^]{257}ustar/],
  ["numpy", /^\x93NUMPY/],
  ["hdf5", /^\x89HDF\r\n\x1a\n/],
  ["tflite", /^[^]{4}TFL3/],
  ["picture", /^(?:\x89PNG|\xff\xd8\xff|GIF8|%PDF|RIFF[^]{4}WEBP)/],
  ["program", /^(?:\x7fELF|MZ[^]{62}|[\xcf\xce]\xfa\xed\xfe|\xca\xfe\xba\xbe)/],
  // The length of a JSON object in 8 bytes, then the object.
  ["safetensors", /^[^]{5}\0\0\0\{\s*"/],
  ["imatrix", /^[^]{2}\0\0[\x05-\x7f]\0\0\0(?:blk\.|output|token_embd)/],
  ["pickle", /^\x80[\0-\x05][}\x8a\x95c(]/],
  ["onnx", /^\x08[\0-\x0c]\x12/],
  ["session", /^(?:nsgg|ggsn)/],
  ["byte-order-mark", /^\xef\xbb\xbfGGUF/],
  ["utf-16", /^(?:(?:\xff\xfe)?G\0G\0U\0F\0|\xfe\xff\0G\0G\0U\0F)/],
];

/** The magics before GGUF: little-endian integers, so that their letters stand in reverse order, or of a big-endian machine. */
const BEFORE_GGUF = /^(?:lmgg|fmgg|tjgg|algg|ggml|ggmf|ggjt|ggla)/;

/** Texts by what stands in them. @type {readonly (readonly [OtherFormat, RegExp])[]} */
const TEXTS = [
  ["ollama-manifest", /^\s*\{[^]*"application\/vnd\.(?:ollama\.image|docker\.distribution\.manifest)/],
  ["ollama-config", /^\s*\{[^]*"model_format"\s*:\s*"(?:gguf|safetensors)"/],
  ["json", /^\s*[{[]/],
  ["modelfile", /^(?:\s*#.*\n)*\s*FROM\s+\S/i],
  ["text", /^[^]/],
];

/**
 * Recognises what a file is by its first bytes, if it is not a GGUF file, or a damaged one.
 *
 * @param {Uint8Array} head The first bytes of the file: the more, up to {@link HEAD_SIZE}, the more is recognised.
 * @returns {OtherFormat | undefined} `undefined` for GGUF, and if nothing is known.
 */
export function recogniseFormat(head) {
  if (head.length === 0) return "empty";
  const start = head.subarray(0, 1024);
  const text = String.fromCharCode(...start);
  if ("GGUF".startsWith(text)) return undefined;
  if (text.startsWith("GGUF")) return damageOf(head);
  if (BEFORE_GGUF.test(text)) return speechModel(head) ?? "ggml";
  const found = BY_BEGINNING.find(([, pattern]) => pattern.test(text))?.[0];
  if (found !== undefined) return found;
  if (start.length >= 16 && start.every((byte) => byte === 0)) return "zeros";
  if (/GGUF[\x01-\x03]\0\0\0/.test(text)) return "late-gguf";
  const isText = start.every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13)) && isUtf8(start);
  return isText ? TEXTS.find(([, pattern]) => pattern.test(text))?.[0] : undefined;
}

/** The speech model of whisper.cpp that a file with the magic `ggml` is, by its hyperparameters. @param {Uint8Array} head */
function speechModel(head) {
  if (head.length < 48) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const word = (/** @type {number} */ index) => view.getUint32(4 + 4 * index, true);
  const isMels = (/** @type {number} */ count) => count === 80 || count === 128;
  // n_vocab, n_audio_{ctx,state,head,layer}, n_text_{ctx,state,head,layer}, n_mels, ftype. Both states have the same width.
  if (isMels(word(9)) && word(1) > 0 && word(2) === word(6)) return "whisper";
  // n_vocab, n_audio_{ctx,state,head,layer}, n_mels, ftype, n_fft. Its context has no end, which is written as 0.
  return isMels(word(5)) && word(1) === 0 && word(7) === 512 ? "parakeet" : undefined;
}

/** How a file that begins with `GGUF` was damaged, if its header shows it. @param {Uint8Array} head */
function damageOf(head) {
  const text = new TextDecoder("utf-8").decode(head);
  // No line feed is alone, and one was the lowest byte of a length or a count: 10, or 10 more than a multiple of 256.
  if (/\r\n[^]?\0\0\0/.test(text) && !/(?<!\r)\n/.test(text)) return "text-mode";
  // Nearly every header has numbers whose bytes are not UTF-8.
  return head.length >= 64 && text.includes("\ufffd") && isUtf8(head) ? "utf-8" : undefined;
}

/** Whether bytes are UTF-8, of which the last character may be cut off. @param {Uint8Array} bytes */
function isUtf8(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

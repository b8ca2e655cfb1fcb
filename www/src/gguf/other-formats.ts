/** Formats that people open by mistake instead of GGUF. */

export type OtherFormat =
  "html" | "zip" | "safetensors" | "ggml" | "lfs-pointer" | "json" | "gzip" | "pickle" | "onnx" | "text" | "empty";

/** Recognises one of these formats from the first bytes of a file. */
export function recogniseFormat(head: Uint8Array): OtherFormat | undefined {
  if (head.length === 0) return "empty";
  const start = head.subarray(0, 512);
  const text = new TextDecoder("latin1").decode(start);
  if (text.startsWith("GGUF") || "GGUF".startsWith(text)) return undefined;
  const begins = (...bytes: number[]) => bytes.every((byte, i) => start[i] === byte);
  if (text.startsWith("version https://git-lfs.github.com/spec")) return "lfs-pointer";
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|script|meta|title|\?xml)/i.test(text)) return "html";
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6) || begins(0x50, 0x4b, 7, 8)) return "zip";
  // Legacy magic numbers are little-endian integers: their letters stand in reverse order.
  if (/^(?:lmgg|fmgg|tjgg|algg|nsgg|ggml|ggmf|ggjt|ggla|ggsn)/.test(text)) return "ggml";
  // A safetensors file: the length of a JSON object in 8 bytes, then the object.
  if (start[5] === 0 && start[6] === 0 && start[7] === 0 && /^\{\s*"/.test(text.slice(8))) return "safetensors";
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x80) && (start[1] ?? 9) <= 5 && /^[}\x8a\x95c(]/.test(text.slice(2))) return "pickle";
  if (begins(0x08) && (start[1] ?? 99) <= 12 && start[2] === 0x12) return "onnx";
  const control = start.some((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13);
  if (control) return undefined;
  if (/^\s*[{[]/.test(text)) return "json";
  return start.every((byte) => byte < 0x7f) ? "text" : undefined;
}

/** What the file is, and what to do with it. */
export const OTHER_FORMATS: Record<OtherFormat, { what: string; next: string[] }> = {
  html: {
    what: "It is a web page. The address leads to a page about the file, a login form or an error page, not to the file itself.",
    next: [
      "Copy the address of the download link, not the address of the page.",
      "On Hugging Face, file links contain /resolve/.",
    ],
  },
  zip: {
    what: "It is a ZIP archive, or a PyTorch checkpoint, which has the same format.",
    next: [
      "Unpack the archive, and open the .gguf file in it.",
      "A PyTorch model has to be converted first (llama.cpp’s convert_hf_to_gguf.py).",
    ],
  },
  safetensors: {
    what: "It is a safetensors file, another format for models.",
    next: [
      "Choose the whole folder of the model, or open its repository by its name: this page makes a GGUF file of it.",
      "Or look for a GGUF version of the model.",
    ],
  },
  ggml: {
    what: "It is a GGML file from before August 2023 (ggml, ggmf or ggjt), the format that GGUF replaced.",
    next: [
      "Open it by itself: the viewer shows such models of little-endian machines, and its panel Migrate makes GGUF files of them.",
      "Or look for a newer version of the model.",
    ],
  },
  "lfs-pointer": {
    what: "It is a Git LFS pointer: a few lines of text that stand for the real file in a repository.",
    next: ["Get the real file with `git lfs pull`, or download it from the model’s page."],
  },
  json: {
    what: "It is JSON text.",
    next: ["If a server sent it, it may be an error message. Open the address in a browser tab to read it."],
  },
  gzip: { what: "It is a gzip-compressed file.", next: ["Unpack the archive, and open the .gguf file in it."] },
  pickle: {
    what: "It is a Python pickle, the format of older PyTorch checkpoints.",
    next: ["Convert the model first (llama.cpp’s convert_hf_to_gguf.py)."],
  },
  onnx: { what: "It looks like an ONNX model.", next: ["Look for a GGUF version of the model."] },
  text: {
    what: "It is a text file.",
    next: ["If a server sent it, it may be an error message. Open the address in a browser tab to read it."],
  },
  empty: { what: "The file is empty.", next: ["Download or copy it again."] },
};

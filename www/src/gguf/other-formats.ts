import type { OtherFormat } from "gguf-wasm/common/other-formats.js";

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

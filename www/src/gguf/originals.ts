import type { CsvOptions, Gguf, JsonOptions, MarkdownOptions, OriginalTensor } from "gguf-wasm";

/** The methods of a file that list the tensors as the original file has them, which the GGUF file shows. */
export function listingOriginals(gguf: Gguf, originals: readonly OriginalTensor[]) {
  return {
    toJSON: (options?: JsonOptions) => gguf.toJSON({ ...options, originals }),
    toMarkdown: (options?: MarkdownOptions) => gguf.toMarkdown({ ...options, originals }),
    tensorsToCsv: (options?: CsvOptions) => gguf.tensorsToCsv({ ...options, originals }),
  };
}

/** @import { CsvOptions, Gguf, JsonOptions, MarkdownOptions, OriginalTensor } from "../full/index.js" */

/**
 * The methods of a file that list the tensors as the original file has them, which the GGUF file shows.
 *
 * @param {Gguf} gguf
 * @param {readonly OriginalTensor[]} originals
 */
export function listingOriginals(gguf, originals) {
  return {
    toJSON: (/** @type {JsonOptions | undefined} */ options) => gguf.toJSON({ ...options, originals }),
    toMarkdown: (/** @type {MarkdownOptions | undefined} */ options) => gguf.toMarkdown({ ...options, originals }),
    tensorsToCsv: (/** @type {CsvOptions | undefined} */ options) => gguf.tensorsToCsv({ ...options, originals }),
  };
}

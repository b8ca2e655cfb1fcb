// The formats of exports. The command `export`, the menu of the app and their documents are made from this table.

/** @import { Gguf } from "../full/index.js" */

/**
 * What is written of a file. Each format uses some members.
 *
 * @typedef {object} ExportOptions
 * @property {string} [fileName]
 * @property {"full" | "short" | "none"} [arrays]
 * @property {boolean} [tensors]
 * @property {boolean} [spreadsheetSafe]
 * @property {string} [key] The key of the chat template.
 */

/**
 * @typedef {object} MenuItem An item of the app's menu.
 * @property {string} title Each item has another one.
 * @property {string} about
 * @property {string} ending Comes before the extension.
 * @property {ExportOptions} options
 */

/**
 * @typedef {object} ExportFormat
 * @property {string} title The name of the format. Several rows can have the same one.
 * @property {string} extension
 * @property {string} type The media type.
 * @property {string} content What a file of the format has.
 * @property {string} method The method of `Gguf`.
 * @property {readonly string[]} options The options of the command that apply to it.
 * @property {"header" | "table" | undefined} group The group of its items in the menu.
 * @property {readonly MenuItem[]} items Those that the menu always has.
 * @property {string} [needs] Only files with this key have it.
 * @property {(gguf: Gguf, options: ExportOptions) => string} [write] A format without it is not text.
 */

const CSV_NOTE = "Texts that a spreadsheet would read as formulas get an apostrophe";
const CSV = { title: "CSV", extension: ".csv", type: "text/csv;charset=utf-8", options: ["spreadsheet-safe"] };
const TABLE = /** @type {const} */ ("table");
const HEADER = /** @type {const} */ ("header");

/** @satisfies {Readonly<Record<string, ExportFormat>>} */
export const EXPORT_FORMATS = {
  json: {
    title: "JSON",
    extension: ".json",
    type: "application/json",
    content: "the metadata and the tensors, as llama.cpp's `gguf-dump --json --json-array` prints them",
    method: "toJSON",
    options: ["arrays", "no-tensors"],
    group: HEADER,
    items: [
      {
        title: "JSON",
        about: "Metadata and tensors, with the first elements of arrays",
        ending: "",
        options: { arrays: "short" },
      },
      {
        title: "JSON with full arrays",
        about: "As gguf-dump --json --json-array writes it",
        ending: ".full",
        options: { arrays: "full" },
      },
    ],
    write: (gguf, { fileName, arrays, tensors }) =>
      `${JSON.stringify(gguf.toJSON({ fileName, arrays, tensors }), undefined, 2)}\n`,
  },
  markdown: {
    title: "Markdown",
    extension: ".md",
    type: "text/markdown;charset=utf-8",
    content: "the metadata and the tensors, as llama.cpp's `gguf-dump --markdown` prints them",
    method: "toMarkdown",
    options: ["no-tensors"],
    group: HEADER,
    items: [{ title: "Markdown", about: "As gguf-dump --markdown writes it", ending: "", options: {} }],
    write: (gguf, { fileName, tensors }) => gguf.toMarkdown({ fileName, tensors }),
  },
  csv: {
    ...CSV,
    content: "a row for each tensor",
    method: "tensorsToCsv",
    group: TABLE,
    items: [
      {
        title: "Tensors as CSV",
        about: `A row for each tensor. ${CSV_NOTE}`,
        ending: ".tensors",
        options: { spreadsheetSafe: true },
      },
    ],
    write: (gguf, { spreadsheetSafe }) => gguf.tensorsToCsv({ spreadsheetSafe }),
  },
  tokens: {
    ...CSV,
    content: "a row for each token of the vocabulary",
    method: "tokensToCsv",
    group: TABLE,
    items: [
      {
        title: "Tokens as CSV",
        about: `A row for each token. ${CSV_NOTE}`,
        ending: ".tokens",
        options: { spreadsheetSafe: true },
      },
    ],
    needs: "tokenizer.ggml.tokens",
    write: (gguf, { spreadsheetSafe }) => gguf.tokensToCsv({ spreadsheetSafe }),
  },
  template: {
    title: "Jinja",
    extension: ".jinja",
    type: "text/plain;charset=utf-8",
    content: "a chat template",
    method: "chatTemplates",
    options: ["template"],
    group: undefined,
    // An item for each template.
    items: [],
    write: (gguf, { key }) => gguf.chatTemplates().find((template) => template.key === key)?.template ?? "",
  },
  npy: {
    title: "NumPy's .npy",
    extension: ".npy",
    type: "application/octet-stream",
    content: "a tensor, as values or as stored bytes",
    method: "toNpy",
    options: ["tensor", "stored"],
    group: undefined,
    // The app has it beside the values of a tensor.
    items: [],
  },
};

/** @typedef {keyof typeof EXPORT_FORMATS} ExportName */

/** The table as a list. @type {readonly (readonly [ExportName, ExportFormat])[]} */
export const EXPORT_LIST = /** @type {[ExportName, ExportFormat][]} */ (Object.entries(EXPORT_FORMATS));

/** The names of all formats: "json, markdown or npy". */
export const FORMAT_NAMES = listed(EXPORT_LIST.map(([name]) => name));

/** @param {readonly string[]} items */
export function listed(items) {
  return `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}

/** The formats to which an option of the command applies: "json and markdown". @param {string} option */
export function formatsWith(option) {
  return EXPORT_LIST.flatMap(([name, { options }]) => (options.includes(option) ? [name] : [])).join(" and ");
}

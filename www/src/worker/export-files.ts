/** The files that the Export menu makes. */

import type { Gguf, MetadataValue } from "gguf-wasm";
import { baseName } from "../gguf/base-name.ts";

/** A kind of export: a file in another format. */
export interface ExportKind {
  readonly title: string;
  readonly about?: string;
  /** Only files with this key have the export. */
  readonly needs?: string;
  /** The end of the file's name, after the name of the model. */
  readonly ending: string;
  readonly type: string;
  readonly write: (gguf: Gguf, fileName: string) => string;
}

const json = (arrays: "short" | "full") => (gguf: Gguf, fileName: string) =>
  `${JSON.stringify(gguf.toJSON({ arrays, fileName }), undefined, 2)}\n`;

export const MARKDOWN: ExportKind = {
  title: "Markdown",
  about: "As gguf-dump --markdown writes it",
  ending: ".md",
  type: "text/markdown;charset=utf-8",
  write: (gguf, fileName) => gguf.toMarkdown({ fileName }),
};

const HEADER_EXPORTS: readonly ExportKind[] = [
  {
    title: "JSON",
    about: "Metadata and tensors, with the first elements of arrays",
    ending: ".json",
    type: "application/json",
    write: json("short"),
  },
  {
    title: "JSON with full arrays",
    about: "As gguf-dump --json --json-array writes it",
    ending: ".full.json",
    type: "application/json",
    write: json("full"),
  },
  MARKDOWN,
];

/** People open these files in spreadsheets, which run cells that begin with `=` as formulas. */
const SPREADSHEETS = { spreadsheetSafe: true };

const CSV_NOTE = "Texts that a spreadsheet would read as formulas get an apostrophe";

const TABLE_EXPORTS: readonly ExportKind[] = [
  {
    title: "Tensors as CSV",
    about: `A row for each tensor. ${CSV_NOTE}`,
    ending: ".tensors.csv",
    type: "text/csv;charset=utf-8",
    write: (gguf) => gguf.tensorsToCsv(SPREADSHEETS),
  },
  {
    title: "Tokens as CSV",
    about: `A row for each token. ${CSV_NOTE}`,
    needs: "tokenizer.ggml.tokens",
    ending: ".tokens.csv",
    type: "text/csv;charset=utf-8",
    write: (gguf) => gguf.tokensToCsv(SPREADSHEETS),
  },
];

const TEMPLATE_KEY = /^tokenizer\.chat_template(?:\.(.+))?$/s;
/** The most templates that have an item. Real models have up to four. */
const MAX_TEMPLATES = 12;

/** The chat templates of a file as exports. */
export function templateExports(metadata: ReadonlyMap<string, MetadataValue>): ExportKind[] {
  const found: ExportKind[] = [];
  for (const key of metadata.keys()) {
    const match = TEMPLATE_KEY.exec(key);
    if (!match || typeof metadata.get(key) !== "string" || found.length === MAX_TEMPLATES) continue;
    const [, name] = match;
    found.push({
      title: name === undefined ? "Chat template" : `Chat template “${name}”`,
      ending: name === undefined ? ".jinja" : `.${fileNamePart(name)}.jinja`,
      type: "text/plain;charset=utf-8",
      write: (gguf) => gguf.chatTemplates().find((template) => template.key === key)?.template ?? "",
    });
  }
  return found;
}

/** The exports of a file, in groups: the whole header, tables, chat templates. Each export has another title. */
export function exportGroups(metadata: ReadonlyMap<string, MetadataValue>): (readonly ExportKind[])[] {
  const tables = TABLE_EXPORTS.filter(({ needs }) => needs === undefined || metadata.has(needs));
  return [HEADER_EXPORTS, tables, templateExports(metadata)];
}

/** The name of an exported file. */
export function exportName(fileName: string, ending: string): string {
  return `${baseName(fileName) || "model"}${ending}`;
}

/** A text from a file as a part of a file name: letters, digits, `.`, `_` and `-`. */
export function fileNamePart(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 100);
}

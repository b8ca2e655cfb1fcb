/** The files that the Export menu makes. */

import type { MetadataValue } from "gguf-wasm/explain";
import { EXPORT_FORMATS, EXPORT_LIST, type ExportFormat, type MenuItem } from "gguf-wasm/common/export-formats.js";
import { baseName } from "../gguf/base-name.ts";
import type { FullGguf } from "../gguf/full.ts";

/** A kind of export: a file in another format. */
export interface ExportKind {
  readonly title: string;
  readonly about?: string;
  /** The end of the file's name, after the name of the model. */
  readonly ending: string;
  readonly type: string;
  readonly write: (gguf: FullGguf, fileName: string) => string;
}

type Item = Pick<MenuItem, "title" | "ending" | "options"> & Partial<MenuItem>;

function exportKind({ extension, type, write }: ExportFormat, { ending, options, ...words }: Item): ExportKind {
  return {
    ...words,
    ending: `${ending}${extension}`,
    type,
    write: (gguf, fileName) => write?.(gguf, { ...options, fileName }) ?? "",
  };
}

export const [MARKDOWN] = EXPORT_FORMATS.markdown.items.map((item) => exportKind(EXPORT_FORMATS.markdown, item)) as [
  ExportKind,
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
    const words =
      name === undefined
        ? { title: "Chat template", ending: "" }
        : { title: `Chat template “${name}”`, ending: `.${fileNamePart(name)}` };
    found.push(exportKind(EXPORT_FORMATS.template, { ...words, options: { key } }));
  }
  return found;
}

/** The exports of a file, in groups: the whole header, tables, chat templates. Each export has another title. */
export function exportGroups(metadata: ReadonlyMap<string, MetadataValue>): (readonly ExportKind[])[] {
  const kinds = (group: ExportFormat["group"]) =>
    EXPORT_LIST.flatMap(([, format]) =>
      format.group === group && (format.needs === undefined || metadata.has(format.needs))
        ? format.items.map((item) => exportKind(format, item))
        : [],
    );
  return [kinds("header"), kinds("table"), templateExports(metadata)];
}

/** The name of an exported file. */
export function exportName(fileName: string, ending: string): string {
  return `${baseName(fileName) || "model"}${ending}`;
}

/** A text from a file as a part of a file name: letters, digits, `.`, `_` and `-`. */
export function fileNamePart(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 100);
}

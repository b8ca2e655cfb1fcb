// `gguf-wasm export`: what a file contains, in the formats of other tools.

import { EXPORT_FORMATS, EXPORT_LIST, FORMAT_NAMES, formatsWith } from "../common/export-formats.js";
import { MetadataArray } from "../full/node.js";
import { CommandError, UsageError, aboutFile, explain } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { serverOf } from "./hub.js";
import { elementsOf, jsonPieces, partsOf } from "./json.js";
import { openUnlessLegacy } from "./legacy-magic.js";
import { currentProgress, isTerminal, printBytes, printRaw } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { withoutSecrets } from "./shown-address.js";
import { requireRanges, setFindings, warnOfSet } from "./source.js";
import { nearest } from "./spelling.js";
import { exactSize } from "./text.js";
import { quoted } from "./values.js";

/** @import { ExportFormat, ExportName } from "../common/export-formats.js" */
/** @import { Gguf } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** @type {Readonly<Record<ExportName, ExportFormat>>} */
const FORMATS = EXPORT_FORMATS;

/**
 * The pieces of a format that is text.
 *
 * @param {ExportName} format
 * @param {Gguf} gguf
 * @param {Arguments} args
 */
function piecesOf(format, gguf, args) {
  const fileName = withoutSecrets(args.at(0));
  if (format === "json") return jsonPieces(jsonOf(gguf, args, fileName));
  const options = {
    fileName,
    tensors: withTensors(args),
    spreadsheetSafe: args.flag("spreadsheet-safe"),
    ...(format === "template" ? { key: templateKey(gguf, args) } : {}),
  };
  return partsOf(FORMATS[format].write?.(gguf, options) ?? "", PART_LENGTH);
}

/**
 * `gguf.toJSON()`. Whole arrays would be larger as objects than the file, so their elements are read while they are written.
 *
 * @param {Gguf} gguf
 * @param {Arguments} args
 * @param {string} fileName
 */
function jsonOf(gguf, args, fileName) {
  const arrays = arraysOf(args);
  const tensors = withTensors(args);
  if (arrays !== "full") return gguf.toJSON({ fileName, arrays, tensors });
  const json = gguf.toJSON({ fileName, arrays: "none", tensors });
  const { entries } = gguf;
  const fields = Object.entries(json.metadata);
  // The first fields are no entries.
  const before = fields.length - entries.length;
  return {
    ...json,
    metadata: Object.fromEntries(
      fields.map(([name, field]) => {
        const value = entries[field.index - before]?.value;
        return [name, value instanceof MetadataArray ? { ...field, value: flat(value) } : field];
      }),
    ),
  };
}

/** The elements of an array; in place of arrays in it, their elements. @param {MetadataArray} array @returns {object} */
function flat(array) {
  if (array.elementType !== "ARRAY") return array;
  return {
    *[Symbol.iterator]() {
      for (let i = 0; i < array.length; i++) {
        const element = array.at(i);
        if (element instanceof MetadataArray) yield* elementsOf(flat(element));
      }
    },
  };
}

/** @param {Arguments} args */
export async function run(args) {
  const format = formatOf(args);
  if (format === "json") arraysOf(args);
  if (args.flag("json") && args.text("output") === undefined) {
    throw new UsageError(
      "--json says what was written, so it needs --output PATH. For the header as JSON, give --format json.",
    );
  }
  const output = args.text("output");
  const opened = await openUnlessLegacy(args.at(0), args);
  // The code for files before GGUF is loaded only for them.
  const model = opened ?? (await (await import("./legacy-source.js")).openAsGguf(args.at(0), args));
  try {
    const file = output === undefined ? undefined : await OutputFile.at(output, { mayReplace: args.flag("force") });
    warnOfSet(model, args);
    if (format === "npy") await exportNpy(args, model, file);
    else await exportText(args, model, file, (gguf) => piecesOf(format, gguf, args));
    return DONE;
  } finally {
    await model.close();
  }
}

/**
 * The format, after a check that the options belong to it.
 *
 * @param {Arguments} args
 */
function formatOf(args) {
  const implied = args.text("tensor") !== undefined ? "npy" : args.text("template") !== undefined ? "template" : "json";
  const asked = args.text("format") ?? implied;
  const format = EXPORT_LIST.map(([name]) => name).find((name) => name === asked);
  if (format === undefined) throw new UsageError(`--format is "${asked}", expected ${FORMAT_NAMES}.`);
  for (const option of new Set(EXPORT_LIST.flatMap(([, { options }]) => options))) {
    if ((args.flag(option) || args.text(option) !== undefined) && !FORMATS[format].options.includes(option)) {
      throw new UsageError(`--${option} is only for --format ${formatsWith(option)}, but the format is ${format}.`);
    }
  }
  if (format === "npy" && args.text("tensor") === undefined) {
    throw new UsageError("--format npy needs the name of a tensor. Give --tensor NAME.");
  }
  return format;
}

/** @param {Arguments} args */
function arraysOf(args) {
  const arrays = args.text("arrays") ?? "full";
  if (arrays === "full" || arrays === "short" || arrays === "none") return arrays;
  throw new UsageError(`--arrays is "${arrays}", expected full, short or none.`);
}

/** @param {Arguments} args */
const withTensors = (args) => !args.flag("no-tensors");

/**
 * The key of the chat template that is asked for.
 *
 * @param {Gguf} gguf
 * @param {Arguments} args
 */
function templateKey(gguf, args) {
  const name = args.text("template") ?? "default";
  const templates = gguf.chatTemplates();
  const found = templates.find((template) => template.name === name);
  if (found) return found.key;
  const names = templates.map(({ name }) => quoted(name)).join(", ");
  const advice = names === "" ? "The file has no chat templates." : `The file has ${names}. Give one with --template.`;
  throw new CommandError("unknown-key", `there is no chat template ${quoted(name)}. ${advice}`);
}

/**
 * A tensor as an .npy file. If the file does not have it, the error says which one is probably meant.
 *
 * @param {Gguf} gguf
 * @param {Arguments} args
 */
function npyOf(gguf, args) {
  const tensor = args.text("tensor") ?? "";
  try {
    return gguf.toNpy(tensor, { as: args.flag("stored") ? "stored" : "values" });
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "unknown-tensor";
    const names = isMissing ? gguf.tensors.map(({ name }) => name) : [];
    const similar = nearest(tensor, names);
    if (similar !== undefined) explain(/** @type {Error} */ (error), `. Did you mean ${quoted(similar)}?`);
    throw error;
  }
}

/**
 * Prints a text, or writes it into a file.
 *
 * @param {Arguments} args
 * @param {OpenedModel} model
 * @param {OutputFile | undefined} file
 * @param {(gguf: Gguf) => Iterable<string>} piecesOf
 */
async function exportText(args, model, file, piecesOf) {
  const { name, gguf } = model;
  const pieces = await aboutFile(name, () => piecesOf(gguf));
  if (!file) return aboutFile(name, () => printRaw(isTerminal() ? withoutCarriageReturns(pieces) : pieces));
  let size = 0;
  await file.write({ stream: () => encoded(pieces) }, (bytesWritten) => (size = bytesWritten));
  file.moveIntoPlace();
  await printWritten(args, model, file, size, exactSize(size));
}

/**
 * Says that a file has been written.
 *
 * @param {Arguments} args
 * @param {OpenedModel} model
 * @param {OutputFile} file
 * @param {number} size
 * @param {string} facts
 */
function printWritten(args, model, { name }, size, facts) {
  const result = { file: args.at(0), written: [name], output: name, size, ...setFindings(model) };
  return printResult(args, result, () => safe`${name}: written, ${facts}\n`);
}

/** The characters of a long text that are encoded at once. */
const PART_LENGTH = 1 << 20;

/** The lines of CSV end with CR LF, and a terminal would show each CR as an escape. @param {Iterable<string>} pieces */
function* withoutCarriageReturns(pieces) {
  let rest = "";
  for (const piece of pieces) {
    const text = rest + piece;
    rest = text.endsWith("\r") ? "\r" : "";
    yield text.slice(0, text.length - rest.length).replaceAll("\r\n", "\n");
  }
  yield rest;
}

/** The bytes of a text. @param {Iterable<string>} pieces */
async function* encoded(pieces) {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < PART_LENGTH) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

/**
 * Writes a tensor as a file of NumPy, or to the standard output.
 *
 * @param {Arguments} args
 * @param {OpenedModel} model
 * @param {OutputFile | undefined} file
 */
async function exportNpy(args, model, file) {
  if (!file && isTerminal()) {
    const advice = "Give a file with --output, or send the output to a program.";
    throw new UsageError(`An .npy file is not text, so it is not printed on a terminal. ${advice}`);
  }
  requireRanges(model);
  const { name, gguf } = model;
  const npy = await aboutFile(name, () => npyOf(gguf, args));
  const title = `Exporting ${args.text("tensor")}`;
  if (file) {
    const progress = currentProgress(title, serverOf(name));
    try {
      await aboutFile(name, () => file.write(npy, (bytes) => progress.update(bytes, npy.size)));
    } finally {
      progress.clear();
    }
    file.moveIntoPlace();
    const shape = npy.shape.length === 0 ? "a single number" : npy.shape.join(" × ");
    await printWritten(args, model, file, npy.size, `${npy.dtype}, ${shape}, ${exactSize(npy.size)}`);
  } else {
    await aboutFile(name, () => printBytes(npy.stream()));
  }
}

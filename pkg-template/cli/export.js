// `gguf-wasm export`: what a file contains, in the formats of other tools.

import { once } from "node:events";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { clearProgress, currentProgress, print, printRaw } from "./output.js";
import { OutputFile } from "./output-file.js";
import { jsonText } from "./result.js";
import { openModel, requireRanges, warnOfSet } from "./source.js";
import { exactSize, printable } from "./text.js";
import { quoted } from "./values.js";

/** @import { Gguf } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { Contents } from "./output-file.js" */
/** @import { OpenedModel } from "./source.js" */

/**
 * The text of each format that is text.
 *
 * @type {Readonly<Record<string, (gguf: Gguf, args: Arguments, fileName: string) => string>>}
 */
const TEXTS = {
  json: (gguf, args, fileName) =>
    jsonText(gguf.toJSON({ fileName, arrays: arraysOf(args), tensors: withTensors(args) })),
  markdown: (gguf, args, fileName) => gguf.toMarkdown({ fileName, tensors: withTensors(args) }),
  csv: (gguf) => gguf.tensorsToCsv(),
  tokens: (gguf) => gguf.tokensToCsv(),
  template: templateOf,
};

/** The options that only some formats use. @type {Readonly<Record<string, readonly string[]>>} */
const FORMATS_OF_OPTIONS = {
  arrays: ["json"],
  "no-tensors": ["json", "markdown"],
  template: ["template"],
  tensor: ["npy"],
  stored: ["npy"],
};

/** @param {Arguments} args */
export async function run(args) {
  const format = formatOf(args);
  if (format === "json") arraysOf(args);
  const output = args.text("output");
  const model = await openModel(args.at(0), args);
  try {
    const file = output === undefined ? undefined : await OutputFile.at(output, { mayReplace: args.flag("force") });
    warnOfSet(model);
    if (format === "npy") await exportNpy(args, model, file);
    else await exportText(model, file, (gguf) => TEXTS[format]?.(gguf, args, args.at(0)) ?? "");
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
  const format = args.text("format") ?? implied;
  const formats = [...Object.keys(TEXTS), "npy"];
  if (!formats.includes(format)) {
    throw new UsageError(`--format is "${format}", expected ${formats.slice(0, -1).join(", ")} or npy.`);
  }
  for (const [option, allowed] of Object.entries(FORMATS_OF_OPTIONS)) {
    if ((args.flag(option) || args.text(option) !== undefined) && !allowed.includes(format)) {
      throw new UsageError(`--${option} is only for --format ${allowed.join(" and ")}, but the format is ${format}.`);
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
 * @param {Gguf} gguf
 * @param {Arguments} args
 */
function templateOf(gguf, args) {
  const name = args.text("template") ?? "default";
  const templates = gguf.chatTemplates();
  const found = templates.find((template) => template.name === name);
  if (found) return found.template;
  const names = templates.map(({ name }) => quoted(name)).join(", ");
  const advice = names === "" ? "The file has no chat templates." : `The file has ${names}. Give one with --template.`;
  throw new CommandError("unknown-key", `there is no chat template ${quoted(name)}. ${advice}`);
}

/**
 * Prints a text, or writes it into a file.
 *
 * @param {OpenedModel} model
 * @param {OutputFile | undefined} file
 * @param {(gguf: Gguf) => string} textOf
 */
async function exportText({ name, gguf }, file, textOf) {
  const text = await aboutFile(name, () => textOf(gguf));
  // The lines of CSV end with CR LF, and a terminal would show each CR as an escape.
  if (!file) return printRaw(process.stdout.isTTY ? text.replaceAll("\r\n", "\n") : text);
  let size = 0;
  await file.write({ stream: () => inParts(text) }, (bytesWritten) => (size = bytesWritten));
  file.moveIntoPlace();
  print(`${printable(file.name)}: written, ${exactSize(size)}\n`);
}

/** The characters of a long text that are encoded at once. */
const PART_LENGTH = 1 << 20;

/** The bytes of a text. @param {string} text */
async function* inParts(text) {
  for (let start = 0; start < text.length;) {
    let end = start + PART_LENGTH;
    // A character of two units is not cut.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}

/** @param {number} unit */
const isHighSurrogate = (unit) => unit >= 0xd800 && unit < 0xdc00;

/**
 * Writes a tensor as a file of NumPy, or to the standard output.
 *
 * @param {Arguments} args
 * @param {OpenedModel} model
 * @param {OutputFile | undefined} file
 */
async function exportNpy(args, model, file) {
  if (!file && process.stdout.isTTY) {
    const advice = "Give a file with --output, or send the output to a program.";
    throw new UsageError(`An .npy file is not text, so it is not printed on a terminal. ${advice}`);
  }
  requireRanges(model);
  const { name, gguf } = model;
  const npy = await aboutFile(name, () =>
    gguf.toNpy(args.text("tensor") ?? "", { as: args.flag("stored") ? "stored" : "values" }),
  );
  const title = `Exporting ${args.text("tensor")}`;
  if (file) {
    const progress = currentProgress(title);
    try {
      await aboutFile(name, () => file.write(npy, (bytes) => progress.update(bytes, npy.size)));
    } finally {
      progress.clear();
    }
    file.moveIntoPlace();
    const shape = npy.shape.length === 0 ? "a single number" : npy.shape.join(" × ");
    print(`${printable(file.name)}: written, ${npy.dtype}, ${shape}, ${exactSize(npy.size)}\n`);
  } else {
    clearProgress();
    await aboutFile(name, () => writeToPipe(npy));
  }
}

/** Writes to the standard output, no faster than its reader reads. @param {Contents} contents */
async function writeToPipe(contents) {
  for await (const chunk of contents.stream()) {
    if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
  }
}

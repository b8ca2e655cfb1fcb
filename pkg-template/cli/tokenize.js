// `gguf-wasm tokenize`: text to tokens, and back.

import { UsageError, aboutFile } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { print } from "./output.js";
import { printRawResult, printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { openModel, setFindings, warnOfSet } from "./source.js";
import { table } from "./table.js";
import { readTextFile, readTextStream, textOfUtf8 } from "./utf8.js";
import { quoted } from "./values.js";

/** @import { Tokenizer } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", text] = args.positionals;
  const file = args.text("text-file");
  if (text !== undefined && file !== undefined) {
    throw new UsageError("The text is given twice: as an argument and with --text-file. Leave out one of them.");
  }
  if (text === undefined && file === undefined && name === "-") {
    throw new UsageError("The file is the standard input, so the text must be an argument or come from --text-file.");
  }
  if (args.flag("ids") && args.flag("count")) {
    throw new UsageError("--ids and --count cannot be given together. Leave out one of them.");
  }
  if (args.flag("decode") && (args.flag("ids") || args.flag("count"))) {
    throw new UsageError("--decode prints text, so --ids and --count cannot be given with it.");
  }
  const model = await openModel(name, args);
  try {
    warnOfSet(model, args);
    const tokenizer = await aboutFile(name, () => model.gguf.tokenizer());
    const input = await readText(text, file);
    await aboutFile(name, () => (args.flag("decode") ? decode : encode)(model, tokenizer, input, args));
    return DONE;
  } finally {
    await model.close();
  }
}

/**
 * The text of the argument, of a file, or of the standard input.
 *
 * @param {string | undefined} text
 * @param {string | undefined} file
 */
async function readText(text, file) {
  if (text !== undefined) return text;
  if (file !== undefined && file !== "-")
    return aboutFile(file, async () => textOfUtf8(await readTextFile(file), file));
  const name = "the standard input";
  return textOfUtf8(await readTextStream(process.stdin, name), name);
}

/**
 * @param {OpenedModel} model
 * @param {Tokenizer} tokenizer
 * @param {string} text
 * @param {Arguments} args
 */
function encode(model, tokenizer, text, args) {
  const { ids, tokens } = tokensOf(tokenizer, text, {
    addSpecial: !args.flag("no-special"),
    parseSpecial: !args.flag("no-parse-special"),
  });
  if (args.flag("ids") && !args.flag("json")) {
    return print(safe`${ids.join(" ")}\n`);
  }
  if (args.flag("count") && !args.flag("json")) {
    return print(safe`${ids.length}\n`);
  }
  const result = { file: model.name, count: ids.length, ids, tokens, ...setFindings(model) };
  return printResult(args, result, () => tokensTable(tokens));
}

/**
 * A token of a text.
 *
 * @typedef {object} TokenOfText
 * @property {number} id
 * @property {string} token The text in the vocabulary.
 * @property {string} text The part of the text.
 */

/**
 * The tokens of a text.
 *
 * @param {Tokenizer} tokenizer
 * @param {string} text
 * @param {Parameters<Tokenizer["tokenize"]>[1]} [options]
 */
export function tokensOf(tokenizer, text, options) {
  const { ids, offsets } = tokenizer.tokenize(text, options);
  const tokens = Array.from(ids, (id, i) => {
    return { id, token: tokenizer.token(id)?.text ?? "", text: text.slice(offsets[i], offsets[i + 1]) };
  });
  return { ids, tokens };
}

/** A line for each token. @param {readonly TokenOfText[]} tokens */
export const tokensTable = (tokens) =>
  table(
    [{ title: "ID", right: true }, { title: "TOKEN" }, { title: "TEXT" }],
    tokens.map(({ id, token, text }) => [id, quoted(token), quoted(text)]),
  );

/**
 * @param {OpenedModel} model
 * @param {Tokenizer} tokenizer
 * @param {string} text Ids with spaces, commas or lines between them. Brackets are allowed.
 * @param {Arguments} args
 */
function decode(model, tokenizer, text, args) {
  const words = text.split(/[\s,[\]]+/).filter((word) => word !== "");
  const wrong = words.find((word) => !/^\d{1,10}$/.test(word));
  if (wrong !== undefined)
    throw new UsageError(`"${wrong}" is not the id of a token. Expected whole numbers, as in "1 15043 3186".`);
  const ids = words.map(Number);
  const decoded = tokenizer.decode(ids, { skipSpecial: args.flag("no-special") });
  return printRawResult(args, { file: model.name, ids, text: decoded, ...setFindings(model) }, () => `${decoded}\n`);
}

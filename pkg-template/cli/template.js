// `gguf-wasm template`: prints a chat template, or renders a conversation with it.

import { checkStandardInput, readConversation, readTextFile } from "./conversation.js";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { note, print, printRaw } from "./output.js";
import { printJson, printRawResult, printResult } from "./result.js";
import { joined, safe } from "./safe-text.js";
import { openModel, setFindings, warnOfSet } from "./source.js";
import { tokensOf, tokensTable } from "./tokenize.js";
import { quoted } from "./values.js";

/** @import { ChatTemplate } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** The options that say what is done. Without one of them, the template is printed. */
const MODES = /** @type {const} */ (["list", "render", "check"]);

/** The options that belong to some modes only. @type {Readonly<Record<string, readonly (typeof MODES[number])[]>>} */
const ONLY_WITH = {
  tools: ["render"],
  variables: ["render"],
  "no-generation-prompt": ["render"],
  "no-thinking": ["render"],
  tokens: ["render"],
  now: ["render"],
  strict: ["check"],
  "template-file": ["render", "check"],
};

/** The errors that are about the conversation, not about the template. */
const OF_CONVERSATION = ["template-context", "template-conversation"];

/** @param {Arguments} args */
export async function run(args) {
  const mode = modeOf(args);
  checkStandardInput(args);
  const now = timeOf(args);
  const model = await openModel(args.at(0), args);
  try {
    warnOfSet(model, args);
    if (mode === "list") await list(model, args);
    else if (mode === "render") await render(model, args, now);
    else if (mode === "check") return await checkTemplate(model, args);
    else await printTemplate(model, args);
    return DONE;
  } finally {
    await model.close();
  }
}

/**
 * What is done, after a check that the other options belong to it.
 *
 * @param {Arguments} args
 */
function modeOf(args) {
  const isGiven = (/** @type {string} */ name) => args.flag(name) || args.text(name) !== undefined;
  const [mode, other] = MODES.filter(isGiven);
  if (other !== undefined) {
    throw new UsageError(`--${mode} and --${other} cannot be given together. Leave out one of them.`);
  }
  for (const [name, modes] of Object.entries(ONLY_WITH)) {
    if (isGiven(name) && !modes.some((other) => other === mode)) {
      throw new UsageError(`--${name} is only for ${modes.map((mode) => `--${mode}`).join(" and ")}.`);
    }
  }
  if (mode === "list" && isGiven("name")) {
    throw new UsageError("--list has the names of all templates, so --name cannot be given with it.");
  }
  if (isGiven("name") && isGiven("template-file")) {
    throw new UsageError("The template is given twice: by --name and with --template-file. Leave out one of them.");
  }
  return mode;
}

/** The time of `--now`. @param {Arguments} args */
function timeOf(args) {
  const text = args.text("now");
  if (text === undefined) return undefined;
  const [, day, time = "T00:00:00"] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  // A day without a time would be one of UTC, and 31 February one of March.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  const now = new Date(isDay ? day + time : NaN);
  if (!Number.isNaN(now.getTime())) return now;
  throw new UsageError(`--now is "${text}", expected a time such as 2026-08-01 or 2026-08-01T12:30:00.`);
}

/**
 * Prints a template, exactly as it is.
 *
 * @param {OpenedModel} model
 * @param {Arguments} args
 */
async function printTemplate(model, args) {
  const { name, key, template } = await aboutFile(model.name, () => storedTemplate(model, args));
  await printRawResult(args, { file: model.name, name, key, text: template, ...setFindings(model) }, () => template);
}

/**
 * Prints the names of the templates.
 *
 * @param {OpenedModel} model
 * @param {Arguments} args
 */
async function list(model, args) {
  const templates = model.gguf.chatTemplates();
  const rows = templates.map(({ name, key, template }) => ({ name, key, length: template.length }));
  await printResult(args, { file: model.name, templates: rows, ...setFindings(model) }, () =>
    joined(templates.map(({ name }) => safe`${name}\n`)),
  );
}

/**
 * The template of the file that is asked for.
 *
 * @param {OpenedModel} model
 * @param {Arguments} args
 * @returns {ChatTemplate}
 * @throws {CommandError} If the file does not have it.
 */
function storedTemplate({ gguf }, args) {
  const name = args.text("name") ?? "default";
  const templates = gguf.chatTemplates();
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const names = templates.map(({ name }) => quoted(name)).join(", ");
  const advice =
    names === ""
      ? "The file has no chat templates. llama.cpp uses ChatML then: <|im_start|>user … <|im_end|>."
      : `The file has ${names}. Give one with --name.`;
  throw new CommandError("no-chat-template", `there is no chat template ${quoted(name)}. ${advice}`);
}

/**
 * Checks the template of --template-file, or one of the file.
 *
 * @param {OpenedModel} model
 * @param {Arguments} args
 */
async function checkTemplate(model, args) {
  const path = args.text("template-file");
  const given =
    path === undefined
      ? { about: model.name, ...(await aboutFile(model.name, () => storedTemplate(model, args))) }
      : { about: path, template: await readTextFile(path) };
  // Only this loads the module of chat templates.
  const { check } = await import("./check-template.js");
  return check(model, args, given);
}

/**
 * Prints what the model gets of a conversation.
 *
 * @param {OpenedModel} model
 * @param {Arguments} args
 * @param {Date | undefined} now
 */
async function render(model, args, now) {
  const { messages, ...conversation } = await readConversation(args);
  const name = args.text("name");
  const path = args.text("template-file");
  // The error of a name that the file does not have lists those that it has.
  if (name !== undefined) await aboutFile(model.name, () => storedTemplate(model, args));
  const options = {
    ...conversation,
    ...(path !== undefined && { template: await readTextFile(path) }),
    ...(name !== undefined && { name }),
    ...(args.flag("no-thinking") && { enableThinking: false }),
    ...(now && { now }),
  };
  const chat = await model.gguf.chat(messages, options).catch((error) => {
    const about = OF_CONVERSATION.includes(error.code) ? args.text("render") : path;
    return aboutFile(about ?? model.name, () => Promise.reject(error));
  });
  const { text, parts, notes } = chat;
  const tokens = args.flag("tokens")
    ? await aboutFile(model.name, () => tokensOf(model.gguf.tokenizer(), text))
    : undefined;
  if (args.flag("json")) {
    const count = tokens?.ids.length;
    return printJson({ file: model.name, text, parts, notes, count, ...tokens, ...setFindings(model) });
  }
  for (const { code, message } of notes) note(safe`gguf-wasm: ${message} (${code})\n`);
  await (tokens ? print(tokensTable(tokens.tokens)) : printRaw(text));
}

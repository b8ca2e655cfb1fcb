// Conversations in JSON files. They stay texts: JavaScript would change `1.0`, 1e20 and integers above 2^53.

import { CommandError, UsageError, aboutFile, errorDetails } from "./errors.js";
import { readInput } from "./inputs.js";
import { jsonMembers } from "./json-text.js";

/** @import { Arguments } from "./arguments.js" */

/**
 * A conversation, as JSON texts. Members that nobody has given are missing.
 *
 * @typedef {object} Conversation
 * @property {string} messages
 * @property {string} [tools]
 * @property {string} [variables]
 * @property {boolean} [addGenerationPrompt]
 */

const MESSAGES = '[{ "role": "user", "content": "…" }], or an object with such "messages"';
const TOOLS = '[{ "type": "function", "function": { … } }]';
const VARIABLES = '{ "reasoning_effort": "low" }, for example';

/** The options that name a file with JSON. */
const FILES = ["render", "tools", "variables"];

/**
 * Refuses the standard input for more than one file.
 *
 * @param {Arguments} args
 */
export function checkStandardInput(args) {
  const options = [...FILES, "template-file"].filter((name) => args.text(name) === "-").map((name) => `--${name}`);
  const names = args.at(0) === "-" ? ["FILE", ...options] : options;
  if (names.length < 2) return;
  throw new UsageError(`${names.join(" and ")} are the standard input, which can be one file only.`);
}

/**
 * Reads the conversation of the command line. What an option gives replaces the same in a request.
 *
 * @param {Arguments} args
 * @returns {Promise<Conversation>}
 */
export async function readConversation(args) {
  const messages = await readJson(args.text("render") ?? "", MESSAGES, isConversation);
  const request = Array.isArray(messages.value) ? { messages: messages.json } : ofRequest(messages.json);
  const [tools, variables] = [args.text("tools"), args.text("variables")];
  return {
    ...request,
    ...(tools !== undefined && { tools: (await readJson(tools, TOOLS, Array.isArray)).json }),
    ...(variables !== undefined && { variables: (await readJson(variables, VARIABLES, isObject)).json }),
    ...(args.flag("no-generation-prompt") && { addGenerationPrompt: false }),
  };
}

/**
 * The conversation of a request to a server: what OpenAI's interface has, and what llama-server has beside it.
 *
 * @param {string} json The text of an object.
 * @returns {Conversation}
 */
function ofRequest(json) {
  const members = jsonMembers(json);
  const given = (/** @type {string} */ name) => (members.get(name) === "null" ? undefined : members.get(name));
  const [tools, variables] = [given("tools"), given("chat_template_kwargs")];
  return {
    messages: given("messages") ?? "[]",
    ...(tools !== undefined && { tools }),
    ...(variables !== undefined && { variables }),
    ...(given("add_generation_prompt") === "false" && { addGenerationPrompt: false }),
  };
}

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value */
const isConversation = (value) =>
  Array.isArray(value) || (isObject(value) && "messages" in value && Array.isArray(value.messages));

/**
 * Reads a file with JSON.
 *
 * @param {string} path
 * @param {string} expected What the file should have.
 * @param {(value: unknown) => boolean} isExpected
 */
async function readJson(path, expected, isExpected) {
  const json = (await readTextFile(path)).replace(/^\ufeff/, "");
  const name = path === "-" ? "the standard input" : path;
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const message = `${name}: it is not JSON, expected ${expected}. ${errorDetails(error).message}`;
    throw new CommandError("bad-json", message);
  }
  if (!isExpected(value)) throw new CommandError("bad-json", `${name}: it has another value than ${expected}.`);
  return { json, value };
}

/**
 * The text of a file, or of the standard input.
 *
 * @param {string} path
 */
export async function readTextFile(path) {
  if (path !== "-") return aboutFile(path, () => readInput(path));
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

// Renders conversations of a file. The module of chat templates is loaded for the first one.

import { GgufError } from "../gguf-error.js";
import { jsonOf } from "./chat.js";
import { describe, reasonOf, unknownMember } from "./errors.js";
import { loadTemplate } from "./loaded-modules.js";

/** @import { Chat, ChatOptions, Gguf } from "gguf-wasm/explain" */

/** What llama.cpp uses for a file without a template. */
const CHATML =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** The note of a conversation for which nobody has given a template. */
const CHATML_USED = Object.freeze({
  code: "chatml-used",
  message: "The file has no chat template, so ChatML is used, as in llama.cpp.",
});

/**
 * A list or an object as a JSON text. A text stays as it is, so that numbers keep their form.
 *
 * @param {unknown} given
 * @param {string} name
 * @param {"a list" | "an object"} expected
 */
function checkedJson(given, name, expected) {
  // Files can begin with a byte order mark.
  const text = jsonOf(given, name, expected).replace(/^\ufeff/, "");
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new GgufError("template-context", `${name} is not valid JSON: ${reasonOf(error)}`, { cause: error });
  }
  const isExpected = expected === "a list" ? Array.isArray(value) : typeof value === "object" && !Array.isArray(value);
  if (value !== null && isExpected) return text;
  throw new GgufError("template-context", `${name} is ${describe(value)}, expected ${expected} or its JSON text`);
}

/** The options of `chat`. */
const OPTIONS = "tools, template, name, addGenerationPrompt, enableThinking, variables, tokens, now, limits, signal";

/** @param {string} name @param {unknown} given @param {"string" | "boolean"} type */
function checkOption(name, given, type) {
  if (given !== undefined && typeof given !== type)
    throw new GgufError("invalid-argument", `options.${name} is ${describe(given)}, expected a ${type}`);
}

/** @param {ChatOptions} options */
function checkOptions(options) {
  if (typeof options !== "object" || options === null)
    throw new GgufError("invalid-argument", `the options are ${describe(options)}, expected an object`);
  const unknown = unknownMember(options, OPTIONS);
  if (unknown !== undefined)
    throw new GgufError("invalid-argument", `options.${unknown} is not known; the options are ${OPTIONS}`);
  const { template, name, addGenerationPrompt, enableThinking, tokens, signal } = options;
  if (template !== undefined && name !== undefined)
    throw new GgufError("invalid-argument", "options.template and options.name are given, expected one of them");
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function")
    throw new GgufError("invalid-argument", `options.signal is ${describe(signal)}, expected an AbortSignal`);
  for (const [member, text] of Object.entries({ template, name })) checkOption(member, text, "string");
  for (const [member, flag] of Object.entries({ addGenerationPrompt, enableThinking, tokens }))
    checkOption(member, flag, "boolean");
}

const KEY = "tokenizer.chat_template";

/** The name of a template in llama.cpp that is ChatML, too. */
const NAME_OF_CHATML = "chatml";

/**
 * The templates of a conversation, as llama-server chooses them: that for conversations with tools, if there is one, and that for others.
 *
 * @param {Gguf} gguf
 * @param {ChatOptions} options
 * @returns {{ forTools?: string | undefined, others: string }}
 */
function templatesOf(gguf, { template, name }) {
  if (template !== undefined) return { others: template };
  if (name !== undefined) {
    const key = name === "default" ? KEY : `${KEY}.${name}`;
    const found = gguf.getString(key);
    if (found === undefined) throw new GgufError("no-chat-template", `the file has no entry ${describe(key)}`);
    return { others: found };
  }
  const forTools = gguf.getString(`${KEY}.tool_use`) || undefined;
  const stored = gguf.getString(KEY);
  return { forTools, others: stored && stored !== NAME_OF_CHATML ? stored : (forTools ?? CHATML) };
}

/**
 * Adds the method `chat`.
 *
 * @param {any} ofFile the class `Gguf`
 */
export function addChat(ofFile) {
  Object.defineProperty(ofFile.prototype, "chat", { value: chat, writable: true, configurable: true });
}

/**
 * A conversation as llama-server gives it to the model.
 *
 * @this {Gguf & { _chatTokens(): [bos: string, isAdded: boolean, eos: string, isAdded: boolean] | undefined }}
 * @param {unknown} messages
 * @param {ChatOptions | null} [given] the options
 * @returns {Promise<Chat>}
 */
async function chat(messages, given) {
  // Also finds out whether the object was freed.
  const tokens = this._chatTokens();
  const options = given ?? {};
  checkOptions(options);
  const { tools, variables, addGenerationPrompt = true, enableThinking = true, now, limits, signal } = options;
  signal?.throwIfAborted();
  const { forTools, others } = templatesOf(this, options);
  const textOf = (/** @type {string} */ wanted) => this.specialTokens().find(({ role }) => role === wanted)?.text ?? "";
  // Nothing is known of what a tokenizer adds that llama.cpp does not have.
  const [bos, isBosAdded, eos, isEosAdded] = tokens ?? [textOf("bos"), false, textOf("eos"), false];
  /** @type {[name: string, json: string][]} */
  const members = [
    ["messages", checkedJson(messages, "the argument messages", "a list")],
    ["bos_token", JSON.stringify(bos)],
    ["eos_token", JSON.stringify(eos)],
    ["add_generation_prompt", String(addGenerationPrompt)],
    ["enable_thinking", String(enableThinking)],
  ];
  const givenTools = tools === undefined ? "[]" : checkedJson(tools, "options.tools", "a list");
  if (tools !== undefined) members.push(["tools", givenTools]);
  if (variables !== undefined)
    members.push(["chat_template_kwargs", checkedJson(variables, "options.variables", "an object")]);
  const context = `{${members.map(([name, json]) => `"${name}":${json}`).join()}}`;
  const { parseChatTemplate, renderChatTemplate } = await loadTemplate();
  signal?.throwIfAborted();
  const request = {
    server: true,
    addedBos: isBosAdded ? bos : undefined,
    addedEos: isEosAdded ? eos : undefined,
    now,
    limits,
  };
  let template = others;
  if (forTools !== undefined && forTools !== others) {
    // llama-server does not start if this one is not valid. It ignores a template for tools that is not.
    parseChatTemplate(others);
    if (!/^\s*\[\s*\]\s*$/.test(givenTools) && isValid(parseChatTemplate, forTools)) template = forTools;
  }
  /** @type {{ -readonly [Member in keyof Chat]: Chat[Member] }} */
  const rendered = { ...renderChatTemplate(template, context, request) };
  if (template === CHATML) rendered.notes = Object.freeze([CHATML_USED, ...rendered.notes]);
  if (options.tokens) {
    const tokenizer = this.tokenizer();
    try {
      rendered.tokens = tokenizer.encode(rendered.text);
    } finally {
      tokenizer.free();
    }
  }
  return Object.freeze(rendered);
}

/** @param {(template: string) => unknown} parse @param {string} template */
function isValid(parse, template) {
  try {
    parse(template);
    return true;
  } catch {
    return false;
  }
}

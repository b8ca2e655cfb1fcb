// Renders conversations of a file. The module of chat templates is loaded for the first one.

import { GgufError } from "../gguf-error.js";
import { jsonOf } from "./chat.js";
import { describe, reasonOf, unknownMember } from "./errors.js";

/** @import { Chat, ChatOptions, Gguf } from "gguf-wasm/explain" */

/** What llama.cpp uses for a file without a template. */
const CHATML =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/**
 * Loads the module. It is imported by the name of the package, so that each host gets its own loader. A page without a bundler knows no names.
 *
 * @returns {Promise<typeof import("gguf-wasm/template")>}
 */
async function load() {
  try {
    const module = await import(/** @type {any} */ ("gguf-wasm/template/load")).catch(
      () => import(/** @type {any} */ ("../template/load.js")),
    );
    await module.started;
    return module;
  } catch (error) {
    const message = `the module of chat templates could not be loaded: ${reasonOf(error)}`;
    throw new GgufError("network", message, { cause: error });
  }
}

/**
 * A value as a JSON text. A text stays as it is, so that numbers keep their form.
 *
 * @param {unknown} given
 * @param {string} name
 */
function checkedJson(given, name) {
  const text = jsonOf(given, name);
  try {
    JSON.parse(text);
  } catch (error) {
    throw new GgufError("template-context", `${name} is not valid JSON: ${reasonOf(error)}`, { cause: error });
  }
  return text;
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
  const { template, name, addGenerationPrompt, enableThinking, tokens } = options;
  for (const [member, text] of Object.entries({ template, name })) checkOption(member, text, "string");
  for (const [member, flag] of Object.entries({ addGenerationPrompt, enableThinking, tokens }))
    checkOption(member, flag, "boolean");
}

const KEY = "tokenizer.chat_template";

/**
 * The templates that a conversation is tried with, in their order.
 *
 * @param {Gguf} gguf
 * @param {ChatOptions} options
 */
function templatesOf(gguf, { template, name, tools }) {
  if (template !== undefined) return [template];
  if (name !== undefined) {
    const key = name === "default" ? KEY : `${KEY}.${name}`;
    const found = gguf.getString(key);
    if (found === undefined) throw new GgufError("no-chat-template", `the file has no entry ${describe(key)}`);
    return [found];
  }
  const hasTools = tools !== undefined && !/^\s*(?:\[\s*\]|null)\s*$/.test(checkedJson(tools, "options.tools"));
  const forTools = hasTools ? gguf.getString(`${KEY}.tool_use`) : undefined;
  const others = gguf.getString(KEY) ?? CHATML;
  return forTools === undefined ? [others] : [forTools, others];
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
 * @param {ChatOptions} [options]
 * @returns {Promise<Chat>}
 */
async function chat(messages, options = {}) {
  checkOptions(options);
  const { tools, variables, addGenerationPrompt = true, enableThinking = true, now, limits, signal } = options;
  signal?.throwIfAborted();
  const templates = templatesOf(this, options);
  const textOf = (/** @type {string} */ wanted) => this.specialTokens().find(({ role }) => role === wanted)?.text ?? "";
  // Nothing is known of what a tokenizer adds that llama.cpp does not have.
  const [bos, isBosAdded, eos, isEosAdded] = this._chatTokens() ?? [textOf("bos"), false, textOf("eos"), false];
  /** @type {[name: string, json: string][]} */
  const members = [
    ["messages", checkedJson(messages, "the argument messages")],
    ["bos_token", JSON.stringify(bos)],
    ["eos_token", JSON.stringify(eos)],
    ["add_generation_prompt", String(addGenerationPrompt)],
    ["enable_thinking", String(enableThinking)],
  ];
  if (tools !== undefined) members.push(["tools", checkedJson(tools, "options.tools")]);
  if (variables !== undefined) members.push(["chat_template_kwargs", checkedJson(variables, "options.variables")]);
  const context = `{${members.map(([name, json]) => `"${name}":${json}`).join()}}`;
  const { renderChatTemplate } = await load();
  signal?.throwIfAborted();
  const request = {
    server: true,
    addedBos: isBosAdded ? bos : undefined,
    addedEos: isEosAdded ? eos : undefined,
    now,
    limits,
  };
  const render = (/** @type {string} */ template) => ({ ...renderChatTemplate(template, context, request) });
  /** @type {{ -readonly [Member in keyof Chat]: Chat[Member] }} */
  const rendered = renderFirst(templates, render);
  if (options.tokens) {
    const tokenizer = this.tokenizer();
    rendered.tokens = tokenizer.encode(rendered.text);
    tokenizer.free();
  }
  return Object.freeze(rendered);
}

/**
 * Renders the first template that is valid: llama.cpp ignores a template for tools that is not.
 *
 * @template T
 * @param {readonly string[]} templates
 * @param {(template: string) => T} render
 * @returns {T}
 */
function renderFirst([first = CHATML, ...others], render) {
  try {
    return render(first);
  } catch (error) {
    if (others.length === 0 || /** @type {any} */ (error).code !== "template-syntax") throw error;
    return renderFirst(others, render);
  }
}

// Renders conversations of a file. The module of chat templates is loaded for the first one.

import { GgufError } from "../gguf-error.js";
import { jsonOf } from "./chat.js";
import { reasonOf } from "./errors.js";

/** @import { ChatTemplateLimits, RenderedChat } from "gguf-wasm/template" */

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

/**
 * A conversation, and what it is rendered with.
 *
 * @typedef {object} Conversation
 * @property {string} [template]
 * @property {string} [toolTemplate] the template for conversations with tools, if there is another one
 * @property {string} bos
 * @property {string} eos
 * @property {string} [addedBos] the text of the BOS token, if the tokenizer adds it
 * @property {string} [addedEos]
 * @property {unknown} messages
 * @property {unknown} [tools]
 * @property {unknown} [variables]
 * @property {boolean} addGenerationPrompt
 * @property {boolean} enableThinking
 * @property {Date | number} [now]
 * @property {ChatTemplateLimits} [limits]
 */

/**
 * A conversation as llama-server gives it to the model.
 *
 * @param {Conversation} conversation
 * @returns {Promise<RenderedChat>} not frozen
 */
export async function renderedChat({ template = CHATML, toolTemplate, bos, eos, messages, tools, variables, ...rest }) {
  const { addGenerationPrompt, enableThinking, addedBos, addedEos, now, limits } = rest;
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
  const options = { server: true, addedBos, addedEos, now, limits };
  if (toolTemplate !== undefined && tools !== undefined && !/^\s*(\[\s*\]|null)\s*$/.test(jsonOf(tools, ""))) {
    try {
      return { ...renderChatTemplate(toolTemplate, context, options) };
    } catch (error) {
      // llama.cpp ignores a template for tools that is not valid.
      if (/** @type {any} */ (error).code !== "template-syntax") throw error;
    }
  }
  return { ...renderChatTemplate(template, context, options) };
}

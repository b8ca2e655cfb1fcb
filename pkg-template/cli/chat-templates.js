// The chat templates in a configuration of Hugging Face: tokenizer_config.json or chat_template.json.

import { UsageError } from "./errors.js";
import { quoted } from "./values.js";

/** @import { Editor } from "../full/node.js" */

/** The key of the default template. The keys of named ones continue it: `tokenizer.chat_template.tool_use`. */
const DEFAULT = "tokenizer.chat_template";

/** The key of the list of names. */
const NAMES = "tokenizer.chat_templates";

/**
 * The change that takes the templates of a configuration, as gguf-new-metadata takes them: they replace all templates of the file.
 *
 * @param {string} key
 * @param {string} text
 * @returns {((editor: Editor) => void) | undefined} `undefined` if the key is not that of a template, or if the text is no
 *   configuration: then it is a template itself.
 * @throws {UsageError} If the configuration has no such template.
 */
export function configuredTemplates(key, text) {
  const name = key === DEFAULT ? undefined : key.startsWith(`${DEFAULT}.`) ? key.slice(DEFAULT.length + 1) : "";
  const found = name === "" ? undefined : givenTemplates(text);
  if (found === undefined) return undefined;
  const templates = entriesOf(found, key);
  if (name === undefined) return (editor) => replaceAll(editor, templates);
  const template = templates.get(key);
  if (typeof template !== "string") throw noTemplate(key, `no template with the name ${quoted(name)}`);
  return (editor) => editor.set(key, template);
}

/**
 * What a text gives as templates: a text, a list of `{ name, template }`, or something wrong.
 *
 * @param {string} text
 * @returns {unknown} `undefined` if the text is no JSON with templates, so that it is a template itself.
 */
function givenTemplates(text) {
  if (!/^\ufeff?\s*[[{]/.test(text)) return undefined;
  /** @type {unknown} */
  let json;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
  if (Array.isArray(json)) return json;
  return /** @type {{ chat_template?: unknown }} */ (json).chat_template ?? null;
}

/**
 * The entries of templates: the texts by their keys, and the list of names if there are any.
 *
 * @param {unknown} templates
 * @param {string} key
 */
function entriesOf(templates, key) {
  if (typeof templates === "string") return new Map([[DEFAULT, templates]]);
  if (!Array.isArray(templates) || templates.length === 0) throw noTemplate(key, 'no member "chat_template"');
  /** @type {Map<string, string | string[]>} */
  const entries = new Map();
  /** @type {Set<string>} */
  const names = new Set();
  for (const choice of templates) {
    const { name, template } = /** @type {{ name?: unknown, template?: unknown }} */ (choice ?? {});
    if (typeof name !== "string" || typeof template !== "string") {
      throw noTemplate(key, "a list of templates in which one has no name or no text");
    }
    const plain = name.replace(/[^A-Za-z0-9]/gu, "_");
    if (plain !== "" && plain !== "default") names.add(plain);
    if (plain !== "") entries.set(plain === "default" ? DEFAULT : `${DEFAULT}.${plain}`, template);
  }
  if (names.size > 0) entries.set(NAMES, [...names]);
  return entries;
}

/**
 * @param {Editor} editor
 * @param {Map<string, string | string[]>} templates
 */
function replaceAll(editor, templates) {
  const isTemplate = (/** @type {string} */ key) => key === DEFAULT || key === NAMES || key.startsWith(`${DEFAULT}.`);
  for (const key of [...editor.metadata.keys()].filter((key) => isTemplate(key) && !templates.has(key))) {
    editor.remove(key);
  }
  for (const [key, value] of templates) editor.set(key, value, typeof value === "string" ? "STRING" : "STRING[]");
}

/**
 * @param {string} key
 * @param {string} found
 */
function noTemplate(key, found) {
  return new UsageError(
    `The value of ${quoted(key)} is JSON with ${found}. Give a tokenizer_config.json or chat_template.json that has it, or a template. ` +
      "With the type STRING, the JSON itself is the template.",
  );
}

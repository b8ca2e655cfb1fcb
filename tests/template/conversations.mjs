// The templates of this folder, and the variables that they are rendered with.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{ messages: object[], tools?: object[], add_generation_prompt: boolean, bos_token: string, eos_token: string }} Variables
 */

const pathOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** The time that `strftime_now` formats: year, month, day, hour, minute. */
export const NOW = /** @type {const} */ ([2026, 7, 26, 9, 5]);

/** The conversations, by name. @type {Record<string, { messages: object[], tools?: object[] }>} */
const samples = JSON.parse(readFileSync(pathOf("conversations.json"), "utf8"));

/** The variables of each rendering, by name. @type {Record<string, Variables>} */
export const CONVERSATIONS = Object.fromEntries(
  Object.entries(samples).map(([name, { messages, tools }]) => [
    name,
    {
      messages,
      ...(tools ? { tools } : {}),
      // A conversation that ends with an answer is not continued.
      add_generation_prompt: name !== "answered",
      bos_token: "<s>",
      eos_token: "</s>",
    },
  ]),
);

/** The source of each template, by name. @type {Record<string, string>} */
export const TEMPLATES = Object.fromEntries(
  readdirSync(pathOf("templates"))
    .sort()
    .map((file) => [file.replace(/\.jinja$/, ""), readFileSync(pathOf(`templates/${file}`), "utf8")]),
);

/**
 * Small templates about values and operators, with the texts that jinja2 renders. Null: jinja2 refuses it.
 *
 * @type {Record<string, string | null>}
 */
export const EXPRESSIONS = JSON.parse(readFileSync(pathOf("expressions.json"), "utf8"));

/** The variables of these templates: a message without a content. */
export const EXPRESSION_VARIABLES = { m: { role: "user", content: null } };

/** The line before a rendering in a file of `renderings/`. */
const head = (/** @type {string} */ name, /** @type {string} */ what) => `=== ${name}: ${what} ===\n`;

/**
 * The text of a file of `renderings/`: all renderings of a template.
 *
 * @param {Record<string, { text?: string, error?: string }>} renderings
 */
export function writeRenderings(renderings) {
  return Object.entries(renderings)
    .map(([name, { text, error }]) =>
      text === undefined ? `${head(name, "error")}${error}\n` : `${head(name, `${text.length} characters`)}${text}\n`,
    )
    .join("");
}

/**
 * The expected renderings of a template: the text, or undefined if it has none.
 *
 * @param {string} template
 * @returns {Record<string, string | undefined>}
 */
export function expectedRenderings(template) {
  const file = readFileSync(pathOf(`renderings/${template}.txt`), "utf8");
  /** @type {Record<string, string | undefined>} */
  const found = {};
  let at = 0;
  while (at < file.length) {
    const end = file.indexOf("\n", at) + 1;
    const [, name = "", what = ""] = /^=== (\S+): (.*) ===\n$/.exec(file.slice(at, end)) ?? [];
    if (name === "") throw new Error(`renderings/${template}.txt is not valid at character ${at}`);
    const length = what === "error" ? file.indexOf("\n", end) - end : Number.parseInt(what, 10);
    found[name] = what === "error" ? undefined : file.slice(end, end + length);
    at = end + length + 1;
  }
  return found;
}

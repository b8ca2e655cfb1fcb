// The help, from the table of commands.

import { COMMANDS } from "./commands.js";
import { GENERAL_OPTIONS } from "./command-options.js";
import { ENVIRONMENT } from "./environment.js";
import { EXIT_CODES } from "./exit-codes.js";

/** @import { Command } from "./command-options.js" */
/** @import { Option } from "./arguments.js" */

/** The most columns of the help. */
const WIDTH = 100;

/** What the program does. */
export const SUMMARY =
  "Inspects, checks, edits, quantizes, splits, merges and hashes GGUF model files, on a disk or on a server.";

/** The help of the program. */
export function generalHelp() {
  return [
    "Usage: gguf-wasm COMMAND …\n",
    `${SUMMARY}\n`,
    `Commands:\n${rows(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]))}`,
    `Options:\n${rows(GENERAL_OPTIONS)}`,
    `Exit codes:\n${rows(EXIT_CODES.map(({ code, meaning }) => [String(code), meaning]))}`,
    `Environment:\n${rows(ENVIRONMENT)}`,
    "`gguf-wasm COMMAND --help` explains a command.\n",
  ].join("\n");
}

/**
 * The form of a command: `split FILE PREFIX [OPTIONS]`.
 *
 * @param {string} name
 * @param {Command} command
 */
export function usageOf(name, { positionals, options }) {
  const forms = positionals.map(({ name, optional, many }) => {
    const form = many ? `${name}…` : name;
    return optional ? `[${form}]` : form;
  });
  const required = Object.entries(options).flatMap(([name, { required, value }]) =>
    required ? [`--${name} ${value}`] : [],
  );
  return `gguf-wasm ${[name, ...forms, ...required, "[OPTIONS]"].join(" ")}`;
}

/**
 * @param {string} name
 * @param {Command} command
 */
export function commandHelp(name, command) {
  const { summary, details, positionals, options, examples } = command;
  return [
    `Usage: ${usageOf(name, command)}\n`,
    `${wrap(summary, WIDTH).join("\n")}\n`,
    ...details.map((paragraph) => `${wrap(paragraph, WIDTH).join("\n")}\n`),
    `Arguments:\n${rows(positionals.map(({ name, description }) => [name, description]))}`,
    `Options:\n${rows(Object.entries(options).map(([name, option]) => [optionForm(name, option), option.description]))}`,
    `Examples:\n${examples.map(({ command, meaning }) => `  # ${meaning}\n  ${command}\n`).join("")}`,
  ].join("\n");
}

/**
 * @param {string} name
 * @param {Option} option
 */
export function optionForm(name, { short, aliases = [], value, many }) {
  const shorts = [...(short === undefined ? [] : [`-${short}`]), ...aliases];
  const long = `${shorts.length === 0 ? "    " : `${shorts.join(", ")}, `}--${name}`;
  return value === undefined ? long : `${long} ${value}${many ? " …" : ""}`;
}

/** Two columns. @param {readonly (readonly [string, string])[]} rows */
function rows(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  const indent = width + 4;
  return rows
    .map(([name, text]) => `  ${name.padEnd(width)}  ${wrap(text, WIDTH - indent).join(`\n${" ".repeat(indent)}`)}\n`)
    .join("");
}

/**
 * Breaks a text into lines.
 *
 * @param {string} text
 * @param {number} width
 */
function wrap(text, width) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

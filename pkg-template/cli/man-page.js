// The manual page, from the table of commands. The build writes it into the package: `man gguf-wasm` shows it after
// `npm install --global gguf-wasm`.

import { COMMANDS } from "./commands.js";
import { GENERAL_OPTIONS } from "./command-options.js";
import { ENVIRONMENT } from "./environment.js";
import { EXIT_CODES } from "./exit-codes.js";
import { optionForm, SUMMARY, usageOf } from "./help.js";

/** Characters that roff shows as others, or not at all. @type {Readonly<Record<string, string>>} */
const SPECIAL = { "\\": "\\e", "-": "\\-", '"': "\\(dq", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti" };

/** Text for roff: no character of it is a command. @param {string} text */
const escaped = (text) =>
  text
    .replace(/[\\\-"'`^~]/g, (char) => SPECIAL[char] ?? char)
    .replace(/[^\0-\x7f]/gu, (char) => `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`)
    .replace(/^\./gm, "\\&.");

/** An entry of a list: a term and its text. @param {string} term @param {string} text */
const entry = (term, text) => `.TP\n.B ${escaped(term)}\n${escaped(text)}\n`;

/** The page in the language of roff, with the macros of man. @param {string} version */
export function manPage(version) {
  const commands = Object.entries(COMMANDS).map(([name, command]) => {
    const { summary, details, positionals, options, examples } = command;
    return [
      `.SS ${name}\n`,
      `.B ${escaped(usageOf(name, command))}\n.PP\n`,
      [summary, ...details].map((paragraph) => `${escaped(paragraph)}\n`).join(".PP\n"),
      ...positionals.map(({ name, description }) => entry(name, description)),
      ...Object.entries(options).map(([name, option]) => entry(optionForm(name, option).trim(), option.description)),
      ...examples.map(
        ({ command, meaning }) => `.PP\n${escaped(meaning)}\n.PP\n.RS 4\n.nf\n${escaped(command)}\n.fi\n.RE\n`,
      ),
    ].join("");
  });
  return [
    `.\\" Written from the table of commands.\n.TH GGUF\\-WASM 1 "" "gguf\\-wasm ${escaped(version)}" "User Commands"\n`,
    `.SH NAME\ngguf\\-wasm \\- ${escaped(SUMMARY.replace(/\.$/, ""))}\n`,
    ".SH SYNOPSIS\n.B gguf\\-wasm\n.I COMMAND\n\\&...\n",
    ".SH OPTIONS\n",
    ...GENERAL_OPTIONS.map(([form, text]) => entry(form, text)),
    ".SH COMMANDS\n",
    ...commands,
    ".SH EXIT STATUS\n",
    ...EXIT_CODES.map(({ code, meaning }) => entry(String(code), meaning)),
    ".SH ENVIRONMENT\n",
    ...ENVIRONMENT.map(([name, meaning]) => entry(name, meaning)),
  ].join("");
}

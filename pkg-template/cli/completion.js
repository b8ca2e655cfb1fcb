// `gguf-wasm completion`: scripts for shells, from the table of commands.

import { GENERAL_OPTIONS } from "./command-options.js";
import { UsageError } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { print } from "./output.js";
import { safeLines } from "./safe-text.js";
import { listed } from "../common/export-formats.js";
import { SHELLS } from "./shells.js";

/** @import { Arguments, Option } from "./arguments.js" */
/** @import { Command } from "./command-options.js" */

/** The table of commands. @typedef {Readonly<Record<string, Command>>} Commands */

/** @type {Readonly<Record<string, (commands: Commands) => string>>} */
const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * @param {Arguments} args
 * @param {Commands} commands
 */
export async function run(args, commands) {
  const shell = args.at(0);
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!script) throw new UsageError(`SHELL is "${shell}", expected ${listed(SHELLS)}.`);
  await print(safeLines(script(commands)));
  return DONE;
}

/**
 * What is completed in place of the command, with what it means.
 *
 * @param {Commands} commands
 * @returns {[name: string, summary: string][]}
 */
const firstWords = (commands) => [
  ...Object.entries(commands).map(([name, { summary }]) => /** @type {[string, string]} */ ([name, summary])),
  ["help", "Prints the help of a command."],
];

/** The options before a command: the name, the letter and the description. */
const FIRST_OPTIONS = GENERAL_OPTIONS.map(([form, text]) => {
  const [, short = "", name = ""] = /^-(.), --(.+)$/.exec(form) ?? [];
  return { name, short, text };
});

/** The names of values that are files. */
const FILES = /(?:^|=)(?:PATH|FILE|MANIFEST|MODEL)$/;

/**
 * What the value of an option can be: some words, or a file, or anything.
 *
 * @param {Option} option
 * @returns {{ words: readonly string[], isFile: boolean }}
 */
function valueOf({ value = "", choices }) {
  // `N|all|auto`: a word in capitals stands for a value.
  const words = choices ?? (/^[a-z]|\|/.test(value) ? value.split("|").filter((word) => !/[A-Z]/.test(word)) : []);
  return { words, isFile: FILES.test(value) };
}

/** The words that arguments of a command can be. @param {Command} command */
const wordsOf = ({ positionals }) => positionals.flatMap(({ choices = [] }) => choices);

/** Whether an argument of a command can be a file. @param {Command} command */
const takesFiles = ({ positionals }) => positionals.some(({ choices }) => choices === undefined);

/**
 * The names of an option, with their hyphens.
 *
 * @param {string} name
 * @param {Option} option
 */
const namesOf = (name, { short, aliases = [] }) => [`--${name}`, ...(short ? [`-${short}`] : []), ...aliases];

/** The first sentence of a description: a shell shows one line. @param {string} text */
const firstSentence = (text) => (/^.*?[^.]\.(?= |$)/.exec(text)?.[0] ?? text).replace(/[.:]$/, "");

/** A word in single quotes. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The script for bash 3.2 and newer. It needs no package bash-completion. bash splits words at `=`, so the value in `--format=csv` is a word.
 *
 * @param {Commands} commands
 */
function bashScript(commands) {
  const cases = Object.entries(commands).map(([name, command]) => {
    const options = Object.entries(command.options);
    const names = options.flatMap(([name, option]) => namesOf(name, option));
    const values = options.flatMap(([name, option]) => {
      if (option.value === undefined) return [];
      const { words, isFile } = valueOf(option);
      const action = words.length > 0 ? `words=${quoted(words.join(" "))}` : isFile ? "files=1" : ":";
      return [`        ${namesOf(name, option).join("|")}) ${action} ;;\n`];
    });
    const words = [...wordsOf(command)].join(" ");
    return [
      `    ${name})\n`,
      '      case "$option" in\n',
      ...values,
      "        *)\n",
      `          if [[ $current == -* ]]; then words=${quoted(names.join(" "))}\n`,
      `          else words=${quoted(words)}${takesFiles(command) ? " files=1" : ""}; fi ;;\n`,
      "      esac ;;\n",
    ].join("");
  });
  return `# Completion of gguf-wasm for bash, written by \`gguf-wasm completion bash\`.

_gguf_wasm() {
  local current=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD - 1]} words="" files="" line
  if [[ $current == "=" ]]; then current=""
  elif [[ $option == "=" ]]; then option=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  case $COMP_CWORD in
    1) words=${quoted([...firstWords(commands).map(([name]) => name), ...FIRST_OPTIONS.map(({ name }) => `--${name}`)].join(" "))} ;;
    *) case "\${COMP_WORDS[1]}" in
    help) words=${quoted(Object.keys(commands).join(" "))} ;;
${cases.join("")}    esac ;;
  esac
  while IFS= read -r line; do
    [[ -n $line ]] && COMPREPLY+=("$line")
  done < <(compgen -W "$words" -- "$current"; [[ -n $files ]] && compgen -f -- "$current")
  [[ -n $files ]] && compopt -o filenames 2>/dev/null
  return 0
}
complete -F _gguf_wasm gguf-wasm
`;
}

/** A text within the brackets of `_arguments`. @param {string} text */
const inBrackets = (text) => text.replace(/[[\]\\:]/g, "\\$&");

/** The script for zsh. @param {Commands} commands */
function zshScript(commands) {
  const action = (/** @type {readonly string[]} */ words, /** @type {boolean} */ isFile) =>
    words.length > 0 ? `(${words.join(" ")})` : isFile ? "_files" : " ";
  const cases = Object.entries(commands).map(([name, command]) => {
    const options = Object.entries(command.options).map(([name, option]) => {
      const names = namesOf(name, option);
      const { words, isFile } = valueOf(option);
      const value = option.value === undefined ? "" : `:${inBrackets(option.value)}:${action(words, isFile)}`;
      const others = option.many ? "*" : `(${names.join(" ")})`;
      const text = inBrackets(firstSentence(option.description));
      return names.map(
        (own) => `        ${quoted(`${others}${own}${own.startsWith("--") && value ? "=" : ""}[${text}]${value}`)}`,
      );
    });
    const rest = quoted(
      `*:${command.positionals.map(({ name }) => name).join(" ")}:${action(wordsOf(command), takesFiles(command))}`,
    );
    return `    ${name})\n      _arguments \\\n${[...options.flat(), `        ${rest}`].join(" \\\n")} ;;\n`;
  });
  const described = firstWords(commands).map(
    ([name, summary]) => `    ${quoted(`${name}:${firstSentence(summary)}`)}\n`,
  );
  return `#compdef gguf-wasm
# Completion of gguf-wasm for zsh, written by \`gguf-wasm completion zsh\`.

_gguf-wasm() {
  local -a commands
  commands=(
${described.join("")}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments ${FIRST_OPTIONS.map(({ name, text }) => quoted(`--${name}[${inBrackets(firstSentence(text))}]`)).join(" ")}
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
    help) _describe command commands ;;
${cases.join("")}  esac
}

if [[ $funcstack[1] == _gguf-wasm ]]; then
  _gguf-wasm "$@"
else
  compdef _gguf-wasm gguf-wasm
fi
`;
}

/** A word in single quotes, as fish reads it. @param {string} text */
const quotedForFish = (text) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** The script for fish. @param {Commands} commands */
function fishScript(commands) {
  const lines = firstWords(commands).map(
    ([name, summary]) =>
      `complete -c gguf-wasm -n __gguf_wasm_needs_command -f -a ${name} -d ${quotedForFish(firstSentence(summary))}`,
  );
  for (const { name, short, text } of FIRST_OPTIONS)
    lines.push(
      `complete -c gguf-wasm -n __gguf_wasm_needs_command -f -l ${name} -s ${short} -d ${quotedForFish(firstSentence(text))}`,
    );
  lines.push(
    `complete -c gguf-wasm -n '__gguf_wasm_uses help' -f -a ${quotedForFish(Object.keys(commands).join(" "))}`,
  );
  for (const [name, command] of Object.entries(commands)) {
    const start = `complete -c gguf-wasm -n '__gguf_wasm_uses ${name}'`;
    const words = wordsOf(command);
    if (words.length > 0) lines.push(`${start} -f -a ${quotedForFish(words.join(" "))}`);
    else if (takesFiles(command)) lines.push(`${start} -F`);
    for (const [name, option] of Object.entries(command.options)) {
      const { words, isFile } = valueOf(option);
      // fish knows options of several letters with one hyphen as "old" ones.
      const names = [`-l ${name}`];
      if (option.short) names.push(`-s ${option.short}`);
      for (const alias of option.aliases ?? [])
        names.push(
          alias.startsWith("--")
            ? `-l ${alias.slice(2)}`
            : alias.length === 2
              ? `-s ${alias[1]}`
              : `-o ${alias.slice(1)}`,
        );
      const value =
        option.value === undefined
          ? ""
          : words.length > 0
            ? ` -x -a ${quotedForFish(words.join(" "))}`
            : isFile
              ? " -r -F"
              : " -x";
      lines.push(`${start} ${names.join(" ")}${value} -d ${quotedForFish(firstSentence(option.description))}`);
    }
  }
  return `# Completion of gguf-wasm for fish, written by \`gguf-wasm completion fish\`.

function __gguf_wasm_needs_command
    test (count (commandline -opc)) -eq 1
end

function __gguf_wasm_uses
    set -l given (commandline -opc)
    test (count $given) -gt 1; and test $given[2] = $argv[1]
end

${lines.join("\n")}
`;
}

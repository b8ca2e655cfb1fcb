// What several commands have in common: options, arguments and sentences.

/** @import { Arguments, Option, Positional } from "./arguments.js" */

/**
 * @typedef {object} Command
 * @property {string} summary What the command does, in one sentence.
 * @property {readonly string[]} details Paragraphs. What else to know.
 * @property {readonly Positional[]} positionals
 * @property {Readonly<Record<string, Option>>} options
 * @property {readonly { readonly command: string, readonly meaning: string }[]} examples
 * @property {() => Promise<{ run(args: Arguments, commands: Readonly<Record<string, Command>>): Promise<number> }>} load Only this loads
 *   WebAssembly: the help is fast. `commands` is the table of commands.
 */

/** The options before a command. @type {readonly (readonly [form: string, description: string])[]} */
export const GENERAL_OPTIONS = [
  ["-h, --help", "Prints this help, or that of a command."],
  ["-v, --version", "Prints the version."],
];

/** @type {Readonly<Record<string, Option>>} */
export const HELP = {
  help: { short: "h", description: "Prints this help." },
};

/** @type {Readonly<Record<string, Option>>} */
export const COMMON = {
  json: {
    description:
      "Prints one JSON object for programs. 64-bit integers, NaN and infinities are strings in it. docs/command-line.md lists its members.",
  },
  ...HELP,
};

/** @type {Readonly<Record<string, Option>>} */
export const REQUESTS = {
  header: {
    value: '"NAME: VALUE"',
    many: true,
    description:
      "A header for requests. It is sent only to the server of the first URL or name on the hub of the command.",
  },
};

/** @type {Readonly<Record<string, Option>>} */
export const FORCE = {
  force: { short: "f", description: "Overwrites files that exist." },
};

/** @type {Readonly<Record<string, Option>>} */
export const NEW_FILES = {
  ...FORCE,
  "dry-run": { short: "n", description: "Prints what would be written, and writes nothing." },
};

/** @type {Readonly<Record<string, Option>>} */
export const BEFORE_GGUF = {
  dialect: {
    value: "draft",
    description:
      "Reads FILE in the layout of the draft of GGUF, the first proposal of the specification, which no program is known to write.",
  },
  family: {
    value: "FAMILY",
    description: "For a model before GGUF that several families fit: the family. Default: the one that fits best.",
  },
};

export const SHARDS = "If FILE is a shard (model-00001-of-00003.gguf), the other shards beside it are read, too.";

/** @type {Positional} */
export const FILE = {
  name: "FILE",
  description:
    "The path or the URL of a GGUF file, or its name on the hub: hub:OWNER/NAME/PATH or hub:OWNER/NAME:ENCODING. " +
    "A folder stands for the only model in it.",
  folder: "model",
};

/** A file that the command treats alone, even if it is a shard. @type {Positional} */
export const SINGLE_FILE = {
  ...FILE,
  description: FILE.description.replace("the only model", "the only GGUF file"),
  folder: "file",
};

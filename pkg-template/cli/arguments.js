// The arguments of a command, read as its row in the table of commands says.

import { parseArgs } from "node:util";
import { UsageError } from "./errors.js";
import { MARK, OptionNames, unmark } from "./option-names.js";
import { counted } from "./text.js";

/**
 * @typedef {object} Option
 * @property {string} description One sentence or more.
 * @property {string} [value] The name of the value: `SIZE`. An option without it is a switch.
 * @property {readonly string[]} [choices] The values that a shell completes, if `value` does not list them: `on|off|auto`.
 * @property {string} [short] One letter.
 * @property {readonly string[]} [aliases] Other names, with their hyphens. They can be short and have several letters: `-ngl`.
 * @property {boolean} [many] Whether the option can be given several times.
 * @property {boolean} [required] Whether the command needs the option.
 *
 * @typedef {object} Positional
 * @property {string} name `FILE`
 * @property {string} description
 * @property {readonly string[]} [choices] What it can be. Without them, a shell completes names of files.
 * @property {boolean} [optional]
 * @property {boolean} [many] Whether more than one can be given. Only one positional can have it.
 * @property {string} [more] What to do in place of giving one argument too many. Sentences. Only the last positional can have it.
 * @property {"model" | "files" | "file"} [folder] What a folder in its place stands for: its only model, its only file, or all its files.
 */

/** The arguments of a command. The methods throw a `UsageError` if a value cannot be read. */
export class Arguments {
  /** @type {readonly string[]} */
  positionals;
  /** @type {Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>} */
  #values;
  /** The options with their values, in the order of the command line. @type {readonly { name: string, value: string }[]} */
  #given;

  /**
   * @param {readonly string[]} args
   * @param {readonly Positional[]} positionals
   * @param {Readonly<Record<string, Option>>} options
   * @param {(name: string) => string | undefined} [commandWith] The command that has an option, for the advice of an error.
   */
  constructor(args, positionals, options, commandWith = () => undefined) {
    const names = new OptionNames(positionals, options);
    try {
      const parsed = parseArgs({
        args: names.translated(args),
        options: names.types(),
        allowPositionals: true,
        tokens: true,
      });
      this.#values = parsed.values;
      this.#given = parsed.tokens.flatMap((token) =>
        token.kind === "option" ? [{ name: token.name, value: unmark(token.value ?? "") }] : [],
      );
      this.positionals = names.withNamed(parsed.positionals, parsed.values).map(unmark);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const [, unknown] = /^Unknown option '(-[^']+)'/.exec(error.message) ?? [];
      if (unknown !== undefined) throw names.unknown(unknown, args, commandWith);
      const [sentence = error.message] = unmark(error.message).replaceAll(MARK, "").split(". To specify");
      throw new UsageError(names.asGiven(sentence).replace(/\.?$/, "."));
    }
    this.#checkCount(positionals, options);
    this.#checkRequired(options);
  }

  /**
   * @param {readonly Positional[]} positionals
   * @param {Readonly<Record<string, Option>>} options
   */
  #checkCount(positionals, options) {
    if (this.flag("help")) return;
    // An optional argument can stand before a required one, as in MODEL [OUT] TYPE.
    const missing = positionals.filter(({ optional }) => !optional)[this.positionals.length];
    if (missing) throw new UsageError(`${missing.name} is missing: ${missing.description}`);
    const extra = this.positionals[positionals.length];
    if (extra === undefined || positionals.some(({ many }) => many)) return;
    // Without quotes, the value of a header becomes arguments: --header Authorization: Bearer hf_…
    if (this.texts("header").length > 0) {
      throw new UsageError(`There are too many arguments. Quote the header: --header "Name: value".`);
    }
    const { more } = positionals.at(-1) ?? {};
    throw new UsageError(
      `The argument "${extra}" is one too many.${optionFor(extra, options) || (more ? ` ${more}` : "")}`,
    );
  }

  /** @param {Readonly<Record<string, Option>>} options */
  #checkRequired(options) {
    if (this.flag("help")) return;
    for (const [name, { value, required, description }] of Object.entries(options)) {
      if (!required || this.#values[name] !== undefined) continue;
      throw new UsageError(`--${name} ${value} is missing: ${description}`);
    }
  }

  /** The positional argument at an index that the command requires. @param {number} index */
  at(index) {
    return this.positionals[index] ?? "";
  }

  /** @param {string} name */
  flag(name) {
    return this.#values[name] === true;
  }

  /** @param {string} name */
  text(name) {
    const value = this.#values[name];
    return typeof value === "string" ? unmark(value) : undefined;
  }

  /** @param {string} name */
  texts(name) {
    const values = this.#values[name];
    return Array.isArray(values) ? values.map((value) => unmark(String(value))) : [];
  }

  /**
   * The values of several options, in the order in which they are given.
   *
   * @param {readonly string[]} names
   */
  inOrder(names) {
    return this.#given.filter(({ name }) => names.includes(name));
  }

  /**
   * An integer.
   *
   * @param {string} name
   * @param {number} [least]
   * @param {number} [most]
   */
  count(name, least = 0, most = Number.MAX_SAFE_INTEGER) {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
      throw new UsageError(`--${name} is "${text}", expected a whole number such as 128.`);
    }
    if (value < least || value > most) {
      const expected = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
      throw new UsageError(`--${name} is ${text}, expected ${expected}.`);
    }
    return value;
  }

  /** Refuses two options that contradict each other. @param {string} one @param {string} other */
  refuseTogether(one, other) {
    if (this.flag(one) && this.flag(other)) {
      throw new UsageError(`--${one} and --${other} cannot be given together. Leave out one of them.`);
    }
  }

  /** A number of bytes. @param {string} name @param {number} [least] */
  size(name, least = 0) {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const bytes = parseSize(text);
    if (bytes === undefined) {
      throw new UsageError(`--${name} is "${text}", expected a size such as 2G, 500M, 1.5GiB or a number of bytes.`);
    }
    if (bytes < least) throw new UsageError(`--${name} is ${text}, expected ${counted(least, "byte")} or more.`);
    return bytes;
  }

  /**
   * One of several words.
   *
   * @template {string} T
   * @param {string} name
   * @param {readonly T[]} choices
   */
  choice(name, choices) {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const choice = choices.find((choice) => choice === text);
    if (choice === undefined) throw new UsageError(`--${name} is "${text}", expected ${choices.join(" or ")}.`);
    return choice;
  }
}

/**
 * The positional at the index `at` of the given arguments. A positional with `many` can stand for several arguments.
 *
 * @param {readonly Positional[]} positionals
 * @param {Arguments} args
 * @param {number} at
 */
export function positionalAt(positionals, args, at) {
  const many = positionals.findIndex(({ many }) => many);
  const more = args.positionals.length - positionals.length;
  if (many < 0 || at <= many) return positionals[at];
  return positionals[Math.max(at - more, many)];
}

/**
 * Advice if an argument looks like the value of an option: one of a few words, or a number of threads.
 *
 * @param {string} argument
 * @param {Readonly<Record<string, Option>>} options
 */
function optionFor(argument, options) {
  const found = Object.entries(options).find(([name, { value }]) =>
    name === "threads" ? /^\d+$/.test(argument) : value?.includes("|") && value.split("|").includes(argument),
  );
  return found === undefined ? "" : ` Did you mean --${found[0]} ${argument}?`;
}

/** @type {Readonly<Record<string, number>>} */
const FACTORS = { "": 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12, KI: 2 ** 10, MI: 2 ** 20, GI: 2 ** 30, TI: 2 ** 40 };

/**
 * Reads a size: `2G` is 2,000,000,000 bytes, as in llama.cpp; `2GiB` is 2,147,483,648 bytes.
 *
 * @param {string} text
 * @returns {number | undefined} Bytes, or `undefined` if the text is not a size.
 */
export function parseSize(text) {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?) ?([KMGT]?i?)B?$/i.exec(text) ?? [];
  const factor = FACTORS[unit.toUpperCase()];
  if (number === undefined || factor === undefined) return undefined;
  const bytes = Math.floor(Number(number) * factor);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

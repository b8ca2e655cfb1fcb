// The names of options: those of a command, and those that other programs have for the same.

import { UsageError } from "./errors.js";
import { optionElsewhere, sameOption } from "./other-names.js";
import { nearest } from "./spelling.js";

/** @import { Option, Positional } from "./arguments.js" */

/** A negative number is a value, never an option. */
const NEGATIVE_NUMBER = /^-(\d|\.\d|inf)/i;

/** Marks a negative number as a value for `parseArgs`. No argument of a process contains this character. */
export const MARK = "\0";

/** @param {string} text */
export const unmark = (text) => (text.startsWith(MARK) ? text.slice(1) : text);

/** The names of the hidden options that stand for arguments which other programs take as options. */
const ARGUMENT = "argument-";

/** The options of a command by all names that they can be given with. */
export class OptionNames {
  #positionals;
  #options;
  /** The own names, with their hyphens. @type {Map<string, string>} */
  #own = new Map();
  /** What was given in place of our names. @type {Map<string, string>} */
  #translated = new Map();

  /**
   * @param {readonly Positional[]} positionals
   * @param {Readonly<Record<string, Option>>} options
   */
  constructor(positionals, options) {
    this.#positionals = positionals;
    this.#options = options;
    for (const [name, { short, aliases = [] }] of Object.entries(options)) {
      for (const own of [`--${name}`, ...(short ? [`-${short}`] : []), ...aliases]) this.#own.set(own, `--${name}`);
    }
  }

  /** The options for `parseArgs`. */
  types() {
    const own = Object.entries(this.#options).map(([name, { value, short, many = false }]) => {
      const type = /** @type {"string" | "boolean"} */ (value ? "string" : "boolean");
      return [name, short ? { type, short, multiple: many } : { type, multiple: many }];
    });
    const hidden = this.#positionals.map((_, at) => [`${ARGUMENT}${at}`, { type: "string", multiple: false }]);
    return Object.fromEntries([...own, ...hidden]);
  }

  /**
   * The arguments with our names of options, and with marked negative numbers.
   *
   * @param {readonly string[]} args
   */
  translated(args) {
    const end = args.includes("--") ? args.indexOf("--") : args.length;
    return args.map((text, i) => {
      if (i >= end || !text.startsWith("-") || text === "-") return text;
      if (NEGATIVE_NUMBER.test(text)) return MARK + text;
      const [, name = text, value = ""] = /^([^=]*)(=.*)$/s.exec(text) ?? [];
      const own = this.#own.get(name);
      // A short option can be followed by its value: -t8.
      if (own !== undefined) return name.length === 2 && value !== "" ? text : own + value;
      return this.#translatedOther(name, value) ?? text;
    });
  }

  /**
   * @param {string} name
   * @param {string} value With its `=`, or empty.
   */
  #translatedOther(name, value) {
    const same = sameOption(name, this.#options, this.#positionals);
    if (same) {
      const own = "option" in same ? `--${same.option}` : `--${ARGUMENT}${same.argument}`;
      this.#translated.set(own, name);
      return own + value;
    }
    // `parseArgs` would read -hf as -h and -f.
    if (!name.startsWith("--") && name.length > 2 && optionElsewhere(name) !== undefined)
      throw this.#unknownOption(name);
    return undefined;
  }

  /**
   * The arguments in order, including the ones that were given as options.
   *
   * @param {readonly string[]} given
   * @param {Readonly<Record<string, unknown>>} values
   */
  withNamed(given, values) {
    const all = [...given];
    const many = this.#positionals.findIndex(({ many }) => many);
    for (const at of this.#positionals.keys()) {
      const value = values[`${ARGUMENT}${at}`];
      if (typeof value === "string") all.splice(many >= 0 && at > many ? all.length : at, 0, value);
    }
    return all;
  }

  /** A sentence of `parseArgs` with the names as they were given. @param {string} sentence */
  asGiven(sentence) {
    return [...this.#translated].reduce((text, [own, name]) => text.replaceAll(own, name), sentence);
  }

  /**
   * The error of an option that the command does not have.
   *
   * @param {string} found The option as `parseArgs` names it: of several short ones, the first.
   * @param {readonly string[]} args
   * @param {(name: string) => string | undefined} commandWith The command that has an option.
   */
  unknown(found, args, commandWith) {
    const short = /^-[^-]$/.test(found) ? args.find((arg) => arg.startsWith(found)) : undefined;
    return this.#unknownOption((short ?? found).replace(/=.*$/s, ""), commandWith);
  }

  /**
   * @param {string} name
   * @param {(name: string) => string | undefined} [commandWith]
   */
  #unknownOption(name, commandWith = () => undefined) {
    const bare = (/** @type {string} */ name) => name.replace(/^-+/, "");
    const known = [...this.#own.keys()].filter((own) => own.length > 2);
    const similar = nearest(bare(name), known.map(bare));
    const meant = similar === undefined ? undefined : known.find((own) => bare(own) === similar);
    const other = commandWith(name);
    const advice =
      optionElsewhere(name) ??
      (meant && `Did you mean ${meant}?`) ??
      (other && `The command ${other} has it: \`gguf-wasm ${other} --help\`.`);
    return new UsageError(`There is no option "${name}".${advice ? ` ${advice}` : ""}`);
  }
}

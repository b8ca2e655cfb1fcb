// Text that is safe on a terminal. Files, servers and names of files can contain control characters, which a terminal would obey.
// Only this module makes the texts that `output.js` prints, and all of them pass `printable`.

/**
 * Characters that could change what a terminal shows, or hide text: control and format characters, characters that Unicode ignores when it
 * shows text, and halves of characters. Joiners and variation selectors stay after a character that they can change: a letter or a mark
 * from U+0600 on, such as those of Persian and Indic scripts, or an emoji. The page has the same list, in `www/src/ui/text.ts`.
 */
export const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}](?<!(?:[^\0-\u05ff\p{Cf}\p{DI}]\ufe0f?[\u200c\u200d])|(?:[^\0-\u05ff\p{Cf}\p{DI}]|[#*0-9©®])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])/gu;

/** @type {Readonly<Record<string, string>>} */
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Text on one line that is safe on a terminal: control characters become escapes, such as `\n` and `\u{1b}`.
 *
 * @param {string} text
 */
export function printable(text) {
  return text.replace(UNSAFE, (char) => SHORT[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * Like {@link printable}, but lines stay lines, and tabs stay tabs.
 *
 * @param {string} text
 */
export function printableLines(text) {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(printable).join("\t"))
    .join("\n");
}

/** Text for a terminal, in pieces: a long one is never whole in memory. {@link safe} and {@link safeLines} make it. */
export class SafeText {
  #pieces;

  /** @param {() => Iterable<string>} pieces Makes the pieces. They must be safe. */
  constructor(pieces) {
    this.#pieces = pieces;
  }

  [Symbol.iterator]() {
    return this.#pieces()[Symbol.iterator]();
  }
}

/**
 * Makes a text from a template: safe`${name}: ${findings}\n`. Strings become {@link printable}; a `SafeText` stays as it is.
 *
 * @param {TemplateStringsArray} strings
 * @param {...(string | number | SafeText)} values
 */
export function safe(strings, ...values) {
  return new SafeText(function* () {
    for (const [i, text] of strings.entries()) {
      yield text;
      const value = values[i];
      if (value instanceof SafeText) yield* value;
      else if (value !== undefined) yield printable(String(value));
    }
  });
}

/**
 * A text of several lines, such as the help.
 *
 * @param {string} text
 */
export function safeLines(text) {
  return new SafeText(() => [printableLines(text)]);
}

/**
 * Several texts, one after the other.
 *
 * @param {Iterable<SafeText>} texts
 * @param {string} [separator] What is between them.
 */
export function joined(texts, separator = "") {
  return new SafeText(function* () {
    let isFirst = true;
    for (const text of texts) {
      if (!isFirst) yield separator;
      isFirst = false;
      yield* text;
    }
  });
}

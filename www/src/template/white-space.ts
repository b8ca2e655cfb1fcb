/**
 * Text with its lines, white space and tokens visible. The marks are drawn by styles, so that text that is selected and copied has none.
 */

import { css } from "lit";
import { splitText } from "../ui/text.ts";

/** An element with a class and a text. */
function span(className: string, text = ""): HTMLSpanElement {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  return element;
}

/** The beginning of a line of the text, which has a number beside it. A line that is only wrapped has none. */
export function lineStart(): HTMLSpanElement {
  const start = span("line");
  start.ariaHidden = "true";
  return start;
}

/**
 * Adds a text to an element: with escapes for invisible characters, the beginnings of its lines, and with `withSpaces` marks for spaces, line
 * breaks and tabs.
 */
export function appendMarked(whole: HTMLElement, text: string, withSpaces: boolean): void {
  for (const { text: part, escape } of splitText(text, false)) {
    if (escape !== undefined) {
      const shown = span("escape", part);
      shown.title = escape;
      whole.append(shown);
      continue;
    }
    for (const [run] of part.matchAll(/ +|\t|\r?\n|[^ \t\r\n]+|\r/g)) {
      if (run.endsWith("\n")) whole.append(...(withSpaces ? [span("break")] : []), run, lineStart());
      else if (!withSpaces) whole.append(run);
      else if (run.startsWith(" ")) whole.append(span("spaces", run));
      else if (run === "\t") whole.append(span("tab", run));
      else whole.append(run);
    }
  }
}

/** Letters of scripts with spaces between the words, and digits. */
const IN_WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}\p{M}]/u;
/** The characters of a word after which a line may end at each token. */
const LONG_WORD = 24;

/**
 * Tells for each of several tokens whether a line may end before it: at a border of words, and between the tokens of a word that is longer than
 * a line should be.
 */
export function lineMayEndBefore(): (token: string) => boolean {
  let word = 0;
  let last = "";
  return (token) => {
    const first = String.fromCodePoint(token.codePointAt(0) ?? 0);
    const isInWord = IN_WORD.test(last) && IN_WORD.test(first);
    const mayEnd = last !== "" && (!isInWord || word > LONG_WORD);
    word = mayEnd || /\s/.test(token) ? token.length : word + token.length;
    last = token.slice(-1);
    return mayEnd;
  };
}

/**
 * A space has the width of a digit, because the font has a fixed pitch. So a pattern of dots has one for each space. The second value of
 * `content` is the text for screen readers: none. Browsers that do not know it take the line before.
 */
export const whiteSpaceStyles = css`
  .spaces {
    background: radial-gradient(circle, var(--gguf-ink-3) 0.8px, transparent 1.3px) 0 0 / 1ch 100% repeat-x;
  }
  .tab {
    position: relative;
  }
  .tab::before {
    color: var(--gguf-ink-3);
    content: "→";
    content: "→" / "";
    position: absolute;
    inset-inline-start: 0;
  }
  .break::before {
    content: "↵";
    content: "↵" / "";
    color: var(--gguf-accent);
    font-weight: 600;
  }
  pre {
    padding-inline-start: 4.2ch;
    counter-reset: line;
  }
  .line {
    counter-increment: line;
  }
  .line::before {
    content: counter(line);
    content: counter(line) / "";
    position: absolute;
    inset-inline-start: 0;
    width: 3.2ch;
    color: var(--gguf-ink-3);
    font-size: var(--gguf-text-tiny);
    text-align: end;
    user-select: none;
  }
`;

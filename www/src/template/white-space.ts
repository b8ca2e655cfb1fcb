/** Text with its white space visible. The marks are drawn by styles, so that text that is selected and copied has none. */

import { css } from "lit";
import { splitText } from "../ui/text.ts";

/** An element with a class and a text. */
function span(className: string, text: string): HTMLSpanElement {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  return element;
}

/** The text with marks for spaces, line breaks and tabs, and with escapes for invisible characters. */
export function markedText(text: string): HTMLElement {
  const whole = document.createElement("bdi");
  for (const { text: part, escape } of splitText(text, false)) {
    if (escape !== undefined) {
      const shown = span("escape", part);
      shown.title = escape;
      whole.append(shown);
      continue;
    }
    for (const [run] of part.matchAll(/ +|\t|\r?\n|[^ \t\r\n]+|\r/g)) {
      if (run.startsWith(" ")) whole.append(span("spaces", run));
      else if (run === "\t") whole.append(span("tab", run));
      else if (run.endsWith("\n")) whole.append(span("break", ""), run);
      else whole.append(run);
    }
  }
  return whole;
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
  .tab::before,
  .break::before {
    color: var(--gguf-ink-3);
  }
  .tab::before {
    content: "→";
    content: "→" / "";
    position: absolute;
    inset-inline-start: 0;
  }
  .break::before {
    content: "↵";
    content: "↵" / "";
  }
`;

import { css } from "lit";

/** Text with a fixed pitch in a box that scrolls. */
export const textBoxStyles = css`
  :host {
    display: block;
    min-width: 0;
  }
  pre {
    position: relative;
    margin: 0;
    padding: 10px 12px;
    overflow: auto;
    border: 1px solid var(--gguf-line);
    border-radius: 6px;
    background: var(--gguf-surface);
    tab-size: 4;
  }
`;

/** A text box that keeps the lines of a text, and breaks those that are too long. */
export const wrappedTextStyles = css`
  ${textBoxStyles}
  pre {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`;

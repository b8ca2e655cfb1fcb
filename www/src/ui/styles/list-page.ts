import { css } from "lit";
import { technicalStyles } from "./notices.ts";
import { windowSize } from "./breakpoints.ts";

/** A page that lists what a hub has: its title, the text while it is empty, and the card of a failure. */
export const listPageStyles = css`
  :host {
    display: block;
    overflow: auto;
    padding: 20px 24px 32px;
  }
  .page {
    max-width: calc(1080 * var(--gguf-unit));
    margin: 0 auto;
  }
  h2 {
    font-size: var(--gguf-text-headline);
    font-weight: 650;
    line-height: 1.3;
    overflow-wrap: anywhere;
  }
  .state {
    display: grid;
    justify-items: center;
    gap: 12px;
    padding: 64px 16px;
    color: var(--gguf-ink-2);
    text-align: center;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }
  .card {
    width: min(100%, calc(600 * var(--gguf-unit)));
    margin: 32px auto 0;
    padding: 24px;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
    background: var(--gguf-surface);
  }
  .card h2 {
    font-size: var(--gguf-text-title);
  }
  .card .name {
    margin-top: 2px;
    color: var(--gguf-ink-2);
    font: var(--gguf-text-small)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .card .what {
    margin-top: 14px;
    text-wrap: pretty;
    overflow-wrap: anywhere;
  }
  .card ul {
    margin-top: 12px;
    padding-inline-start: 1.2em;
    list-style: disc;
    color: var(--gguf-ink-2);
  }
  .card li {
    margin-top: 4px;
  }
  ${technicalStyles}
  .buttons {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    margin-top: 12px;
  }
  /* A button that is wider than the page has several lines. */
  .buttons :is(button, .button) {
    white-space: normal;
  }
  ::slotted([slot="help"]) {
    display: block;
    margin-top: 16px;
  }
  @media (max-width: ${windowSize(560)}) {
    :host {
      padding: 14px 12px 24px;
    }
    h2 {
      font-size: var(--gguf-text-title);
    }
  }
`;

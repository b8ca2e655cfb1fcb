import { css } from "lit";
import { tracks } from "../ui/styles/tracks.ts";

export const graphStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    height: 100%;
  }
  .bar {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding: 8px 16px;
    border-bottom: 1px solid var(--gguf-line);
  }
  .colour {
    display: flex;
    align-items: center;
    gap: 6px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  select {
    min-height: calc(32 * var(--gguf-unit));
    padding: 0 8px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 6px;
    background: var(--gguf-surface);
    font-size: var(--gguf-text-control);
  }
  .group {
    display: flex;
    gap: 4px;
  }
  .group button {
    min-width: calc(32 * var(--gguf-unit));
    padding: 0 9px;
  }
  .group button[aria-pressed="true"] {
    border-color: var(--gguf-accent);
    background: var(--gguf-accent-soft);
  }
  .found {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .spacer {
    flex: 1;
  }
  .note {
    flex: none;
    padding: 6px 16px;
    border-bottom: 1px solid var(--gguf-line);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    text-wrap: pretty;
  }
  .body {
    flex: 1;
    display: grid;
    grid-template-columns: ${tracks("1fr", 320)};
    grid-template-rows: minmax(0, 1fr);
    min-height: 0;
  }
  .picture {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  gguf-graph-canvas {
    flex: 1;
  }
  .legend {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    padding: 7px 16px;
    border-top: 1px solid var(--gguf-line);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 6px;
  }
  .swatch {
    flex: none;
    width: calc(11 * var(--gguf-unit));
    height: calc(11 * var(--gguf-unit));
    border-radius: 3px;
    background: var(--hue, var(--gguf-line-strong));
    forced-color-adjust: none;
  }
  .residual {
    width: calc(16 * var(--gguf-unit));
    height: 0;
    border-top: 2px solid var(--gguf-accent);
  }
  aside {
    position: relative;
    min-width: 0;
    padding: 14px 16px 20px;
    overflow: auto;
    border-inline-start: 1px solid var(--gguf-line);
    background: var(--gguf-surface);
    font-size: var(--gguf-text-control);
  }
  aside h3 {
    font-size: var(--gguf-text-lead);
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  aside .path {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  aside p {
    margin-top: 6px;
    color: var(--gguf-ink-2);
    text-wrap: pretty;
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 3px 14px;
    margin-top: 12px;
  }
  dt {
    color: var(--gguf-ink-2);
  }
  dd {
    text-align: end;
  }
  aside h4 {
    margin: 16px 0 4px;
    font-size: var(--gguf-text-dense);
    font-weight: 600;
  }
  .tensors li {
    padding: 6px 0;
    border-top: 1px solid var(--gguf-line);
  }
  .tensors button {
    display: block;
    min-height: calc(24 * var(--gguf-unit));
    width: 100%;
    padding: 0;
    border: 0;
    background: none;
    color: var(--gguf-accent);
    font: 500 var(--gguf-text-dense)/1.4 var(--gguf-mono);
    text-align: start;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .tensors button:hover {
    background: none;
    text-decoration: underline;
  }
  .tensors div {
    display: flex;
    justify-content: space-between;
    gap: 10px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .tensors .type {
    color: var(--gguf-ink);
    font-family: var(--gguf-mono);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-top: 14px;
  }
  .keys {
    margin-top: 18px;
    padding-top: 10px;
    border-top: 1px solid var(--gguf-line);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .list {
    position: relative;
    padding: 12px 16px 24px;
    overflow: auto;
    font-size: var(--gguf-text-control);
  }
  .list ol {
    margin: 0;
    padding-inline-start: 22px;
    list-style: none;
    border-inline-start: 1px solid var(--gguf-line);
  }
  .list > ol {
    padding: 0;
    border: 0;
  }
  .list li {
    padding: 2px 0;
  }
  .list .figures {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .narrow .body {
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: minmax(calc(280 * var(--gguf-unit)), 3fr) minmax(calc(120 * var(--gguf-unit)), 2fr);
  }
  .narrow aside {
    border-inline-start: 0;
    border-top: 1px solid var(--gguf-line);
  }
  .whole {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
  }
  .narrow .bar {
    gap: 6px 8px;
    padding: 6px 12px;
  }
  /* A finger opens and folds single boxes. */
  .narrow .all,
  .narrow .colour span {
    display: none;
  }
  @media (forced-colors: active) {
    .group button[aria-pressed="true"] {
      border: 2px solid Highlight;
    }
  }
`;

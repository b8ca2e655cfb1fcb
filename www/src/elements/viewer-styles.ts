import { css } from "lit";

/** The viewer’s own boxes: the summary beside the tabs, and what is under them. */
export const viewerStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    height: min(760px, 100dvh);
    min-width: 0;
    overflow: hidden;
    background: var(--gguf-page);
  }
  .body {
    flex: 1;
    display: flex;
    min-height: 0;
  }
  .body > gguf-progress,
  .body > gguf-error-panel {
    flex: 1;
    overflow: auto;
  }
  .wide gguf-summary {
    flex: 0 0 clamp(300px, 25%, 360px);
    border-inline-end: 1px solid var(--gguf-line);
  }
  .main {
    flex: 1;
    display: flex;
    flex-direction: column;
    min-width: 0;
    background: var(--gguf-surface);
  }
  [role="tablist"] {
    display: flex;
    gap: 4px;
    padding: 0 12px;
    border-bottom: 1px solid var(--gguf-line);
    overflow-x: auto;
  }
  [role="tab"] {
    position: relative;
    min-height: 42px;
    padding: 0 10px;
    border: 0;
    border-radius: 6px 6px 0 0;
    background: none;
    color: var(--gguf-ink-2);
    font-size: 13.5px;
  }
  [role="tab"]:hover {
    color: var(--gguf-ink);
  }
  [role="tab"]:focus-visible {
    outline-offset: -3px;
  }
  [role="tab"][aria-selected="true"] {
    color: var(--gguf-ink);
    font-weight: 600;
  }
  [role="tab"][aria-selected="true"]::after {
    content: "";
    position: absolute;
    inset: auto 8px 0;
    height: 2px;
    border-radius: 1px 1px 0 0;
    background: var(--gguf-accent);
  }
  [role="tab"] .many {
    color: var(--gguf-ink-3);
    font-weight: 400;
    font-size: 12px;
  }
  [role="tabpanel"] {
    flex: 1;
    display: flex;
    min-height: 0;
    outline-offset: -2px;
  }
  [role="tabpanel"] > * {
    flex: 1;
    min-width: 0;
  }
  .summary {
    overflow: auto;
  }
`;

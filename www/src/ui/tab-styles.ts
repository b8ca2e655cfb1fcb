import { css } from "lit";

/** Tabs in a row that scrolls sideways if they do not fit. */
export const tabStyles = css`
  [role="tablist"] {
    display: flex;
    gap: 4px;
    padding: 0 12px;
  }
  [role="tab"] {
    position: relative;
    flex: none;
    min-height: calc(40 * var(--gguf-unit));
    padding: 0 10px;
    border: 0;
    border-radius: 6px 6px 0 0;
    background: none;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-body);
  }
  /* A line between two groups of tabs. */
  [role="tab"].first {
    margin-inline-start: 9px;
  }
  [role="tab"].first::before {
    content: "";
    position: absolute;
    inset: 11px auto 11px -7px;
    border-inline-start: 1px solid var(--gguf-line-strong);
  }
  [role="tab"]:hover {
    color: var(--gguf-ink);
  }
  [role="tab"]:focus-visible {
    outline-offset: -3px;
  }
  [role="tab"][aria-selected="true"] {
    color: var(--gguf-ink);
  }
  [role="tab"][aria-selected="true"] .title {
    font-weight: 600;
  }
  /* Each title has the width of its bold text, so that the tabs stay where they are when another one is selected. */
  [role="tab"] .title {
    display: inline-grid;
  }
  [role="tab"] .title::after {
    content: attr(data-title);
    content: attr(data-title) / "";
    height: 0;
    overflow: hidden;
    font-weight: 600;
    visibility: hidden;
  }
  [role="tab"][aria-selected="true"]::after {
    content: "";
    position: absolute;
    inset: auto 8px 0;
    height: 2px;
    border-radius: 1px 1px 0 0;
    background: var(--gguf-accent);
  }
  @media (forced-colors: active) {
    [role="tab"][aria-selected="true"]::after {
      background: Highlight;
    }
  }
  [role="tab"] .many {
    color: var(--gguf-ink-3);
    font-weight: 400;
    font-size: var(--gguf-text-small);
  }
`;

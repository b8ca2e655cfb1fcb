import { css } from "lit";

export const paletteStyles = css`
  dialog {
    width: min(calc(640 * var(--gguf-unit)), calc(100vw - 24px));
    margin-block-start: min(12vh, 96px);
  }
  .field {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 10px 14px;
    border-bottom: 1px solid var(--gguf-line);
    color: var(--gguf-ink-2);
  }
  .field svg {
    flex: none;
  }
  .field input {
    flex: 1;
    min-width: 0;
    padding: 0;
    border: 0;
    background: none;
    color: var(--gguf-ink);
    font-size: var(--gguf-text-lead);
  }
  .field:focus-within {
    box-shadow: inset 0 -2px 0 var(--gguf-accent);
  }
  .field input:focus-visible {
    outline: none;
  }
  [role="listbox"] {
    position: relative;
    min-height: 0;
    max-height: min(60vh, 480px);
    padding: 6px;
    overflow: auto;
    overscroll-behavior: contain;
  }
  .group + .group {
    margin-top: 6px;
  }
  .title {
    padding: 4px 8px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    font-weight: 600;
  }
  [role="option"] {
    display: flex;
    align-items: baseline;
    gap: 4px 12px;
    min-height: calc(32 * var(--gguf-unit));
    padding: 5px 8px;
    border-radius: 6px;
    font-size: var(--gguf-text-control);
    cursor: pointer;
  }
  [role="option"][aria-selected="true"] {
    background: var(--gguf-active);
    outline: 1px solid transparent;
    outline-offset: -1px;
  }
  .name {
    flex: 0 1 auto;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .about {
    flex: 1 1 0;
    min-width: 0;
    overflow: hidden;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  kbd {
    flex: none;
    padding: 0 5px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 4px;
    color: var(--gguf-ink-2);
    font: var(--gguf-text-tiny)/1.6 var(--gguf-sans);
  }
  .none,
  .hint {
    padding: 12px 14px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-control);
  }
  .hint {
    padding-block: 8px;
    border-top: 1px solid var(--gguf-line);
    font-size: var(--gguf-text-small);
  }
  @media (pointer: coarse) {
    [role="option"] {
      min-height: calc(40 * var(--gguf-unit));
      align-items: center;
    }
    .field input {
      font-size: var(--gguf-text-lead);
    }
  }
`;

export const keysStyles = css`
  .groups {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(270 * var(--gguf-unit))), 1fr));
    gap: 16px 28px;
  }
  dl {
    display: grid;
    gap: 6px;
    margin-top: 6px;
  }
  dl div {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 4px 10px;
    font-size: var(--gguf-text-control);
  }
  dt {
    display: flex;
    flex: 0 0 calc(112 * var(--gguf-unit));
    flex-wrap: wrap;
    gap: 4px;
  }
  dd {
    flex: 1 1 calc(110 * var(--gguf-unit));
  }
  kbd {
    padding: 0 6px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 4px;
    font: var(--gguf-text-small)/1.6 var(--gguf-sans);
    white-space: nowrap;
  }
`;

import { css } from "lit";

export const paletteStyles = css`
  dialog {
    width: min(640px, calc(100vw - 24px));
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
    font-size: 15px;
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
    font-size: 12px;
    font-weight: 600;
  }
  [role="option"] {
    display: flex;
    align-items: baseline;
    gap: 4px 12px;
    min-height: 32px;
    padding: 5px 8px;
    border-radius: 6px;
    font-size: 13px;
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
    font-size: 12px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  kbd {
    flex: none;
    padding: 0 5px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 4px;
    color: var(--gguf-ink-2);
    font: 11.5px/1.6 var(--gguf-sans);
  }
  .none,
  .hint {
    padding: 12px 14px;
    color: var(--gguf-ink-2);
    font-size: 13px;
  }
  .hint {
    padding-block: 8px;
    border-top: 1px solid var(--gguf-line);
    font-size: 12px;
  }
  @media (pointer: coarse) {
    [role="option"] {
      min-height: 40px;
      align-items: center;
    }
    .field input {
      font-size: 16px;
    }
  }
`;

export const keysStyles = css`
  .groups {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 270px), 1fr));
    gap: 16px 28px;
  }
  dl {
    display: grid;
    gap: 6px;
    margin-top: 6px;
  }
  dl div {
    display: grid;
    grid-template-columns: 112px minmax(0, 1fr);
    align-items: baseline;
    gap: 10px;
    font-size: 13px;
  }
  dt {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  kbd {
    padding: 0 6px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 4px;
    font: 12px/1.6 var(--gguf-sans);
    white-space: nowrap;
  }
`;

import { css } from "lit";

export const typeTableStyles = css`
  form {
    margin: 10px 0 0;
  }
  .pattern {
    flex: 1 1 200px;
    max-width: 340px;
  }
  .pattern input {
    width: 100%;
    font-family: var(--gguf-mono);
  }
  .result {
    margin-top: 6px;
    color: var(--gguf-ink-2);
    font-size: 12.5px;
  }
  .scroll {
    max-height: 480px;
  }
  thead th {
    position: sticky;
    top: 0;
    z-index: 1;
    background: var(--gguf-surface);
    box-shadow: inset 0 -1px var(--gguf-line-strong);
  }
  tbody th {
    font-weight: 400;
  }
  .name {
    font: 12.5px/1.5 var(--gguf-mono);
  }
  .shape {
    color: var(--gguf-ink-2);
    font-size: 12px;
  }
  .why {
    color: var(--gguf-danger);
    font-size: 12px;
  }
  /* A narrow table has no columns for the old type and the size. */
  .in-name {
    display: none;
  }
  td {
    vertical-align: middle;
  }
  .type {
    width: 1%;
    white-space: nowrap;
  }
  .type .old {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .new {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .new select {
    width: 112px;
    min-height: 28px;
    padding: 0 4px;
  }
  .changed select {
    border-color: var(--gguf-accent);
  }
  .hand select {
    background: var(--gguf-accent-soft);
    font-weight: 600;
  }
  .new button {
    width: 28px;
    min-height: 28px;
  }
  .new .no-button {
    flex: none;
    width: 28px;
  }
  .error {
    white-space: nowrap;
  }
  .error .swatch {
    margin-right: 4px;
  }
  @media (max-width: 560px) {
    .size,
    .old-type,
    .estimate {
      display: none;
    }
    .in-name {
      display: inline;
    }
    .new select {
      width: 92px;
    }
    .new .no-button {
      display: none;
    }
  }
`;

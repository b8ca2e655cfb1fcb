import { css } from "lit";
import { windowSize } from "../ui/styles/breakpoints.ts";

export const typeTableStyles = css`
  form {
    margin: 10px 0 0;
  }
  .pattern {
    flex: 1 1 calc(200 * var(--gguf-unit));
    max-width: calc(340 * var(--gguf-unit));
  }
  .pattern input {
    width: 100%;
    font-family: var(--gguf-mono);
  }
  .result {
    margin-top: 6px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
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
    font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
  }
  .shape {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .why {
    color: var(--gguf-danger);
    font-size: var(--gguf-text-small);
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
    width: calc(112 * var(--gguf-unit));
    min-height: calc(28 * var(--gguf-unit));
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
    width: calc(28 * var(--gguf-unit));
    min-height: calc(28 * var(--gguf-unit));
  }
  .new .no-button {
    flex: none;
    width: calc(28 * var(--gguf-unit));
  }
  .error {
    white-space: nowrap;
  }
  .error .swatch {
    margin-right: 4px;
  }
  @media (max-width: ${windowSize(560)}) {
    .size,
    .old-type,
    .estimate {
      display: none;
    }
    .in-name {
      display: inline;
    }
    .new select {
      width: calc(92 * var(--gguf-unit));
    }
    .new .no-button {
      display: none;
    }
  }
`;

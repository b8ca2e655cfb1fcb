import { css } from "lit";

/** The address field: large on the start page, one row in the header. What is below the field in the header covers the page. */
export const openFieldStyles = css`
  :host {
    display: block;
    position: relative;
  }
  form {
    display: flex;
    gap: 8px;
  }
  input {
    flex: 1;
    width: 100%;
    text-overflow: ellipsis;
  }
  :host(:not([large])) input {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-small);
  }
  :host([large]) input,
  :host([large]) form button {
    min-height: calc(46 * var(--gguf-unit));
    border-radius: 8px;
    font-size: var(--gguf-text-lead);
  }
  :host([large]) input {
    padding: 0 14px;
  }
  :host([large]) form button {
    padding: 0 22px;
    font-weight: 600;
  }
  p {
    margin-top: 8px;
    font-size: var(--gguf-text-control);
    overflow-wrap: anywhere;
  }
  #problem {
    color: var(--gguf-danger);
  }
  #search {
    color: var(--gguf-ink-2);
  }
  .ask {
    margin: 8px 0 0 -10px;
    min-height: calc(28 * var(--gguf-unit));
    padding: 0 10px;
  }
  @media (forced-colors: active) {
    .ask {
      margin-inline-start: 0;
    }
  }
  .used {
    color: var(--gguf-accent);
  }
  :host([large]) gguf-token-form {
    margin-top: 8px;
    padding: 14px;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
    background: var(--gguf-surface);
  }
  :host(:not([large])) p,
  :host(:not([large])) gguf-token-form {
    position: absolute;
    z-index: 5;
    inset: calc(100% + 2px) 0 auto;
    margin: 0;
    padding: 8px 12px;
    border: 1px solid var(--gguf-line);
    border-radius: 6px;
    background: var(--gguf-surface);
    box-shadow: 0 6px 20px rgb(0 0 0 / 15%);
  }
  input[aria-invalid="true"] {
    border-color: var(--gguf-danger);
  }
  @media (pointer: coarse) {
    :host(:not([large])) input {
      font-size: var(--gguf-text-lead);
    }
  }
`;

import { css } from "lit";

/** The dialog that asks which model to open. */
export const choiceStyles = css`
  dialog {
    width: min(560px, calc(100vw - 24px));
    max-height: calc(100dvh - 24px);
    padding: 0;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 12px;
    background: var(--gguf-surface);
    color: var(--gguf-ink);
    overflow: hidden;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }
  h2 {
    padding: 18px 20px 0;
    font-size: 17px;
    font-weight: 650;
  }
  .body {
    position: relative;
    min-height: 0;
    padding: 10px 20px 16px;
    overflow: auto;
  }
  ul {
    display: grid;
    gap: 6px;
    margin-top: 12px;
  }
  li button {
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 2px 16px;
    width: 100%;
    padding: 8px 12px;
    white-space: normal;
    text-align: start;
  }
  .name {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .size {
    color: var(--gguf-ink-2);
    font-size: 12.5px;
    font-weight: 400;
  }
  .actions {
    display: flex;
    justify-content: flex-end;
    padding: 12px 20px;
    border-top: 1px solid var(--gguf-line);
  }
`;

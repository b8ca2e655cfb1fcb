import { css } from "lit";

/** The box of a dialog, whose content scrolls between its title and its buttons. */
export const dialogBoxStyles = css`
  dialog {
    width: min(calc(640 * var(--gguf-unit)), calc(100vw - 24px));
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
    font-size: var(--gguf-text-title);
    font-weight: 650;
  }
  .body {
    position: relative;
    min-height: 0;
    padding: 12px 20px 16px;
    overflow: auto;
  }
`;

/** The styles of dialogs. */
export const dialogStyles = css`
  ${dialogBoxStyles}
  dialog {
    font: 400 var(--gguf-text-body)/1.45 var(--gguf-sans);
  }
  dialog form {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  h2 {
    overflow-wrap: anywhere;
  }
  h3 {
    font-size: var(--gguf-text-control);
    font-weight: 600;
  }
  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 14px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
    padding: 12px 20px;
    border-top: 1px solid var(--gguf-line);
  }
`;

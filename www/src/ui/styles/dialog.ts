import { css } from "lit";

/** The box of a dialog, whose content scrolls between its title and its buttons. */
export const dialogBoxStyles = css`
  dialog {
    width: min(640px, calc(100vw - 24px));
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
    padding: 12px 20px 16px;
    overflow: auto;
  }
`;

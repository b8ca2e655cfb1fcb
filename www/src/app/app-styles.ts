import { css } from "lit";
import { problemRowStyles } from "../ui/styles/notices.ts";

/** The layout of the page. */
export const appStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100dvh;
    background: var(--gguf-page);
  }
  :host([shows-file]) {
    height: 100dvh;
    overflow: clip;
  }
  :host([shows-file]) gguf-page-header {
    border-color: var(--gguf-line);
    background: var(--gguf-surface);
  }
  main {
    flex: 1;
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  /* A label may be longer than a phone is wide. */
  button.primary {
    white-space: normal;
  }
  .choose {
    margin-top: 12px;
  }
  ${problemRowStyles}
  gguf-viewer {
    flex: 1;
    min-height: 0;
    height: auto;
  }
  .version-place {
    position: sticky;
    bottom: 0;
    z-index: 5;
  }
  .version {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 10px;
    padding: 8px 16px;
    border-top: 1px solid var(--gguf-line);
    background: var(--gguf-surface);
    font-size: var(--gguf-text-control);
  }
`;

import { css } from "lit";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The styles of the save dialog. */
export const saveStyles = css`
  .figures {
    font-weight: 500;
  }
  .notice {
    display: flex;
    gap: 10px;
    padding: 10px 12px;
    border-radius: 6px;
    font-size: var(--gguf-text-control);
    overflow-wrap: anywhere;
  }
  .notice svg {
    flex: none;
    margin-top: 1px;
  }
  .notice.error {
    background: var(--gguf-danger-soft);
  }
  .notice.error svg,
  .notice.error strong {
    color: var(--gguf-danger);
  }
  .notice.warning {
    background: var(--gguf-warning-soft);
  }
  .notice.warning svg,
  .notice.warning strong {
    color: var(--gguf-warning);
  }
  .notice ul,
  .next {
    margin-top: 4px;
    padding-inline-start: 1.2em;
    list-style: disc;
  }
  .list {
    position: relative;
    max-height: min(240px, 30dvh);
    margin-top: 6px;
    padding: 0 12px;
    border: 1px solid var(--gguf-line);
    border-radius: 6px;
    overflow: auto;
  }
  .plain {
    padding-block: 4px;
    font: var(--gguf-text-dense)/1.6 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .plain li + li {
    border-top: 1px solid var(--gguf-line);
  }
  .ways {
    display: grid;
    gap: 12px;
  }
  .ways li {
    display: grid;
    grid-template-columns: minmax(calc(132 * var(--gguf-unit)), max-content) minmax(0, 1fr);
    align-items: start;
    gap: 6px 14px;
  }
  @media (max-width: ${windowSize(520)}) {
    .ways li {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  .names {
    display: grid;
    gap: 4px;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .names label {
    display: flex;
    align-items: center;
    gap: 8px;
    overflow-wrap: anywhere;
  }
  .names input {
    flex: none;
    width: calc(24 * var(--gguf-unit));
    height: calc(24 * var(--gguf-unit));
    margin: 0;
    accent-color: var(--gguf-accent);
  }
  .names .mono {
    color: var(--gguf-ink);
    font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
  }
`;

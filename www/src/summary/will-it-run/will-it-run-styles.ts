import { css } from "lit";

/** The answer in a sentence, the fields of the machine beside each other, and the command. */
export const willItRunStyles = css`
  :host {
    display: block;
    min-width: 0;
  }
  h3 {
    display: flex;
    align-items: center;
    min-height: calc(32 * var(--gguf-unit));
    font-size: var(--gguf-text-lead);
    font-weight: 650;
    letter-spacing: -0.005em;
  }
  .answer,
  .refusal {
    display: flex;
    gap: 8px;
    font-size: var(--gguf-text-body);
    text-wrap: pretty;
  }
  p.answer:not(.yes, .no) {
    display: block;
  }
  .answer svg,
  .refusal svg {
    flex: none;
    margin-top: 2px;
  }
  .yes svg,
  .yes strong {
    color: var(--gguf-accent);
  }
  .refusal {
    margin-bottom: 6px;
  }
  .refusal svg {
    color: var(--gguf-danger);
  }
  .no svg {
    color: var(--gguf-warning);
  }
  .cards {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(150 * var(--gguf-unit))), 1fr));
    gap: 6px;
    margin-top: 10px;
    font-size: var(--gguf-text-dense);
  }
  .cards button {
    display: block;
    width: 100%;
    padding: 6px 9px;
    border-color: var(--gguf-line);
    color: var(--gguf-ink-2);
    font-size: inherit;
    font-weight: 400;
    text-align: start;
    white-space: normal;
  }
  .card {
    display: block;
    color: var(--gguf-ink);
    font-weight: 600;
  }
  .machine {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 8px 12px;
    margin: 12px 0;
  }
  .field {
    display: grid;
    flex: 1 1 calc(110 * var(--gguf-unit));
    gap: 4px;
    max-width: calc(190 * var(--gguf-unit));
  }
  .machine .check {
    display: flex;
    flex: 1 1 100%;
    align-items: center;
    gap: 7px;
    max-width: none;
    min-height: calc(24 * var(--gguf-unit));
  }
  .machine select {
    width: 100%;
  }
  .command {
    display: flex;
    align-items: start;
    gap: 8px;
    padding: 9px 8px 9px 12px;
    border-radius: 6px;
    background: var(--gguf-sunken);
    /* Forced colours remove the background, and show the outline. */
    outline: 1px solid transparent;
    outline-offset: -1px;
  }
  code {
    flex: 1;
    min-width: 0;
    font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  /* A line does not end after the hyphen of an option, nor between an option and its value. */
  code span {
    display: inline-block;
  }
  details {
    margin-top: 10px;
  }
  summary {
    width: fit-content;
    min-height: calc(26 * var(--gguf-unit));
    color: var(--gguf-accent);
    font-size: var(--gguf-text-control);
    cursor: pointer;
  }
  details .hint {
    margin-bottom: 6px;
  }
  .to-memory {
    margin: 10px 0 0 -13px;
    color: var(--gguf-accent);
    font-size: var(--gguf-text-control);
  }
  @media (forced-colors: active) {
    .to-memory {
      margin-inline-start: 0;
    }
  }
  .hint {
    margin-top: 6px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
`;

import { css } from "lit";
import { checkStyles } from "../ui/styles/fields.ts";
import { rowPadding, ruledTableStyles } from "../ui/styles/tables.ts";

/** The layout of the template panel: the template beside its rendering if there is room. */
export const templateStyles = css`
  :host {
    display: block;
    container: template / inline-size;
  }
  .panel {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 20px 28px;
    padding: 16px;
  }
  .column {
    display: grid;
    align-content: start;
    gap: 20px;
    min-width: 0;
  }
  @container template (min-width: 860px) {
    .panel {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    .wide {
      grid-column: 1 / -1;
    }
  }
  section {
    min-width: 0;
  }
  h3 {
    margin-bottom: 8px;
    font-size: 14px;
    font-weight: 650;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    margin-bottom: 8px;
  }
  .head h3 {
    margin: 0;
  }
  .head select {
    max-width: 100%;
  }
  .key {
    min-height: 24px;
    padding: 0 4px;
    font: 12px/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
    white-space: normal;
    text-align: start;
  }
  .hint {
    color: var(--gguf-ink-2);
    font-size: 12.5px;
    overflow-wrap: anywhere;
  }
  .hint + .hint,
  gguf-template-source + .hint {
    margin-top: 6px;
  }
  ${checkStyles}
  .check {
    margin-inline-start: auto;
  }
  .check.after {
    margin-inline-start: 0;
  }
  h4 {
    margin-bottom: 6px;
    font-size: 13px;
    font-weight: 600;
  }
  .renderings {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr));
    align-items: start;
    gap: 20px 24px;
  }
  .compared {
    display: grid;
    gap: 4px;
    margin-top: 6px;
    font-size: 13px;
  }
  .compared summary {
    width: auto;
  }
  .changes {
    padding-inline-start: 18px;
    list-style: disc;
    color: var(--gguf-ink-2);
    font-size: 12.5px;
  }
  gguf-rendered-text + .hint,
  .second {
    margin-top: 8px;
  }
  .note,
  .failure {
    display: flex;
    gap: 8px;
    padding: 8px 10px;
    border-radius: 6px;
    background: var(--gguf-sunken);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .note svg,
  .failure svg {
    flex: none;
    margin-top: 2px;
    color: var(--gguf-accent);
  }
  .failure {
    margin-bottom: 8px;
    background: var(--gguf-danger-soft);
  }
  .failure svg {
    color: var(--gguf-danger);
  }
  .failure button {
    min-height: 26px;
    margin-top: 6px;
    font-size: 12px;
  }
  .flags {
    display: grid;
    gap: 10px;
  }
  .flags > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 8px;
    font-size: 13px;
  }
  .flags svg {
    margin-top: 2px;
  }
  .error svg {
    color: var(--gguf-danger);
  }
  .warning svg {
    color: var(--gguf-warning);
  }
  .note-flag svg {
    color: var(--gguf-accent);
  }
  .flags b {
    font-weight: 600;
  }
  .flags ul {
    grid-column: 2;
    color: var(--gguf-ink-2);
    font-size: 12.5px;
  }
  .flags ul li {
    overflow-wrap: anywhere;
  }
  ${ruledTableStyles}
  th,
  td {
    padding: ${rowPadding(4)} 12px ${rowPadding(4)} 0;
    overflow-wrap: anywhere;
  }
  code {
    font: 12px/1.6 var(--gguf-mono);
  }
  summary {
    width: fit-content;
    min-height: 24px;
    color: var(--gguf-accent);
    font-size: 13px;
    cursor: pointer;
  }
`;

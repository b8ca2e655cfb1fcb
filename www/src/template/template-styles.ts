import { css } from "lit";
import { checkStyles } from "../ui/styles/fields.ts";
import { rowPadding, ruledTableStyles } from "../ui/styles/tables.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

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
  @container template (min-width: ${boxWidth(860)}) {
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
    font-size: var(--gguf-text-body);
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
    min-height: calc(24 * var(--gguf-unit));
    padding: 0 4px;
    font: var(--gguf-text-small)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
    white-space: normal;
    text-align: start;
  }
  .hint {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
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
    font-size: var(--gguf-text-control);
    font-weight: 600;
  }
  .renderings {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(380 * var(--gguf-unit))), 1fr));
    align-items: start;
    gap: 20px 24px;
  }
  .compared {
    display: grid;
    gap: 4px;
    margin-top: 6px;
    font-size: var(--gguf-text-control);
  }
  .compared summary {
    width: auto;
  }
  .changes {
    padding-inline-start: 18px;
    list-style: disc;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
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
    font-size: var(--gguf-text-control);
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
    min-height: calc(26 * var(--gguf-unit));
    margin-top: 6px;
    font-size: var(--gguf-text-small);
  }
  .flags {
    display: grid;
    gap: 10px;
  }
  .flags > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 8px;
    font-size: var(--gguf-text-control);
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
    font-size: var(--gguf-text-dense);
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
    font: var(--gguf-text-small)/1.6 var(--gguf-mono);
  }
  summary {
    width: fit-content;
    min-height: calc(24 * var(--gguf-unit));
    color: var(--gguf-accent);
    font-size: var(--gguf-text-control);
    cursor: pointer;
  }
`;

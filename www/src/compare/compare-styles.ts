import { css } from "lit";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/** The layout of the compare panel: the sides and the summary above the tables, which take the rest of the height. */
export const compareStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    container: compare / inline-size;
  }
  .head {
    flex: none;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
    padding: 14px 16px;
  }
  .about {
    margin: 0;
  }
  .chosen {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
  }
  .chosen dl {
    flex: 1 1 calc(320 * var(--gguf-unit));
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 8px;
    font-size: var(--gguf-text-control);
  }
  .chosen dt {
    width: 1.6em;
    border-radius: 4px;
    background: var(--gguf-sunken);
    font-weight: 600;
    text-align: center;
  }
  .chosen dd {
    overflow-wrap: anywhere;
  }
  .role {
    color: var(--gguf-ink-2);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .headline {
    display: grid;
    gap: 2px;
    font-size: var(--gguf-text-body);
    overflow-wrap: anywhere;
  }
  .headline .size {
    font-size: var(--gguf-text-title);
    font-weight: 600;
  }
  .headline .hint {
    max-width: none;
  }
  .headline + .summary {
    font-size: var(--gguf-text-control);
  }
  .summary {
    margin: 0;
    font-size: var(--gguf-text-lead);
    outline-offset: 3px;
    overflow-wrap: anywhere;
  }
  .summary.same {
    display: flex;
    align-items: center;
    gap: 8px;
  }
  .summary.same svg {
    flex: none;
    color: var(--gguf-accent);
  }
  .facts {
    display: grid;
    gap: 2px;
    font-size: var(--gguf-text-control);
  }
  .facts .hint {
    max-width: none;
  }
  .deeper {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 8px 12px;
  }
  .deeper .buttons,
  .notice {
    margin-top: 0;
  }
  .deeper .hint {
    flex: 1 1 calc(320 * var(--gguf-unit));
  }
  .task {
    margin-top: 0;
  }
  .tabs {
    flex: none;
    border-block: 1px solid var(--gguf-line);
  }
  [role="tabpanel"] {
    flex: 1 0 min(calc(440 * var(--gguf-unit)), 60vh);
    display: flex;
    min-height: 0;
  }
  /* The pictures are as high as they are: the panel scrolls. */
  [role="tabpanel"].errors {
    flex: none;
  }
  [role="tabpanel"] > * {
    flex: 1;
    min-width: 0;
  }
  @container compare (max-width: ${boxWidth(560)}) {
    .head {
      padding: 12px;
    }
    [role="tablist"] {
      padding: 0 4px;
    }
  }
`;

import type { Change } from "gguf-wasm";
import { css, html, LitElement, nothing } from "lit";
import { fileText } from "../elements/file-text.ts";
import { base } from "../elements/styles.ts";
import { changeWords } from "../logic/change-words.ts";
import { counted, grouped } from "../logic/format.ts";
import { editStyles } from "./edit-styles.ts";

/** More than this are a program's work, and nobody reads them one by one. */
const MOST = 1000;

/** What has been changed, one change after the other, with what was and what will be. */
export class GgufChanges extends LitElement {
  static override properties = {
    changes: { attribute: false },
    undone: { attribute: false },
    plain: { type: Boolean },
    typeOf: { attribute: false },
  };

  declare changes: readonly Change[];
  /** Changes that can be done again. */
  declare undone: readonly Change[];
  /** Only the list, in a box that scrolls. */
  declare plain: boolean;
  /** The type of an entry by its key, for changes that are of an element. */
  declare typeOf: (key: string) => string | undefined;

  constructor() {
    super();
    this.changes = [];
    this.undone = [];
    this.plain = false;
    this.typeOf = () => undefined;
  }

  static override styles = [
    base,
    editStyles,
    css`
      :host {
        display: block;
        padding: 16px;
        overflow: auto;
      }
      :host([plain]) {
        padding: 0;
      }
      h3 {
        margin: 18px 0 8px;
        color: var(--gguf-ink-2);
        font-size: 12px;
        font-weight: 600;
      }
      ol {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 2.4em minmax(0, 1fr);
        gap: 2px 10px;
        padding: 8px 0;
        border-bottom: 1px solid var(--gguf-line);
        font-size: 13px;
      }
      li:last-child {
        border-bottom: 0;
      }
      .number {
        color: var(--gguf-ink-3);
        font-size: 12px;
        line-height: 1.6;
        text-align: end;
      }
      .what {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 2px 8px;
      }
      .where {
        min-height: 0;
        padding: 0;
        border: 0;
        background: none;
        color: var(--gguf-accent);
        font: 500 12.5px/1.5 var(--gguf-mono);
        text-align: start;
        text-decoration: underline;
        /* Below the underscores that keys are full of. */
        text-underline-offset: 4px;
        white-space: normal;
        overflow-wrap: anywhere;
      }
      span.where {
        color: inherit;
        text-decoration: none;
      }
      .type {
        color: var(--gguf-ink-2);
        font: 11.5px/1.5 var(--gguf-mono);
      }
      .values {
        grid-column: 2;
        display: grid;
        grid-template-columns: 1.1em minmax(0, 1fr);
        gap: 2px 6px;
        font: 12.5px/1.5 var(--gguf-mono);
        overflow-wrap: anywhere;
      }
      .from {
        color: var(--gguf-danger);
      }
      .to {
        color: var(--gguf-string);
      }
      .values bdi {
        white-space: pre-wrap;
      }
      .undone li {
        color: var(--gguf-ink-2);
      }
    `,
  ];

  override render() {
    const { changes, undone } = this;
    if (this.plain) return this.#renderList(changes, 0);
    return html`${
      changes.length === 0
        ? html`<p class="hint">Nothing has been changed. What you change in the tables is listed here.</p>`
        : this.#renderList(changes, 0)
    }${
      undone.length === 0
        ? nothing
        : html`<h3>Undone; Redo does them again</h3>
            <div class="undone">${this.#renderList([...undone].reverse(), changes.length)}</div>`
    }`;
  }

  #renderList(changes: readonly Change[], before: number) {
    const left = Math.max(0, changes.length - MOST);
    return html`${left > 0 ? html`<p class="hint">${counted(left, "change")} before these.</p>` : nothing}
      <ol>
        ${changes.slice(left).map((change, at) => this.#renderChange(change, before + left + at + 1))}
      </ol>`;
  }

  #renderChange(change: Change, number: number) {
    const { what, where, from, to, ...words } = changeWords(change);
    // Of an element the type of its array says more.
    const ofElements = change.kind.endsWith("element") || change.kind.endsWith("elements");
    const type = (ofElements ? this.typeOf(change.key ?? "") : undefined) ?? words.type;
    return html`<li>
      <span class="number">${grouped(number)}</span>
      <span class="what"
        >${
          where === undefined
            ? nothing
            : this.plain || change.kind === "remove"
              ? html`<span class="where">${fileText(where, { limit: 200 })}</span>`
              : html`<button type="button" class="where" @click=${() => this.#lead(change)}>
                  ${fileText(where, { limit: 200 })}
                </button>`
        } <span>${what}</span>${type === undefined ? nothing : html`<span class="type">${type}</span>`}</span
      >
      ${
        from === undefined && to === undefined
          ? nothing
          : html`<div class="values">
              ${from === undefined ? nothing : html`<span class="from" aria-hidden="true">−</span><span class="from"><span class="sr">Before: </span>${fileText(from)}</span>`}
              ${to === undefined ? nothing : html`<span class="to" aria-hidden="true">+</span><span class="to"><span class="sr">After: </span>${fileText(to)}</span>`}
            </div>`
      }
    </li>`;
  }

  #lead(change: Change): void {
    const renamed = change.kind === "rename" || change.kind === "rename-tensor" ? change.to : undefined;
    const detail =
      change.tensor === undefined
        ? { key: typeof renamed === "string" ? renamed : change.key }
        : { tensor: typeof renamed === "string" ? renamed : change.tensor };
    this.dispatchEvent(new CustomEvent("gguf-lead", { detail, bubbles: true, composed: true }));
  }
}

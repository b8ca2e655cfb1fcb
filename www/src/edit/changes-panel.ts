import type { MetadataValue } from "gguf-wasm/explain";
import type { Change } from "gguf-wasm/full";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { announce } from "../ui/announce.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { changeSentence, changeWords } from "./change-words.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { formatCount, formatId } from "../ui/numbers.ts";
import { hasLines } from "../ui/text-difference.ts";
import { escapeText } from "../ui/text.ts";
import { editStyles } from "./edit-styles.ts";
import type { NetChange } from "./net-changes.ts";
import { define } from "../ui/define.ts";
import "../gguf/line-diff.ts";

/** The most changes that are listed. Only a program makes more, and nobody reads them one by one. */
const MAX_CHANGES = 1000;

/** The list of changes, in order, each with its old and its new value. */
export class GgufChanges extends LitElement {
  @property({ attribute: false }) changes: readonly NetChange[] = [];
  /** The undone changes, which Redo applies again. */
  @property({ attribute: false }) undone: readonly Change[] = [];
  /** Whether to show only the list, without buttons, for a dialog. */
  @property({ type: Boolean }) plain = false;
  /** The entries of the edited file. Its vocabulary names the tokens. */
  @property({ attribute: false }) metadata: ReadonlyMap<string, MetadataValue> | undefined;
  /** The type of the entry with a key. Changes of an element show it. */
  @property({ attribute: false }) typeOf: (key: string) => string | undefined = () => undefined;
  /** Whether a table has a row for the entry of a change. */
  @property({ attribute: false }) isListed: (change: Change) => boolean = () => true;
  /** Reverts a change. Returns the reason if it is refused. */
  @property({ attribute: false }) revert: ((change: NetChange) => Failure | undefined) | undefined;
  /** The change that could not be reverted, and the reason. */
  @state() private refused: { id: number; reason: string } | undefined;

  /** The place of the change that was just reverted. */
  #vacant: number | undefined;

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: block;
        padding: 16px;
      }
      :host([plain]) {
        padding: 0;
      }
      h3 {
        margin: 18px 0 8px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
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
        font-size: var(--gguf-text-control);
      }
      li:last-child {
        border-bottom: 0;
      }
      .number {
        color: var(--gguf-ink-3);
        font-size: var(--gguf-text-small);
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
        font: 500 var(--gguf-text-dense)/1.5 var(--gguf-mono);
        text-align: start;
        text-decoration: underline;
        /* Keys contain underscores, so the line must be below them. */
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
        font: var(--gguf-text-tiny)/1.5 var(--gguf-mono);
      }
      .values {
        grid-column: 2;
        display: grid;
        grid-template-columns: 1.1em minmax(0, 1fr);
        gap: 2px 6px;
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
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
      gguf-line-diff,
      .problem {
        grid-column: 2;
        min-width: 0;
      }
      .revert {
        margin-inline-start: auto;
      }
      .undone li {
        color: var(--gguf-ink-2);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("changes")) this.refused = undefined;
  }

  override render() {
    const { changes, undone } = this;
    if (this.plain) return this.#renderList(changes, 0);
    return html`${
      changes.length === 0
        ? html`<p class="hint none" tabindex="-1">
            No changes yet. Changes that you make in the tables are listed here.
          </p>`
        : this.#renderList(changes, 0, this.#revert)
    }${
      undone.length === 0
        ? nothing
        : html`<h3>Undone changes (Redo applies them again)</h3>
            <div class="undone">${this.#renderList([...undone].reverse(), changes.length)}</div>`
    }`;
  }

  /** `revert` reverts a change. Without it, the changes have no buttons. */
  #renderList<C extends Change>(changes: readonly C[], before: number, revert?: (change: C) => void) {
    const left = Math.max(0, changes.length - MAX_CHANGES);
    return html`${left > 0 ? html`<p class="hint">${formatCount(left, "earlier change")} not shown.</p>` : nothing}
      <ol>
        ${repeat(
          changes.slice(left),
          (change) => `${change.kind} ${change.id}`,
          (change, at) => this.#renderChange(change, before + left + at + 1, revert && (() => revert(change))),
        )}
      </ol>`;
  }

  #renderChange(change: Change, number: number, revert: (() => void) | undefined) {
    const { what, where, from, to, ...words } = changeWords(change, this.metadata);
    const lines = linesOf(change);
    // The type of the array is more useful than the type of one element.
    const ofElements = change.kind.endsWith("element") || change.kind.endsWith("elements");
    const type = (ofElements ? this.typeOf(change.key ?? "") : undefined) ?? words.type;
    return html`<li>
      <span class="number">${formatId(number)}</span>
      <span class="what"
        >${
          where === undefined
            ? nothing
            : this.plain || !revert || (change.kind === "remove" && !this.isListed(change))
              ? html`<span class="where">${renderText(where, { limit: 200 })}</span>`
              : html`<button type="button" class="where" @click=${() => this.#showRow(change)}>
                  ${renderText(where, { limit: 200 })}
                </button>`
        } <span>${what}</span>${type === undefined ? nothing : html`<span class="type">${type}</span>`}${
          revert && this.revert
            ? html`<button
                type="button"
                class="small revert"
                aria-label="Revert change ${formatId(number)}: ${escapeText(changeSentence(change, this.metadata), 160)}"
                @click=${revert}
              >
                Revert
              </button>`
            : nothing
        }</span
      >
      ${
        this.refused?.id === change.id && revert
          ? html`<p class="problem" role="alert">${this.refused.reason}</p>`
          : nothing
      }
      ${
        from === undefined && to === undefined
          ? nothing
          : lines
            ? html`<gguf-line-diff .from=${lines.from} .to=${lines.to}></gguf-line-diff>`
            : html`<div class="values">
                ${from === undefined ? nothing : html`<span class="from" aria-hidden="true">−</span><span class="from"><span class="sr">Before: </span>${renderText(from)}</span>`}
                ${to === undefined ? nothing : html`<span class="to" aria-hidden="true">+</span><span class="to"><span class="sr">After: </span>${renderText(to)}</span>`}
              </div>`
      }
    </li>`;
  }

  readonly #revert = (change: NetChange): void => {
    const at = this.changes.findIndex(({ id }) => id === change.id);
    const failure = this.revert?.(change);
    this.refused = failure && { id: change.id, reason: `Not reverted. ${refusalText(failure)}` };
    if (failure) return;
    announce(this, `Reverted: ${escapeText(changeSentence(change, this.metadata), 160)}`);
    this.#vacant = at;
  };

  override updated(changed: PropertyValues): void {
    const vacant = this.#vacant;
    if (vacant === undefined || !changed.has("changes")) return;
    this.#vacant = undefined;
    // The button that had the focus is gone. The focus moves to the button at the same position.
    const buttons = this.renderRoot.querySelectorAll<HTMLElement>(".revert");
    const next = buttons[Math.min(vacant, buttons.length - 1)];
    if (next) next.focus();
    else this.renderRoot.querySelector<HTMLElement>(".none")?.focus();
  }

  #showRow(change: Change): void {
    const renamed = change.kind === "rename" || change.kind === "rename-tensor" ? change.to : undefined;
    const detail =
      change.tensor === undefined
        ? { key: typeof renamed === "string" ? renamed : change.key }
        : { tensor: typeof renamed === "string" ? renamed : change.tensor };
    this.dispatchEvent(new CustomEvent("gguf-show-row", { detail, bubbles: true, composed: true }));
  }
}

define("gguf-changes", GgufChanges);

/** The old and the new text of a change, if the change is shown line by line. */
function linesOf({ kind, from, to }: Change): { from: string; to: string } | undefined {
  if (typeof from !== "string" || typeof to !== "string" || kind.startsWith("rename")) return undefined;
  return hasLines(from, to) ? { from, to } : undefined;
}

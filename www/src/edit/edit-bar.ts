import type { Change } from "gguf-wasm/full";
import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import type { Failure } from "../gguf/failure.ts";
import { define } from "../ui/define.ts";
import { renderText } from "../ui/render-text.ts";
import { icons } from "../ui/icons.ts";
import "../ui/menu.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { formatCount } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { obstacleNotice } from "./obstacle-notice.ts";
import type { SavedNote } from "./saved-note.ts";
import type { Metadata } from "./change-words.ts";
import { stepGroups } from "./step-list.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/** The actions of the buttons. */
export interface EditBarActions {
  undo: () => void;
  redo: () => void;
  discard: () => void;
  add: () => void;
  settings: () => void;
  stop: () => Promise<void>;
  save: () => void;
  /** Removes what the last save has done. */
  dismiss: () => void;
}

/**
 * The toolbar above the panels of a file that is being edited. Buttons that have nothing to do are marked as disabled but stay
 * focusable: otherwise the focus would be lost when the last change is undone.
 */
export class GgufEditBar extends LitElement {
  /** The difference to the stored file. */
  @property({ attribute: false }) changes: readonly Change[] = [];
  /** The entries of the file, for the texts of tokens. */
  @property({ attribute: false }) metadata: Metadata | undefined;
  /** The steps that can be undone. Several may be one change, or none. */
  @property({ attribute: false }) steps: readonly Change[] = [];
  @property({ attribute: false }) undone: readonly Change[] = [];
  @property({ attribute: false }) unsaved = false;
  @property({ attribute: false }) canUndo = false;
  /** Whether a field has a text that is not applied yet. Saving applies it. */
  @property({ attribute: false }) hasDrafts = false;
  /** What the last save has done. Undefined if none was made, or if the file was changed since. */
  @property({ attribute: false }) saved: SavedNote | undefined;
  /** Why the file cannot be saved. */
  @property({ attribute: false }) obstacle: Failure | undefined;
  /** Whether the changes survive a reload of the page. */
  @property({ attribute: false }) isKept = true;
  /** The name of the shard that is edited; "" if the model is one file. */
  @property() shardName = "";
  @property({ attribute: false }) actions!: EditBarActions;
  /** Whether the toolbar has one row, and a menu for the actions without a button. */
  @property({ type: Boolean, reflect: true }) compact = false;
  /** Further items of the menu. */
  @property({ attribute: false }) more: () => readonly MenuGroup[] = () => [];

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        container: bar / inline-size;
      }
      .edit-bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        padding: 6px 12px 6px 16px;
        border-bottom: 1px solid var(--gguf-line);
        background: var(--gguf-accent-soft);
      }
      .edit-bar div,
      .edit-bar .end,
      .edit-bar .state {
        display: flex;
        align-items: center;
        gap: 4px;
      }
      .edit-bar .file {
        flex: 1;
      }
      .edit-bar .end {
        gap: 6px;
        margin-inline-start: auto;
      }
      .edit-bar .state {
        gap: 7px;
        margin-inline-end: 6px;
        font-size: var(--gguf-text-control);
        font-weight: 600;
        white-space: nowrap;
      }
      .edit-bar .state svg {
        color: var(--gguf-accent);
      }
      .edit-bar .quiet {
        color: var(--gguf-ink);
      }
      .edit-bar .quiet:hover:not([aria-disabled="true"]) {
        background: color-mix(in oklab, var(--gguf-accent-soft) 80%, var(--gguf-accent));
      }
      .obstacle {
        display: flex;
        gap: 10px;
        padding: 8px 16px;
        border-bottom: 1px solid var(--gguf-line);
        background: var(--gguf-warning-soft);
        font-size: var(--gguf-text-dense);
      }
      .obstacle svg {
        flex: none;
        margin-top: 1px;
        color: var(--gguf-warning);
      }
      .obstacle.about {
        background: var(--gguf-sunken);
      }
      .obstacle.about svg {
        color: var(--gguf-ink-2);
      }
      .obstacle.saved {
        align-items: start;
        padding-block: 6px;
        background: var(--gguf-surface);
      }
      .saved > svg {
        margin-top: 4px;
        color: var(--gguf-accent);
      }
      .saved button svg {
        color: inherit;
      }
      .saved > div {
        flex: 1;
        min-width: 0;
        padding-block: 3px;
        overflow-wrap: anywhere;
      }
      .saved summary {
        width: fit-content;
        min-height: calc(24 * var(--gguf-unit));
        color: var(--gguf-accent);
        cursor: pointer;
      }
      .saved ul {
        position: relative;
        max-height: min(180px, 25dvh);
        overflow: auto;
        font-family: var(--gguf-mono);
      }
      :host([compact]) .edit-bar {
        flex-wrap: nowrap;
        gap: 4px;
        padding: 3px 4px;
      }
      :host([compact]) .state {
        margin-inline: 4px auto;
        min-width: 0;
      }
      /* A flex container does not cut off its text with an ellipsis. */
      :host([compact]) .state span {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      @container bar (max-width: ${boxWidth(560)}) {
        :host([compact]) .add {
          display: none;
        }
      }
    `,
  ];

  override render() {
    const { obstacle } = this;
    const notice = obstacle && obstacleNotice(obstacle);
    return html`<div class="edit-bar" role="toolbar" aria-label="Editing">
        ${this.compact ? this.#renderCompact() : this.#renderFull()}
      </div>
      <div role="status">
        ${
          this.shardName === ""
            ? nothing
            : html`<p class="obstacle about">
                ${icons.info}<span
                  >Changes are made to the first shard, ${renderText(this.shardName, { limit: 160 })}. Only its tensors
                  are listed while it is edited.</span
                >
              </p>`
        }
        ${
          notice
            ? html`<p class="obstacle">
                ${icons.warning}<span><strong>${notice.title}</strong> ${renderText(notice.text, { limit: 400 })}</span>
              </p>`
            : nothing
        }
        ${
          this.isKept
            ? nothing
            : html`<p class="obstacle about">
                ${icons.info}<span
                  >The browser has no room to keep these changes for a reload of the page. Save them before you leave
                  it.</span
                >
              </p>`
        }
      </div>
      ${this.saved ? this.#renderSaved(this.saved) : nothing}`;
  }

  /** What the last save has done. The viewer has announced it. */
  #renderSaved({ title, where, count, changes }: SavedNote) {
    return html`<div class="obstacle saved">
      ${icons.check}
      <div>
        <strong>${title}</strong> ${renderText(where)}
        <details>
          <summary>${count}</summary>
          <ul tabindex="0" aria-label="What changed">
            ${changes.map((change) => html`<li>${renderText(change)}</li>`)}
          </ul>
        </details>
      </div>
      <button type="button" class="quiet icon" aria-label="Dismiss" title="Dismiss" @click=${this.actions.dismiss}>
        ${icons.close}
      </button>
    </div>`;
  }

  #renderFull() {
    const { changes, actions } = this;
    return html`<div class="changes">
        ${this.#renderState()}${this.#renderSteps()} ${this.#renderStepList()}
        <button type="button" class="quiet" aria-disabled=${changes.length === 0} @click=${actions.discard}>
          Discard all
        </button>
      </div>
      <div class="file">
        ${this.#renderAdd()}
        <button type="button" class="quiet" @click=${actions.settings}>File…</button>
        <span class="end">
          <button type="button" @click=${() => void actions.stop()}>Stop editing</button>
          ${this.#renderSave()}
        </span>
      </div>`;
  }

  /** One row. The menu contains the actions without a button. */
  #renderCompact() {
    const { actions } = this;
    return html`<button
        type="button"
        class="quiet icon"
        aria-label="Stop editing"
        title="Stop editing"
        @click=${() => void actions.stop()}
      >
        ${icons.close}
      </button>
      ${this.#renderState()}${this.#renderSteps()} ${this.#renderAdd()} ${this.#renderSave()}
      <gguf-menu brief label="More" .icon=${icons.more} .groups=${() => this.#groups()}></gguf-menu>`;
  }

  #groups(): MenuGroup[] {
    const { changes, actions } = this;
    const discard = { title: "Discard all", run: actions.discard };
    return [
      {
        items: [
          { title: "Add entry", run: actions.add },
          { title: "File…", run: actions.settings },
          ...(changes.length > 0 ? [discard] : []),
        ],
      },
      ...this.more(),
    ];
  }

  #renderState() {
    const { changes, unsaved } = this;
    const none = changes.length === 0;
    return html`<span class="state"
      >${icons.pen}<span
        >${none ? (this.hasDrafts ? "Editing a value" : "Editing") : formatCount(changes.length, "change")}${none || unsaved ? nothing : ", saved"}</span
      ></span
    >`;
  }

  #renderSteps() {
    const { canUndo, undone, actions } = this;
    return html`<button
        type="button"
        class="quiet icon"
        aria-label="Undo"
        aria-keyshortcuts="Control+Z"
        title="Undo (Ctrl+Z)"
        aria-disabled=${!canUndo}
        @click=${actions.undo}
      >
        ${icons.undo}
      </button>
      <button
        type="button"
        class="quiet icon"
        aria-label="Redo"
        aria-keyshortcuts="Control+Shift+Z"
        title="Redo (Ctrl+Shift+Z)"
        aria-disabled=${undone.length === 0}
        @click=${actions.redo}
      >
        ${icons.redo}
      </button>`;
  }

  /** The list of the steps: a person sees what is undone before it is. */
  #renderStepList() {
    const { steps, undone, metadata, actions } = this;
    if (steps.length + undone.length === 0) return nothing;
    const { undo, redo } = actions;
    return html`<gguf-menu
      brief
      label="List of steps"
      .icon=${icons.down}
      .groups=${() => stepGroups({ steps, undone, metadata, undo, redo })}
    ></gguf-menu>`;
  }

  #renderAdd() {
    return html`<button type="button" class="quiet add" @click=${this.actions.add}>${icons.plus}Add entry</button>`;
  }

  #renderSave() {
    return html`<button
      type="button"
      class="primary"
      aria-keyshortcuts="Control+S"
      aria-disabled=${this.changes.length === 0 && !this.hasDrafts}
      @click=${this.actions.save}
    >
      Save…
    </button>`;
  }
}

define("gguf-edit-bar", GgufEditBar);

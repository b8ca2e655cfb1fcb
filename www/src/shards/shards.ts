import type { GgufSource } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { errorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { type Shard, shardTitle, type ShardState, shardState } from "../gguf/shard-set.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { panelBoxStyles, sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { baseStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import "./merge-set.ts";
import "./split-file.ts";

const STATES: Readonly<Record<ShardState, string>> = { there: "Open", missing: "Missing", failed: "Not readable" };

/** The shards that are listed at first. A broken file may claim to have 65,535. */
const FIRST_SHARDS = 200;

/** The shards of a model: a table of them, and merging them. Or of a whole file: splitting it. */
export class GgufShards extends LitElement {
  @property({ attribute: false }) model!: OpenedModel;
  @property() fileName = "";
  /** The address that was opened. Undefined for other sources. */
  @property({ attribute: false }) address: string | undefined;
  /** Whether the file is being edited. */
  @property({ type: Boolean }) edited = false;
  /** Whether the panel is visible. Nothing is planned before. */
  @property({ type: Boolean }) shown = false;

  @state() private showsAll = false;

  /** Whether the panel has been visible since the model was opened. What it writes continues while it is hidden. */
  #wasShown = false;

  static override styles = [
    baseStyles,
    sectionStyles,
    panelBoxStyles,
    css`
      .state {
        width: 1%;
        white-space: nowrap;
      }
      gguf-merge-set {
        margin-top: 24px;
        padding-top: 20px;
        border-top: 1px solid var(--gguf-line);
      }
      .state.missing,
      .state.failed {
        color: var(--gguf-danger);
        font-weight: 500;
      }
      .name {
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
      }
      .why {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      td .small {
        margin-top: 4px;
      }
      .findings li {
        display: flex;
        gap: 8px;
        margin-top: 6px;
        font-size: var(--gguf-text-control);
        overflow-wrap: anywhere;
      }
      .findings svg {
        flex: none;
        margin-top: 1px;
      }
      .findings .error svg {
        color: var(--gguf-danger);
      }
      .findings .warning svg {
        color: var(--gguf-warning);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("model")) this.#wasShown = false;
    this.#wasShown ||= this.shown;
  }

  override render() {
    if (!this.#wasShown) return nothing;
    const { set, gguf } = this.model;
    const { shard } = gguf.classification;
    const about = this.edited
      ? html`<p class="about">${icons.info}This panel works with the stored files, without the changes.</p>`
      : nothing;
    if (set) return html`${about}${this.#renderTable(set)}${this.#renderMerge(set)}`;
    if (shard && shard.count > 1) return html`${about}${this.#renderAlone(shard)}`;
    return html`${about}<gguf-split-file
        .gguf=${gguf}
        .original=${blobOf(this.model.sources[0])}
        .fileName=${this.fileName}
      ></gguf-split-file>`;
  }

  #renderTable(set: NonNullable<OpenedModel["set"]>) {
    const listed = this.showsAll ? set.shards : set.shards.slice(0, FIRST_SHARDS);
    return html`<section aria-labelledby="shards">
      <h3 id="shards">${formatCount(set.shards.length, "shard")}</h3>
      <p class="hint">
        ${set.fileSize === undefined ? nothing : html`${formatBytes(set.fileSize)} together. `}The metadata of the model
        is that of the first shard.
      </p>
      <div class="scroll" tabindex="0" role="region" aria-label="Table of shards">
        <table>
          ${columnHeads(
            [html`<span aria-hidden="true">#</span><span class="sr">Number</span>`, "number"],
            "Name",
            ["Tensors", "number"],
            ["Size", "number"],
            "State",
          )}
          <tbody>
            ${listed.map((shard, at) => this.#renderShard(shard, this.model.sources[at]))}
          </tbody>
        </table>
      </div>
      ${renderShowAll(listed.length, set.shards.length, "shard", () => {
        this.showsAll = true;
      })}
      ${
        set.findings.length === 0
          ? nothing
          : html`<h4 id="problems">Problems of the set</h4>
              <ul class="findings" aria-labelledby="problems">
                ${set.findings.map(
                  ({ severity, message }) =>
                    html`<li class=${severity}>
                      ${severity === "error" ? icons.error : severity === "warning" ? icons.warning : icons.info}
                      <span>${renderText(capitalised(message), { limit: 600 })}</span>
                    </li>`,
                )}
              </ul>`
      }
    </section>`;
  }

  #renderShard(shard: Shard, source: GgufSource | undefined) {
    const { number, gguf, error } = shard;
    const name = shardTitle(shard);
    const state = shardState(shard);
    return html`<tr>
      <td class="number">${formatId(number)}</td>
      <th scope="row">
        <span class="name">${renderText(name, { limit: 300 })}</span>
        ${state === "failed" && error ? html`<div class="why">${whyOf(error)}</div>` : nothing}
        ${
          source !== undefined
            ? html`<div>
                <button
                  type="button"
                  class="small"
                  aria-label="Open this shard alone: ${escapeText(name, 160)}"
                  @click=${() => this.#open(source, true)}
                >
                  Open this shard alone
                </button>
              </div>`
            : nothing
        }
      </th>
      <td class="number">${gguf ? formatInteger(gguf.tensors.length) : "–"}</td>
      <td class="number">${gguf?.fileSize === undefined ? "–" : formatBytes(gguf.fileSize)}</td>
      <td class="state ${state}">${STATES[state]}</td>
    </tr>`;
  }

  #renderMerge(set: NonNullable<OpenedModel["set"]>) {
    const blobs = this.model.sources.map(blobOf);
    const all = blobs.every((blob) => blob !== undefined) ? (blobs as Blob[]) : undefined;
    return html`<gguf-merge-set .set=${set} .originals=${all}></gguf-merge-set>`;
  }

  /** What is shown for one shard that is open without the others. */
  #renderAlone({ number, count }: { number?: number; count: number }) {
    const { address } = this;
    return html`<section aria-labelledby="alone">
      <h3 id="alone">${number === undefined ? "One shard" : `Shard ${formatId(number)}`} of ${formatInteger(count)}</h3>
      <p class="hint">
        This file is one shard of a model and is open alone.
        ${address === undefined ? "Choose or drop all shards together, or their folder, to see the whole model." : nothing}
      </p>
      ${
        address === undefined
          ? nothing
          : html`<div class="buttons">
              <button type="button" class="primary" @click=${() => this.#open(address, false)}>Open all shards</button>
            </div>`
      }
    </section>`;
  }

  #open(source: GgufSource, isAlone: boolean): void {
    const detail = { source, isAlone };
    this.dispatchEvent(new CustomEvent("gguf-open-shard", { detail, bubbles: true, composed: true }));
  }
}

define("gguf-shards", GgufShards);

/** A message of the package names its shard, and begins with a lower-case letter. */
function capitalised(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

function blobOf(source: GgufSource | undefined): Blob | undefined {
  return source instanceof Blob ? source : undefined;
}

function whyOf(error: Error): string {
  const { title, what } = errorText(failureOf(error));
  return `${title}. ${what}`;
}

import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { headerProgress } from "./header-progress.ts";
import { escapeText } from "../ui/text.ts";
import { renderSilence } from "../gguf/silence-notice.ts";
import type { OpeningState } from "./opening.ts";
import { progressBarStyles, renderProgressBar } from "../ui/progress-bar.ts";
import { baseStyles } from "../ui/styles.ts";
import { define } from "../ui/define.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/**
 * The progress of an opening, with buttons to pause and to cancel: a card, or a strip in the place of the tabs if the facts that have arrived
 * are shown.
 */
export class GgufProgress extends LitElement {
  @property({ attribute: false }) opening!: OpeningState;
  @property() name = "";

  static override styles = [
    baseStyles,
    progressBarStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        place-items: center;
        padding: 32px 16px;
      }
      /* Most headers are read before a person could read this. */
      .card {
        width: min(100%, calc(460 * var(--gguf-unit)));
        animation: appear 200ms 180ms both;
      }
      @keyframes appear {
        from {
          opacity: 0;
        }
      }
      h2 {
        font-size: var(--gguf-text-lead);
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      .card .progress {
        margin: 16px 0 10px;
      }
      :host(.strip) {
        display: block;
        place-items: normal;
        container: strip / inline-size;
        padding: 0;
      }
      /* As high as the tabs, which take its place. */
      .strip {
        position: relative;
        min-height: calc(41 * var(--gguf-unit));
        border-bottom: 1px solid var(--gguf-line);
      }
      .strip .progress {
        position: absolute;
        inset: auto 0 -1px;
        height: 2px;
        border-radius: 0;
        background: none;
      }
      .strip .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 16px;
        min-height: calc(40 * var(--gguf-unit));
        padding: 5px 12px 5px 22px;
      }
      .row,
      .strip .progress {
        animation: appear 200ms 180ms both;
      }
      .strip h2 {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        font-size: var(--gguf-text-control);
        font-weight: 500;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .strip .actions {
        margin: 0;
      }
      .strip button {
        min-height: calc(28 * var(--gguf-unit));
      }
      .strip .silence {
        flex-basis: 100%;
        margin: 0;
      }
      @container strip (max-width: ${boxWidth(620)}) {
        .strip .row {
          padding-inline: 16px 8px;
        }
        /* The name stands below. */
        .strip h2,
        .strip .counts {
          position: absolute;
          width: 1px;
          height: 1px;
          clip-path: inset(50%);
        }
        .strip .words {
          flex: 1;
        }
      }
      .words {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 4px 16px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .silence {
        margin-top: 12px;
        overflow-wrap: anywhere;
      }
      .actions {
        display: flex;
        gap: 8px;
        margin-top: 20px;
      }
    `,
  ];

  override willUpdate(): void {
    this.classList.toggle("strip", this.opening.header !== undefined);
  }

  override render() {
    const { progress, setProgress, paused, pausable, silence, header, isRead, isSet } = this.opening;
    // The first header of a set does not tell how long all headers are.
    const share = setProgress
      ? setProgress.shardsOpened / Math.max(1, setProgress.shardCount)
      : progress && !isSet
        ? headerProgress(progress)
        : undefined;
    const words = progress || setProgress ? this.#bytesWords() : undefined;
    const bar = renderProgressBar("Header read", share, { words, isPaused: paused });
    const title = html`<h2>${this.#title()}</h2>`;
    const figures = html`<div class="words">
      <span>${this.#bytesWords()}</span>
      <span class="counts">${this.#countWords()}</span>
    </div>`;
    const actions = html`<div class="actions">
      ${
        pausable && !isRead
          ? html`<button type="button" @click=${() => this.#send(paused ? "gguf-resume" : "gguf-pause")}>
              ${paused ? "Resume" : "Pause"}
            </button>`
          : nothing
      }
      <button type="button" @click=${() => this.#send("gguf-cancel")}>Cancel</button>
      ${silence ? html`<button type="button" @click=${() => this.#send("gguf-retry")}>Try again</button>` : nothing}
    </div>`;
    if (!header) return html`<div class="card">${title} ${bar} ${figures} ${renderSilence(silence)} ${actions}</div>`;
    return html`<div class="strip">
      <div class="row">${title} ${isRead ? nothing : figures} ${actions} ${renderSilence(silence)}</div>
      ${isRead ? nothing : bar}
    </div>`;
  }

  #title() {
    const { paused, isRead } = this.opening;
    if (isRead) return "Loading the panels…";
    return html`${paused ? "Paused reading the header of" : "Reading the header of"}
      <bdi>${escapeText(this.name, 120)}</bdi>`;
  }

  #bytesWords(): string {
    const { progress, setProgress } = this.opening;
    if (setProgress) return formatBytes(setProgress.bytesRead);
    if (!progress) return "Starting…";
    const { bytesRead, headerEstimate, metadataCount } = progress;
    if (bytesRead === 0) return "Waiting for the first bytes…";
    return metadataCount !== undefined && headerEstimate > bytesRead
      ? `${formatBytes(bytesRead)} of about ${formatBytes(headerEstimate)}`
      : formatBytes(bytesRead);
  }

  /** The numbers of entries and tensors so far, and the bytes and requests that they took. */
  #countWords(): string {
    const { progress, setProgress, pausable } = this.opening;
    if (setProgress) {
      const { shardsOpened, shardCount } = setProgress;
      return `${formatInteger(shardsOpened)} of ${formatCount(shardCount, "shard")}`;
    }
    if (!progress) return "";
    const { metadataRead, metadataCount, tensorsRead, tensorCount, requests } = progress;
    const words = [];
    if (tensorsRead > 0) words.push(`${formatInteger(tensorsRead)} of ${formatCount(tensorCount ?? 0, "tensor")}`);
    else if (metadataCount !== undefined)
      words.push(`${formatInteger(metadataRead)} of ${formatCount(metadataCount, "entry", "entries")}`);
    if (pausable && requests > 0) words.push(formatCount(requests, "request"));
    return words.join(" · ");
  }

  #send(name: "gguf-pause" | "gguf-resume" | "gguf-cancel" | "gguf-retry"): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
  }
}

define("gguf-progress", GgufProgress);

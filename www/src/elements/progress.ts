import { css, html, LitElement, nothing } from "lit";
import { bytes, grouped } from "../logic/format.ts";
import { type Progress, progressShare } from "../logic/progress.ts";
import { visible } from "../logic/text.ts";
import { base } from "./styles.ts";

/** How far the header has arrived, and a way out. */
export class GgufProgress extends LitElement {
  static override properties = { progress: { attribute: false }, name: {} };

  declare progress: Progress | undefined;
  declare name: string;

  constructor() {
    super();
    this.progress = undefined;
    this.name = "";
  }

  static override styles = [
    base,
    css`
      :host {
        display: grid;
        place-items: center;
        padding: 32px 16px;
      }
      /* Most headers are there before a person could read this. */
      .card {
        width: min(100%, 460px);
        animation: appear 200ms 180ms both;
      }
      @keyframes appear {
        from {
          opacity: 0;
        }
      }
      h2 {
        font-size: 16px;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      .bar {
        height: 8px;
        margin: 16px 0 10px;
        border-radius: 4px;
        background: var(--gguf-line);
        overflow: hidden;
      }
      .bar span {
        display: block;
        height: 100%;
        width: var(--share);
        border-radius: 4px;
        background: var(--gguf-accent);
        transition: width 160ms linear;
      }
      .bar.unknown span {
        width: 30%;
        animation: run 1.4s ease-in-out infinite alternate;
      }
      @keyframes run {
        from {
          translate: -60% 0;
        }
        to {
          translate: 290% 0;
        }
      }
      .words {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 4px 16px;
        color: var(--gguf-ink-2);
        font-size: 12.5px;
      }
      button {
        margin-top: 20px;
      }
      @media (forced-colors: active) {
        .bar {
          border: 1px solid CanvasText;
        }
        .bar span {
          background: Highlight;
          forced-color-adjust: none;
        }
      }
    `,
  ];

  override render() {
    const { progress } = this;
    const share = progress && progressShare(progress);
    const percent = share === undefined ? undefined : Math.round(share * 100);
    return html`<div class="card">
      <h2>Reading the header of <bdi>${visible(this.name, 120)}</bdi></h2>
      <div
        class="bar ${share === undefined ? "unknown" : ""}"
        role="progressbar"
        aria-label="Header read"
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${percent ?? nothing}
        aria-valuetext=${progress ? `${bytes(progress.bytesRead)} read` : nothing}
      >
        <span .style=${`--share:${((share ?? 0) * 100).toFixed(1)}%`}></span>
      </div>
      <div class="words">
        <span>${this.#bytesWords()}</span>
        <span>${this.#entriesWords()}</span>
      </div>
      <button type="button" @click=${this.#cancel}>Cancel</button>
    </div>`;
  }

  #bytesWords(): string {
    const { progress } = this;
    if (!progress) return "Starting…";
    const estimate = progress.headerEstimate;
    if (progress.bytesRead === 0) return "Waiting for the first bytes…";
    if (estimate !== undefined && estimate > progress.bytesRead)
      return `${bytes(progress.bytesRead)} of about ${bytes(estimate)}`;
    return progress.fileSize === undefined
      ? bytes(progress.bytesRead)
      : `${bytes(progress.bytesRead)} of a file of ${bytes(progress.fileSize)}`;
  }

  #entriesWords(): string {
    const { progress } = this;
    if (progress?.metadataCount === undefined) return "";
    if (progress.tensorsRead > 0)
      return `${grouped(progress.tensorsRead)} of ${grouped(progress.tensorCount ?? 0)} tensors`;
    return `${grouped(progress.metadataRead)} of ${grouped(progress.metadataCount)} entries`;
  }

  readonly #cancel = () => {
    this.dispatchEvent(new CustomEvent("gguf-cancel", { bubbles: true, composed: true }));
  };
}

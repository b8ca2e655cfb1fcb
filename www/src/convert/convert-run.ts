import type { ConversionPlan } from "gguf-wasm/convert";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { hasStorage, MAX_SIZE_IN_MEMORY } from "../saving/private-storage.ts";
import { renderWriteResult } from "../saving/write-result.ts";
import type { Written } from "../saving/written-files.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { ElementTask } from "../ui/long-task.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderProgressBar } from "../ui/progress-bar.ts";
import { baseStyles } from "../ui/styles.ts";
import { taskStyles, transferWords } from "../ui/task-progress.ts";
import { Pause } from "./pause.ts";
import { downloadConverted, saveConverted } from "./write-converted.ts";

/** Converts and writes the new file. The event `gguf-running` reports whether it does (detail: a boolean). */
export class GgufConvertRun extends LitElement {
  static override properties = {
    plan: { attribute: false },
    fileName: {},
    refused: { type: Boolean },
  };

  declare plan: ConversionPlan | undefined;
  /** The name of the new file. */
  declare fileName: string;
  /** Whether the plan cannot be written. */
  declare refused: boolean;

  readonly #writing = new ElementTask<Written>(this);
  #pause = new Pause();
  #tensors = { done: 0, count: 0 };
  /** Whether a conversion was reported to run. */
  #isReported = false;

  constructor() {
    super();
    this.plan = undefined;
    this.fileName = "";
    this.refused = false;
  }

  static override styles = [
    baseStyles,
    sectionStyles,
    taskStyles,
    css`
      .pair {
        grid-row: 1 / span 2;
        grid-column: 2;
        display: flex;
        gap: 8px;
      }
      .pause {
        min-width: 92px;
      }
      @media (max-width: 560px) {
        .task {
          grid-template-columns: minmax(0, 1fr);
        }
        .pair {
          grid-row: auto;
          grid-column: 1;
          margin-top: 4px;
        }
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#pause.resume();
    removeEventListener("beforeunload", this.#onUnload);
  }

  override willUpdate(changed: PropertyValues): void {
    // The result is that of the plan before.
    if (changed.has("plan") && !this.#writing.isRunning && this.#writing.state.name !== "idle") this.#writing.reset();
  }

  override updated(): void {
    const { isRunning } = this.#writing;
    if (isRunning === this.#isReported) return;
    this.#isReported = isRunning;
    // Pages with such a listener are not kept in the back/forward cache, so it exists only while a conversion runs.
    if (isRunning) addEventListener("beforeunload", this.#onUnload);
    else removeEventListener("beforeunload", this.#onUnload);
    this.dispatchEvent(new CustomEvent("gguf-running", { detail: isRunning }));
  }

  /** Stops a conversion, and forgets its result. */
  reset(): void {
    this.#pause.resume();
    this.#writing.reset();
  }

  override render() {
    return html`${this.#renderButtons()} ${this.#renderProgress()} ${renderWriteResult(this.#writing)}`;
  }

  #renderButtons() {
    const { plan } = this;
    if (!plan) return nothing;
    const picks = window.showSaveFilePicker !== undefined;
    const downloads = hasStorage() || plan.size <= MAX_SIZE_IN_MEMORY;
    const isDisabled = this.refused || this.#writing.isRunning;
    return html`<div class="buttons">
      ${
        picks
          ? html`<button
              type="button"
              class="primary"
              aria-disabled=${isDisabled}
              @click=${() => this.#run(saveConverted)}
            >
              Convert and save as…
            </button>`
          : nothing
      }
      ${
        downloads
          ? html`<button
              type="button"
              class=${picks ? "" : "primary"}
              aria-disabled=${isDisabled}
              @click=${() => this.#run(downloadConverted)}
            >
              Convert and download
            </button>`
          : nothing
      }
      ${picks || downloads ? nothing : html`<p class="hint">This browser cannot save a file of this size.</p>`}
    </div>`;
  }

  #renderProgress() {
    const { state } = this.#writing;
    if (state.name !== "running") return nothing;
    const { progress, elapsed, isCancelling } = state;
    const { isPaused, duration } = this.#pause;
    const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
    const { done, count } = this.#tensors;
    const text = isCancelling
      ? "Cancelling…"
      : progress
        ? `${isPaused ? "Paused · " : ""}${transferWords(progress.done, progress.total, elapsed - duration)} · ${formatInteger(done)} of ${formatCount(count, "tensor")}`
        : "Starting…";
    return html`<div class="task">
      ${renderProgressBar("Bytes written", share, { isPaused })}
      <p class="task-text">${text}</p>
      <div class="pair">
        <button type="button" class="pause" aria-disabled=${isCancelling} @click=${this.#togglePause}>
          ${isPaused ? "Continue" : "Pause"}
        </button>
        <button type="button" aria-disabled=${isCancelling} @click=${this.#cancel}>Cancel</button>
      </div>
    </div>`;
  }

  readonly #togglePause = () => {
    const { state } = this.#writing;
    if (state.name !== "running" || state.isCancelling) return;
    if (this.#pause.isPaused) this.#pause.resume();
    else this.#pause.pause();
    announce(this, this.#pause.isPaused ? "Paused" : "Continued");
    this.requestUpdate();
  };

  readonly #cancel = () => {
    this.#writing.cancel();
    // A stream that is not read does not notice that it is cancelled.
    this.#pause.resume();
  };

  async #run(write: typeof saveConverted): Promise<void> {
    const { plan, fileName: name } = this;
    if (!plan || this.refused || this.#writing.isRunning) return;
    const pause = new Pause();
    this.#pause = pause;
    this.#tensors = { done: 0, count: plan.tensors.length };
    await this.#writing.run((signal, report) =>
      write(
        { plan, name, pause },
        {
          signal,
          onProgress: ({ bytesWritten, totalBytes, tensorsDone, tensorCount }) => {
            this.#tensors = { done: tensorsDone, count: tensorCount };
            report({ done: bytesWritten, total: totalBytes });
          },
        },
      ),
    );
    const { state } = this.#writing;
    if (state.name === "done") announce(this, state.value.text);
  }

  readonly #onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
}

define("gguf-convert-run", GgufConvertRun);

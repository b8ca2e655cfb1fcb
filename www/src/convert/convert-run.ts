import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { errorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { renderSaveButtons } from "../saving/save-buttons.ts";
import { renderWriteResult } from "../saving/write-result.ts";
import type { Written } from "../saving/written-files.ts";
import { announce } from "../ui/announce.ts";
import type { Question } from "../ui/ask.ts";
import { define } from "../ui/define.ts";
import { GuardedTask } from "../ui/guarded-task.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderProgressBar } from "../ui/progress-bar.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { taskStyles, transferWords } from "../ui/task-progress.ts";
import { Pause } from "./pause.ts";
import { Resumption } from "./resumption.ts";
import { downloadConverted, saveConverted, type WritablePlan } from "./write-converted.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The question before another file is opened. */
const QUESTION: Question = {
  title: "A conversion is running",
  text: "It ends if another file is opened, and its new file is not kept.",
  yes: "Cancel the conversion",
  no: "Continue converting",
};

/**
 * Converts and writes the new files. The event `gguf-running` reports whether it does (detail: a boolean), and `gguf-quality` the errors of
 * tensors that are complete (detail: a list of `TensorQuality`).
 */
export class GgufConvertRun extends LitElement {
  @property({ attribute: false }) plan: WritablePlan | undefined;
  /** The names of the new files. */
  @property({ attribute: false }) fileNames: readonly string[] = [];
  /** Whether the files belong to each other without being shards of one model. */
  @property({ type: Boolean }) together = false;
  /** Whether the new files can be compared with the open model. */
  @property({ type: Boolean }) comparable = false;
  /** Whether the plan cannot be written. */
  @property({ type: Boolean }) refused = false;

  readonly #writing = new GuardedTask<Written>(this, {
    question: QUESTION,
    cancel: () => this.#cancel(),
    onChange: (isRunning) => this.dispatchEvent(new CustomEvent("gguf-running", { detail: isRunning })),
  });
  readonly #resumption = new Resumption(() => {
    this.requestUpdate();
    if (!this.#resumption.failure) return;
    // The button that had the focus is removed.
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".resume")?.focus());
  });
  #pause = new Pause();
  #tensors = { done: 0, count: 0 };
  /** The size of the new files. The plan may be freed while a conversion that was cancelled still ends. */
  #size = 0;

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
        min-width: calc(92 * var(--gguf-unit));
      }
      @media (max-width: ${windowSize(560)}) {
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
    this.#resumption.decide(false);
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("plan")) this.#size = this.plan?.size ?? 0;
    // The shown result belongs to the previous plan.
    if (changed.has("plan") && !this.#writing.isRunning && this.#writing.state.name !== "idle") this.#writing.reset();
  }

  /** Stops a conversion, and forgets its result. */
  reset(): void {
    this.#pause.resume();
    this.#resumption.decide(false);
    this.#writing.reset();
  }

  override render() {
    return html`${this.#renderButtons()} ${this.#renderProgress()}
    ${renderWriteResult(this.#writing, { isComparable: this.comparable })}`;
  }

  #renderButtons() {
    if (!this.plan) return nothing;
    const areSeveral = this.fileNames.length > 1;
    return renderSaveButtons({
      size: this.#size,
      isSplit: areSeveral,
      isDisabled: this.refused || this.#writing.isRunning,
      pick: {
        title: areSeveral ? "Convert into a folder…" : "Convert and save as…",
        run: () => void this.#run(saveConverted),
      },
      download: { title: "Convert and download", run: () => void this.#run(downloadConverted) },
    });
  }

  #renderProgress() {
    const { state } = this.#writing;
    if (state.name !== "running") return nothing;
    const { progress, elapsed, isCancelling } = state;
    const { failure } = this.#resumption;
    const { isPaused, duration } = this.#pause;
    const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
    const { done, count } = this.#tensors;
    const text = isCancelling
      ? "Cancelling…"
      : progress
        ? `${failure ? "Stopped · " : isPaused ? "Paused · " : ""}${transferWords(progress.done, progress.total, elapsed - duration)} · ${formatInteger(done)} of ${formatCount(count, "tensor")}`
        : "Starting…";
    return html`<div class="task">
        ${renderProgressBar("Bytes written", share, { isPaused: isPaused || failure !== undefined })}
        <p class="task-text">${text}</p>
        <div class="pair">
          ${
            failure
              ? html`<button type="button" class="primary resume" @click=${() => this.#resumption.decide(true)}>
                  Try again
                </button>`
              : html`<button type="button" class="pause" aria-disabled=${isCancelling} @click=${this.#togglePause}>
                  ${isPaused ? "Continue" : "Pause"}
                </button>`
          }
          <button type="button" aria-disabled=${isCancelling} @click=${this.#cancel}>Cancel</button>
        </div>
      </div>
      ${failure ? this.#renderFailure(failure.error) : nothing}`;
  }

  /** A failure after which the conversion can continue. */
  #renderFailure(error: unknown) {
    const { title, what } = errorText(failureOf(error));
    return html`<div class="notice bad" role="alert">
      ${icons.error}
      <div>
        <p><strong>${title}.</strong> ${renderText(what, { limit: 600 })}</p>
        <p>What is written so far is kept. “Try again” continues there.</p>
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
    this.#resumption.decide(false);
  };

  async #run(write: typeof saveConverted): Promise<void> {
    const { plan, fileNames: names } = this;
    if (!plan || this.refused || this.#writing.isRunning) return;
    const pause = new Pause();
    this.#pause = pause;
    this.#tensors = { done: 0, count: plan.tensors.length };
    await this.#writing.run((signal, report) =>
      write(
        { plan, names, isSplit: !this.together, pause, resumption: this.#resumption },
        {
          signal,
          onProgress: ({ bytesWritten, totalBytes, tensorsDone, tensorCount, quality }) => {
            this.#tensors = { done: tensorsDone, count: tensorCount };
            if (quality.length > 0) this.dispatchEvent(new CustomEvent("gguf-quality", { detail: quality }));
            report({ done: bytesWritten, total: totalBytes });
          },
        },
      ),
    );
    const { state } = this.#writing;
    if (state.name === "done") announce(this, state.value.text);
  }
}

define("gguf-convert-run", GgufConvertRun);

import type { LegacyAnswers, LegacyQuestion, MigrationExactness, MigrationPlan } from "gguf-wasm/convert";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { live } from "lit/directives/live.js";
import { errorText } from "../gguf/error-texts.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import type { LegacyDetails } from "../gguf/opened-model.ts";
import { hasStorage, MAX_SIZE_IN_MEMORY } from "../saving/private-storage.ts";
import { renderWriteResult } from "../saving/write-result.ts";
import type { Written } from "../saving/written-files.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { ElementTask } from "../ui/long-task.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { panelBoxStyles, sectionStyles } from "../ui/panel-styles.ts";
import { renderProgressBar } from "../ui/progress-bar.ts";
import { renderText } from "../ui/render-text.ts";
import { capitalised } from "../ui/sentence.ts";
import { baseStyles } from "../ui/styles.ts";
import { taskStyles, transferWords } from "../ui/task-progress.ts";
import { type TypeChange, typeChanges } from "./type-changes.ts";
import { migrateStyles } from "./migrate-styles.ts";
import { downloadMigrated, saveMigrated } from "./migrate-run.ts";

/** What becomes of the values, in words. */
const RELATIONS: Readonly<Record<string, string>> = {
  "same bytes": "Copied",
  "nibbles permuted": "Rearranged, exact",
  "scales rounded to f16": "Scales rounded to 16 bits",
  dequantised: "Stored as numbers",
  requantised: "Quantised again",
  transposed: "Transposed, exact",
};

/** Makes a GGUF file of a legacy model: asks what the file does not say, shows what will change, and saves. */
export class GgufMigrate extends LitElement {
  static override properties = {
    legacy: { attribute: false },
    shown: { type: Boolean },
    answers: { state: true },
    plan: { state: true },
    failure: { state: true },
    forInspection: { state: true },
  };

  declare legacy: LegacyDetails;
  /** Whether the panel is visible. */
  declare shown: boolean;
  /** The answers that differ from the defaults, as texts. */
  declare private answers: Readonly<Record<string, string>>;
  declare private plan: MigrationPlan | undefined;
  /** Why the migration cannot be planned. */
  declare private failure: Failure | undefined;
  declare private forInspection: boolean;

  readonly #checking = new ElementTask<MigrationExactness>(this);
  readonly #writing = new ElementTask<Written>(this);
  #questions: readonly LegacyQuestion[] = [];

  constructor() {
    super();
    this.shown = false;
    this.answers = {};
    this.plan = undefined;
    this.failure = undefined;
    this.forInspection = false;
  }

  static override styles = [baseStyles, panelBoxStyles, sectionStyles, taskStyles, migrateStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("legacy")) {
      this.answers = {};
      this.forInspection = false;
      this.#questions = this.legacy.model.questions();
      this.#replan();
    } else if (changed.has("answers") || changed.has("forInspection")) this.#replan();
    if (this.shown && this.plan && this.#checking.state.name === "idle") this.#check();
  }

  #replan(): void {
    this.#checking.reset();
    if (!this.#writing.isRunning) this.#writing.reset();
    this.plan = undefined;
    this.failure = undefined;
    if (this.#isImpossible) return;
    try {
      const answers = this.answers as LegacyAnswers;
      this.plan = this.legacy.model.migrate({ ...answers, forInspection: this.forInspection });
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  get #isImpossible(): boolean {
    return this.legacy.model.obstacles.length > 0 && !this.forInspection;
  }

  #check(): void {
    const { plan } = this;
    if (!plan || !plan.tensors.some(({ isLossy }) => isLossy)) return;
    void this.#checking.run((signal, report) =>
      plan.exactness({
        signal,
        onProgress: ({ bytesRead, totalBytes }) => report({ done: bytesRead, total: totalBytes }),
      }),
    );
  }

  override render() {
    const { obstacles } = this.legacy.model;
    return html`<div class="box">
      ${obstacles.length > 0 ? this.#renderObstacles(obstacles) : nothing}
      ${this.#questions.length > 0 && !this.#isImpossible ? this.#renderQuestions() : nothing}
      ${this.failure ? this.#renderFailure(this.failure) : nothing} ${this.plan ? this.#renderPlan(this.plan) : nothing}
    </div>`;
  }

  #renderObstacles(obstacles: readonly string[]) {
    return html`<section class="obstacles" role="note">
      <h3>${icons.warning}llama.cpp cannot run this model</h3>
      <ul>
        ${obstacles.map((obstacle) => html`<li>${renderText(capitalised(obstacle), { limit: 600 })}</li>`)}
      </ul>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${live(this.forInspection)}
          @change=${(event: Event) => (this.forInspection = (event.target as HTMLInputElement).checked)}
        />Export it all the same, for inspection with other tools</label
      >
    </section>`;
  }

  #renderQuestions() {
    return html`<section>
      <h3 id="questions">Questions</h3>
      <p class="hint">The file does not contain these values. The defaults are good for most models.</p>
      <div class="questions" role="group" aria-labelledby="questions">
        ${this.#questions.map((question) => this.#renderQuestion(question))}
      </div>
    </section>`;
  }

  #renderQuestion({ id, title, reason, default: normal, choices, isClosed }: LegacyQuestion) {
    const value = this.answers[id] ?? normal;
    const change = (event: Event) => this.#answer(id, (event.target as HTMLInputElement).value, normal);
    const control = isClosed
      ? html`<select id="q-${id}" aria-describedby="r-${id}" @change=${change}>
          ${choices.map((one) => html`<option value=${one.value} ?selected=${one.value === value}>${one.value}</option>`)}
        </select>`
      : html`<input
            id="q-${id}"
            type="text"
            aria-describedby="r-${id}"
            list=${choices.length > 0 ? `c-${id}` : nothing}
            autocomplete="off"
            spellcheck="false"
            .value=${live(value)}
            @change=${change}
          />${
            choices.length > 0
              ? html`<datalist id="c-${id}">
                  ${choices.map((one) => html`<option value=${one.value}>${one.title}</option>`)}
                </datalist>`
              : nothing
          }`;
    const chosen = choices.find((one) => one.value === value);
    return html`<div class="question">
      <label for="q-${id}">${title}</label>
      <div class="answer">
        ${control}${id in this.answers ? html`<button type="button" class="quiet" @click=${() => this.#answer(id, normal, normal)}>Default</button>` : nothing}
      </div>
      <p class="hint" id="r-${id}">
        ${reason}${chosen ? html` <span class="chosen">${chosen.value}: ${chosen.title}.</span>` : nothing}
      </p>
    </div>`;
  }

  #answer(id: string, value: string, normal: string): void {
    const { [id]: _, ...others } = this.answers;
    this.answers = value === normal ? others : { ...others, [id]: value };
  }

  #renderFailure(failure: Failure) {
    const { title } = errorText(failure);
    return html`<p class="problem" role="alert">
      ${icons.warning}<span><strong>${title}.</strong> ${renderText(failure.message ?? "", { limit: 600 })}</span>
    </p>`;
  }

  #renderPlan(plan: MigrationPlan) {
    const { state } = this.#checking;
    const exactness = state.name === "done" ? state.value : undefined;
    return html`<section>
        <h3 id="changes">What changes</h3>
        <div class="scroll">
          <table aria-labelledby="changes">
            <thead>
              <tr>
                <th scope="col">Type</th>
                <th scope="col">New type</th>
                <th scope="col">Tensors</th>
                <th scope="col">Values</th>
                <th scope="col">Changed values</th>
                <th scope="col">Largest error</th>
              </tr>
            </thead>
            <tbody>
              ${typeChanges(plan.tensors, exactness).map((row) => this.#renderRow(row))}
            </tbody>
          </table>
        </div>
        ${this.#renderChecking()}
        ${plan.findings.map(
          ({ severity, message }) =>
            html`<p class="finding ${severity}">
              ${severity === "warning" ? icons.warning : icons.info}${renderText(message, { limit: 600 })}
            </p>`,
        )}
      </section>
      <section>
        <h3>New file</h3>
        <p>${plan.suggestedName}, ${formatBytes(plan.size)}, ${formatCount(plan.tensors.length, "tensor")}</p>
        ${this.#renderButtons(plan)} ${this.#renderProgress()} ${renderWriteResult(this.#writing)}
      </section>`;
  }

  #renderRow({ oldType, newType, relation, tensors, isLossy, values, changed, maxError, lost }: TypeChange) {
    const exact = !isLossy;
    const isKnown = values > 0;
    return html`<tr>
      <th scope="row" class="mono">${oldType}</th>
      <td class="mono">${newType}</td>
      <td>${formatInteger(tensors)}</td>
      <td class="words">${RELATIONS[relation] ?? relation}</td>
      <td>
        ${exact ? "none" : isKnown ? `${formatInteger(changed)} of ${formatInteger(values)}` : "…"}${
          lost > 0 ? html`<br /><strong class="lost">${formatInteger(lost)} become infinite</strong>` : nothing
        }
      </td>
      <td>${exact ? "0" : isKnown ? String(Number(maxError.toPrecision(3))) : "…"}</td>
    </tr>`;
  }

  #renderChecking() {
    const { state } = this.#checking;
    if (state.name === "running") {
      const { progress, elapsed } = state;
      const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
      return html`<div class="task">
        ${renderProgressBar("Values compared", share)}
        <p class="task-text">
          Comparing values. ${progress ? transferWords(progress.done, progress.total, elapsed) : ""}
        </p>
      </div>`;
    }
    if (state.name === "failed") return this.#renderFailure(failureOf(state.error));
    return nothing;
  }

  #renderButtons(plan: MigrationPlan) {
    const picks = window.showSaveFilePicker !== undefined;
    const downloads = hasStorage() || plan.size <= MAX_SIZE_IN_MEMORY;
    const isDisabled = this.#writing.isRunning;
    const button = (title: string, isPrimary: boolean, write: typeof saveMigrated) =>
      html`<button
        type="button"
        class=${isPrimary ? "primary" : ""}
        aria-disabled=${isDisabled}
        @click=${() => this.#write(plan, write)}
      >
        ${title}
      </button>`;
    return html`<div class="buttons">
      ${picks ? button("Migrate and save as…", true, saveMigrated) : nothing}
      ${downloads ? button("Migrate and download", !picks, downloadMigrated) : nothing}
      ${picks || downloads ? nothing : html`<p class="hint">This browser cannot save a file of this size.</p>`}
    </div>`;
  }

  #renderProgress() {
    const { state } = this.#writing;
    if (state.name !== "running") return nothing;
    const { progress, elapsed, isCancelling } = state;
    const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
    const words = progress ? transferWords(progress.done, progress.total, elapsed) : "Starting…";
    return html`<div class="task">
      ${renderProgressBar("Bytes written", share)}
      <p class="task-text">${isCancelling ? "Cancelling…" : words}</p>
      <button type="button" aria-disabled=${isCancelling} @click=${() => this.#writing.cancel()}>Cancel</button>
    </div>`;
  }

  async #write(plan: MigrationPlan, write: typeof saveMigrated): Promise<void> {
    if (this.#writing.isRunning) return;
    await this.#writing.run((signal, report) =>
      write(plan, plan.suggestedName, {
        signal,
        onProgress: ({ bytesWritten, totalBytes }) => report({ done: bytesWritten, total: totalBytes }),
      }),
    );
    const { state } = this.#writing;
    if (state.name === "done") announce(this, state.value.text);
  }
}

define("gguf-migrate", GgufMigrate);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-migrate": GgufMigrate;
  }
}

import type { LegacyAnswers, LegacyQuestion, MigrationExactness, MigrationPlan } from "gguf-wasm/convert";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { live } from "lit/directives/live.js";
import { errorText } from "../gguf/error-texts.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import type { LegacyDetails } from "../gguf/opened-model.ts";
import { renderSaveButtons } from "../saving/save-buttons.ts";
import { renderWriteResult } from "../saving/write-result.ts";
import type { Written } from "../saving/written-files.ts";
import { announce } from "../ui/announce.ts";
import type { Question } from "../ui/ask.ts";
import { define } from "../ui/define.ts";
import { GuardedTask } from "../ui/guarded-task.ts";
import { icons } from "../ui/icons.ts";
import { ElementTask } from "../ui/long-task.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { panelBoxStyles, sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { capitalised } from "../ui/sentence.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderTaskProgress, taskStyles } from "../ui/task-progress.ts";
import { refusedAnswer } from "./refused-answer.ts";
import { type TypeChange, typeChanges } from "./type-changes.ts";
import { migrateStyles } from "./migrate-styles.ts";
import { downloadMigrated, saveMigrated } from "./migrate-run.ts";
import { MigrationWorker } from "./migration-worker.ts";

/** What becomes of the values, in words. */
const RELATIONS: Readonly<Record<string, string>> = {
  "same bytes": "Copied",
  "nibbles permuted": "Rearranged, exact",
  "scales rounded to f16": "Scales rounded to 16 bits",
  dequantised: "Stored as numbers",
  requantised: "Quantized again",
  transposed: "Transposed, exact",
};

/** The columns of the table of changes. */
const COLUMNS = ["Type", "New type", "Tensors", "Values", "Changed values", "Largest error"];

/** What ends if another file is opened. */
const QUESTION: Question = {
  title: "A migration is running",
  text: "It ends if another file is opened, and its new file is not kept.",
  yes: "Cancel the migration",
  no: "Continue migrating",
};

/** Makes a GGUF file of a legacy model: asks what the file does not say, shows what will change, and saves. */
export class GgufMigrate extends LitElement {
  @property({ attribute: false }) legacy!: LegacyDetails;
  /** Whether the panel is visible. */
  @property({ type: Boolean }) shown = false;
  /** The answers that differ from the defaults, as texts. */
  @state() private answers: Readonly<Record<string, string>> = {};
  @state() private plan: MigrationPlan | undefined;
  /** Why the migration cannot be planned. */
  @state() private failure: Failure | undefined;
  @state() private forInspection = false;

  readonly #checking = new ElementTask<MigrationExactness>(this);
  readonly #writing = new GuardedTask<Written>(this, { question: QUESTION });
  #worker: MigrationWorker | undefined;
  #questions: readonly LegacyQuestion[] = [];

  static override styles = [baseStyles, panelBoxStyles, sectionStyles, taskStyles, migrateStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#worker?.stop();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("legacy")) {
      this.#worker?.stop();
      this.#worker = new MigrationWorker(this.legacy.opening);
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
      this.plan = this.legacy.model.migrate(this.#given);
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  /** The answers as the library takes them. */
  get #given(): LegacyAnswers {
    return { ...(this.answers as LegacyAnswers), forInspection: this.forInspection };
  }

  get #isImpossible(): boolean {
    return this.legacy.model.obstacles.length > 0 && !this.forInspection;
  }

  #check(): void {
    const { plan } = this;
    const worker = this.#worker;
    if (!plan || !worker || !plan.tensors.some(({ isLossy }) => isLossy)) return;
    const answers = this.#given;
    void this.#checking.run((signal, report) =>
      worker.exactness({ plan, answers }, { signal, onProgress: (done, total) => report({ done, total }) }),
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
        ${keyed(
          this.legacy,
          this.#questions.map((question) => this.#renderQuestion(question)),
        )}
      </div>
    </section>`;
  }

  #renderQuestion({ id, title, reason, default: normal, choices, isClosed }: LegacyQuestion) {
    const value = this.answers[id] ?? normal;
    const change = (event: Event) => this.#answer(id, (event.target as HTMLInputElement).value, normal);
    // Not `live`: progress renders again while a person types, and would put the old answer in place of the text.
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
            .value=${value}
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
        ${reason}${isClosed && chosen ? html` <span class="chosen">${chosen.value}: ${chosen.title}.</span>` : nothing}
      </p>
    </div>`;
  }

  #answer(id: string, value: string, normal: string): void {
    const { [id]: _, ...others } = this.answers;
    this.answers = value === normal ? others : { ...others, [id]: value };
  }

  #renderFailure(failure: Failure) {
    const refused = refusedAnswer(failure, this.#questions);
    const title = refused ? `${refused.title}:` : `${errorText(failure).title}.`;
    return html`<p class="problem" role="alert">
      ${icons.warning}<span
        ><strong>${title}</strong> ${renderText(refused?.text ?? failure.message ?? "", { limit: 600 })}</span
      >
    </p>`;
  }

  #renderPlan(plan: MigrationPlan) {
    const { state } = this.#checking;
    const exactness = state.name === "done" ? state.value : undefined;
    return html`<section>
        <h3 id="changes">What changes</h3>
        <div class="scroll">
          <table role="table" aria-labelledby="changes">
            <thead role="rowgroup">
              <tr role="row">
                ${COLUMNS.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
              </tr>
            </thead>
            <tbody role="rowgroup">
              ${typeChanges(plan.tensors, exactness).map((row) => this.#renderRow(row))}
            </tbody>
          </table>
        </div>
        ${this.#renderChecking()}
        ${plan.findings.map(
          ({ severity, message }) =>
            html`<p class="finding ${severity}">
              ${severity === "error" ? icons.error : severity === "warning" ? icons.warning : icons.info}${renderText(message, { limit: 600 })}
            </p>`,
        )}
      </section>
      <section>
        <h3>New file</h3>
        <p>${plan.suggestedName}, ${formatBytes(plan.size)}, ${formatCount(plan.tensors.length, "tensor")}</p>
        ${this.#renderButtons(plan)} ${renderTaskProgress(this.#writing, "Bytes written")}
        ${renderWriteResult(this.#writing)}
      </section>`;
  }

  #renderRow({ oldType, newType, relation, tensors, isLossy, values, changed, maxError, lost }: TypeChange) {
    const exact = !isLossy;
    const isKnown = values > 0;
    const changes = html`${exact ? "none" : isKnown ? `${formatInteger(changed)} of ${formatInteger(values)}` : "…"}${
      lost > 0
        ? html`<br /><strong class="lost">${formatCount(lost, "value becomes", "values become")} infinite</strong>`
        : nothing
    }`;
    const cells = [
      ["mono", newType],
      ["", formatInteger(tensors)],
      ["words", RELATIONS[relation] ?? relation],
      ["", changes],
      ["", exact ? "0" : isKnown ? String(Number(maxError.toPrecision(3))) : "…"],
    ] as const;
    return html`<tr role="row">
      <th scope="row" role="rowheader" class="mono">${oldType}</th>
      ${cells.map(
        ([kind, content], i) =>
          html`<td role="cell" class=${kind} data-title=${COLUMNS[i + 1] ?? ""}><span>${content}</span></td>`,
      )}
    </tr>`;
  }

  #renderChecking() {
    const { state } = this.#checking;
    if (state.name !== "failed") return renderTaskProgress(this.#checking, "Values compared", "Comparing values…");
    if (!state.isCancelled) return this.#renderFailure(failureOf(state.error));
    return html`<p class="finding">
      ${icons.info}Cancelled. How much values change is not known.
      <button type="button" class="quiet" @click=${() => this.#check()}>Compare values</button>
    </p>`;
  }

  #renderButtons(plan: MigrationPlan) {
    return renderSaveButtons({
      size: plan.size,
      isDisabled: this.#writing.isRunning,
      pick: { title: "Migrate and save as…", run: () => void this.#write(plan, saveMigrated) },
      download: { title: "Migrate and download", run: () => void this.#write(plan, downloadMigrated) },
    });
  }

  async #write(plan: MigrationPlan, write: typeof saveMigrated): Promise<void> {
    const worker = this.#worker;
    if (!worker || this.#writing.isRunning) return;
    const answers = this.#given;
    await this.#writing.run((signal, report) => {
      const onProgress = (done: number, total: number) => report({ done, total });
      const stream = () => worker.stream({ plan, answers }, { signal, onProgress });
      return write({ size: plan.size, stream }, plan.suggestedName, signal);
    });
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

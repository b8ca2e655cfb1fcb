import type { ChecksResult } from "../checks/findings.ts";
import { renderProblems } from "../checks/problem-notices.ts";
import { suggestedName } from "../summary/file-kind.ts";
import type { EditPlan } from "gguf-wasm/full";
import { html, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { announce } from "../ui/announce.ts";
import { renderText } from "../ui/render-text.ts";
import { icons } from "../ui/icons.ts";
import { progressBarStyles, renderProgressBar } from "../ui/progress-bar.ts";
import { LongTask, type LongTaskState } from "../ui/long-task.ts";
import { transferWords } from "../ui/task-progress.ts";
import { baseStyles } from "../ui/styles.ts";
import { refusalText, errorText } from "../gguf/error-texts.ts";
import { type Failure, failureOf, saveFailureOf } from "../gguf/failure.ts";
import { formatCount } from "../ui/numbers.ts";
import { planSentence, type PlanSummary, planSummary } from "./plan-summary.ts";
import { afterFailure, savedName, type SaveKind, saveWays } from "./save-ways.ts";
import { hasStorage } from "../saving/private-storage.ts";
import { openWritten } from "../saving/written-files.ts";
import { Dialog } from "../ui/dialog.ts";
import type { EditSession } from "./edit-session.ts";
import { dialogStyles } from "../ui/styles/dialog.ts";
import { editStyles } from "./edit-styles.ts";
import { saveStyles } from "./save-styles.ts";
import { type SavedNote, savedNote } from "./saved-note.ts";
import { type Original, save, type Saved } from "./saving.ts";
import { define } from "../ui/define.ts";
import "./changes-panel.ts";

type Step =
  | { name: "review"; plan: EditPlan; summary: PlanSummary }
  | { name: "impossible"; failure: Failure }
  | { name: "invalid"; drafts: number }
  | { name: "writing"; kind: SaveKind }
  | { name: "done"; saved: Saved; note: SavedNote }
  | { name: "failed"; kind: SaveKind; failure: Failure };

/** The save dialog: a summary of the changes and the ways to save, then the progress, then the result. */
export class GgufSaveDialog extends Dialog {
  @property({ attribute: false }) session: EditSession | undefined;
  @property({ attribute: false }) original: Original | undefined;
  /** The checks of the edited file, with its chat templates. */
  @property({ attribute: false }) checks: ChecksResult | undefined;
  /** Called after a save. Returns true if the page has opened the saved file; the dialog is then closed. */
  @property({ attribute: false }) saved: (saved: Saved) => Promise<boolean> = () => Promise.resolve(false);
  /** Called after a save with what it has done. */
  @property({ attribute: false }) noted: (note: SavedNote) => void = () => undefined;
  @state() private step: Step | undefined;
  /** Whether a new file gets the name that its metadata gives. */
  @state() private renames = false;

  readonly #saving = new LongTask<Saved>();

  constructor() {
    super();
    this.#saving.watch(() => this.requestUpdate());
  }

  static override styles = [baseStyles, progressBarStyles, editStyles, dialogStyles, saveStyles];

  async open(): Promise<void> {
    this.renames = false;
    this.#review();
    await this.show();
  }

  override updated(changed: PropertyValues): void {
    const before = changed.get("step") as Step | undefined;
    // The control that had the focus was in the previous step.
    if (before && before.name !== this.step?.name) this.dialog?.querySelector<HTMLElement>("[autofocus]")?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#saving.cancel();
  }

  #review(): void {
    const { session } = this;
    if (!session) return;
    session.checkSoon();
    if (session.changes.length === 0) {
      this.step = { name: "invalid", drafts: session.drafts.size };
      return;
    }
    try {
      const plan = session.plan();
      const { gguf, tensorsRemoved: removed } = session;
      const original = { size: gguf.fileSize ?? plan.size, kept: gguf.tensors.length - removed, removed };
      this.step = { name: "review", plan, summary: planSummary(plan, original) };
    } catch (error) {
      this.step = { name: "impossible", failure: failureOf(error) };
    }
  }

  protected renderBox() {
    return html`<dialog aria-labelledby="title" @cancel=${this.#onCancel} @close=${() => this.hide()}>
      ${this.#renderStep()}
    </dialog>`;
  }

  #renderStep() {
    const { step } = this;
    switch (step?.name) {
      case "review":
        return this.#renderReview(step.plan, step.summary);
      case "impossible":
        return html`<h2 id="title">The file cannot be saved</h2>
          <div class="body" role="alert"><p>${refusalText(step.failure)}</p></div>
          ${this.#renderClose("Close")}`;
      case "invalid":
        return html`<h2 id="title">There is nothing to save yet</h2>
          <div class="body" role="alert">
            <p>
              ${formatCount(step.drafts, "value")} that you typed ${step.drafts === 1 ? "is" : "are"} not valid. The
              field says why. Correct it, and save again.
            </p>
          </div>
          ${this.#renderClose("Continue editing")}`;
      case "writing":
        return this.#renderWriting(step.kind);
      case "done":
        return this.#renderDone(step.saved, step.note);
      case "failed":
        return this.#renderFailed(step.kind, step.failure);
      case undefined:
        return nothing;
    }
  }

  #renderReview(plan: EditPlan, summary: PlanSummary) {
    const { session, original } = this;
    const changes = session?.changes ?? [];
    const drafts = session?.drafts.size ?? 0;
    return html`<h2 id="title">Save ${renderText(original?.name ?? "", { limit: 120 })}</h2>
      <div class="body">
        <p class="figures">${planSentence(summary)}</p>
        ${
          original?.shardCount === undefined
            ? nothing
            : html`<p>
                This saves the first of ${formatCount(original.shardCount, "shard")}. The other shards do not change. A
                copy replaces the first shard if it gets the name of the first shard.
              </p>`
        }
        ${renderProblems({ checks: this.checks, planned: plan.findings })}
        ${
          drafts > 0
            ? html`<div class="notice warning">
                ${icons.warning}
                <p>${formatCount(drafts, "invalid value")} that you typed will not be saved.</p>
              </div>`
            : nothing
        }
        <section aria-labelledby="changes">
          <h3 id="changes">${formatCount(changes.length, "change")}</h3>
          <div class="list" tabindex="0" role="region" aria-label="List of changes">
            <gguf-changes
              plain
              .changes=${changes}
              .metadata=${session?.metadata}
              .typeOf=${session?.typeOf}
            ></gguf-changes>
          </div>
        </section>
        ${this.#renderNames()} ${this.#renderWays(plan, summary)}
      </div>
      ${this.#renderClose("Continue editing")}`;
  }

  #renderWays(plan: EditPlan, summary: PlanSummary) {
    const { original } = this;
    const ways = saveWays({
      writable: original?.handle !== undefined,
      local: original?.blob !== undefined,
      picker: window.showSaveFilePicker !== undefined,
      storage: hasStorage(),
      inPlace: summary.inPlace,
      swaps: summary.swaps,
      size: summary.size,
      headerSize: plan.headerSize,
    });
    return html`<ul class="ways">
      ${ways.map(
        (way, at) =>
          html`<li>
            <button
              type="button"
              class=${at === 0 ? "primary" : ""}
              aria-describedby="way-${way.kind}"
              ?autofocus=${at === 0}
              @click=${() => this.#save(way.kind, plan)}
            >
              ${way.title}
            </button>
            <p id="way-${way.kind}" class="hint">${way.text}</p>
          </li>`,
      )}
    </ul>`;
  }

  /** The names that a new file can have: one like that of the original, or the one that its metadata gives. */
  #renderNames() {
    const { original } = this;
    const suggested = this.#suggestedName;
    if (!original || suggested === undefined) return nothing;
    const choice = (name: string, renames: boolean, about: string) =>
      html`<label
        ><input
          type="radio"
          name="name"
          .checked=${this.renames === renames}
          @change=${() => {
            this.renames = renames;
          }}
        /><span
          ><span class="mono">${renderText(name, { limit: 200 })}</span> <span class="hint">${about}</span></span
        ></label
      >`;
    return html`<fieldset class="names">
      <legend class="label">Name of a new file</legend>
      ${choice(savedName(original.name, "as"), false, "from the name of the original")}
      ${choice(suggested, true, "from the metadata")}
    </fieldset>`;
  }

  /** The name that the metadata gives. Undefined if there is none, or if the original has it. */
  get #suggestedName(): string | undefined {
    const suggested = this.session && suggestedName(this.session.described);
    return suggested === this.original?.name ? undefined : suggested;
  }

  #renderWriting(kind: SaveKind) {
    const { state } = this.#saving;
    const { progress, elapsed = 0, isCancelling = false } = state.name === "running" ? state : {};
    const part = progress && progress.total > 0 ? progress.done / progress.total : undefined;
    return html`<h2 id="title">${kind === "collect" ? "Preparing the download" : "Saving"}</h2>
      <div class="body">
        ${renderProgressBar("Bytes written", part)}
        <p class="hint" role="status">
          ${
            isCancelling
              ? "Cancelling…"
              : progress
                ? transferWords(progress.done, progress.total, elapsed)
                : "Waiting for the browser to allow writing…"
          }
        </p>
        ${kind === "in-place" ? html`<p>The original file is not changed until the last byte is written.</p>` : nothing}
      </div>
      <div class="actions">
        <button type="button" autofocus aria-disabled=${isCancelling} @click=${this.#saving.cancel}>Cancel</button>
      </div>`;
  }

  #renderDone(saved: Saved, { title, where, count, changes }: SavedNote) {
    return html`<h2 id="title">${title}</h2>
      <div class="body">
        <p role="status">${where}</p>
        <section aria-labelledby="done">
          <h3 id="done">${count}</h3>
          <ul class="list plain" tabindex="0" aria-label="What changed">
            ${changes.map((change) => html`<li>${renderText(change)}</li>`)}
          </ul>
        </section>
      </div>
      <div class="actions">
        <button type="button" @click=${() => this.hide()}>
          ${saved.handle || saved.download ? "Continue with the original" : "Continue editing"}
        </button>
        ${
          saved.handle || saved.download
            ? html`<button type="button" class="primary" autofocus @click=${() => this.#openSaved(saved)}>
                Open the new file
              </button>`
            : nothing
        }
      </div>`;
  }

  #renderFailed(kind: SaveKind, failure: Failure) {
    const words = errorText(failure);
    const cancelled = failure.code === "cancelled";
    return html`<h2 id="title">${cancelled ? "Cancelled" : words.title}</h2>
      <div class="body" role="alert">
        <p><strong>${afterFailure(failure.code, kind)}</strong></p>
        ${cancelled ? nothing : html`<p>${renderText(words.what, { limit: 600 })}</p>`}
        ${
          cancelled || words.next.length === 0
            ? nothing
            : html`<ul class="next">
                ${words.next.map((step) => html`<li>${step}</li>`)}
              </ul>`
        }
      </div>
      <div class="actions">
        <button type="button" @click=${() => this.hide()}>Close</button>
        <button type="button" class="primary" autofocus @click=${() => this.#review()}>Back</button>
      </div>`;
  }

  #renderClose(words: string) {
    return html`<div class="actions"><button type="button" @click=${() => this.hide()}>${words}</button></div>`;
  }

  readonly #onCancel = (event: Event) => {
    // While the file is being written, Escape cancels the save instead of closing the dialog.
    if (this.step?.name !== "writing") return;
    event.preventDefault();
    this.#saving.cancel();
  };

  async #save(kind: SaveKind, plan: EditPlan): Promise<void> {
    const newName = this.renames ? this.#suggestedName : undefined;
    const original = this.original && { ...this.original, ...(newName === undefined ? {} : { newName }) };
    if (!original) return;
    this.step = { name: "writing", kind };
    const changes = this.session?.changes ?? [];
    let note: SavedNote | undefined;
    let isOpened = false;
    await this.#saving.run(async (signal, report) => {
      const saved = await save(kind, plan, original, {
        signal,
        onProgress: ({ bytesWritten, totalBytes }) => report({ done: bytesWritten, total: totalBytes }),
      });
      if (!saved) return undefined;
      if (saved.kind !== "header") this.session?.saved();
      note = savedNote(saved, changes, this.session?.metadata);
      announce(this, `${note.title}: ${note.where} ${note.count}`);
      this.noted(note);
      isOpened = saved.kind === "in-place" && (await this.saved(saved));
      return saved;
    });
    const { state } = this.#saving;
    if (isOpened) this.hide();
    else if (state.name === "done" && note) this.step = { name: "done", saved: state.value, note };
    else if (state.name === "failed") this.step = { name: "failed", kind, failure: failureOfSave(state) };
    else this.#review();
  }

  async #openSaved(saved: Saved): Promise<void> {
    this.hide();
    if (saved.download) openWritten(this, [saved.download]);
    else await this.saved(saved);
  }
}

function failureOfSave({ error, isCancelled }: Extract<LongTaskState<Saved>, { name: "failed" }>): Failure {
  const failure = saveFailureOf(error);
  return isCancelled && failure.code !== "interrupted" ? { ...failure, code: "cancelled" } : failure;
}

define("gguf-save-dialog", GgufSaveDialog);

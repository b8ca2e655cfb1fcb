import type { Gguf } from "gguf-wasm/explain";
import type { PlannedShard } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { baseName } from "../gguf/base-name.ts";
import { refusalText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { type FullGguf, fullGguf } from "../gguf/full.ts";
import { pickFolder } from "../saving/pickers.ts";
import { hasStorage, MAX_SIZE_IN_MEMORY } from "../saving/private-storage.ts";
import { downloadOneByOne, existingNames, type WriteFilesOptions, writeIntoFolder } from "../saving/write-files.ts";
import { renderWriteResult } from "../saving/write-result.ts";
import type { Written, WrittenFile } from "../saving/written-files.ts";
import { announce } from "../ui/announce.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { ElementTask } from "../ui/long-task.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderTaskProgress, taskStyles } from "../ui/task-progress.ts";
import { defaultChoices, type SizeUnit, type SplitChoices, splitOptions, tooManyShards } from "./split-choices.ts";

/** The shards that the preview lists at first. */
const FIRST_SHARDS = 12;
/** The existing files that are named. */
const MAX_NAMED = 5;
/** Milliseconds after a key press until the shards are planned. */
const PLAN_DELAY = 200;

/** The planned shards, or what is wrong with the choices. */
type Planned = { shards: PlannedShard[] } | { field: "number" | "name" | "file"; problem: string };

/** A chosen folder that has files with the names of shards. */
interface Existing {
  folder: FileSystemDirectoryHandle;
  names: readonly string[];
}

/** Splits a file into shards. */
export class GgufSplitFile extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  /** The file, if it is on this device. */
  @property({ attribute: false }) original: Blob | undefined;
  @property() fileName = "";
  @state() private choices: SplitChoices = defaultChoices("model");
  @state() private planned: Planned | undefined;
  @state() private showsAll = false;
  @state() private existing: Existing | undefined;

  /** The file in the module that splits files. Undefined until it is loaded. */
  #splittable: FullGguf | undefined;
  readonly #writing = new ElementTask<Written>(this);
  /** The number of shards that the last run has written completely. */
  #complete = 0;
  /** The timer that plans the shards. Defined as long as the choices are newer than the plan. */
  #planning: ReturnType<typeof setTimeout> | undefined;
  /** The shards that are being written. Their plans are freed afterwards. */
  readonly #used = new Set<readonly PlannedShard[]>();

  static override styles = [baseStyles, sectionStyles, taskStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#planning);
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.#writing.reset();
      this.choices = defaultChoices(baseName(this.fileName) || "model");
      this.#splittable = undefined;
      this.#take(undefined);
      void this.#load(this.gguf);
    }
  }

  async #load(gguf: Gguf): Promise<void> {
    try {
      const splittable = await fullGguf(gguf);
      if (this.gguf !== gguf) return;
      this.#splittable = splittable;
      this.#plan();
    } catch (error) {
      if (this.gguf === gguf) this.#take({ field: "file", problem: refusalText(failureOf(error)) });
    }
  }

  override updated(changed: PropertyValues): void {
    if (!changed.has("existing") || document.activeElement !== document.body) return;
    // The button that had the focus has been replaced by a question, or the question by a button.
    this.renderRoot.querySelector<HTMLElement>(".notice button, .task button, .buttons button")?.focus();
  }

  #plan(): void {
    clearTimeout(this.#planning);
    this.#planning = undefined;
    // After a failure, a change of the choices tries again.
    if (this.#splittable) this.#take(this.#planNow(this.#splittable));
    else void this.#load(this.gguf);
  }

  /** Shows a plan in the place of the one before. */
  #take(planned: Planned | undefined): void {
    const before = this.#shards;
    this.planned = planned;
    this.showsAll = false;
    this.existing = undefined;
    if (before && !this.#used.has(before)) free(before);
  }

  get #shards(): readonly PlannedShard[] | undefined {
    return this.planned && "shards" in this.planned ? this.planned.shards : undefined;
  }

  /** The shards to write. Choices that are not planned yet are planned now, and may be wrong. */
  #currentShards(): readonly PlannedShard[] | undefined {
    if (this.#planning !== undefined) this.#plan();
    return this.#shards;
  }

  /** Keeps the plans of shards until the work with them has ended, even if other shards are planned in the meantime. */
  async #use(shards: readonly PlannedShard[], work: () => Promise<void>): Promise<void> {
    this.#used.add(shards);
    try {
      await work();
    } finally {
      this.#used.delete(shards);
      if (this.#shards !== shards) free(shards);
    }
  }

  #planNow(gguf: FullGguf): Planned {
    const options = splitOptions(this.choices);
    if ("problem" in options) return options;
    try {
      const problem = tooManyShards(gguf, options);
      if (problem !== undefined) return { field: "number", problem };
      return { shards: gguf.split(options) };
    } catch (error) {
      return { field: "file", problem: refusalText(failureOf(error)) };
    }
  }

  #choose(change: Partial<SplitChoices>): void {
    this.choices = { ...this.choices, ...change };
    if (this.#writing.state.name !== "idle") this.#writing.reset();
    clearTimeout(this.#planning);
    this.#planning = setTimeout(() => this.#plan(), PLAN_DELAY);
  }

  override render() {
    return html`<section aria-labelledby="split">
      <h3 id="split">Split into shards</h3>
      <p class="hint">
        llama.cpp opens the first shard and finds the others by their names. Tensor data is copied unchanged, and this
        file is not changed.
      </p>
      ${this.#renderForm()} ${this.#renderPlan()}
    </section>`;
  }

  #renderForm() {
    const { choices, planned } = this;
    const { isRunning } = this.#writing;
    const wrong = planned && "problem" in planned ? planned : undefined;
    return html`<div class="fields">
        ${this.#renderLimit(wrong?.field === "number")}
        <label
          >Name
          <input
            type="text"
            spellcheck="false"
            autocomplete="off"
            ?disabled=${isRunning}
            aria-invalid=${wrong?.field === "name"}
            aria-describedby=${wrong?.field === "name" ? "wrong" : nothing}
            .value=${live(choices.name)}
            @input=${this.#typed((name) => ({ name }))}
        /></label>
      </div>
      <label class="check"
        ><input
          type="checkbox"
          ?disabled=${isRunning}
          .checked=${choices.emptyFirst}
          @change=${(event: Event) => this.#choose({ emptyFirst: (event.target as HTMLInputElement).checked })}
        /><span>First shard with the metadata only</span></label
      >
      ${wrong ? html`<p class="problem" id="wrong" role="alert">${renderText(wrong.problem, { limit: 600 })}</p>` : nothing}`;
  }

  /** What limits a shard: the number of its tensors, or its size. */
  #renderLimit(isWrong: boolean) {
    const { choices } = this;
    const { isRunning } = this.#writing;
    const bySize = choices.limit === "size";
    return html`<label
        >Limit of a shard
        <select
          ?disabled=${isRunning}
          .value=${live(choices.limit)}
          @change=${this.#typed((limit) => ({ limit: limit as SplitChoices["limit"] }))}
        >
          <option value="size">Size</option>
          <option value="tensors">Number of tensors</option>
        </select></label
      >
      <label
        >${bySize ? "Largest size" : "Most tensors"}
        <input
          type="number"
          min=${bySize ? "0" : "1"}
          step=${bySize ? "any" : "1"}
          ?disabled=${isRunning}
          aria-invalid=${isWrong}
          aria-describedby=${isWrong ? "wrong" : nothing}
          .value=${live(bySize ? choices.size : choices.tensors)}
          @input=${this.#typed((text) => (bySize ? { size: text } : { tensors: text }))}
      /></label>
      ${
        bySize
          ? html`<label
              >Unit
              <select
                ?disabled=${isRunning}
                .value=${live(choices.unit)}
                @change=${this.#typed((unit) => ({ unit: unit as SizeUnit }))}
              >
                <option>MB</option>
                <option>GB</option>
              </select></label
            >`
          : nothing
      }`;
  }

  /** A listener that makes a choice of what is typed or chosen in a field. */
  #typed(change: (text: string) => Partial<SplitChoices>) {
    return (event: Event) => this.#choose(change((event.target as HTMLInputElement).value));
  }

  #renderPlan() {
    const { planned } = this;
    if (!planned || !("shards" in planned)) return nothing;
    const { shards } = planned;
    const listed = this.showsAll ? shards : shards.slice(0, FIRST_SHARDS);
    const size = shards.reduce((sum, { plan }) => sum + plan.size, 0);
    return html`<h4 id="preview">${formatCount(shards.length, "shard")}, ${formatBytes(size)} together</h4>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="preview">
        <table>
          ${columnHeads("Name", ["Tensors", "number"], ["Size", "number"])}
          <tbody>
            ${listed.map(
              ({ name, plan, tensorCount }) =>
                html`<tr>
                  <th scope="row" class="mono">${renderText(name, { limit: 300 })}</th>
                  <td class="number">${formatInteger(tensorCount)}</td>
                  <td class="number">${formatBytes(plan.size)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${renderShowAll(listed.length, shards.length, "shard", () => {
        this.showsAll = true;
      })}
      ${this.existing ? this.#renderExisting(this.existing) : this.#renderButtons(shards)}
      ${renderTaskProgress(this.#writing, "Bytes written")}
      ${renderWriteResult(this.#writing, { kept: this.#kept(shards.length) })}`;
  }

  #renderButtons(shards: readonly PlannedShard[]) {
    const picks = window.showDirectoryPicker !== undefined;
    const largest = shards.reduce((most, { plan }) => Math.max(most, plan.size), 0);
    const downloads = this.original !== undefined || hasStorage() || largest <= MAX_SIZE_IN_MEMORY;
    const { isRunning } = this.#writing;
    return html`<div class="buttons">
      ${
        picks
          ? html`<button type="button" class="primary" aria-disabled=${isRunning} @click=${() => this.#intoFolder()}>
              Save into a folder…
            </button>`
          : nothing
      }
      ${
        downloads
          ? html`<button type="button" aria-disabled=${isRunning} @click=${this.#download}>
              Download ${formatCount(shards.length, "file")}
            </button>`
          : nothing
      }
      ${picks || downloads ? nothing : html`<p class="hint">This browser cannot save files of this size.</p>`}
    </div>`;
  }

  /** The question whether files that exist are replaced. */
  #renderExisting({ folder, names }: Existing) {
    const rest = names.length - MAX_NAMED;
    return html`<div class="notice warning" role="alert">
      ${icons.warning}
      <div>
        <p>
          <strong
            >${formatCount(names.length, "file")} in ${renderText(folder.name, { limit: 120 })} would be
            replaced:</strong
          >
          ${names
            .slice(0, MAX_NAMED)
            .map(
              (name, at) => html`${at > 0 ? ", " : ""}<span class="mono">${renderText(name, { limit: 200 })}</span>`,
            )}${rest > 0 ? ` and ${formatCount(rest, "more", "more")}` : ""}.
        </p>
        <div class="buttons">
          <button type="button" @click=${() => this.#replace(folder)}>Replace</button>
          <button type="button" @click=${() => this.#intoFolder()}>Choose another folder…</button>
          <button
            type="button"
            @click=${() => {
              this.existing = undefined;
            }}
          >
            Cancel
          </button>
        </div>
      </div>
    </div>`;
  }

  #kept(count: number): string {
    const complete = this.#complete;
    return complete === 0
      ? "No file was written."
      : `${formatInteger(complete)} of ${formatCount(count, "shard")} ${complete === 1 ? "was" : "were"} written completely.`;
  }

  /** Writes the shards into a folder, or asks first if it has files with their names. The person chooses the folder, unless it is given. */
  async #intoFolder(known?: FileSystemDirectoryHandle): Promise<void> {
    if (this.#writing.isRunning) return;
    const shards = this.#currentShards();
    if (!shards) return;
    this.existing = undefined;
    this.#complete = 0;
    await this.#use(shards, async () => {
      let chosen: Existing | undefined;
      await this.#writing.run(async (signal) => {
        const folder = known ?? (await pickFolder());
        if (!folder) return undefined;
        const names = shards.map(({ name }) => name);
        const existing = await existingNames(folder, names);
        signal.throwIfAborted();
        chosen = { folder, names: existing };
        return undefined;
      });
      if (!chosen) return;
      if (chosen.names.length > 0) this.existing = chosen;
      else await this.#write(chosen.folder, shards);
    });
  }

  /** Replaces the files of a folder that the person was asked about. Shards of newer choices may have other names: the question is asked again. */
  async #replace(folder: FileSystemDirectoryHandle): Promise<void> {
    if (this.#writing.isRunning) return;
    if (this.#planning !== undefined) return this.#intoFolder(folder);
    const shards = this.#shards;
    if (shards) await this.#use(shards, () => this.#write(folder, shards));
  }

  async #write(folder: FileSystemDirectoryHandle, shards: readonly PlannedShard[]): Promise<void> {
    this.existing = undefined;
    await this.#run(shards, (options) => writeIntoFolder(folder, shards, options), `written into ${folder.name}`);
  }

  readonly #download = async () => {
    if (this.#writing.isRunning) return;
    const shards = this.#currentShards();
    if (!shards) return;
    await this.#use(shards, () =>
      this.#run(shards, (options) => downloadOneByOne(shards, this.original, options), "downloaded"),
    );
  };

  async #run(
    shards: readonly PlannedShard[],
    write: (options: WriteFilesOptions) => Promise<WrittenFile[]>,
    done: string,
  ): Promise<void> {
    this.#complete = 0;
    await this.#writing.run(async (signal, report) => {
      const onFile = (complete: number) => (this.#complete = complete);
      const files = await write({ signal, report, onFile });
      const size = shards.reduce((sum, { plan }) => sum + plan.size, 0);
      return { text: `${formatCount(shards.length, "shard")} ${done}, ${formatBytes(size)}.`, files };
    });
    const { state } = this.#writing;
    if (state.name === "done") announce(this, state.value.text);
  }
}

function free(shards: readonly PlannedShard[]): void {
  for (const { plan } of shards) plan.free();
}

define("gguf-split-file", GgufSplitFile);

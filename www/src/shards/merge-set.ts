import type { EditPlan, GgufSet } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { errorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { setName } from "../gguf/shard-set.ts";
import { startDownload } from "../saving/download.ts";
import { writeFile } from "../saving/new-file.ts";
import { pickSaveFile } from "../saving/pickers.ts";
import { collect, hasStorage, MAX_SIZE_IN_MEMORY } from "../saving/private-storage.ts";
import { renderWriteResult } from "../saving/write-result.ts";
import { downloadedFile, type Written, writtenFile } from "../saving/written-files.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { ElementTask } from "../ui/long-task.ts";
import { formatBytes } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderTaskProgress, taskStyles } from "../ui/task-progress.ts";

/** Merges the shards of a set into one file. */
export class GgufMergeSet extends LitElement {
  @property({ attribute: false }) set!: GgufSet;
  /** The files of the shards in order, if all of them are on this device. */
  @property({ attribute: false }) originals: readonly Blob[] | undefined;
  /** Whether the merged file has the `split.*` keys that llama.cpp's tool leaves in it. */
  @state() private keepsKeys = false;

  readonly #writing = new ElementTask<Written>(this);
  /** The plan of the merged file, or why there is none. */
  #plan: EditPlan | string = "";

  static override styles = [baseStyles, sectionStyles, taskStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("set")) this.#writing.reset();
    if (changed.has("set") || changed.has("keepsKeys")) this.#plan = this.#planned();
  }

  #planned(): EditPlan | string {
    try {
      return this.set.merge({ splitKeys: this.keepsKeys ? "llama.cpp" : "remove" });
    } catch (error) {
      return errorText(failureOf(error)).what;
    }
  }

  get #name(): string {
    return `${setName(this.set)}.gguf`;
  }

  override render() {
    return html`<section aria-labelledby="merge">
      <h3 id="merge">Merge into one file</h3>
      ${typeof this.#plan === "string" ? html`<p class="hint">${renderText(this.#plan, { limit: 600 })}</p>` : this.#renderForm(this.#plan)}
    </section>`;
  }

  #renderForm(plan: EditPlan) {
    const { isRunning } = this.#writing;
    const picks = window.showSaveFilePicker !== undefined;
    const downloads = this.originals !== undefined || hasStorage() || plan.size <= MAX_SIZE_IN_MEMORY;
    return html`<p class="hint">
        The new file ${renderText(this.#name, { limit: 200 })} has ${formatBytes(plan.size)}. Tensor data is copied
        unchanged. The shards are not changed.
      </p>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${this.keepsKeys}
          ?disabled=${isRunning}
          @change=${(event: Event) => {
            this.keepsKeys = (event.target as HTMLInputElement).checked;
          }}
        /><span>Keep the split.* keys, as llama.cpp’s tool does</span></label
      >
      <div class="buttons">
        ${picks ? html`<button type="button" class="primary" aria-disabled=${isRunning} @click=${() => this.#save(plan)}>Save as…</button>` : nothing}
        ${downloads ? html`<button type="button" aria-disabled=${isRunning} @click=${() => this.#download(plan)}>Download</button>` : nothing}
        ${picks || downloads ? nothing : html`<p class="hint">This browser cannot save a file of this size.</p>`}
      </div>
      ${renderTaskProgress(this.#writing, "Bytes written")} ${renderWriteResult(this.#writing)}`;
  }

  async #save(plan: EditPlan): Promise<void> {
    if (this.#writing.isRunning) return;
    await this.#writing.run(async (signal, report) => {
      const handle = await pickSaveFile(this.#name);
      if (!handle) return undefined;
      await writeFile(plan, handle, {
        signal,
        onProgress: ({ bytesWritten, totalBytes }) => report({ done: bytesWritten, total: totalBytes }),
      });
      return { text: `Saved as ${handle.name}, ${formatBytes(plan.size)}.`, files: [await writtenFile(handle)] };
    });
    this.#announce();
  }

  async #download(plan: EditPlan): Promise<void> {
    const { originals } = this;
    if (this.#writing.isRunning) return;
    await this.#writing.run(async (signal, report) => {
      const onProgress = ({ bytesWritten, totalBytes }: { bytesWritten: number; totalBytes: number }) =>
        report({ done: bytesWritten, total: totalBytes });
      const name = this.#name;
      const blob = originals ? plan.toBlob(originals) : await collect(plan, { signal, onProgress });
      startDownload(blob, name);
      const text = `Download of ${name} started, ${formatBytes(plan.size)}.`;
      return { text, files: [downloadedFile(blob, name)] };
    });
    this.#announce();
  }

  #announce(): void {
    const { state } = this.#writing;
    if (state.name === "done") announce(this, state.value.text);
  }
}

define("gguf-merge-set", GgufMergeSet);

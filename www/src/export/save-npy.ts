import type { Gguf, TensorInfo } from "gguf-wasm/explain";
import type { NpyFile } from "gguf-wasm/full";
import { EXPORT_FORMATS } from "gguf-wasm/common/export-formats.js";
import { css, html, LitElement, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { dataErrorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { valuesGguf } from "../gguf/values.ts";
import { startDownload } from "../saving/download.ts";
import { pickSaveFile } from "../saving/pickers.ts";
import { collectStream, hasStorage, MAX_SIZE_IN_MEMORY } from "../saving/private-storage.ts";
import { streamInto } from "../saving/streamed-file.ts";
import { renderWriteResult } from "../saving/write-result.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { ElementTask } from "../ui/long-task.ts";
import { formatBytes } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderTaskProgress, taskStyles } from "../ui/task-progress.ts";
import { fileNamePart } from "../worker/export-files.ts";

/** What of a tensor is saved: the numbers that it stands for, or its bytes. */
type Content = "values" | "stored";

const { type, extension } = EXPORT_FORMATS.npy;
const NPY: FilePickerType = { description: "NumPy array", accept: { [type]: [extension] } };

/** Saves a tensor as a `.npy` file for NumPy. */
export class GgufSaveNpy extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @property({ attribute: false }) tensor!: TensorInfo;
  @state() private content: Content = "values";

  readonly #writing = new ElementTask<string>(this);

  static override styles = [
    baseStyles,
    sectionStyles,
    taskStyles,
    css`
      h4 {
        margin-top: 0;
      }
      .fields,
      .buttons {
        margin: 0;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("tensor") && this.#writing.state.name !== "idle") this.#writing.reset();
  }

  override render() {
    const { isRunning } = this.#writing;
    return html`<h4>Save as .npy</h4>
      <div class="fields">
        <label
          >Content
          <select
            ?disabled=${isRunning}
            .value=${this.content}
            @change=${(event: Event) => {
              this.content = (event.target as HTMLSelectElement).value as Content;
            }}
          >
            <option value="values">Values as numbers</option>
            <option value="stored">Data as stored</option>
          </select></label
        >
        <div class="buttons">
          <button type="button" aria-disabled=${isRunning} @click=${this.#save}>Save as .npy</button>
        </div>
      </div>
      <p class="hint">
        ${
          this.content === "values"
            ? "The numbers that the tensor stands for. Quantized values become 32-bit floats."
            : "The bytes of the file. Quantized tensors become rows of blocks, as in the Python package gguf."
        }
      </p>
      ${renderTaskProgress(this.#writing, "Bytes written")} ${this.#renderResult()}`;
  }

  #renderResult() {
    const { state } = this.#writing;
    if (state.name !== "failed" || state.isCancelled) return renderWriteResult(this.#writing);
    const failure = failureOf(state.error);
    // The texts for files speak of the header, which was read long ago.
    if (failure.code !== "unexpected-eof") return renderWriteResult(this.#writing);
    return html`<div class="notice bad" role="alert">
      ${icons.error}
      <div>The tensor could not be read. ${dataErrorText(failure)} No file was written.</div>
    </div>`;
  }

  readonly #save = async () => {
    if (this.#writing.isRunning) return;
    const { gguf, tensor, content } = this;
    await this.#writing.run(async (signal, report) => {
      const file = (await valuesGguf(gguf)).toNpy(tensor, { as: content });
      try {
        return await write(
          file,
          `${fileNamePart(tensor.name) || "tensor"}${content === "stored" ? ".stored" : ""}.npy`,
          {
            signal,
            onProgress: ({ bytesWritten, totalBytes }) => report({ done: bytesWritten, total: totalBytes }),
          },
        );
      } finally {
        file.free();
      }
    });
    const { state } = this.#writing;
    if (state.name === "done") announce(this, state.value);
  };
}

/** Writes the file to a place that the person chooses, or downloads it. Undefined if they cancel. */
async function write(
  file: NpyFile,
  name: string,
  options: Parameters<typeof streamInto>[2],
): Promise<string | undefined> {
  const about = `${file.dtype} (${file.shape.join(", ")}), ${formatBytes(file.size)}.`;
  if (window.showSaveFilePicker !== undefined) {
    const handle = await pickSaveFile(name, NPY);
    if (!handle) return undefined;
    await streamInto(file, handle, options);
    return `Saved as ${handle.name}: ${about}`;
  }
  if (!hasStorage() && file.size > MAX_SIZE_IN_MEMORY)
    throw Object.assign(new Error("the file is too large for this browser"), { name: "GgufError", code: "too-large" });
  startDownload(await collectStream(file, ".npy", options), name);
  return `Download of ${name} started: ${about}`;
}

define("gguf-save-npy", GgufSaveNpy);

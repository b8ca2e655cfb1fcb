/** The entry for pages that show the values of a tensor: registers `<gguf-tensor>`. */

import { css, html, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import type { TensorInfo } from "gguf-wasm/explain";
import type { Failure } from "../gguf/failure.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { nameBarStyles, renderNameBar } from "../tensors/name-bar.ts";
import { define } from "../ui/define.ts";
import { escapeText } from "../ui/text.ts";
import { VALUES } from "../gguf/values.ts";
import { type FileValues, valuesOf } from "../values/file-values.ts";
import "../values/tensor-values.ts";
import type { OpenState } from "../viewer/viewer-file.ts";
import { type Entry, FileElement } from "./file-element.ts";

// `gguf-wasm` is the main module here. Its methods have the same types.
const started = () => VALUES.started() as unknown as Entry | undefined;
const load = () => VALUES.load() as Promise<unknown> as Promise<Entry>;

/** Shows the values of a tensor of a GGUF file: `<gguf-tensor src="…" name="token_embd.weight">`. */
export class GgufTensor extends FileElement {
  /** The name of the tensor. */
  @property() name = "";

  /** What has been read of the open model, so that another tensor of it is shown at once. */
  #values: { readonly model: OpenedModel; readonly read: FileValues } | undefined;
  /** The tensor that was reported to be missing. */
  #missing: { readonly model: OpenedModel; readonly name: string } | undefined;

  constructor() {
    super({
      modules: { loadFirst: load, startedMain: started, loadMain: load },
      endWorkers: (model) => {
        if (this.#values?.model === model) this.#values.read.stop();
      },
    });
  }

  static override styles = [
    FileElement.fileStyles,
    nameBarStyles,
    css`
      .name-bar {
        flex-wrap: wrap;
        padding: 8px 16px;
      }
      .name-bar gguf-copy-button {
        margin-inline-start: auto;
      }
      .name-bar h3 {
        overflow-wrap: anywhere;
        white-space: normal;
      }
      .values {
        padding: 16px;
      }
    `,
  ];

  protected readonly givenName = "";

  protected get label(): string {
    return `Tensor ${this.name}`;
  }

  /** The shown tensor. Undefined if no file is open, or if it has no such tensor. */
  get tensor(): TensorInfo | undefined {
    const { model, name } = this;
    const tensors: readonly TensorInfo[] = model?.set?.tensors ?? model?.gguf.tensors ?? [];
    return tensors.find((tensor) => tensor.name === name);
  }

  override get failure(): Failure | undefined {
    return super.failure ?? this.#unknown;
  }

  /** The failure if the file has no tensor of the name. */
  get #unknown(): Failure | undefined {
    const { model, name, tensor } = this;
    if (!model || name === "" || tensor) return undefined;
    return { code: "unknown-tensor", message: `the file has no tensor "${name}"` };
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { model, name } = this;
    const failure = this.#unknown;
    if (!model || !failure || (this.#missing?.model === model && this.#missing.name === name)) return;
    this.#missing = { model, name };
    this.report(failure);
  }

  protected override renderFile({ model, types }: OpenState) {
    const { tensor } = this;
    if (this.name === "")
      return html`<p class="note hint">The attribute <code>name</code> chooses a tensor of this file.</p>`;
    if (!tensor) return html`${this.#unknown && this.renderFailure(this.#unknown, false)}`;
    if (this.#values?.model !== model) {
      this.#values?.read.stop();
      this.#values = { model, read: valuesOf(model, this.source === undefined ? this.headers : undefined) };
    }
    const info = types.find(({ name }) => name === tensor.type);
    return html`<h2 class="sr">${escapeText(this.label, 300)}</h2>
      ${renderNameBar(tensor)}
      <div class="values">
        <gguf-tensor-values .values=${this.#values.read} .tensor=${tensor} .info=${info}></gguf-tensor-values>
      </div>`;
  }
}

define("gguf-tensor", GgufTensor);

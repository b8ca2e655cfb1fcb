import type { HashAlgorithm } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { startDownload } from "../saving/download.ts";
import "../ui/copy-button.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { formatCount } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { baseStyles } from "../ui/styles.ts";
import { ALGORITHM_TITLES, TENSOR_ALGORITHMS } from "./algorithms.ts";
import { hashStyles } from "./hash-styles.ts";
import type { ModelHashes } from "./model-hashes.ts";

/** The tensors that are listed at first. */
const FIRST_TENSORS = 100;

/** The computed hashes: of the files, of all tensor data, and of each tensor. */
export class GgufHashResults extends LitElement {
  @property({ attribute: false }) computed!: ModelHashes;
  @state() private showsAll = false;

  static override styles = [baseStyles, sectionStyles, hashStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("computed")) this.showsAll = false;
  }

  override render() {
    const { hashes, files } = this.computed;
    const data = Object.entries(hashes?.data ?? {}) as [HashAlgorithm, string][];
    return html`<div class="scroll">
        <table class="whole" aria-label="Hashes">
          <tbody>
            ${files.map(({ name, sha256 }) =>
              renderWhole(html`Whole file ${renderText(name, { limit: 200 })}, SHA-256`, name, sha256),
            )}
            ${data.map(([algorithm, digest]) =>
              renderWhole(`All tensor data, ${ALGORITHM_TITLES[algorithm]}`, `tensor data, ${algorithm}`, digest),
            )}
          </tbody>
        </table>
      </div>
      ${hashes && hashes.tensors.length > 0 ? this.#renderTensors(hashes) : nothing}
      ${
        hashes && data.length > 0
          ? html`<div class="buttons">
              <button type="button" @click=${this.#save}>Save manifest</button>
              <gguf-copy-button
                label="Copy manifest"
                caption="Copy manifest"
                .text=${() => this.#manifest}
              ></gguf-copy-button>
            </div>`
          : nothing
      }`;
  }

  #renderTensors({ tensors }: NonNullable<ModelHashes["hashes"]>) {
    const algorithms = TENSOR_ALGORITHMS.filter((algorithm) => tensors.some((tensor) => tensor[algorithm]));
    const listed = this.showsAll ? tensors : tensors.slice(0, FIRST_TENSORS);
    return html`<details>
      <summary>Hashes of ${formatCount(tensors.length, "tensor")}</summary>
      <div class="scroll tensors" tabindex="0" role="region" aria-label="Hashes of the tensors">
        <table>
          ${columnHeads("Tensor", ...algorithms.map((algorithm) => ALGORITHM_TITLES[algorithm]))}
          <tbody>
            ${listed.map(
              (tensor) =>
                html`<tr>
                  <th scope="row" class="digest">${renderText(tensor.name, { limit: 200 })}</th>
                  ${algorithms.map((algorithm) => html`<td class="digest">${tensor[algorithm] ?? ""}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${renderShowAll(listed.length, tensors.length, "tensor", () => {
        this.showsAll = true;
      })}
    </details>`;
  }

  get #manifest(): string {
    const { hashes, fileName } = this.computed;
    return hashes?.manifest(fileName) ?? "";
  }

  readonly #save = () => {
    startDownload(new Blob([this.#manifest], { type: "text/plain" }), `${this.computed.fileName}.manifest`);
  };
}

define("gguf-hash-results", GgufHashResults);

function renderWhole(title: unknown, name: string, digest: string) {
  return html`<tr>
    <th scope="row">${title}</th>
    <td class="digest">${digest}</td>
    <td><gguf-copy-button label="Copy the hash of ${name}" .text=${() => digest}></gguf-copy-button></td>
  </tr>`;
}

import type { Finding, MetadataEntry } from "gguf-wasm/explain";
import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { colourName } from "../gguf/type-colours.ts";
import { typeColours } from "../gguf/type-styles.ts";
import { arrayLabel, arrayPreview, isArray, valueText } from "../metadata/metadata-rows.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { capitalised } from "../ui/sentence.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { baseStyles } from "../ui/styles.ts";
import { isOfEncoder, type StoredTensor } from "./model-folder.ts";
import type { PlannedFile } from "./planned-file.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The tensors that are listed at first. */
const FIRST_TENSORS = 60;

/** What the new file will contain: findings, entries, tensors, and stored tensors that are left out. */
export class GgufPlannedContents extends LitElement {
  @property({ attribute: false }) file: PlannedFile | undefined;
  /** The name of the file in headings, if there are several: "projector". */
  @property() about = "";
  /** The stored tensors of the model. */
  @property({ attribute: false }) stored: readonly StoredTensor[] = [];
  @state() private allTensors = false;

  static override styles = [
    baseStyles,
    sectionStyles,
    typeColours,
    css`
      .scroll {
        max-height: 420px;
      }
      .name,
      .key {
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
      }
      .old,
      .shape {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      .mark {
        display: inline-block;
        margin-inline-start: 6px;
        padding: 0 6px;
        border-radius: 4px;
        background: var(--gguf-warning-soft);
        font: 500 var(--gguf-text-tiny)/1.6 var(--gguf-sans);
        white-space: nowrap;
      }
      .type {
        width: 1%;
        white-space: nowrap;
      }
      .swatch {
        margin-inline-end: 6px;
      }
      .finding {
        display: flex;
        gap: 8px;
        margin-top: 8px;
        font-size: var(--gguf-text-control);
        overflow-wrap: anywhere;
      }
      .finding svg {
        flex: none;
        margin-top: 2px;
      }
      .finding.error svg {
        color: var(--gguf-danger);
      }
      .finding.warning svg {
        color: var(--gguf-warning);
      }
      .dropped {
        columns: 320px;
        margin-top: 6px;
        padding: 0;
        list-style: none;
        font: var(--gguf-text-small)/1.6 var(--gguf-mono);
        overflow-wrap: anywhere;
      }
      .arrow {
        color: var(--gguf-ink-3);
      }
      @media (max-width: ${windowSize(560)}) {
        .key {
          width: 55%;
        }
        .name,
        .key {
          font-size: var(--gguf-text-tiny);
        }
      }
    `,
  ];

  override render() {
    const { file } = this;
    if (!file) return nothing;
    const { findings } = file;
    const { droppedTensors } = file.planned;
    return html`${findings.length > 0 ? this.#renderFindings(findings) : nothing} ${this.#renderEntries(file)}
    ${this.#renderTensors(file)}
    ${
      droppedTensors.length > 0
        ? html`<section aria-labelledby="dropped">
            <h3 id="dropped">${this.#heading("Left out")}</h3>
            <p class="hint">
              ${formatCount(droppedTensors.length, "stored tensor is", "stored tensors are")} not in the new file:
              ${leftOutReason(file)}
            </p>
            <ul class="dropped">
              ${droppedTensors.slice(0, 200).map((name) => html`<li>${renderText(name, { limit: 200 })}</li>`)}
              ${droppedTensors.length > 200 ? html`<li>and ${formatInteger(droppedTensors.length - 200)} more</li>` : nothing}
            </ul>
          </section>`
        : nothing
    }`;
  }

  #heading(title: string): string {
    return this.about === "" ? title : `${title} of the ${this.about}`;
  }

  #renderFindings(findings: readonly Finding[]) {
    return html`<section aria-labelledby="findings">
      <h3 id="findings">${this.#heading("Findings")}</h3>
      ${findings
        .slice(0, 20)
        .map(
          ({ severity, message }) =>
            html`<p class="finding ${severity}">
              ${severity === "error" ? icons.error : severity === "warning" ? icons.warning : icons.info}<span
                >${renderText(capitalised(message), { limit: 600 })}</span
              >
            </p>`,
        )}
      ${findings.length > 20 ? html`<p class="hint">and ${formatCount(findings.length - 20, "more", "more")}</p>` : nothing}
    </section>`;
  }

  #renderEntries({ header: { entries }, planned }: PlannedFile) {
    const defaulted = new Set(planned.defaultedKeys);
    return html`<section aria-labelledby="entries">
      <h3 id="entries">${this.#heading("Metadata")}</h3>
      <p class="hint">
        ${formatCount(entries.length, "entry", "entries")}${
          defaulted.size === 0
            ? "."
            : html`. Those marked <span class="mark">Default</span> are not in config.json: they have the values that
                models of this class have if nothing is said.`
        }
      </p>
      <div class="scroll" tabindex="0" role="region" aria-label=${this.#heading("Table of entries")}>
        <table>
          ${columnHeads("Key", "Value")}
          <tbody>
            ${entries.map(
              (entry) =>
                html`<tr>
                  <th scope="row" class="key">
                    ${renderText(entry.key, { limit: 200 })}${defaulted.has(entry.key) ? html` <span class="mark">Default</span>` : nothing}
                  </th>
                  <td>${renderValue(entry)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #renderTensors({ planned: { tensors }, quantized }: PlannedFile) {
    const shown = this.allTensors ? tensors : tensors.slice(0, FIRST_TENSORS);
    const stored = new Map(this.stored.map((tensor) => [tensor.name, tensor]));
    const quantizedBy = new Map(quantized?.tensors.map((tensor) => [tensor.name, tensor]));
    return html`<section aria-labelledby="tensors">
      <h3 id="tensors">${this.#heading("Tensors")}</h3>
      ${
        tensors.length === 0
          ? html`<p class="hint">The new file has no tensors.</p>`
          : html` <div class="scroll" tabindex="0" role="region" aria-label=${this.#heading("Table of tensors")}>
                <table>
                  ${columnHeads(
                    html`Stored tensor <span class="arrow">→</span> new tensor`,
                    ["Types", "type"],
                    ["New size", "number"],
                  )}
                  <tbody>
                    ${shown.map(({ name, storedName, type, dimensions, byteLength }) => {
                      const { newType = type, newByteLength = byteLength } = quantizedBy.get(name) ?? {};
                      const before = storedName === undefined ? undefined : stored.get(storedName);
                      return html`<tr>
                        <th scope="row">
                          <div class="name">${renderText(name, { limit: 200 })}</div>
                          <div class="old">
                            ${storedName === undefined ? "computed" : html`from ${renderText(originText(storedName), { limit: 200 })}`}
                          </div>
                          <div class="shape">${dimensions.map((count) => formatInteger(count)).join(" × ")}</div>
                        </th>
                        <td class="type">
                          ${before ? html`${before.dataType} <span class="arrow">→</span> ` : nothing}<span
                            class="swatch"
                            data-type=${colourName(newType)}
                          ></span
                          >${newType}
                        </td>
                        <td class="number">${formatBytes(newByteLength)}</td>
                      </tr>`;
                    })}
                  </tbody>
                </table>
              </div>
              ${renderShowAll(shown.length, tensors.length, "tensor", () => {
                this.allTensors = true;
              })}`
      }
    </section>`;
  }
}

/** Why stored tensors are not in a file. */
function leftOutReason({ header, planned: { droppedTensors } }: PlannedFile): string {
  if (header.kind === "mmproj") return "they belong to the model of the text.";
  const rest = "llama.cpp computes their values, or does not use them.";
  return droppedTensors.some(isOfEncoder) ? `they belong to the encoders of images or sound; or ${rest}` : rest;
}

/** What a new tensor is made of. If all experts of a block become one tensor, the plan names one of them. */
function originText(storedName: string): string {
  return storedName.replace(/(\.experts)\.\d+\..*$/s, "$1.*");
}

/** The value of an entry. Of an array, its first elements. */
function renderValue({ value, type }: MetadataEntry) {
  if (!isArray(value)) return renderText(valueText(value, type), { limit: 300 });
  const { items, rest } = arrayPreview(value, 60);
  return html`<span class="old">${arrayLabel(value)}</span>
    ${renderText(items.join(", "), { limit: 200 })}${rest > 0 ? ", …" : nothing}`;
}

define("gguf-planned-contents", GgufPlannedContents);

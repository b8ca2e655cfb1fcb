import type { ConversionTensor, GgmlTypeInfo } from "gguf-wasm/convert";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { live } from "lit/directives/live.js";
import { sentence } from "../gguf/error-text.ts";
import { type ErrorScale, errorScale, errorStyle } from "../gguf/error-scale.ts";
import { ABOUT_ERROR, formatError } from "../gguf/nmse.ts";
import { typeColours } from "../gguf/type-styles.ts";
import { colourName } from "../gguf/type-colours.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { baseStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import { typeTableStyles } from "./type-table-styles.ts";

/** The tensors that are listed at first. */
const FIRST_TENSORS = 60;

/** The type of a tensor, by its position in the plan; without a type, the one that the file type gives. */
export interface TensorTypeChoice {
  readonly row: number;
  readonly type: string | undefined;
}

/** A type for all tensors whose names match a pattern. */
export interface PatternTypeChoice {
  readonly pattern: string;
  readonly type: string;
}

/**
 * The tensors of a plan with their old and new types. The events `gguf-tensor-type` and `gguf-pattern-type` report the types that a
 * person sets (detail: a `TensorTypeChoice` or a `PatternTypeChoice`).
 */
export class GgufTypeTable extends LitElement {
  @property({ attribute: false }) tensors: readonly ConversionTensor[] = [];
  /** The errors of tensors, by their positions in the plan. Undefined if they are neither measured nor estimated. */
  @property({ attribute: false }) errors: ReadonlyMap<number, number> | undefined;
  /** Whether the errors are estimated from some rows. */
  @property({ type: Boolean }) estimated = false;
  /** What was estimated, beside errors that are measured. */
  @property({ attribute: false }) estimates: ReadonlyMap<number, number> | undefined;
  /** The types that tensors can be converted to. */
  @property({ attribute: false }) types: readonly GgmlTypeInfo[] = [];
  @property({ type: Boolean }) disabled = false;
  /** What the last pattern has changed; "" if there is none. */
  @property() result = "";
  /** Why a type was refused; "" if none was. */
  @property() problem = "";
  @state() private pattern = "";
  @state() private patternType = "Q8_0";
  @state() private showsAll = false;

  static override styles = [baseStyles, sectionStyles, typeColours, typeTableStyles];

  override willUpdate(changed: PropertyValues): void {
    const before = changed.get("tensors") as readonly ConversionTensor[] | undefined;
    if (before && before.length !== this.tensors.length) this.showsAll = false;
  }

  /** The positions of the tensors whose names match the typed pattern. All of them while it is empty or not complete. */
  get #matching(): number[] {
    const rows = [...this.tensors.keys()];
    if (this.pattern === "") return rows;
    try {
      const pattern = new RegExp(this.pattern.toLowerCase());
      return rows.filter((row) => pattern.test(this.tensors[row]?.name ?? ""));
    } catch {
      return rows;
    }
  }

  override render() {
    const matching = this.#matching;
    const listed = this.showsAll ? matching : matching.slice(0, FIRST_TENSORS);
    const scale = this.errors && errorScale(this.errors.values());
    return html`${this.#renderPattern()}
      <p class="result" role="status">
        ${this.result === "" ? `${formatCount(matching.length, "tensor")} listed.` : this.result}
      </p>
      ${this.errors ? html`<p class="result">${this.estimated ? `${ABOUT_ERROR} It is estimated from some rows of each tensor.` : ABOUT_ERROR}</p>` : nothing}
      ${this.problem === "" ? nothing : html`<p class="problem" id="wrong" role="alert">${renderText(this.problem, { limit: 600 })}</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="Table of tensors">
        <table>
          ${columnHeads(
            "Tensor",
            ["Old type", "type old-type"],
            ["New type", "type"],
            ["New size", "number size"],
            ...(this.errors ? [["Error", "number error"] as const] : []),
            ...(this.estimates ? [["Estimate", "number estimate"] as const] : []),
          )}
          <tbody>
            ${listed.map((row) => this.#renderTensor(row, scale))}
          </tbody>
        </table>
      </div>
      ${renderShowAll(listed.length, matching.length, "tensor", () => {
        this.showsAll = true;
      })}`;
  }

  #renderPattern() {
    return html`<form class="fields" novalidate @submit=${this.#onSubmit}>
      <label class="pattern"
        >Tensors whose names match
        <input
          type="text"
          spellcheck="false"
          autocomplete="off"
          autocapitalize="off"
          placeholder="ffn_down|attn_v"
          aria-invalid=${this.problem !== ""}
          aria-describedby=${this.problem === "" ? nothing : "wrong"}
          ?disabled=${this.disabled}
          .value=${live(this.pattern)}
          @input=${(event: Event) => {
            this.pattern = (event.target as HTMLInputElement).value;
            this.#report("gguf-pattern-typed", this.pattern);
          }}
      /></label>
      <label
        >Type
        <select
          ?disabled=${this.disabled}
          @change=${(event: Event) => {
            this.patternType = (event.target as HTMLSelectElement).value;
          }}
        >
          ${this.types.map(({ name }) => html`<option .selected=${live(name === this.patternType)}>${name}</option>`)}
        </select></label
      >
      <button type="submit" aria-disabled=${this.disabled || this.pattern === ""}>Set type</button>
    </form>`;
  }

  #renderTensor(row: number, scale: ErrorScale | undefined) {
    const tensor = this.tensors[row];
    if (!tensor) return nothing;
    const { name, dimensions, oldType, newType, newByteLength, reason, problem } = tensor;
    const isByHand = reason === "hand";
    const shownName = escapeText(name, 160);
    return html`<tr>
      <th scope="row">
        <div class="name">${renderText(name, { limit: 300 })}</div>
        <div class="shape">
          <span class="in-name">${oldType} · </span>${dimensions.map(formatInteger).join(" × ")}<span class="in-name">
            · ${formatBytes(newByteLength)}</span
          >
        </div>
        ${problem ? html`<div class="why">${renderText(sentence(problem.message), { limit: 600 })}</div>` : nothing}
      </th>
      <td class="type old-type">
        <span class="old"><span class="swatch" data-type=${colourName(oldType)}></span>${oldType}</span>
      </td>
      <td class="type">
        <div class="new ${isByHand ? "hand" : ""} ${newType === oldType ? "" : "changed"}">
          <span class="swatch" data-type=${colourName(newType)}></span>
          <select
            aria-label="New type of ${shownName}"
            ?disabled=${this.disabled}
            .value=${live(newType)}
            @change=${(event: Event) => this.#choose(row, (event.target as HTMLSelectElement).value)}
          >
            ${guard([this.types, oldType, newType, dimensions[0]], () =>
              this.#choicesFor(tensor).map(
                (type) => html`<option .selected=${live(type === newType)}>${type}</option>`,
              ),
            )}
          </select>
          ${
            isByHand
              ? html`<button
                  type="button"
                  class="icon quiet"
                  aria-label="Use the type of the file type for ${shownName}"
                  title="Use the type of the file type"
                  ?disabled=${this.disabled}
                  @click=${() => this.#choose(row, undefined)}
                >
                  ${icons.undo}
                </button>`
              : html`<span class="no-button"></span>`
          }
        </div>
      </td>
      <td class="number size">${formatBytes(newByteLength)}</td>
      ${this.errors ? renderError(scale, this.errors.get(row)) : nothing}
      ${this.estimates ? html`<td class="number estimate">${errorOrDash(this.estimates.get(row))}</td>` : nothing}
    </tr>`;
  }

  /** The types that a tensor can have: those whose blocks fit its rows, and its own. */
  #choicesFor({ dimensions: [length = 1], oldType, newType }: ConversionTensor): string[] {
    const fitting = this.types.filter(({ blockSize }) => blockSize > 0 && length % blockSize === 0);
    return [...new Set([oldType, newType, ...fitting.map(({ name }) => name)])];
  }

  #choose(row: number, type: string | undefined): void {
    this.#report("gguf-tensor-type", { row, type } satisfies TensorTypeChoice);
    if (type !== undefined) return;
    // The button that had the focus is removed.
    void this.updateComplete.then(() => {
      const name = this.tensors[row]?.name ?? "";
      this.renderRoot
        .querySelector<HTMLElement>(`select[aria-label=${JSON.stringify(`New type of ${escapeText(name, 160)}`)}]`)
        ?.focus();
    });
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const { pattern, patternType: type } = this;
    if (this.disabled || pattern === "") return;
    this.#report("gguf-pattern-type", { pattern, type } satisfies PatternTypeChoice);
  };

  #report(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** An error with its colour on the scale of the table. */
function renderError(scale: ErrorScale | undefined, error: number | undefined) {
  return html`<td class="number error">
    <span class="swatch" .style=${errorStyle(scale, error)}></span>${errorOrDash(error)}
  </td>`;
}

/** An error, or "–" as long as there is none. */
function errorOrDash(error: number | undefined): string {
  return error === undefined ? "–" : formatError(error);
}

define("gguf-type-table", GgufTypeTable);

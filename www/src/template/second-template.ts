/** The second template of a comparison: another one of the file, one of another model, or one that a person pastes. */

import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { baseStyles } from "../ui/styles.ts";
import { textareaStyles } from "../ui/styles/fields.ts";
import { escapeText } from "../ui/text.ts";
import "./other-template.ts";
import type { OtherTemplates } from "./other-templates.ts";
import { templateTitle } from "./template-list.ts";
import { renderTextDifference } from "./text-difference.ts";

/** What is compared: the name of a template of the file, a pasted text, or a template of another model. */
export interface ComparisonChoice {
  readonly against?: string;
  readonly pasted?: string;
  readonly other?: OtherTemplates;
  /** The name of the template of the other model. */
  readonly otherName?: string;
}

/** The text of the template of another model that is chosen. */
export function otherText({ other, otherName }: ComparisonChoice): string | undefined {
  return (other?.templates.find(({ name }) => name === otherName) ?? other?.templates[0])?.text;
}

/**
 * Chooses the second template, and shows the differing lines. The slot stands above them. The event `gguf-second-template` reports a choice
 * (detail: the choice), and `gguf-use-template` that the second template should replace the first one.
 */
export class GgufSecondTemplate extends LitElement {
  /** The names of the other templates of the file. */
  @property({ attribute: false }) names: readonly string[] = [];
  @property({ attribute: false }) choice: ComparisonChoice = {};
  @property() source = "";
  /** The text of the second template. Undefined: there is none. */
  @property({ attribute: false }) second: string | undefined;
  /** The repositories of the model's family. */
  @property({ attribute: false }) families: readonly string[] = [];
  /** The headers of requests to Hugging Face. */
  @property({ attribute: false }) hubHeaders: HeadersInit | undefined;
  /** Whether the first template can be replaced. */
  @property({ type: Boolean }) editable = false;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        gap: 8px;
        min-width: 0;
      }
      select {
        width: 100%;
        max-width: calc(360 * var(--gguf-unit));
      }
      ${textareaStyles}
      .hint {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .use {
        justify-self: start;
      }
    `,
  ];

  override render() {
    const { pasted } = this.choice;
    return html`${this.#renderKinds()} ${pasted === undefined ? nothing : this.#renderPasted(pasted)}
    ${
      pasted === undefined && this.choice.against === undefined
        ? html`<gguf-other-template
            .families=${this.families}
            .hubHeaders=${this.hubHeaders}
            .loaded=${this.choice.other}
            .name=${this.choice.otherName ?? this.choice.other?.templates[0]?.name ?? ""}
            @gguf-other-templates=${({ detail }: CustomEvent<OtherTemplates | null>) => this.#choose(detail ? { other: detail } : {})}
            @gguf-other-name=${({ detail }: CustomEvent<string>) => this.#choose({ ...this.choice, otherName: detail })}
          ></gguf-other-template>`
        : nothing
    }
    ${this.second === undefined ? nothing : this.#renderSecond(this.second)}`;
  }

  #renderKinds() {
    const { against, pasted, other } = this.choice;
    const isOther = against === undefined && pasted === undefined;
    return html`<select aria-label="Template to compare with" @change=${this.#onChoice}>
      <option value="" .selected=${live(isOther)}>${other ? escapeText(other.title, 100) : "Nothing"}</option>
      ${this.names.map(
        (name) =>
          html`<option value="=${name}" .selected=${live(name === against && pasted === undefined)}>
            ${templateTitle(name)}
          </option>`,
      )}
      <option value="pasted" .selected=${live(pasted !== undefined)}>A template that you paste</option>
    </select>`;
  }

  #renderPasted(pasted: string) {
    return html`<textarea
      rows="6"
      aria-label="Template to compare with, as text"
      placeholder="Paste a template here."
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      .value=${live(pasted)}
      @input=${(event: Event) => this.#choose({ pasted: (event.target as HTMLTextAreaElement).value })}
    ></textarea>`;
  }

  #renderSecond(second: string) {
    return html`${
        this.editable && second !== this.source
          ? html`<button
              type="button"
              class="use"
              @click=${() => this.dispatchEvent(new CustomEvent("gguf-use-template"))}
            >
              Use this template
            </button>`
          : nothing
      }
      <slot></slot>
      ${renderTextDifference(this.source, second)}`;
  }

  readonly #onChoice = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    this.#choose(value === "" ? {} : value === "pasted" ? { pasted: "" } : { against: value.slice(1) });
  };

  #choose(detail: ComparisonChoice): void {
    this.dispatchEvent(new CustomEvent("gguf-second-template", { detail }));
  }
}

define("gguf-second-template", GgufSecondTemplate);

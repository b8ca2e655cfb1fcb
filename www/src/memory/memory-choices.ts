import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import "./card-fields.ts";
import { chooseMachine, type Machine, withContext, withShared } from "./machine.ts";
import { CACHE_TYPES, DEFAULTS, type MemoryState, MICRO_BATCHES, MOST } from "./memory-state.ts";
import "./number-field.ts";
import { contextSteps, cpuExperts, gpuLayers, isBeyond, type ModelFacts, mostGpuLayers, stepOf } from "./settings.ts";

/** The types of plain numbers. */
const PLAIN_TYPES: readonly string[] = ["F32", "F16", "BF16"];

/**
 * The settings with which the model would be loaded. The event `gguf-memory-choice` reports a choice (detail: the changed members). The
 * context and the memory are the person's choices for all models.
 */
export class GgufMemoryChoices extends LitElement {
  /** How the model is loaded on the machine. */
  @property({ attribute: false }) choices: MemoryState = {};
  @property({ attribute: false }) machine: Machine = {};
  @property({ attribute: false }) facts!: ModelFacts;
  /** Why llama.cpp refuses the settings; "" if it accepts them. */
  @property() refusal = "";

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        container: choices / inline-size;
      }
      .choices {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(230 * var(--gguf-unit))), 1fr));
        align-items: start;
        gap: 16px 24px;
      }
      .choice {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 4px;
        min-width: 0;
      }
      .wide {
        grid-column: 1 / -1;
      }
      label,
      .label {
        padding: 0;
        font-size: var(--gguf-text-dense);
        font-weight: 600;
      }
      select {
        justify-self: start;
        min-width: 9.5em;
        background: var(--gguf-surface);
      }
      .slider {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
      }
      input[type="range"] {
        flex: 1 1 calc(140 * var(--gguf-unit));
        min-width: 0;
        min-height: calc(24 * var(--gguf-unit));
        margin: 0;
        accent-color: var(--gguf-accent);
      }
      .check {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: calc(24 * var(--gguf-unit));
        font-size: var(--gguf-text-control);
        font-weight: 400;
      }
      .check input {
        flex: none;
        width: calc(16 * var(--gguf-unit));
        height: calc(16 * var(--gguf-unit));
        margin: 0;
        accent-color: var(--gguf-accent);
      }
      .hint {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      .beyond svg {
        display: inline-block;
        margin-inline-end: 5px;
        color: var(--gguf-warning);
        vertical-align: -3px;
      }
      .hint button {
        min-height: calc(24 * var(--gguf-unit));
        padding: 0 6px;
        font-size: var(--gguf-text-small);
        color: var(--gguf-accent);
      }
      .reading {
        min-width: 4.5em;
        font-size: var(--gguf-text-dense);
        white-space: nowrap;
      }
      .refusal {
        display: flex;
        gap: 10px;
        padding: 10px 12px;
        border-radius: 6px;
        background: var(--gguf-danger-soft);
        font-size: var(--gguf-text-control);
      }
      .refusal svg {
        flex: none;
        margin-top: 1px;
        color: var(--gguf-danger);
      }
      select[aria-invalid="true"] {
        border-color: var(--gguf-danger);
      }
      @media (pointer: coarse) {
        input[type="range"],
        .check {
          min-height: calc(40 * var(--gguf-unit));
        }
      }
    `,
  ];

  override render() {
    return html`<div class="choices">
      ${this.#renderContext()} ${this.#renderLayers()} ${this.#renderExperts()} ${this.#renderCard()}
      ${this.#renderType("keys", "KV cache type (keys)")} ${this.#renderType("values", "KV cache type (values)")}
      ${this.#renderRefusal()} ${this.#renderSequences()} ${this.#renderMicroBatch()} ${this.#renderWindow()}
    </div>`;
  }

  #renderContext() {
    const { ownContext } = this.facts;
    const { context } = this.choices;
    const steps = contextSteps(this.facts);
    return html`<div class="choice wide">
      <label for="context">Context length</label>
      <div class="slider">
        <input
          id="context"
          type="range"
          min="0"
          max=${steps.length - 1}
          step="1"
          aria-valuetext=${context === undefined ? "not known" : formatCount(context, "token")}
          aria-describedby="own"
          .value=${live(String(context === undefined ? 0 : stepOf(steps, context)))}
          @input=${(event: Event) => this.#setContext(steps[numberIn(event)])}
        />
        <gguf-number-field
          label="Context length in tokens"
          bare
          unit="tokens"
          .value=${context}
          .most=${MOST.context}
          @gguf-number=${({ detail }: CustomEvent<number>) => this.#setContext(detail)}
        ></gguf-number-field>
      </div>
      <p class="hint ${isBeyond(context, this.facts) ? "beyond" : ""}" id="own">
        ${
          ownContext === undefined
            ? "The file does not tell the context that the model was trained for."
            : html`${isBeyond(context, this.facts) ? html`${icons.warning}Longer than trained: the` : "The"} model was
              trained for
              ${formatCount(ownContext, "token")}.${
                context === ownContext
                  ? nothing
                  : html` <button type="button" class="quiet" @click=${() => this.#setContext(ownContext)}>
                      Use ${formatInteger(ownContext)}
                    </button>`
              }`
        }
      </p>
    </div>`;
  }

  #setContext(context: number | undefined): void {
    chooseMachine(withContext(this.machine, context, this.facts.ownContext));
  }

  #renderLayers() {
    const { layerCount } = this.facts;
    if (layerCount === 0 || this.#isOneMemory) return nothing;
    const most = mostGpuLayers(this.facts);
    const count = gpuLayers(this.choices, this.facts);
    return html`<div class="choice">
      <label for="layers">Layers on the GPU</label>
      <div class="slider">
        <input
          id="layers"
          type="range"
          min="0"
          max=${most}
          step="1"
          aria-valuetext="${formatInteger(count)} of ${formatInteger(most)}"
          aria-describedby="layers-hint"
          .value=${live(String(count))}
          @input=${(event: Event) => {
            const layers = numberIn(event);
            this.#choose({ layers: layers === most ? undefined : layers });
          }}
        /><span class="reading" aria-hidden="true">${formatInteger(count)} of ${formatInteger(most)}</span>
      </div>
      <p class="hint" id="layers-hint">Counted from the last layer. The output counts as one more.</p>
    </div>`;
  }

  #renderExperts() {
    const { layerCount, hasExperts } = this.facts;
    if (!hasExperts || layerCount === 0 || this.#isOneMemory) return nothing;
    const count = cpuExperts(this.choices, this.facts);
    const reading = `${formatInteger(count)} of ${formatCount(layerCount, "layer")}`;
    return html`<div class="choice">
      <label for="experts">Experts on the CPU</label>
      <div class="slider">
        <input
          id="experts"
          type="range"
          min="0"
          max=${layerCount}
          step="1"
          aria-valuetext=${reading}
          aria-describedby="experts-hint"
          .value=${live(String(count))}
          @input=${(event: Event) => this.#choose({ experts: numberIn(event) })}
        /><span class="reading" aria-hidden="true">${reading}</span>
      </div>
      <p class="hint" id="experts-hint">Counted from the first layer.</p>
    </div>`;
  }

  /** Whether there is one memory for everything, so that nothing can be placed. */
  get #isOneMemory(): boolean {
    const { cards, shared = false } = this.machine;
    return shared || cards?.length === 0;
  }

  #renderCard() {
    return html`<div class="choice">
      <gguf-card-fields .machine=${this.machine}></gguf-card-fields>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${live(this.machine.shared ?? false)}
          @change=${(event: Event) => chooseMachine(withShared(this.machine, isChecked(event)))}
        />Shared by GPU and CPU</label
      >
      <p class="hint">For all models. Sellers of cards write GB for a GiB: 1,024³ bytes.</p>
    </div>`;
  }

  #renderRefusal() {
    return this.refusal === ""
      ? nothing
      : html`<p class="refusal wide" id="refusal" role="alert">${icons.error}<span>${this.refusal}</span></p>`;
  }

  #renderType(member: "keys" | "values", label: string) {
    const chosen = this.choices[member] ?? DEFAULTS[member];
    // llama.cpp refuses quantized types only.
    const isRefused = this.refusal !== "" && !PLAIN_TYPES.includes(chosen);
    return html`<div class="choice">
      <label for=${member}>${label}</label>
      <select
        id=${member}
        aria-invalid=${isRefused}
        aria-describedby=${isRefused ? "refusal" : nothing}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          this.#choose({ [member]: CACHE_TYPES.find((known) => known === value) });
        }}
      >
        ${CACHE_TYPES.map((type) => html`<option .selected=${live(type === chosen)}>${type}</option>`)}
      </select>
      ${
        member === "values"
          ? html`<label class="check"
              ><input
                type="checkbox"
                .checked=${live(!this.choices.noFlash)}
                @change=${(event: Event) => this.#choose({ noFlash: !isChecked(event) })}
              />Flash attention</label
            >`
          : nothing
      }
    </div>`;
  }

  #renderSequences() {
    const { sequences = DEFAULTS.sequences, unified = false } = this.choices;
    return html`<div class="choice">
      <gguf-number-field
        label="Sequences"
        .value=${sequences}
        .most=${MOST.sequences}
        @gguf-number=${({ detail }: CustomEvent<number>) => this.#choose({ sequences: detail })}
      ></gguf-number-field>
      <label class="check"
        ><input
          type="checkbox"
          aria-describedby="unified-hint"
          .checked=${live(unified)}
          @change=${(event: Event) => this.#choose({ unified: isChecked(event) })}
        />One cache for all sequences</label
      >
      <p class="hint" id="unified-hint">
        Conversations that are computed side by side.
        ${unified ? "They share the context." : "Each has an equal part of the context."}
      </p>
    </div>`;
  }

  #renderMicroBatch() {
    const chosen = this.choices.microBatch ?? DEFAULTS.microBatch;
    return html`<div class="choice">
      <label for="micro-batch">Micro-batch</label>
      <select
        id="micro-batch"
        aria-describedby="micro-batch-hint"
        @change=${(event: Event) => {
          this.#choose({ microBatch: Number((event.target as HTMLSelectElement).value) });
        }}
      >
        ${MICRO_BATCHES.map(
          (size) =>
            html`<option value=${size} .selected=${live(size === chosen)}>${formatInteger(size)} tokens</option>`,
        )}
      </select>
      <p class="hint" id="micro-batch-hint">The most tokens that are computed at once.</p>
    </div>`;
  }

  #renderWindow() {
    if (!this.facts.hasWindow) return nothing;
    return html`<div class="choice" role="group" aria-labelledby="window">
      <span class="label" id="window">Layers with a sliding window</span>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${live(this.choices.fullWindow ?? false)}
          @change=${(event: Event) => this.#choose({ fullWindow: isChecked(event) })}
        />Keep the whole context</label
      >
    </div>`;
  }

  #choose(change: Partial<MemoryState>): void {
    this.dispatchEvent(new CustomEvent("gguf-memory-choice", { detail: change }));
  }
}

function numberIn(event: Event): number {
  return (event.target as HTMLInputElement).valueAsNumber;
}

function isChecked(event: Event): boolean {
  return (event.target as HTMLInputElement).checked;
}

define("gguf-memory-choices", GgufMemoryChoices);

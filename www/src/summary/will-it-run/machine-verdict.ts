import type { Gguf } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { type Fit, findFit } from "../../memory/fit.ts";
import { type Machine, machineWords } from "../../memory/machine.ts";
import { modelFacts, type ModelFacts } from "../../memory/settings.ts";
import { Answer } from "../../ui/answer.ts";
import { define } from "../../ui/define.ts";
import { icons } from "../../ui/icons.ts";
import { baseStyles } from "../../ui/styles.ts";
import { memorySource } from "../../worker/file-memory.ts";
import { machineVerdict } from "./machine-words.ts";

/** What a verdict is about. */
interface Asked {
  readonly machine: Machine;
  readonly fit: Fit | undefined;
}

/** One line beside the panels: whether the model runs on the person's machine, and with which context. It leads to the whole answer. */
export class GgufMachineVerdict extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @property({ attribute: false }) machine: Machine = {};
  /** Whether llama.cpp refuses the file, on any machine. */
  @property({ type: Boolean }) refused = false;

  #facts: ModelFacts | undefined;
  readonly #answer = new Answer<Asked>(this);

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        padding: 0 18px 16px;
      }
      button {
        display: flex;
        gap: 8px;
        align-items: start;
        width: 100%;
        min-height: calc(36 * var(--gguf-unit));
        padding: 7px 10px;
        text-align: start;
        white-space: normal;
        font-size: var(--gguf-text-control);
      }
      svg {
        flex: none;
        margin-top: 1px;
      }
      .yes svg {
        color: var(--gguf-accent);
      }
      .no svg {
        color: var(--gguf-warning);
      }
      .refused svg {
        color: var(--gguf-danger);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    const { gguf, machine } = this;
    if (changed.has("gguf")) {
      this.#facts = undefined;
      this.#answer.clear();
    }
    const { cards, main, shared, context, isBeyond } = machine;
    if (cards === undefined) return;
    const facts = (this.#facts ??= modelFacts(gguf));
    this.#answer.ask([gguf, JSON.stringify([cards, main, shared, context, isBeyond])], async (signal) => ({
      machine,
      fit: await findFit(memorySource(gguf, signal), facts, machine),
    }));
  }

  override render() {
    const { machine, refused } = this;
    if (refused)
      return html`<button type="button" class="refused" @click=${this.#show}>
        ${icons.error}<span>llama.cpp does not load this file</span>
      </button>`;
    const name = machineWords(machine);
    const found = this.#answer.found?.value;
    if (name === undefined)
      return html`<button type="button" @click=${this.#show}>
        Does it run on your machine? Choose your GPU memory
      </button>`;
    if (!found || !this.#facts)
      return html`<button type="button" aria-busy="true" @click=${this.#show}>
        Runs on your ${name}? It is computed…
      </button>`;
    const { state, text, title } = machineVerdict(found.fit, found.machine, this.#facts);
    return html`<button type="button" class=${state} title=${title} @click=${this.#show}>
      ${state === "yes" ? icons.check : state === "no" ? icons.warning : nothing}<span>${text}</span>
    </button>`;
  }

  readonly #show = () => {
    this.dispatchEvent(new CustomEvent("gguf-show-panel", { detail: "summary", bubbles: true, composed: true }));
  };
}

define("gguf-machine-verdict", GgufMachineVerdict);

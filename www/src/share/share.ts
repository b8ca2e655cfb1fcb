import type { Gguf } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { isHubHost } from "../gguf/address.ts";
import { usesOf } from "../gguf/kind-uses.ts";
import { parseRepository } from "../gguf/library.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import type { HubFile } from "../gguf/repository-place.ts";
import { hasSecret } from "../gguf/secret-address.ts";
import { findFit } from "../memory/fit.ts";
import { type Machine, machineWords } from "../memory/machine.ts";
import type { MemoryState } from "../memory/memory-state.ts";
import { modelFacts, type ModelFacts } from "../memory/settings.ts";
import "../repository/fitting-sibling.ts";
import { quantization } from "../summary/quantization.ts";
import { Answer } from "../ui/answer.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { panelBoxStyles, sectionStyles } from "../ui/panel-styles.ts";
import { baseStyles } from "../ui/styles.ts";
import { memorySource } from "../worker/file-memory.ts";
import { EMBED_CHOICES, embedCode } from "./embed-code.ts";
import "./model-card.ts";
import { type ModelPlace, runCommands } from "./run-commands.ts";

/** The context in tokens of commands while the machine is not known. */
const CONTEXT = 8192;

/** What a person gives to others: a card of the model, the commands that run it, and the code that shows it on a page. */
export class GgufShare extends LitElement {
  @property({ attribute: false }) model!: OpenedModel;
  @property() fileName = "";
  /** The address that was opened. Undefined for other sources. */
  @property({ attribute: false }) address: string | undefined;
  /** Whether llama.cpp refuses the file. */
  @property({ type: Boolean }) refused = false;
  /** The file as one of a repository on Hugging Face. */
  @property({ attribute: false }) hubFile: HubFile | undefined;
  @property({ attribute: false }) machine: Machine = {};
  /** Whether the panel is visible. */
  @property({ type: Boolean }) shown = false;
  @state() private chosen = EMBED_CHOICES[0];

  #facts: ModelFacts | undefined;
  /** The settings with which the model fits into the person's machine. */
  readonly #settings = new Answer<{ readonly state: MemoryState; readonly isTooLarge: boolean }>(this);

  static override styles = [
    baseStyles,
    sectionStyles,
    panelBoxStyles,
    css`
      gguf-model-card {
        max-width: calc(602 * var(--gguf-unit));
      }
      .command {
        margin-top: 14px;
      }
      .command header {
        display: flex;
        align-items: center;
        gap: 8px;
      }
      h4 {
        margin: 0;
      }
      pre {
        margin-top: 4px;
        padding: 10px 12px;
        border-radius: 6px;
        background: var(--gguf-sunken);
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        outline: 1px solid transparent;
      }
    `,
  ];

  get #gguf(): Gguf {
    return this.model.gguf;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("model")) {
      this.#facts = undefined;
      this.#settings.clear();
    }
    const { machine } = this;
    if (!this.shown || !usesOf(this.#gguf).isLoaded || machineWords(machine) === undefined) return;
    const facts = (this.#facts ??= modelFacts(this.#gguf));
    const gguf = this.#gguf;
    this.#settings.ask([gguf, JSON.stringify(machine)], async (signal) => {
      const fit = await findFit(memorySource(gguf, signal), facts, machine);
      const best = fit?.ways[0];
      return { state: best?.state ?? {}, isTooLarge: fit !== undefined && !(best?.isFree ?? false) };
    });
  }

  override render() {
    return html`<section aria-label="Card">
        <gguf-model-card
          .gguf=${this.#gguf}
          .fileName=${this.fileName}
          ?loaded=${usesOf(this.#gguf).isLoaded}
        ></gguf-model-card>
      </section>
      ${usesOf(this.#gguf).isLoaded ? this.#renderCommands() : nothing} ${this.#renderEmbed()}`;
  }

  #renderCommands() {
    const facts = (this.#facts ??= modelFacts(this.#gguf));
    const own = machineWords(this.machine);
    const found = own === undefined ? undefined : this.#settings.found?.value;
    const context = Math.min(facts.ownContext ?? CONTEXT, CONTEXT);
    return html`<section aria-labelledby="run">
      <h3 id="run">Run it</h3>
      <p class="hint">
        ${this.refused ? html`<strong>llama.cpp does not load this file</strong>: Checks says why. ` : nothing}${
          found
            ? `The settings are those that fit best into your ${own}.`
            : "Once you have chosen your machine in Summary, the settings fit it."
        }
      </p>
      ${
        found?.isTooLarge && this.hubFile
          ? html`<gguf-fitting-sibling .file=${this.hubFile} .machine=${this.machine}></gguf-fitting-sibling>`
          : nothing
      }
      ${runCommands(this.#place, found?.state ?? { context }, facts).map(
        ({ program, about, command }) =>
          html`<div class="command">
            <header>
              <h4>${program}</h4>
              <gguf-copy-button label="Copy the command for ${program}" .text=${() => command}></gguf-copy-button>
            </header>
            ${about === "" ? nothing : html`<p class="hint">${about}</p>`}
            <pre tabindex="0" role="region" aria-label="Command for ${program}">${command}</pre>
          </div>`,
      )}
    </section>`;
  }

  #renderEmbed() {
    const { chosen } = this;
    if (!chosen) return nothing;
    const code = embedCode(chosen, this.#publicAddress);
    return html`<section aria-labelledby="embed">
      <h3 id="embed">Show it on a page</h3>
      <div class="fields">
        <label
          >What the page shows
          <select @change=${this.#choose}>
            ${EMBED_CHOICES.map(
              (choice) => html`<option value=${choice.element} ?selected=${choice === chosen}>${choice.title}</option>`,
            )}
          </select>
        </label>
      </div>
      <p class="hint">
        ${chosen.about} The npm package gguf-wasm-viewer has the element.
        ${this.#publicAddress === undefined ? "Put the file beside the page, or write its address." : nothing}
      </p>
      <div class="command">
        <header>
          <h4>HTML</h4>
          <gguf-copy-button label="Copy the code" .text=${() => code}></gguf-copy-button>
        </header>
        <pre tabindex="0" role="region" aria-label="Code for the page">${code}</pre>
      </div>
    </section>`;
  }

  readonly #choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    this.chosen = EMBED_CHOICES.find(({ element }) => element === value) ?? EMBED_CHOICES[0];
  };

  /** The address, if others can use it. Whoever has an address with a secret has the file, so it is not shown. */
  get #publicAddress(): string | undefined {
    const { address } = this;
    return address !== undefined && /^https?:/i.test(address) && !hasSecret(address) ? address : undefined;
  }

  get #place(): ModelPlace {
    const address = this.#publicAddress;
    const found = address !== undefined && isHubHost(new URL(address).hostname) ? parseRepository(address) : undefined;
    const isMain = found?.revision === undefined || found.revision === "main";
    return {
      fileName: this.fileName,
      hub: found?.path !== undefined && isMain ? { id: found.id, path: found.path } : undefined,
      address,
      hasShards: this.model.set !== undefined || this.#gguf.classification.shard !== undefined,
      quantization: quantization(this.#gguf).value,
    };
  }
}

define("gguf-share", GgufShare);

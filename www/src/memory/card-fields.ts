import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { fieldStyles } from "../ui/styles/fields.ts";
import { CARD_SIZES, chooseMachine, formatSize, type Machine, MOST_CARDS, SHARED_SIZES } from "./machine.ts";
import { MOST } from "./memory-state.ts";
import "./number-field.ts";

/** The memory of the machine's graphics cards, or the memory that GPU and CPU share. A choice is that of the person for all models. */
export class GgufCardFields extends LitElement {
  @property({ attribute: false }) machine: Machine = {};
  /** The cards whose size is typed, also if it is a usual one. */
  @state() private own: readonly number[] = [];

  static override styles = [
    baseStyles,
    fieldStyles,
    css`
      :host {
        display: grid;
        gap: 6px;
        min-width: 0;
      }
      .card {
        display: grid;
        gap: 4px;
        min-width: 0;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px;
      }
      select {
        flex: 1 1 calc(110 * var(--gguf-unit));
        min-width: 0;
        max-width: calc(190 * var(--gguf-unit));
      }
      button {
        min-height: calc(26 * var(--gguf-unit));
        padding: 0 8px;
        color: var(--gguf-accent);
        font-size: var(--gguf-text-dense);
      }
      .add {
        justify-self: start;
        color: var(--gguf-accent);
        margin-inline-start: -8px;
      }
      @media (forced-colors: active) {
        .add {
          margin-inline-start: 0;
        }
      }
    `,
  ];

  override render() {
    const { cards, shared = false } = this.machine;
    const shown = cards === undefined ? [undefined] : cards.length === 0 ? [0] : cards;
    const canAdd = !shared && cards !== undefined && cards.length > 0 && cards.length < MOST_CARDS;
    return html`${shown.map((size, at) => this.#renderCard(size, at, shared))}
    ${canAdd ? html`<button type="button" class="quiet add" @click=${this.#add}>Add a card</button>` : nothing}`;
  }

  /** `size` is 0 without a card, and undefined until a person has chosen one. */
  #renderCard(size: number | undefined, at: number, shared: boolean) {
    const label = shared ? "Memory" : at === 0 ? "GPU memory" : `GPU memory of card ${at + 1}`;
    const sizes = shared ? SHARED_SIZES : at === 0 ? [0, ...CARD_SIZES] : CARD_SIZES;
    const isOwn = size !== undefined && (this.own.includes(at) || !sizes.includes(size));
    const option = (value: number) =>
      html`<option value=${value} .selected=${live(!isOwn && value === size)}>
        ${value === 0 ? "No graphics card" : `${formatSize(value)} GB`}
      </option>`;
    return html`<div class="card">
      <label for="card-${at}">${label}</label>
      <div class="line">
        <select
          id="card-${at}"
          title="GB of a card are GiB: 1,024³ bytes."
          @change=${(event: Event) => this.#onList(at, (event.target as HTMLSelectElement).value)}
        >
          ${size === undefined ? html`<option value="" .selected=${live(true)}>Choose…</option>` : nothing}
          ${sizes.map(option)}
          <option value="own" .selected=${live(isOwn)}>Other</option>
        </select>
        ${
          at === 0
            ? nothing
            : html`<button
                type="button"
                class="quiet"
                aria-label="Remove card ${at + 1}"
                @click=${() => this.#remove(at)}
              >
                ${icons.close}
              </button>`
        }
      </div>
      ${
        isOwn
          ? html`<gguf-number-field
              label="${at === 0 ? "Memory" : `Memory of card ${at + 1}`} in GB"
              bare
              fractions
              unit="GB"
              .value=${size}
              .least=${0}
              .most=${MOST.card}
              @gguf-number=${({ detail }: CustomEvent<number>) => this.#set(at, detail)}
            ></gguf-number-field>`
          : nothing
      }
    </div>`;
  }

  #onList(at: number, value: string): void {
    const others = this.own.filter((card) => card !== at);
    this.own = value === "own" ? [...others, at] : others;
    if (value === "own") {
      // Nobody has told a size yet: the field begins with a usual one.
      if ((this.machine.cards ?? []).length === 0) this.#set(at, this.machine.shared ? 16 : 8);
    } else if (value !== "") this.#set(at, Number(value));
  }

  #set(at: number, size: number): void {
    const cards = [...(this.machine.cards ?? [])];
    if (size === 0) cards.splice(0);
    else cards[at] = size;
    this.#choose(cards);
  }

  readonly #add = () => {
    const { cards = [] } = this.machine;
    this.#choose([...cards, cards.at(-1) ?? 8]);
    void this.#focusCard(cards.length);
  };

  #remove(at: number): void {
    this.own = this.own.filter((card) => card !== at).map((card) => (card > at ? card - 1 : card));
    this.#choose((this.machine.cards ?? []).filter((_, card) => card !== at));
    void this.#focusCard(at - 1);
  }

  /** The field of the first card gets the focus. */
  override focus(): void {
    void this.#focusCard(0);
  }

  /** The button that had the focus is gone, or a field is new. */
  async #focusCard(at: number): Promise<void> {
    // The part that contains this element gives it the machine.
    await new Promise(requestAnimationFrame);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`#card-${at}`)?.focus();
  }

  #choose(cards: readonly number[]): void {
    // Other cards have another bandwidth.
    chooseMachine({ ...this.machine, cards, gpuRate: undefined });
  }
}

define("gguf-card-fields", GgufCardFields);

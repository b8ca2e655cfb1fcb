import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { define } from "../../ui/define.ts";
import { pause } from "../../ui/in-pieces.ts";
import { baseStyles } from "../../ui/styles.ts";
import type { Side } from "../sides.ts";
import "./bits-error.ts";
import "./error-map.ts";
import { storeErrors } from "../../gguf/known-errors.ts";
import { tensorRole } from "../../gguf/library.ts";
import { placeFinder } from "../../summary/block-roles.ts";
import { type Pairs, type TensorError, tensorErrors, type TensorLists } from "./tensor-errors.ts";

/** The errors of a comparison as pictures, which are drawn in pieces while it runs. */
export class GgufErrorPictures extends LitElement {
  @property({ attribute: false }) a!: Side;
  @property({ attribute: false }) b!: Side;
  /** What was found so far. */
  @property({ attribute: false }) pairs: Pairs = new Map();
  /** Whether the comparison runs. */
  @property({ type: Boolean }) running = false;

  /** What the second picture shows. It is drawn after the first one, so that neither keeps the page waiting for both. */
  @state() private marked: readonly TensorError[] | undefined;

  #lists: TensorLists = { a: [], b: [] };
  #errors: readonly TensorError[] = [];
  #onlyInB = 0;
  #hasBlocks = false;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        align-content: start;
        gap: 24px;
        padding: 14px 16px 24px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("a") || changed.has("b")) {
      this.#lists = { a: this.a.model.gguf.tensors, b: this.b.model.gguf.tensors };
      const placeOf = placeFinder(tensorRole);
      this.#hasBlocks = this.#lists.a.some(({ name }) => placeOf(name)?.block !== undefined);
    }
    if (changed.size === 1 && changed.has("marked")) return;
    this.#errors = tensorErrors(this.#lists, this.pairs, this.running);
    const used = new Set(this.#errors.flatMap(({ other }) => other?.index ?? []));
    this.#onlyInB = this.#lists.b.length - used.size;
    if (this.running) return;
    const known = this.#errors.flatMap(({ tensor, nmse }) =>
      nmse === undefined ? [] : [[tensor.name, nmse] as const],
    );
    storeErrors(this.a.model.gguf, new Map(known));
  }

  override updated(): void {
    const errors = this.#errors;
    if (this.marked === errors) return;
    void pause().then(() => {
      // Newer errors are drawn instead.
      if (this.isConnected && this.#errors === errors) this.marked = errors;
    });
  }

  override render() {
    const { gguf } = this.a.model;
    return html`${
      this.#hasBlocks
        ? html`<gguf-error-map
            .gguf=${gguf}
            .fileName=${this.a.name}
            .errors=${this.#errors}
            .onlyInB=${this.#onlyInB}
          ></gguf-error-map>`
        : nothing
    }${
      this.marked
        ? html`<gguf-bits-error
            .gguf=${gguf}
            .fileName=${this.a.name}
            .errors=${this.marked}
            .lists=${this.#lists}
          ></gguf-bits-error>`
        : nothing
    }`;
  }
}

define("gguf-error-pictures", GgufErrorPictures);

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { icons } from "../ui/icons.ts";
import { MediaQuery } from "../ui/media-query.ts";
import { baseStyles } from "../ui/styles.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";
import { AddressError } from "../gguf/address.ts";
import { loadLibrary } from "../gguf/library.ts";
import { addressIn, type ParseRepository, SEARCH_ADDRESS, searchWords, typedSource } from "../gguf/repository-place.ts";
import { type AccessToken, tokenFor } from "./access-token.ts";
import { openFieldStyles } from "./open-field-styles.ts";
import type { GgufTokenForm } from "./token-form.ts";
import { define } from "../ui/define.ts";
import { escapeText } from "../ui/text.ts";
import "./token-form.ts";

/** An address to open. */
export interface OpenRequest {
  /** The address to fetch. Of a repository, an address below it. */
  address: string;
  /** The repository whose files are to be listed. */
  repository?: string;
  /** The words for which models are to be searched. */
  search?: string;
  token?: AccessToken;
}

/**
 * A field for an address, the name of a repository or words to search for, with a field for an access token. The event `gguf-address` reports
 * both (detail: an `OpenRequest`). Nothing is requested while a person types.
 */
export class GgufOpenField extends LitElement {
  @property() value = "";
  @property({ type: Boolean, reflect: true }) large = false;
  /** The host that the token in use is for; "" if there is none. */
  @property() tokenHost = "";
  @state() private problem = "";
  /** Whether the token field is shown. */
  @state() private asking = false;
  /** The host of the typed address. */
  @state() private host = "";
  /** The typed words, if Hugging Face will be searched for them. */
  @state() private words: string | undefined;
  @state() private tokenProblem = "";

  static override styles = [baseStyles, openFieldStyles];

  /** A window in which the large field would cut its usual placeholder. */
  readonly #narrow = new MediaQuery(this, `(max-width: ${windowSize(560).cssText})`);

  get #placeholder(): string {
    if (!this.large) return "Address of a .gguf file, owner/name, or words to search for";
    return this.#narrow.matches ? "Name, owner/name or URL" : "Name of a model, owner/name, or URL of a .gguf file";
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector("input")?.focus(options);
  }

  /** Moves the focus to the field and selects its text, so that what a person types replaces it. */
  select(): void {
    this.focus();
    this.renderRoot.querySelector("input")?.select();
  }

  get #tokenForm(): GgufTokenForm | null {
    return this.renderRoot.querySelector("gguf-token-form");
  }

  override willUpdate(changed: PropertyValues): void {
    // The token field is closed when another file is opened.
    if (changed.has("value") || changed.has("tokenHost")) this.asking = false;
    // The explanation belongs to the previous text.
    if (changed.has("value")) {
      this.problem = "";
      this.words = undefined;
    }
  }

  override render() {
    const invalid = this.problem !== "";
    const searches = !invalid && this.words !== undefined;
    const words = this.tokenHost === "" ? "Access token" : `Access token used for ${this.tokenHost}`;
    const ask = html`<button
      type="button"
      class="quiet ${this.large ? "ask" : "icon"} ${this.tokenHost === "" ? "" : "used"}"
      aria-expanded=${this.asking}
      aria-label=${this.large ? nothing : words}
      title=${this.large ? nothing : words}
      @click=${this.#ask}
    >
      ${icons.key}${this.large ? words : nothing}
    </button>`;
    return html`<form @submit=${this.#onSubmit} novalidate>
        <input
          type="text"
          inputmode="url"
          aria-label="Address of a GGUF file, or a repository"
          placeholder=${this.#placeholder}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${this.value}
          aria-invalid=${invalid}
          aria-describedby=${invalid ? "problem" : searches ? "search" : nothing}
          @input=${this.#onInput}
          @blur=${this.large ? nothing : this.#clear}
        />
        ${this.large ? nothing : ask}
        <button type="submit" class=${this.large ? "primary" : ""}>${searches ? "Search" : "Open"}</button>
      </form>
      ${
        searches
          ? html`<p id="search" role="status">
              Enter asks huggingface.co for models with <bdi>“${escapeText(this.words ?? "", 80)}”</bdi> in their names.
            </p>`
          : nothing
      }
      ${invalid ? html`<p id="problem" role="alert">${this.problem}</p>` : nothing} ${this.large ? ask : nothing}
      ${
        this.asking
          ? html`<gguf-token-form
              .host=${this.host}
              .used=${this.tokenHost}
              .problem=${this.tokenProblem}
              @gguf-token=${this.#onToken}
              @keydown=${this.#onTokenKey}
            ></gguf-token-form>`
          : nothing
      }`;
  }

  /** Reads names of repositories, once the module is loaded. */
  #parse: ParseRepository | undefined;

  /** Loads the module. Without it, only addresses of files can be opened, and opening them reports why. */
  async #loadParser(): Promise<void> {
    this.#parse ??= await loadLibrary().then(
      ({ parseRepository }) => parseRepository,
      () => undefined,
    );
  }

  readonly #clear = () => {
    this.problem = "";
    this.words = undefined;
  };

  readonly #onInput = () => {
    this.problem = "";
    this.#readTyped();
    if (!this.#parse) void this.#loadParser().then(() => this.#readTyped());
  };

  /** Says what the typed text stands for while a person types it. */
  #readTyped(): void {
    this.#findHost();
    this.words = searchWords(this.#typed, this.#parse);
  }

  /** Finds the host of the address while a person types it. */
  #findHost(): void {
    try {
      this.host = new URL(requestFor(this.#typed, this.#parse).address).host;
    } catch {
      this.host = "";
    }
  }

  get #typed(): string {
    return this.renderRoot.querySelector("input")?.value ?? "";
  }

  readonly #ask = async () => {
    this.asking = !this.asking;
    this.tokenProblem = "";
    this.#findHost();
    await this.updateComplete;
    await this.#tokenForm?.updateComplete;
    this.#tokenForm?.focus();
  };

  readonly #onTokenKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    this.asking = false;
    this.renderRoot.querySelector<HTMLElement>("[aria-expanded]")?.focus();
  };

  readonly #onToken = (event: Event) => {
    event.stopPropagation();
    void this.#send(true);
  };

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void this.#send(false);
  };

  /** Sends the address. With `withToken`, a token is required. */
  async #send(withToken: boolean): Promise<void> {
    this.problem = "";
    this.tokenProblem = "";
    if (!this.#parse) await this.#loadParser();
    const pasted = this.#tokenForm?.pasted ?? "";
    let detail: OpenRequest;
    try {
      detail = requestFor(this.#typed, this.#parse);
    } catch (error) {
      this.problem = addressProblem(error);
      this.focus();
      return;
    }
    if (withToken || pasted !== "") {
      try {
        detail.token = tokenFor(pasted, detail.address, document.baseURI);
      } catch (error) {
        this.tokenProblem = addressProblem(error);
        this.#tokenForm?.focus();
        return;
      }
    }
    this.#tokenForm?.clear();
    this.asking = false;
    this.words = undefined;
    this.dispatchEvent(new CustomEvent("gguf-address", { detail, bubbles: true, composed: true }));
  }
}

define("gguf-open-field", GgufOpenField);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-open-field": GgufOpenField;
  }
}

/**
 * What a typed text opens.
 * @throws AddressError
 */
function requestFor(typed: string, parse: ParseRepository | undefined): OpenRequest {
  const search = searchWords(typed, parse);
  if (search !== undefined) return { address: SEARCH_ADDRESS, search };
  const source = typedSource(typed, parse, document.baseURI);
  return "repository" in source
    ? { address: addressIn(source.repository), repository: source.repository }
    : { address: source.address };
}

function addressProblem(error: unknown): string {
  if (error instanceof AddressError) return error.message;
  throw error;
}

import { html, type ReactiveControllerHost } from "lit";
import { originOf } from "../gguf/address.ts";
import { type AccessToken, isTokenFor, tokenFor } from "./access-token.ts";
import "./token-form.ts";
import type { GgufTokenForm } from "./token-form.ts";

/** The access token of the page. It is for one origin, and is forgotten when the page is closed. */
export class TokenUse {
  readonly #host: ReactiveControllerHost;
  /** The address that requests go to. */
  readonly #address: () => string;
  #token: AccessToken | undefined;
  #denied = false;
  #problem = "";

  constructor(host: ReactiveControllerHost, address: () => string) {
    this.#host = host;
    this.#address = address;
  }

  get token(): AccessToken | undefined {
    return this.#token;
  }

  set token(token: AccessToken | undefined) {
    this.#token = token;
    this.#host.requestUpdate();
  }

  /** Whether the server has just refused access. */
  get denied(): boolean {
    return this.#denied;
  }

  set denied(denied: boolean) {
    this.#denied = denied;
    this.#host.requestUpdate();
  }

  /** Called when another address is opened: a token is not kept for another origin. */
  addressChanged(): void {
    this.#denied = false;
    this.#problem = "";
    const address = this.#address();
    if (this.#token && address !== "" && !isTokenFor(this.#token, address, document.baseURI)) this.#token = undefined;
    this.#host.requestUpdate();
  }

  /** The field for a token, below the explanation of a refusal. */
  renderForm() {
    const origin = originOf(this.#address(), document.baseURI);
    return html`<gguf-token-form
      slot="help"
      .host=${origin === undefined ? "" : new URL(origin).host}
      .used=${this.#token?.host ?? ""}
      .problem=${this.#problem}
      refused
      @gguf-token=${this.#onToken}
    ></gguf-token-form>`;
  }

  /** Opens the address again with a token. */
  readonly #onToken = (event: CustomEvent<string>) => {
    try {
      this.#token = tokenFor(event.detail, this.#address(), document.baseURI);
      this.#problem = "";
      (event.target as GgufTokenForm).clear();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#host.requestUpdate();
  };
}

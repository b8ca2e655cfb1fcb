import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import type { Failure } from "../gguf/failure.ts";
import { type HubFailureCard, type PageLink, renderHubFailure } from "../gguf/hub-failure.ts";
import { searchPage } from "../gguf/repository-place.ts";
import { renderSilence } from "../gguf/silence-notice.ts";
import { type Silence, SilenceWatch } from "../gguf/silence-watch.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatShortCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { listPageStyles } from "../ui/styles/list-page.ts";
import { type FoundModel, MOST_MODELS, searchModels } from "./found-models.ts";
import { searchStyles } from "./search-styles.ts";

/** What was found last, so that going back from a repository does not ask again. */
let last: { words: string; headers: HeadersInit | undefined; models: readonly FoundModel[] } | undefined;

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/**
 * The models that Hugging Face finds for words. Events: `gguf-found`, and `gguf-error` (detail: a `Failure`). The slot `help` is shown below
 * a failure.
 */
export class GgufModelSearch extends LitElement {
  @property() words = "";
  /** The headers of requests to Hugging Face, for example an access token. */
  @property({ attribute: false }) headers: HeadersInit | undefined;
  /** The address of this page that lists the files of a repository. */
  @property({ attribute: false }) linkTo: (id: string) => string = (id) => id;

  @state() private models: readonly FoundModel[] | undefined;
  @state() private failure: Failure | undefined;
  /** Whether a person has cancelled the search. */
  @state() private isCancelled = false;
  /** Whether Hugging Face sends nothing. */
  @state() private silence: Silence | undefined;

  #searching: AbortController | undefined;

  static override styles = [baseStyles, listPageStyles, searchStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#searching?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("words") || changed.has("headers")) void this.reload({ keepsLast: true });
  }

  /** Asks Hugging Face for the models. */
  async reload({ keepsLast = false } = {}): Promise<void> {
    const { words, headers } = this;
    this.#searching?.abort();
    this.#searching = new AbortController();
    const { signal } = this.#searching;
    this.failure = undefined;
    this.models = undefined;
    this.isCancelled = false;
    this.silence = undefined;
    if (keepsLast && last?.words === words && last.headers === headers) {
      this.models = last.models;
      return;
    }
    const watch = new SilenceWatch(() => {
      if (!signal.aborted) this.silence = watch.silence;
    });
    try {
      const result = await searchModels(words, { headers, signal, fetch: watch.fetch });
      if (signal.aborted) return;
      if ("failure" in result) {
        this.failure = result.failure;
        this.dispatchEvent(new CustomEvent("gguf-error", { detail: result.failure }));
        return;
      }
      last = { words, headers, models: result };
      this.models = result;
      this.dispatchEvent(new CustomEvent("gguf-found"));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      watch.stop();
    }
  }

  override render() {
    const { models, failure } = this;
    return html`<div class="page">
      <p class="sr" role="status">
        ${models === undefined ? nothing : `${formatCount(models.length, "repository", "repositories")} found`}
      </p>
      ${failure ? renderHubFailure(failure, this.#failureCard) : models ? this.#renderModels(models) : this.#renderWaiting()}
    </div>`;
  }

  #renderWords() {
    return html`“${renderText(this.words, { limit: 200 })}”`;
  }

  #renderWaiting() {
    if (this.isCancelled)
      return html`<div class="state">
        <p role="status">The search for ${this.#renderWords()} was cancelled.</p>
        <button type="button" @click=${() => this.reload()}>Try again</button>
      </div>`;
    return html`<div class="state" aria-busy="true">
      <p>Searching huggingface.co for ${this.#renderWords()}…</p>
      ${renderSilence(this.silence)}
      <button type="button" @click=${this.#cancel}>Cancel</button>
      ${this.silence ? html`<button type="button" @click=${() => this.reload()}>Try again</button>` : nothing}
    </div>`;
  }

  readonly #cancel = () => {
    this.#searching?.abort();
    this.isCancelled = true;
  };

  get #failureCard(): HubFailureCard {
    return { name: this.words, page: this.#page, retry: () => void this.reload() };
  }

  get #page(): PageLink {
    return { title: "Search on Hugging Face", href: searchPage(this.words) };
  }

  #renderPageLink(kind = "") {
    const { title, href } = this.#page;
    return html`<a class=${kind} href=${href} target="_blank" rel="noopener noreferrer">${title}</a>`;
  }

  #renderModels(models: readonly FoundModel[]) {
    if (models.length === 0)
      return html`<div class="state">
        <h2>No repository found</h2>
        <p>No repository with GGUF files on Hugging Face matches ${this.#renderWords()}. Try fewer or other words.</p>
        ${this.#renderPageLink("button")}
      </div>`;
    return html`<h2>Models for ${this.#renderWords()}</h2>
      <p class="intro">
        ${
          models.length === MOST_MODELS
            ? `The ${MOST_MODELS} repositories`
            : formatCount(models.length, "repository", "repositories")
        }
        with GGUF files on Hugging Face, the most downloaded first. ${this.#renderPageLink()}
      </p>
      <ul class="models" @keydown=${this.#onKey}>
        ${models.map((model) => this.#renderModel(model))}
      </ul>`;
  }

  #renderModel({ id, downloads, likes, changed, isGated }: FoundModel) {
    const [owner = "", name = ""] = id.split("/");
    const count = (value: number, singular: string) =>
      html`<span title=${formatCount(value, singular)}
        ><b>${formatShortCount(value)}</b> ${value === 1 ? singular : `${singular}s`}</span
      >`;
    return html`<li>
      <span
        ><a href=${this.linkTo(id)}><span class="owner">${owner}/</span>${name}</a>
        ${isGated ? html`<span class="gated">${icons.key}Gated</span>` : nothing}</span
      >
      <span class="facts">
        <span class="downloads">${downloads === undefined ? nothing : count(downloads, "download")}</span>
        <span class="likes">${likes === undefined ? nothing : count(likes, "like")}</span>
        <span class="changed"
          >${changed === undefined ? nothing : html`<time datetime=${changed.toISOString()}>${DATE.format(changed)}</time>`}</span
        >
      </span>
    </li>`;
  }

  /** The arrow keys go from one model to the next. */
  readonly #onKey = (event: KeyboardEvent) => {
    const links = [...this.renderRoot.querySelectorAll<HTMLElement>(".models a")];
    const at = links.findIndex((link) => link === event.target);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    links[next]?.focus();
  };
}

define("gguf-model-search", GgufModelSearch);

import { html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import "../ui/copy-button.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { bookmarklet } from "./bookmarklet.ts";
import { FIRST_MODELS } from "./first-models.ts";
import { pagePath } from "./history-state.ts";
import { formatHash } from "./page-hash.ts";
import type { GgufOpenField } from "./open-field.ts";
import type { RecentFile } from "./recent-files.ts";
import { type RecentAddress, formatPlace } from "./recent-addresses.ts";
import { escapeText } from "../ui/text.ts";
import { landingStyles } from "./landing-styles.ts";
import { repositoryLink } from "./page-links.ts";
import { define } from "../ui/define.ts";
import { documentationLink } from "../ui/documentation.ts";
import "./open-field.ts";

/** What the page does with a file. */
const ABOUT = html`<ul class="promises">
  <li>
    <strong>Reads only what is needed</strong> The header, a few megabytes even in a file of 40&nbsp;GB, and the parts
    of tensors that you look at.
  </li>
  <li><strong>Uploads nothing</strong> Your browser reads the file from your disk or from its host.</li>
  <li>
    <strong>Converts models</strong> Makes a GGUF file of safetensors, F16 or quantized, without Python and without an
    upload.
  </li>
  <li>
    <strong>Edits and checks</strong> Change a name, a chat template or one token, check the file, and save it to your
    disk.
  </li>
  <li><strong>Shows exactly what is stored</strong> Every key, token and tensor, with its type and its offset.</li>
</ul>`;

/** The start page: what the viewer does, the ways to open a file, models to begin with, and files that were opened before. */
export class GgufLanding extends LitElement {
  /** The name of the local file in the address. The page cannot open it without the person. */
  @property() missing = "";
  @property() sample = "";
  /** The host that the token in use is for; "" if there is none. */
  @property() tokenHost = "";
  @property({ attribute: false }) recent: readonly RecentAddress[] = [];
  /** Local files that can be opened again. */
  @property({ attribute: false }) files: readonly RecentFile[] = [];
  /** Why a local file could not be opened again. */
  @property() problem = "";

  static override styles = [baseStyles, landingStyles];

  override render() {
    const listsRecent = this.recent.length + this.files.length > 0;
    return html`<main>
      <div class="hero">
        <div>
          <h1>Look inside a GGUF model</h1>
          <p class="lead">
            Open a model for llama.cpp from Hugging Face, from a link or from your disk, and see at a glance whether it
            runs on your machine, how it was quantized and what is in it.
          </p>
          ${this.#renderMissing()}
          <gguf-open-field large .tokenHost=${this.tokenHost}></gguf-open-field>
          <div class="drop">
            ${icons.file}<span
              >Drop a .gguf file, several shards, or a folder with safetensors anywhere on this page, or</span
            >
            <span class="choose">
              <button type="button" @click=${this.#choose}>Choose a file</button>
              <button type="button" @click=${this.#chooseFolder}>Choose a folder</button>
            </span>
          </div>
          ${listsRecent ? nothing : this.#renderProblem()} ${this.#renderModels()}
          ${listsRecent ? this.#renderRecentFiles() : nothing}
        </div>
        <gguf-landing-pictures></gguf-landing-pictures>
      </div>
      ${ABOUT} ${this.#renderBookmark()}
      <section class="bookmark">
        <p>
          The ${documentationLink("index.html", "documentation")} says what each key means and what each check finds,
          and how to read GGUF files in your own programs.
        </p>
      </section>
    </main>`;
  }

  #renderMissing() {
    if (this.missing === "") return nothing;
    const again = this.files.find((file) => file.name === this.missing);
    return html`<p class="missing" role="status">
      <strong><bdi>${escapeText(this.missing, 120)}</bdi></strong> is a file on this device. The page cannot open it
      again without you.
      ${
        again === undefined
          ? "Choose the file again."
          : html`<button type="button" @click=${() => this.#reopen(again)}>Open again</button>`
      }
    </p>`;
  }

  #renderProblem() {
    return html`<p class="problem" role="alert" ?hidden=${this.problem === ""}>${escapeText(this.problem, 400)}</p>`;
  }

  /** The sample, and well-known models on Hugging Face. Nothing is requested before a person chooses one. */
  #renderModels() {
    return html`<section class="first">
      <h2 id="first">No file at hand?</h2>
      <ul aria-labelledby="first">
        <li><a class="button" href=${this.sample}>Open the sample model</a></li>
        ${FIRST_MODELS.map(
          ({ name, place }) =>
            html`<li><a class="button" href=${repositoryLink(place)} title="${place} on Hugging Face">${name}</a></li>`,
        )}
      </ul>
    </section>`;
  }

  #renderRecentFiles() {
    return html`<section class="recent">
      <h2 id="recent">Recent files</h2>
      <ul aria-labelledby="recent">
        ${this.files.map((file) => this.#renderFile(file))} ${this.recent.map((recent) => this.#renderRecent(recent))}
      </ul>
      ${this.#renderProblem()}
    </section>`;
  }

  /** The bookmark can be dragged or copied. This page forbids scripts in addresses, so a click does nothing. */
  #renderBookmark() {
    const address = bookmarklet(new URL(pagePath(), window.location.href).href);
    return html`<section class="bookmark">
      <h2>From Hugging Face to here</h2>
      <p>
        Drag
        <a class="button" href=${address} @click=${(event: Event) => event.preventDefault()}>Open in GGUF viewer</a>
        to your bookmarks bar, or copy its address
        <gguf-copy-button label="Copy the address of the bookmark" .text=${() => address}></gguf-copy-button>. On the
        page of a file or a repository on Hugging Face, the bookmark opens it here. It reads the address of that page
        and nothing else.
      </p>
    </section>`;
  }

  override firstUpdated(): void {
    // Without its pictures, the page still opens files.
    void import("./landing-pictures.ts").catch(() => undefined);
    this.focus({ preventScroll: true });
  }

  /** Moves the focus to the field for an address. */
  override focus(options?: FocusOptions): void {
    const field = this.renderRoot.querySelector<GgufOpenField>("gguf-open-field");
    void field?.updateComplete.then(() => field.focus(options));
  }

  #renderFile(file: RecentFile) {
    const name = escapeText(file.name, 100);
    return html`<li>
      <button type="button" class="open" @click=${() => this.#reopen(file)}>
        <span><bdi>${name}</bdi></span
        ><span class="where">On this device</span>
      </button>
      <button
        type="button"
        class="quiet icon"
        aria-label="Remove ${name} from this list"
        title="Remove from this list"
        @click=${() => this.#tell("gguf-forget-file", file)}
      >
        ${icons.close}
      </button>
    </li>`;
  }

  #reopen(file: RecentFile): void {
    this.#tell("gguf-reopen", file);
  }

  #tell(event: string, detail: RecentFile): void {
    this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true }));
  }

  #renderRecent(recent: RecentAddress) {
    const name = escapeText(recent.name, 100);
    return html`<li>
      <a
        href=${formatHash(recent.repo === undefined ? { url: recent.url } : { repo: recent.repo })}
        title=${escapeText(recent.url, 300)}
        ><span><bdi>${name}</bdi></span
        ><span class="where"><bdi>${escapeText(formatPlace(recent, document.baseURI), 120)}</bdi></span></a
      >
      <button
        type="button"
        class="quiet icon"
        aria-label="Remove ${name} from this list"
        title="Remove from this list"
        @click=${() => this.#forget(recent.url)}
      >
        ${icons.close}
      </button>
    </li>`;
  }

  #forget(url: string): void {
    this.dispatchEvent(new CustomEvent("gguf-forget", { detail: url, bubbles: true, composed: true }));
  }

  readonly #choose = () => {
    this.dispatchEvent(new CustomEvent("gguf-choose", { bubbles: true, composed: true }));
  };

  readonly #chooseFolder = () => {
    this.dispatchEvent(new CustomEvent("gguf-choose-folder", { bubbles: true, composed: true }));
  };
}

define("gguf-landing", GgufLanding);

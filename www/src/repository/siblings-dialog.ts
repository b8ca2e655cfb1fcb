import type { Repository, RepositoryFile } from "gguf-wasm/full";
import { css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { problemText } from "../gguf/error-texts.ts";
import type { HubFile } from "../gguf/repository-place.ts";
import { MachineWatcher, machineWords } from "../memory/machine.ts";
import { define } from "../ui/define.ts";
import { Dialog } from "../ui/dialog.ts";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { dialogStyles } from "../ui/styles/dialog.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { escapeText } from "../ui/text.ts";
import { fits } from "./fits.ts";
import { lastListed, listFiles } from "./listing.ts";
import { openSibling } from "./open-sibling.ts";
import { fileWords, isWhole, otherFiles } from "./siblings.ts";

/** The most files that are listed. The page of the repository lists all. */
const MOST_FILES = 200;

/**
 * Lists the other files of the repository of the open file, to open them or to compare with them. The repository is asked when the list is
 * shown.
 */
export class GgufSiblings extends Dialog {
  @property({ attribute: false }) file: HubFile | undefined;
  @state() private listed: Repository | undefined;
  @state() private problem = "";

  readonly #watcher = new MachineWatcher(this);
  #abort: AbortController | undefined;

  static override styles = [
    baseStyles,
    dialogStyles,
    css`
      h3 {
        margin: 14px 0 4px;
        font-size: var(--gguf-text-control);
        font-weight: 650;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 8px;
        padding: 6px 0;
        border-top: 1px solid var(--gguf-line);
      }
      .file {
        flex: 1 1 200px;
        min-width: 0;
        overflow-wrap: anywhere;
        font-size: var(--gguf-text-control);
      }
      .about {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 10px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .fits {
        display: inline-flex;
        align-items: center;
        gap: 4px;
        color: var(--gguf-ink);
        font-weight: 600;
      }
      .buttons {
        display: flex;
        gap: 4px;
      }
      .hint {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      ${problemStyles}
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  /** Shows the files of the repository, and asks for them if they are not known. */
  async open(): Promise<void> {
    await this.show();
    await this.#list();
  }

  async #list(): Promise<void> {
    const { file } = this;
    if (!file) return;
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    this.problem = "";
    this.listed = lastListed(file.place, file.headers);
    if (this.listed) return;
    try {
      const listed = await listFiles(file.place, file.headers, { signal });
      if (!signal.aborted) this.listed = listed;
    } catch (error) {
      if (!signal.aborted) this.problem = problemText(error);
    }
  }

  protected renderBox() {
    return html`<dialog aria-labelledby="title" @close=${this.#onClose}>
      <h2 id="title">Other files of ${renderText(this.file?.place ?? "", { limit: 160 })}</h2>
      <div class="body" tabindex="0" role="region" aria-labelledby="title">${this.#renderBody()}</div>
      <div class="actions">
        <button type="button" class="primary" autofocus @click=${() => this.hide()}>Close</button>
      </div>
    </dialog>`;
  }

  #renderBody() {
    const { listed, problem, file } = this;
    if (problem !== "")
      return html`<p class="problem" role="alert">${renderText(problem, { limit: 600 })}</p>
        <button type="button" @click=${() => void this.#list()}>Try again</button>`;
    if (!listed || !file) return html`<p role="status">Listing the files…</p>`;
    const [models = [], others = []] = otherFiles(listed, file.address);
    if (models.length + others.length === 0) return html`<p role="status">The repository has no other GGUF file.</p>`;
    const rest = models.length + others.length - MOST_FILES;
    return html`${this.#renderGroup("Models", models.slice(0, MOST_FILES))}
    ${this.#renderGroup("Other files", others.slice(0, Math.max(0, MOST_FILES - models.length)))}
    ${rest > 0 ? html`<p class="hint">The page of the repository lists ${rest} more.</p>` : nothing}`;
  }

  #renderGroup(title: string, files: readonly RepositoryFile[]) {
    if (files.length === 0) return nothing;
    return html`<section aria-label=${title}>
      <h3>${title}</h3>
      <ul>
        ${files.map((file) => this.#renderFile(file))}
      </ul>
    </section>`;
  }

  #renderFile(file: RepositoryFile) {
    const { machine } = this.#watcher;
    const own = file.role === "model" ? machineWords(machine) : undefined;
    const name = escapeText(file.name, 160);
    return html`<li>
      <div class="file">
        ${renderText(file.name, { limit: 160 })}
        <div class="about">
          <span>${fileWords(file)}</span>
          ${
            own === undefined
              ? nothing
              : fits(file.size, machine)
                ? html`<span class="fits">${icons.check} Fits your ${own}</span>`
                : html`<span>Does not fit your ${own}</span>`
          }
        </div>
      </div>
      <div class="buttons">
        <button type="button" aria-label="Open ${name}" @click=${() => this.#open(file)}>Open</button>
        ${
          file.role === "model" && isWhole(file)
            ? html`<button
                type="button"
                class="quiet"
                aria-label="Compare with ${name}"
                @click=${() => this.#compare(file)}
              >
                Compare
              </button>`
            : nothing
        }
      </div>
    </li>`;
  }

  #open({ url }: RepositoryFile): void {
    this.hide();
    openSibling(this, url);
  }

  #compare({ url }: RepositoryFile): void {
    this.hide();
    const detail = { kind: "address", address: url };
    this.dispatchEvent(new CustomEvent("gguf-compare-with", { detail, bubbles: true, composed: true }));
  }

  readonly #onClose = (event: Event) => {
    // The browser tells late that a box was closed. The dialog may have been opened again.
    if (event.target !== this.dialog) return;
    this.#abort?.abort();
    this.hide();
  };
}

define("gguf-siblings", GgufSiblings);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-siblings": GgufSiblings;
  }
}

import type { Repository } from "gguf-wasm/full";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { problemText } from "../gguf/error-texts.ts";
import type { HubFile } from "../gguf/repository-place.ts";
import { type Machine, machineWords } from "../memory/machine.ts";
import { define } from "../ui/define.ts";
import { formatBytes } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { lastListed, listFiles } from "./listing.ts";
import { openSibling } from "./open-sibling.ts";
import { fittingSibling } from "./siblings.ts";

/**
 * For a file that does not fit the machine: the largest other file of its model in the repository that does. The repository is asked when
 * the person wants it, unless its files are known.
 */
export class GgufFittingSibling extends LitElement {
  @property({ attribute: false }) file: HubFile | undefined;
  @property({ attribute: false }) machine: Machine = {};
  @state() private listed: Repository | undefined;
  @state() private isListing = false;
  @state() private problem = "";
  #abort: AbortController | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        margin-top: 8px;
        font-size: var(--gguf-text-control);
      }
      p {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 10px;
      }
      button {
        max-width: 100%;
        white-space: normal;
        text-align: start;
        overflow-wrap: anywhere;
      }
      ${problemStyles}
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("file")) return;
    this.#abort?.abort();
    this.isListing = false;
    this.problem = "";
    this.listed = this.file && lastListed(this.file.place, this.file.headers);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
    this.isListing = false;
  }

  override render() {
    const { file, machine, listed, isListing, problem } = this;
    if (!file || machineWords(machine) === undefined) return nothing;
    if (listed) return this.#renderFound(listed, file);
    return html`<button type="button" aria-disabled=${isListing} @click=${() => void this.#list(file)}>
        ${isListing ? "Listing the files…" : html`<span>Look for a smaller file in ${renderText(file.place, { limit: 120 })}</span>`}
      </button>
      ${problem === "" ? nothing : html`<p class="problem" role="alert">${renderText(problem, { limit: 600 })}</p>`}`;
  }

  #renderFound(listed: Repository, { address }: HubFile) {
    const { machine } = this;
    const own = `your ${machineWords(machine) ?? ""}`;
    const found = fittingSibling(listed, address, machine);
    if (!found) return html`<p role="status">No smaller file of the same model in the repository fits ${own}.</p>`;
    const name = found.encoding ?? found.name;
    return html`<p role="status">
      <span>${renderText(name, { limit: 100 })} of the same repository fits ${own}: ${formatBytes(found.size)}.</span>
      <button type="button" @click=${() => openSibling(this, found.url)}>
        Open ${renderText(name, { limit: 100 })}
      </button>
    </p>`;
  }

  async #list({ place, headers }: HubFile): Promise<void> {
    if (this.isListing) return;
    const { signal } = (this.#abort = new AbortController());
    this.isListing = true;
    this.problem = "";
    try {
      const listed = await listFiles(place, headers, { signal });
      if (!signal.aborted) this.listed = listed;
    } catch (error) {
      if (!signal.aborted) this.problem = problemText(error);
    } finally {
      if (!signal.aborted) this.isListing = false;
    }
  }
}

define("gguf-fitting-sibling", GgufFittingSibling);

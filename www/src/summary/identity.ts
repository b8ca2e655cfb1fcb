import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { factStyles, renderFact } from "./fact-list.ts";
import { architecture, headlineFacts, modelName } from "./facts.ts";
import { markedFacts } from "./marked-facts.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The most characters of a name that are rendered: a name from a file may be megabytes long. */
const MAX_NAME_LENGTH = 4000;

/** What is open: the name of the model and of its file, what kind of file it is, and the figures by which people compare models. */
export class GgufIdentity extends LitElement {
  @property({ attribute: false }) gguf!: ShownHeader;
  /** The header after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edited: ShownHeader | undefined;
  /** The number of changes. */
  @property({ attribute: false }) changes = 0;
  @property({ attribute: false }) fileName = "";
  /** The address of a page about the file. */
  @property({ attribute: false }) page: string | undefined;
  /** Whether long names are shown completely. */
  @state() private whole = false;
  /** Whether a name is longer than two lines. */
  @state() private cut = false;

  readonly #widths = new ResizeObserver(() => this.#measure());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#widths.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#widths.disconnect();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) this.whole = false;
  }

  override updated(changed: PropertyValues): void {
    // A new observation is reported after the next layout. To measure here would cost a layout of the page for each update.
    if (changed.size === 1 && changed.has("cut")) return;
    this.#widths.unobserve(this);
    this.#widths.observe(this);
  }

  #measure(): void {
    if (this.whole) return;
    const names = [...this.renderRoot.querySelectorAll(".short")];
    this.cut = names.some((name) => name.scrollHeight > name.clientHeight + 1);
  }

  static override styles = [
    baseStyles,
    factStyles,
    css`
      :host {
        display: block;
        padding: 18px 18px 20px;
      }
      h2 {
        font-size: var(--gguf-text-headline);
        font-weight: 650;
        line-height: 1.25;
        letter-spacing: -0.01em;
        overflow-wrap: anywhere;
        text-wrap: balance;
      }
      /* A long name has two lines. A button shows the rest. */
      .short {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        overflow: hidden;
      }
      .file {
        margin-top: 4px;
        color: var(--gguf-ink-2);
        font: var(--gguf-text-small)/1.5 var(--gguf-mono);
        overflow-wrap: anywhere;
      }
      .what {
        margin-top: 8px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .figures {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(88 * var(--gguf-unit))), 1fr));
        gap: 14px 16px;
        margin-top: 14px;
        padding-top: 16px;
        border-top: 1px solid var(--gguf-line);
      }
      @media (max-width: ${windowSize(479)}) {
        .figures {
          grid-template-columns: 1fr 1fr;
        }
      }
      .figures div {
        display: flex;
        flex-direction: column-reverse;
        justify-content: flex-end;
      }
      .figures dt {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      /* Words need the whole width. */
      .figures .words {
        grid-column: 1 / -1;
      }
      .figures .words dd {
        font-size: var(--gguf-text-lead);
      }
      .figures dd {
        font-size: var(--gguf-text-title);
        font-weight: 600;
        letter-spacing: -0.01em;
        overflow-wrap: anywhere;
      }
      /* These are as high as what will take their place. */
      .figures .missing {
        font-size: var(--gguf-text-control);
        font-weight: 400;
        line-height: calc(1.45 * var(--gguf-text-title));
        letter-spacing: 0;
      }
      .figures .declared dt {
        font-size: var(--gguf-text-tiny);
        line-height: calc(1.45 * var(--gguf-text-small));
        letter-spacing: -0.03em;
        white-space: nowrap;
      }
      .more {
        min-height: calc(26 * var(--gguf-unit));
        margin: 4px 0 0 -8px;
        padding: 0 8px;
        font-size: var(--gguf-text-small);
      }
      .about {
        display: flex;
        align-items: center;
        gap: 7px;
        margin-bottom: 10px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .about svg {
        flex: none;
        color: var(--gguf-accent);
      }
    `,
  ];

  override render() {
    const { gguf } = this;
    const now = this.edited ?? gguf;
    const short = this.whole ? "" : "short";
    const fallback = now.arrival?.named.title || this.fileName || "Unnamed model";
    const [name, before] = [modelName(now, fallback), modelName(gguf, fallback)];
    const figures = markedFacts(headlineFacts(gguf), headlineFacts(now));
    return html`
      ${
        this.changes === 0
          ? nothing
          : html`<p class="about">${icons.pen}After editing, with ${formatCount(this.changes, "change")}</p>`
      }
      <h2 class=${short}>${renderText(name, { limit: MAX_NAME_LENGTH })}</h2>
      ${name === before ? nothing : html`<p class="was ${short}">was ${renderText(before, { limit: MAX_NAME_LENGTH })}</p>`}
      ${
        this.fileName !== "" && this.fileName !== name
          ? html`<p class="file ${short}">
              ${
                this.page === undefined
                  ? renderText(this.fileName)
                  : html`<a href=${this.page} target="_blank" rel="noopener noreferrer"
                      >${renderText(this.fileName)}</a
                    >`
              }
            </p>`
          : nothing
      }
      ${
        this.cut || this.whole
          ? html`<button type="button" class="quiet more" aria-expanded=${this.whole} @click=${this.#toggleWhole}>
              ${this.whole ? "Shorten names" : "Show full names"}
            </button>`
          : nothing
      }
      ${this.#renderWhat(now)}
      ${figures.length > 0 ? html`<dl class="figures">${figures.map(renderFact)}</dl>` : nothing}
    `;
  }

  /** The kind of the file and the architecture, in one line. */
  #renderWhat(now: ShownHeader) {
    const { classification, arrival } = now;
    // Of an image model, the architecture may be the name of a tool, or missing.
    const family = classification?.kind === "image-diffusion" ? classification.family : undefined;
    const name = family ?? architecture(now);
    if (arrival)
      return html`<p class="what">${name === undefined ? arrival.missing : renderText(name, { limit: 60 })}</p>`;
    if (classification === undefined) return nothing;
    return html`<p class="what">
      ${classification.title}${
        name === undefined || name === classification.kind ? nothing : html` · ${renderText(name, { limit: 60 })}`
      }
    </p>`;
  }

  readonly #toggleWhole = () => {
    this.whole = !this.whole;
  };
}

define("gguf-identity", GgufIdentity);

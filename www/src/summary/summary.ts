import { html, LitElement, nothing, type PropertyValues } from "lit";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { PartLoader, partStyles } from "../ui/part-loader.ts";
import { baseStyles } from "../ui/styles.ts";
import { type Notice, notices, type StoredHeader } from "./facts.ts";
import "./identity.ts";
import { PartPlaces } from "./part-places.ts";
import { SUMMARY_PARTS, type SummaryPart } from "./parts.ts";
import type { SummarySubject } from "./subject.ts";
import { summaryStyles } from "./summary-styles.ts";

/** What people want to know first about a model: short answers, pictures, and the facts in its header. */
export class GgufSummary extends LitElement {
  static override properties = {
    gguf: { attribute: false },
    edited: { attribute: false },
    changes: { attribute: false },
    fileName: { attribute: false },
    cost: { attribute: false },
    page: { attribute: false },
    shards: {},
    checks: { attribute: false },
    review: { attribute: false },
    templates: { attribute: false },
    panels: {
      attribute: false,
      hasChanged: (now?: readonly string[], before?: readonly string[]) => now?.join() !== before?.join(),
    },
    named: { type: Boolean },
  };

  declare gguf: StoredHeader;
  /** The header after editing. Undefined while the file is not being edited. */
  declare edited: ShownHeader | undefined;
  /** The number of changes. */
  declare changes: number;
  declare fileName: string;
  declare cost: SummarySubject["cost"];
  /** The address of a page about the file. */
  declare page: string | undefined;
  /** The number of shards of the model, such as "2 of 3"; "" if it is one file. */
  declare shards: string;
  declare checks: SummarySubject["checks"];
  declare review: SummarySubject["review"];
  /** The number of chat templates. */
  declare templates: number;
  /** The names of the panels that the file has. Undefined until the panels can be shown. */
  declare panels: readonly string[] | undefined;
  /** Whether the panel begins with the name and the figures, because there is no sidebar that has them. */
  declare named: boolean;

  readonly #loader = new PartLoader(this);
  #notices: readonly Notice[] = [];

  constructor() {
    super();
    this.edited = undefined;
    this.changes = 0;
    this.fileName = "";
    this.cost = undefined;
    this.page = undefined;
    this.shards = "";
    this.checks = undefined;
    this.review = undefined;
    this.templates = 0;
    this.panels = undefined;
    this.named = false;
    new PartPlaces(this, this.#loader, SUMMARY_PARTS);
  }

  static override styles = [baseStyles, partStyles, summaryStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  /** A part may be loaded when the file is closed already. */
  override shouldUpdate(): boolean {
    return this.isConnected;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) this.#notices = notices(this.gguf);
  }

  override render() {
    const { gguf, edited, fileName, cost, shards, checks, review, templates, panels } = this;
    const subject = { gguf, edited, fileName, cost, shards, checks, review, templates, panels };
    return html`
      ${
        this.named
          ? html`<gguf-identity
              .gguf=${gguf}
              .edited=${edited}
              .changes=${this.changes}
              .fileName=${fileName}
              .page=${this.page}
            ></gguf-identity>`
          : nothing
      }
      ${this.#notices.map(
        (notice) =>
          html`<p class="notice">
            ${icons.warning}<span><strong>${notice.title}</strong> ${notice.text}</span>
          </p>`,
      )}
      <div class="parts">
        ${SUMMARY_PARTS.filter(({ isShown }) => isShown(subject)).map((part) => this.#renderPart(part, subject))}
      </div>
    `;
  }

  #renderPart(part: SummaryPart, subject: SummarySubject) {
    const code = this.#loader.codeOf(part);
    const content =
      code === undefined ? nothing : code === "ready" ? part.render(subject) : this.#loader.renderPlace(part);
    return html`<div
      class=${part.isWide ? "wide" : ""}
      data-part=${part.name}
      .style=${code === "ready" ? "" : `min-height: ${part.height ?? 0}px`}
    >
      ${content}
    </div>`;
  }
}

define("gguf-summary", GgufSummary);

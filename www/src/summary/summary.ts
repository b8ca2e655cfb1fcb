import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { PartLoader, partStyles, renderSkeleton } from "../ui/part-loader.ts";
import { baseStyles } from "../ui/styles.ts";
import { type Notice, notices, type StoredHeader } from "./facts.ts";
import "./identity.ts";
import { PartPlaces } from "./part-places.ts";
import { hasPlace, SUMMARY_PARTS, type SummaryPart } from "./parts.ts";
import type { SummarySubject } from "./subject.ts";
import { summaryStyles } from "./summary-styles.ts";

/** What people want to know first about a model: short answers, pictures, and the facts in its header. */
export class GgufSummaryPanel extends LitElement {
  @property({ attribute: false }) gguf!: StoredHeader;
  /** The header after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edited: ShownHeader | undefined;
  /** The number of changes. */
  @property({ attribute: false }) changes = 0;
  @property({ attribute: false }) fileName = "";
  @property({ attribute: false }) cost: SummarySubject["cost"];
  /** The address of a page about the file. */
  @property({ attribute: false }) page: string | undefined;
  /** The number of shards of the model, such as "2 of 3"; "" if it is one file. */
  @property() shards = "";
  @property({ attribute: false }) checks: SummarySubject["checks"];
  @property({ attribute: false }) review: SummarySubject["review"];
  /** The number of chat templates. */
  @property({ attribute: false }) templates = 0;
  /** The names of the panels that the file has. Undefined until the panels can be shown. */
  @property({
    attribute: false,
    hasChanged: (now?: readonly string[], before?: readonly string[]) => now?.join() !== before?.join(),
  })
  panels: readonly string[] | undefined;
  /** The machine for which the summary computes what fits. */
  @property({ attribute: false }) machine: SummarySubject["machine"] = {};
  /** The file as one of a repository on Hugging Face. */
  @property({ attribute: false }) hubFile: SummarySubject["hubFile"];
  /** Whether the panel begins with the name and the figures, because there is no sidebar that has them. */
  @property({ type: Boolean }) named = false;

  /** Whether the header is arriving, so that parts which will probably follow have places. */
  @property({ type: Boolean }) arriving = false;

  readonly #loader = new PartLoader(this);
  #notices: readonly Notice[] = [];

  constructor() {
    super();
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
    const { gguf, edited, fileName, cost, shards, checks, review, templates, panels, machine, hubFile } = this;
    const subject = { gguf, edited, fileName, cost, shards, checks, review, templates, panels, machine, hubFile };
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
      <div class="parts">${this.#partsOf(subject).map((part) => this.#renderPart(part, subject))}</div>
    `;
  }

  /** The parts that have a place. If opening has ended early, no other part follows. */
  #partsOf(subject: SummarySubject): readonly SummaryPart[] {
    return SUMMARY_PARTS.filter((part) => (this.arriving ? hasPlace(part, subject) : part.isShown(subject)));
  }

  #renderPart(part: SummaryPart, subject: SummarySubject) {
    const isShown = part.isShown(subject);
    const code = isShown ? this.#loader.codeOf(part) : undefined;
    const content =
      code === undefined ? nothing : code === "ready" ? part.render(subject) : this.#loader.renderPlace(part);
    const [wide, narrow] = part.height ?? [0, 0];
    // A part whose header still arrives has a place without a name, so that its code is not loaded: that would take the connection.
    return html`<div
      class="${part.isWide(subject) ? "wide" : ""} ${code === "ready" && !part.computes ? "" : "place"}"
      data-part=${isShown ? part.name : nothing}
      .style=${`--wide: calc(${wide} * var(--gguf-unit)); --narrow: calc(${narrow} * var(--gguf-unit))`}
    >
      ${isShown ? content : renderSkeleton()}
    </div>`;
  }
}

define("gguf-summary-panel", GgufSummaryPanel);

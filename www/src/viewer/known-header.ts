import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { ArrivedEntry } from "gguf-wasm/explain";
import type { Arrival } from "../gguf/arrival.ts";
import { valueWords } from "../summary/file-kind.ts";
import "../summary/summary.ts";
import { define } from "../ui/define.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { partStyles } from "../ui/part-loader.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import type { EarlyHeader } from "./arrived-header.ts";
import { renderSidebar } from "./render-open-file.ts";

/** The most entries and tensors that are listed. */
const MOST_ROWS = 200;

/**
 * A file of which only the header, or a part of the header, is known: its summary, and its entries and tensors in the place of the panels.
 * `above` says how opening goes on. It stands in the place of the tabs. `isArriving`: the rest of the header follows.
 */
export function renderKnownHeader(
  header: EarlyHeader,
  {
    fileName,
    isWide,
    isArriving,
    above,
  }: { fileName: string; isWide: boolean; isArriving: boolean; above: TemplateResult },
) {
  return html`${isWide ? renderSidebar({ gguf: header, fileName }) : nothing}
    <div class="main" part="main">
      ${above}
      <div class="region" role="region" aria-label="Summary panel" tabindex="0">
        <gguf-summary-panel
          .gguf=${header}
          .fileName=${fileName}
          ?named=${!isWide}
          ?arriving=${isArriving}
        ></gguf-summary-panel>
        <gguf-known-header .header=${header}></gguf-known-header>
      </div>
    </div>`;
}

/** The entries and tensors of a header in place of the panels. */
export class GgufKnownHeader extends LitElement {
  @property({ attribute: false }) header!: EarlyHeader;

  static override styles = [
    baseStyles,
    partStyles,
    css`
      :host {
        display: block;
        flex: 1;
        padding: 0 22px 24px;
        overflow: auto;
        overflow-wrap: anywhere;
      }
      h3 {
        margin: 16px 0 4px;
        font-size: var(--gguf-text-body);
      }
      /* The panels are usually there before a person could read this. */
      section {
        animation: appear 200ms 300ms both;
      }
      dl {
        font-size: var(--gguf-text-control);
      }
      dl div {
        display: grid;
        grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
        gap: 12px;
        padding: 4px 0;
        border-bottom: 1px solid var(--gguf-line);
      }
      p {
        padding: 4px 0;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-control);
      }
    `,
  ];

  override render() {
    const { entries, tensors, arrival } = this.header;
    const { metadataCount = 0, tensorCount = 0 } = arrival;
    return html`${renderRows("Metadata", entries, metadataCount, arrival, (entry) => [entry.key, entryWords(entry)])}
    ${renderRows("Tensors", tensors, tensorCount, arrival, ({ name, type, dimensions, byteLength }) => [
      name,
      `${type} · ${dimensions.join(" × ")}${byteLength === undefined ? "" : ` · ${formatBytes(byteLength)}`}`,
    ])}`;
  }
}

/** A value in one line. The elements of an array cannot be read before the header is complete. */
function entryWords({ value, type, elementType, length }: ArrivedEntry): string {
  if (value !== undefined) return valueWords(value) ?? "";
  return type === "ARRAY" ? `${formatInteger(length ?? 0)} × ${elementType}` : "A long text";
}

/** The rows that have arrived, of `count`. */
function renderRows<Row>(
  title: string,
  rows: readonly Row[],
  count: number,
  { missing }: Arrival,
  words: (row: Row) => [name: string, value: string],
) {
  if (rows.length === 0 && count === 0) return "";
  const more = rows.length - MOST_ROWS;
  const rest = count - rows.length;
  return html`<section>
    <h3>${title}</h3>
    <dl>
      ${rows.slice(0, MOST_ROWS).map((row) => {
        const [name, value] = words(row);
        return html`<div>
          <dt class="mono">${renderText(name, { limit: 200 })}</dt>
          <dd>${renderText(value, { limit: 200 })}</dd>
        </div>`;
      })}
    </dl>
    ${more > 0 ? html`<p>and ${formatCount(more, "more", "more")}</p>` : ""}
    ${rest > 0 ? html`<p class="missing">${formatCount(rest, "other", "others")} ${missing}</p>` : ""}
  </section>`;
}

define("gguf-known-header", GgufKnownHeader);

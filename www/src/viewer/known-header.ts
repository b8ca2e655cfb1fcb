import { css, html, LitElement, nothing } from "lit";
import type { ReaderGguf } from "../gguf/reader.ts";
import type { StoredHeader } from "../summary/facts.ts";
import { valueWords } from "../summary/file-kind.ts";
import "../summary/summary.ts";
import { define } from "../ui/define.ts";
import { formatBytes, formatCount } from "../ui/numbers.ts";
import { partStyles } from "../ui/part-loader.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderSidebar } from "./render-open-file.ts";

/** The most entries and tensors that are listed. */
const MOST_ROWS = 200;

/** A file of which only the header is known: its summary, and its entries and tensors where the panels will be. */
export function renderKnownHeader(gguf: ReaderGguf, fileName: string, isWide: boolean) {
  const header = storedHeader(gguf);
  return html`${isWide ? renderSidebar({ gguf: header, fileName }) : nothing}
    <div class="main">
      <div class="region" role="region" aria-label="Summary panel" tabindex="0">
        <gguf-summary .gguf=${header} .fileName=${fileName} ?named=${!isWide}></gguf-summary>
        <gguf-known-header .gguf=${gguf}></gguf-known-header>
      </div>
    </div>`;
}

/** A header without the facts that need the main module. */
function storedHeader(gguf: ReaderGguf): StoredHeader {
  const { metadata, tensors, entries, version, byteOrder, alignment, parameterCount } = gguf;
  const { fileSize, headerSize, dataOffset, requiredSize } = gguf;
  return {
    metadata,
    tensors,
    entries,
    version,
    byteOrder,
    alignment,
    parameterCount,
    fileSize,
    headerSize,
    dataOffset,
    requiredSize,
    classification: undefined,
    fileType: undefined,
    extent: (tensor) => gguf.extent(tensor),
    suggestFileName: () => undefined,
    specialTokens: () => [],
  };
}

/** The entries and tensors of a header in place of the panels, while the main module is loaded. */
export class GgufKnownHeader extends LitElement {
  static override properties = { gguf: { attribute: false } };

  declare gguf: ReaderGguf;

  static override styles = [
    baseStyles,
    partStyles,
    css`
      :host {
        display: block;
        flex: 1;
        padding: 12px 16px;
        overflow: auto;
        overflow-wrap: anywhere;
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        color: var(--gguf-ink-2);
      }
      h3 {
        margin: 16px 0 4px;
        font-size: 14px;
      }
      /* The panels are usually there before a person could read this. */
      header,
      section {
        animation: appear 200ms 300ms both;
      }
      dl {
        font-size: 13px;
      }
      dl div {
        display: grid;
        grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
        gap: 12px;
        padding: 4px 0;
        border-bottom: 1px solid var(--gguf-line);
      }
    `,
  ];

  readonly #cancel = () => {
    this.dispatchEvent(new CustomEvent("gguf-cancel", { bubbles: true, composed: true }));
  };

  override render() {
    const { entries, tensors } = this.gguf;
    return html`<header>
        <span role="status">Loading the panels…</span>
        <button type="button" @click=${this.#cancel}>Cancel</button>
      </header>
      ${renderRows("Metadata", entries, ({ key, value }) => [key, valueWords(value) ?? ""])}
      ${renderRows("Tensors", tensors, ({ name, type, dimensions, byteLength }) => [
        name,
        `${type} · ${dimensions.join(" × ")}${byteLength === undefined ? "" : ` · ${formatBytes(byteLength)}`}`,
      ])}`;
  }
}

function renderRows<Row>(title: string, rows: readonly Row[], words: (row: Row) => [name: string, value: string]) {
  if (rows.length === 0) return "";
  const rest = rows.length - MOST_ROWS;
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
    ${rest > 0 ? html`<p>and ${formatCount(rest, "more", "more")}</p>` : ""}
  </section>`;
}

define("gguf-known-header", GgufKnownHeader);

/** The entry for pages that show the facts of files: registers `<gguf-summary>`. */

import { css, html } from "lit";
import { property } from "lit/decorators.js";
import { loadReader, type ReaderGguf, startedReader } from "../gguf/reader.ts";
import { icons } from "../ui/icons.ts";
import { define } from "../ui/define.ts";
import { shardCount } from "../gguf/shard-set.ts";
import "../summary/details.ts";
import { notices, type StoredHeader } from "../summary/facts.ts";
import { noticeStyles } from "../summary/summary-styles.ts";
import "../summary/identity.ts";
import { type EarlyHeader, wholeHeader } from "../viewer/arrived-header.ts";
import type { OpenState } from "../viewer/viewer-file.ts";
import { type Entry, FileElement } from "./file-element.ts";

// The reader is the main module here. Its methods have the same types.
const started = () => startedReader() as Entry | undefined;
const load = loadReader as () => Promise<unknown> as () => Promise<Entry>;

/** Shows the facts of a GGUF file: `<gguf-summary src="…">`. */
export class GgufSummary extends FileElement {
  /** The name of the file, if the source has none. */
  @property() name = "";

  constructor() {
    super({ modules: { loadFirst: load, startedMain: started, loadMain: load } });
  }

  static override styles = [
    FileElement.fileStyles,
    noticeStyles,
    css`
      .notice {
        margin: 0 18px 16px;
      }
      gguf-details {
        padding: 0 18px 20px;
      }
    `,
  ];

  protected get label(): string {
    return `Summary of ${this.fileName}`;
  }

  protected get givenName(): string {
    return this.name;
  }

  protected override renderHeader(header: EarlyHeader) {
    return this.#renderFacts(header);
  }

  protected override renderFile({ model: { gguf, set }, cost }: OpenState) {
    const { Gguf } = started() ?? {};
    // Models of several files are opened by `gguf-wasm/full`, which explains them, too.
    const isRead = Gguf !== undefined && gguf instanceof Gguf;
    const header = isRead ? wholeHeader(gguf as unknown as ReaderGguf, this.fileName) : gguf;
    return this.#renderFacts(header, cost, set ? shardCount(set) : "");
  }

  #renderFacts(header: StoredHeader, cost?: OpenState["cost"], shards = "") {
    return html`<gguf-identity .gguf=${header} .fileName=${this.fileName}></gguf-identity>
      ${notices(header).map(
        ({ title, text }) =>
          html`<p class="notice">
            ${icons.warning}<span><strong>${title}</strong> ${text}</span>
          </p>`,
      )}
      <gguf-details .gguf=${header} .fileName=${this.fileName} .cost=${cost} .shards=${shards}></gguf-details>`;
  }
}

define("gguf-summary", GgufSummary);

import { css, html, LitElement, nothing } from "lit";
import { icons } from "../elements/icons.ts";
import { base } from "../elements/styles.ts";
import { visible } from "../logic/text.ts";

/** The start page: what this is, and three ways to open a file. */
export class GgufLanding extends LitElement {
  static override properties = { missing: {}, sample: {} };

  /** The name of a file that the address speaks of and that only its owner can open again. */
  declare missing: string;
  declare sample: string;

  constructor() {
    super();
    this.missing = "";
    this.sample = "";
  }

  static override styles = [
    base,
    css`
      :host {
        display: block;
      }
      main {
        width: min(100% - 40px, 720px);
        margin-inline: auto;
        padding-block: clamp(28px, 10vh, 112px) 48px;
      }
      h1 {
        font-size: clamp(30px, 5.4vw, 46px);
        font-weight: 680;
        line-height: 1.08;
        letter-spacing: -0.028em;
        text-wrap: balance;
      }
      .lead {
        margin-top: 14px;
        max-width: 54ch;
        color: var(--gguf-ink-2);
        font-size: clamp(15px, 1.6vw, 17px);
        line-height: 1.5;
        text-wrap: pretty;
      }
      gguf-open-field {
        margin-top: 30px;
      }
      .drop {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: center;
        gap: 8px 10px;
        width: 100%;
        min-height: 104px;
        margin-top: 12px;
        padding: 16px;
        border: 1.5px dashed var(--gguf-line-strong);
        border-radius: var(--gguf-radius);
        color: var(--gguf-ink-2);
        font-size: 14px;
        text-align: center;
      }
      .drop svg {
        color: var(--gguf-ink-3);
      }
      .sample {
        margin-top: 14px;
        color: var(--gguf-ink-2);
      }
      .missing {
        margin-top: 24px;
        padding: 12px 14px;
        border-radius: 6px;
        background: var(--gguf-warning-soft);
        overflow-wrap: anywhere;
      }

      /* A file drawn to the scale of the idea: a sliver is read, the rest stays where it is. */
      figure {
        margin-top: 52px;
      }
      .file {
        display: flex;
        gap: 2px;
        height: 34px;
      }
      .file span {
        border-radius: 3px;
      }
      .file .magic {
        flex: 0 0 6px;
        background: var(--gguf-accent);
      }
      .file .metadata {
        flex: 0 0 9%;
        background: var(--gguf-accent);
      }
      .file .infos {
        flex: 0 0 4%;
        background: var(--gguf-accent);
        opacity: 0.75;
      }
      .file .data {
        flex: 1;
        border: 1px solid var(--gguf-line);
        background: repeating-linear-gradient(
          115deg,
          var(--gguf-sunken) 0 7px,
          color-mix(in oklab, var(--gguf-line) 55%, var(--gguf-sunken)) 7px 8px
        );
      }
      figcaption {
        display: flex;
        justify-content: space-between;
        gap: 24px;
        margin-top: 8px;
        color: var(--gguf-ink-3);
        font-size: 12px;
      }
      figcaption span:first-child {
        color: var(--gguf-accent);
        font-weight: 500;
      }
      figcaption span:last-child {
        text-align: end;
      }
      .promises {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(200px, 1fr));
        gap: 20px 28px;
        margin-top: 30px;
      }
      .promises li {
        color: var(--gguf-ink-2);
        font-size: 13.5px;
        text-wrap: pretty;
      }
      .promises strong {
        display: block;
        margin-bottom: 2px;
        color: var(--gguf-ink);
        font-weight: 600;
      }
    `,
  ];

  override render() {
    return html`<main>
      <h1>Look inside a GGUF model</h1>
      <p class="lead">
        Its metadata, its tokenizer and every tensor, a moment after you paste the address or drop the file.
      </p>
      ${
        this.missing === ""
          ? nothing
          : html`<p class="missing" role="status">
              <strong><bdi>${visible(this.missing, 120)}</bdi></strong> was opened from this device. A page may not open
              it again by itself: choose it once more.
            </p>`
      }
      <gguf-open-field large></gguf-open-field>
      <div class="drop">
        ${icons.file}<span>Drop a .gguf file anywhere on this page, or</span>
        <button type="button" @click=${this.#choose}>Choose a file</button>
      </div>
      <p class="sample">Nothing at hand? <a href=${this.sample}>Open the sample model</a></p>
      <figure>
        <div class="file" aria-hidden="true">
          <span class="magic"></span><span class="metadata"></span><span class="infos"></span><span class="data"></span>
        </div>
        <figcaption><span>Header: read</span><span>Weights: left where they are</span></figcaption>
      </figure>
      <ul class="promises">
        <li><strong>Only the header is read</strong> A few megabytes, also of a file of 40 GB.</li>
        <li><strong>Nothing is uploaded</strong> Your browser reads the file, or fetches it from its host.</li>
        <li><strong>Exactly what is stored</strong> Every key, token and tensor, with its type and its offset.</li>
      </ul>
    </main>`;
  }

  readonly #choose = () => {
    this.dispatchEvent(new CustomEvent("gguf-choose", { bubbles: true, composed: true }));
  };
}

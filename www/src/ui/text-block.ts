import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { formatInteger } from "./numbers.ts";
import { truncate, linkTarget } from "./text.ts";
import { renderText, renderTextOrLink } from "./render-text.ts";
import { baseStyles } from "./styles.ts";
import { wrappedTextStyles } from "./styles/text.ts";
import { define } from "./define.ts";

// The characters that are shown at first. A chat template has a few thousand; laying out much more text takes noticeable time.
const FIRST_CHARACTERS = 64_000;

/** A whole text value in a monospaced block that wraps and scrolls. */
export class GgufTextBlock extends LitElement {
  @property() text = "";
  @property() label = "";
  @state() private shown: number = FIRST_CHARACTERS;

  static override styles = [
    baseStyles,
    css`
      ${wrappedTextStyles}
      pre {
        max-height: min(420px, 60vh);
        font: var(--gguf-text-dense)/1.6 var(--gguf-mono);
      }
      p {
        display: flex;
        align-items: center;
        gap: 12px;
        margin-top: 8px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
    `,
  ];

  override render() {
    const text = truncate(this.text, this.shown);
    const whole = text.length === this.text.length;
    return html`<pre tabindex="0" role="region" aria-label=${this.label}>
${linkTarget(text) === undefined ? renderText(text, { inline: false }) : renderTextOrLink(text)}</pre>
      ${
        whole
          ? nothing
          : html`<p>
              The first ${formatInteger(text.length)} of ${formatInteger(this.text.length)} characters.
              <button type="button" @click=${this.#more}>Show more</button>
            </p>`
      }`;
  }

  readonly #more = () => {
    this.shown *= 8;
  };
}

define("gguf-text-block", GgufTextBlock);

import type { GgmlTypeInfo, Gguf, TensorInfo } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { formatBytes, formatFirst } from "../ui/numbers.ts";
import { dataErrorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { baseStyles } from "../ui/styles.ts";
import { textBoxStyles } from "../ui/styles/text.ts";
import { define } from "../ui/define.ts";

const SHOWN_BYTES = 256;
/** The most bytes that are read of a tensor of unknown type. Such a tensor can only be read as a whole. */
const MAX_UNKNOWN_BYTES = 16 << 20;

/** The first bytes of a tensor as stored. They are read when a person asks for them. */
export class GgufTensorBytes extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @property({ attribute: false }) tensor!: TensorInfo;
  @property({ attribute: false }) block: GgmlTypeInfo | undefined;
  @state() private read: Uint8Array | undefined;
  @state() private failed = "";
  @state() private reading = false;

  #abort: AbortController | undefined;

  static override styles = [
    baseStyles,
    css`
      ${textBoxStyles}
      h4 {
        margin-bottom: 8px;
        font-size: var(--gguf-text-control);
        font-weight: 600;
      }
      button {
        min-height: calc(28 * var(--gguf-unit));
        white-space: normal;
        font-size: var(--gguf-text-small);
      }
      pre {
        max-height: 300px;
        font: var(--gguf-text-small)/1.6 var(--gguf-mono);
      }
      .at {
        color: var(--gguf-ink-3);
      }
      p {
        color: var(--gguf-danger);
        font-size: var(--gguf-text-dense);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("tensor")) return;
    this.#abort?.abort();
    this.read = undefined;
    this.failed = "";
    this.reading = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  override render() {
    const label = this.#label();
    if (label === undefined) return nothing;
    if (this.read)
      return html`<h4>Stored bytes</h4>
        <pre tabindex="0" role="region" aria-label="First bytes of the tensor">
${hexLines(this.read, this.tensor.fileOffset ?? 0)}</pre>`;
    return html`<button type="button" ?disabled=${this.reading} @click=${this.#read}>
        ${this.reading ? "Reading…" : label}
      </button>
      ${this.failed === "" ? nothing : html`<p role="alert">${this.failed}</p>`}`;
  }

  /** The label of the button; undefined if there is nothing to read. */
  #label(): string | undefined {
    const elements = this.#elements();
    if (elements > 0 && this.block) {
      const { blockSize } = this.block;
      const first = blockSize === 1 ? formatFirst(elements, "element") : formatFirst(elements / blockSize, "block");
      return `Show ${first} as stored`;
    }
    if (this.tensor.byteLength !== undefined) return undefined;
    const extent = this.gguf.extent(this.tensor);
    const length = extent?.isComplete ? extent.end - extent.start : 0;
    return length > 0 && length <= MAX_UNKNOWN_BYTES ? `Show the stored bytes (${formatBytes(length)})` : undefined;
  }

  /** The number of elements in the whole blocks that fit into the limit. */
  #elements(): number {
    if (!this.block?.blockSize || !this.tensor.elementCount || this.tensor.byteLength === undefined) return 0;
    const blocks = Math.max(1, Math.floor(SHOWN_BYTES / this.block.typeSize));
    return Math.min(this.tensor.elementCount, blocks * this.block.blockSize);
  }

  readonly #read = async () => {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.reading = true;
    this.failed = "";
    try {
      const elements = this.#elements();
      const range = elements > 0 ? { start: 0, end: elements } : {};
      const read = await this.gguf.readBytes(this.tensor, { ...range, signal: abort.signal });
      if (!abort.signal.aborted) this.read = elements > 0 ? read : read.slice(0, SHOWN_BYTES);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.failed = dataErrorText(failureOf(error));
    } finally {
      if (!abort.signal.aborted) this.reading = false;
    }
  };
}

define("gguf-tensor-bytes", GgufTensorBytes);

/** Lines of an offset, sixteen bytes in hexadecimal, and the same bytes as text. */
function hexLines(data: Uint8Array, from: number) {
  const lines = [];
  const width = Math.max(8, (from + data.length).toString(16).length);
  for (let start = 0; start < data.length; start += 16) {
    const row = data.subarray(start, start + 16);
    const digits = Array.from(row, (byte, i) => (i === 8 ? " " : "") + byte.toString(16).padStart(2, "0")).join(" ");
    const place = (from + start).toString(16).padStart(width, "0");
    const text = Array.from(row, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    // A line break in the template would be part of the text.
    lines.push(
      html`<span class="at">${place}</span>${` ${digits.padEnd(48)}  `}<span class="at">${text}</span>${"\n"}`,
    );
  }
  return lines;
}

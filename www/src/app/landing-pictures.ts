/** What the summary of a file shows, as two small pictures of Llama 3.1 8B in Q4_K_M. */

import { css, html, LitElement, svg, unsafeCSS } from "lit";
import { bitsColour } from "../gguf/bits-colours.ts";
import { define } from "../ui/define.ts";
import { baseStyles, drawingStyles } from "../ui/styles.ts";

const BLOCKS = 32;
/** The GiB of the weights (llama.cpp, `tools/quantize/README.md`). */
const WEIGHTS = 4.58;
/** The KiB of the cache for each token: keys and values of 8 heads with 128 values in F16, in each block. */
const TOKEN = (BLOCKS * 2 * 8 * 128 * 2) / 1024;

/** The bits per weight of Q4_K and Q6_K: a block of 256 weights has 144 or 210 bytes. */
const [FEW, MANY] = [4.5, 6.5625];

/** The roles of a block, and whether Q4_K_M spends more bits on them in some blocks. */
const ROLES: readonly (readonly [title: string, isMixed: boolean])[] = [
  ["q", false],
  ["k", false],
  ["v", true],
  ["output", false],
  ["gate", false],
  ["up", false],
  ["down", true],
];

/**
 * Whether a block gets more bits in Q4_K_M: the first and the last eighth of the blocks do, and every third block between (llama.cpp,
 * `src/llama-quant.cpp`).
 */
export function hasMoreBits(block: number, count = BLOCKS): boolean {
  const eighth = Math.floor(count / 8);
  return block < eighth || block >= Math.floor((7 * count) / 8) || (block - eighth) % 3 === 2;
}

function renderMap() {
  const [left, step, row] = [46, 9.6, 18];
  const cell = (isMixed: boolean, block: number, at: number) =>
    svg`<rect class=${isMixed && hasMoreBits(block) ? "many" : "few"} x=${left + block * step} y=${at * row} width="8.4" height="15" rx="1.5"></rect>`;
  return html`<svg
    class="drawing"
    viewBox="0 0 354 142"
    role="img"
    aria-label="Map of 32 blocks: the tensors v and down have 6.6 bits per weight in half of the blocks, all others 4.5."
  >
    ${ROLES.map(
      ([title, isMixed], at) => svg`<text x="0" y=${at * row + 12}>${title}</text>
        ${Array.from({ length: BLOCKS }, (_, block) => cell(isMixed, block, at))}`,
    )}
    <text class="small" x=${left} y="138">Blocks 0 to ${BLOCKS - 1}</text>
    ${[FEW, MANY].map(
      (
        bits,
        at,
      ) => svg`<rect class=${at === 0 ? "few" : "many"} x=${178 + at * 44} y="129" width="9" height="9" rx="1.5"></rect>
        <text class="small" x=${191 + at * 44} y="138">${bits.toFixed(1)}${at === 0 ? "" : " bits per weight"}</text>`,
    )}
  </svg>`;
}

/** The contexts of the curve, in tokens. */
const CONTEXTS = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

function renderCurve() {
  const [left, right, top, bottom, most] = [46, 338, 8, 120, 24];
  const x = (tokens: number) => left + ((right - left) * Math.log2(tokens / 4096)) / 5;
  const y = (gibibytes: number) => bottom - ((bottom - top) * gibibytes) / most;
  const total = (tokens: number) => WEIGHTS + (tokens * TOKEN) / 2 ** 20;
  const curve = CONTEXTS.map((tokens) => `${x(tokens).toFixed(1)},${y(total(tokens)).toFixed(1)}`);
  const base = `${right},${y(WEIGHTS).toFixed(1)} ${left},${y(WEIGHTS).toFixed(1)}`;
  return html`<svg
    class="drawing"
    viewBox="0 0 354 142"
    role="img"
    aria-label="Memory against context: 4.6 GiB of weights, and a KV cache that grows from 0.5 GiB with 4,096 tokens to 16 GiB with 131,072."
  >
    <rect class="weights" x=${left} y=${y(WEIGHTS)} width=${right - left} height=${bottom - y(WEIGHTS)}></rect>
    <polygon class="cache" points="${curve.join(" ")} ${base}"></polygon>
    ${[8, 12, 16, 24].map(
      (card) => svg`<line class="card" x1=${left} x2=${right} y1=${y(card)} y2=${y(card)}></line>
        <text class="small" x=${left - 6} y=${y(card) + 4} text-anchor="end">${card} GB</text>`,
    )}
    <polyline class="total" points=${curve.join(" ")}></polyline>
    <text class="part" x=${left + 8} y=${(y(WEIGHTS) + bottom) / 2 + 4}>Weights</text>
    <text class="part" x=${right - 8} y=${y(10) + 4} text-anchor="end">KV cache</text>
    ${CONTEXTS.map((tokens) => svg`<text class="small" x=${x(tokens)} y="138" text-anchor="middle">${tokens / 1024}K</text>`)}
  </svg>`;
}

const colour = (bits: number) => {
  const [light, dark] = bitsColour(bits);
  return unsafeCSS(`light-dark(${light}, ${dark})`);
};

const pictureStyles = css`
  :host {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(290 * var(--gguf-unit))), 1fr));
    gap: 16px;
  }
  figure {
    min-width: 0;
    padding: 16px 16px 12px;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
    background: var(--gguf-surface);
  }
  svg {
    width: 100%;
    height: auto;
  }
  text {
    fill: var(--gguf-ink-2);
    font-size: var(--gguf-text-tiny);
  }
  .small {
    fill: var(--gguf-ink-3);
    font-size: var(--gguf-text-tiny);
  }
  text.part {
    fill: var(--gguf-ink);
  }
  figcaption {
    margin-top: 10px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-control);
    text-wrap: pretty;
  }
  strong {
    display: block;
    color: var(--gguf-ink);
    font-weight: 600;
  }
  .few {
    fill: ${colour(FEW)};
  }
  .many {
    fill: ${colour(MANY)};
  }
  .weights {
    fill: light-dark(#9db3cf, #3c5575);
  }
  .cache {
    fill: light-dark(#e3b35b, #8f6a1e);
  }
  .total {
    fill: none;
    stroke: var(--gguf-ink);
    stroke-width: 1.75px;
  }
  .card {
    stroke: var(--gguf-ink-3);
    stroke-opacity: 0.55;
  }
  @media (forced-colors: active) {
    text,
    .small,
    text.part,
    .many {
      fill: CanvasText;
    }
    .few {
      fill: color-mix(in srgb, CanvasText 45%, Canvas);
    }
    .weights,
    .cache {
      fill: Canvas;
      stroke: CanvasText;
    }
    .cache {
      fill: color-mix(in srgb, CanvasText 35%, Canvas);
    }
    .total,
    .card {
      stroke: CanvasText;
    }
  }
`;

/** The pictures with their captions. They are loaded after the page that opens files. */
export class GgufLandingPictures extends LitElement {
  static override styles = [drawingStyles, baseStyles, pictureStyles];

  override render() {
    return html`<figure>
        ${renderMap()}
        <figcaption><strong>How it was quantized</strong> Where Q4_K_M spends the bits of Llama 3.1 8B</figcaption>
      </figure>
      <figure>
        ${renderCurve()}
        <figcaption>
          <strong>Will it run?</strong> What its weights and a context of 4K to 128K tokens take of a card
        </figcaption>
      </figure>`;
  }
}

define("gguf-landing-pictures", GgufLandingPictures);

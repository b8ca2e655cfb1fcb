import { css, html, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { tensorRole } from "../gguf/library.ts";
import { bitsStyle, bitsStyles } from "../summary/bits-style.ts";
import { placeFinder } from "../summary/block-roles.ts";
import { Picture } from "../summary/picture.ts";
import { type Grid, modelGrids } from "../summary/quantization-map/grid.ts";
import { define } from "../ui/define.ts";
import { formatPercent } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { svgElement, svgLabel } from "../ui/svg-element.ts";
import { escapeText } from "../ui/text.ts";
import { cardFacts, type CardFacts } from "./card-facts.ts";
import { figurePlaces } from "./figure-places.ts";

/** The size of the card in px. A PNG has twice as many pixels: 1200 × 630, the size that pages show beside a link. */
const [WIDTH, HEIGHT] = [600, 315];
const EDGE = 28;
const INNER = WIDTH - 2 * EDGE;
/** The place of the map. */
const MAP = { top: 158, height: 84 };

/** A card of the model, as a picture: what it is, how many bits each part has, and what it takes to run it. */
export class GgufModelCard extends Picture {
  /** Whether llama.cpp loads the file as a model of its own. */
  @property({ type: Boolean }) loaded = false;

  protected readonly heading = "Card";
  protected readonly saveName = "card";
  #facts: CardFacts | undefined;
  #drawn: SVGElement | undefined;

  static override styles = [
    ...Picture.styles,
    bitsStyles,
    css`
      figure > svg {
        border: 1px solid var(--gguf-line);
        border-radius: 10px;
        background: var(--gguf-surface);
      }
      svg .title {
        fill: var(--gguf-ink);
        font-weight: 650;
        letter-spacing: -0.01em;
      }
      svg .value {
        fill: var(--gguf-ink);
        font-size: var(--gguf-text-title);
        font-weight: 600;
      }
      svg .line {
        font-size: var(--gguf-text-control);
      }
      svg .small {
        font-size: var(--gguf-text-tiny);
      }
      svg .brand {
        fill: var(--gguf-accent);
        font-size: var(--gguf-text-small);
        font-weight: 600;
      }
      .readout {
        display: none;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("gguf") && !changed.has("fileName") && !changed.has("loaded")) return;
    this.#facts = cardFacts(this.gguf, this.fileName, this.loaded);
    this.#drawn = undefined;
  }

  protected draw() {
    const facts = this.#facts;
    if (!facts) return undefined;
    return (this.#drawn ??= drawCard(facts, modelGrids(this.gguf.tensors, placeFinder(tensorRole)).grids[0]));
  }

  protected facts() {
    const facts = this.#facts;
    if (!facts) return undefined;
    return html`<p>${renderText(facts.title, { limit: 400 })}</p>
      <p>${renderText(facts.line, { limit: 400 })}</p>
      <ul>
        ${facts.figures.map(({ value, label }) => html`<li>${label}: ${value}</li>`)}
        ${facts.types.map(({ type, share }) => html`<li>${type}: ${formatPercent(share, 1)} of the bytes</li>`)}
      </ul>
      <p>${facts.needs}</p>`;
  }
}

define("gguf-model-card", GgufModelCard);

function drawCard(facts: CardFacts, grid: Grid | undefined): SVGElement {
  const card = svgElement("svg", {
    width: WIDTH,
    height: HEIGHT,
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": `Card of ${escapeText(facts.title, 200)}`,
  });
  const title = escapeText(facts.title, 64);
  const size = Math.min(27, Math.floor((INNER / Math.max(1, title.length)) * 1.75));
  const titleLabel = svgLabel(title, { class: "title", x: EDGE, y: 54 });
  titleLabel.style.setProperty("font-size", `${size}px`);
  card.append(titleLabel, svgLabel(escapeText(facts.line, 80), { class: "line", x: EDGE, y: 78 }));
  drawFigures(card, facts);
  const known = [...new Set(facts.types.flatMap(({ bits }) => bits ?? []))].sort((a, b) => a - b);
  if (grid) drawMap(card, grid, known);
  else drawShares(card, facts, known);
  drawTypes(card, facts, known);
  if (facts.needs !== "") card.append(svgLabel(facts.needs, { class: "small", x: EDGE, y: 294 }));
  card.append(svgLabel("GGUF viewer", { class: "brand", x: WIDTH - EDGE, y: 294, "text-anchor": "end" }));
  return card;
}

function drawFigures(card: SVGElement, { figures }: CardFacts): void {
  for (const { value, label, x, size } of figurePlaces(figures, INNER)) {
    const shown = svgLabel(value, { class: "value", x: EDGE + x, y: 120 });
    shown.style.setProperty("font-size", `${size}px`);
    card.append(shown, svgLabel(label, { class: "small", x: EDGE + x, y: 137 }));
  }
}

/** A column for each block, a row for each role. */
function drawMap(card: SVGElement, { blocks, rows }: Grid, known: readonly number[]): void {
  const [width, height] = [Math.min(INNER / blocks.length, 40), MAP.height / rows.length];
  for (const [rowAt, { cells }] of rows.entries()) {
    for (const [at, cell] of cells.entries()) {
      if (!cell) continue;
      const rect = svgElement("rect", {
        class: "bits",
        x: (EDGE + at * width).toFixed(2),
        y: (MAP.top + rowAt * height).toFixed(2),
        width: (width * (blocks.length > 60 ? 1 : 0.9)).toFixed(2),
        height: (height * 0.88).toFixed(2),
        rx: 1,
      });
      rect.style.cssText = bitsStyle(cell.bits, known);
      card.append(rect);
    }
  }
}

/** A file without blocks has one bar with the shares of the types. */
function drawShares(card: SVGElement, { types }: CardFacts, known: readonly number[]): void {
  let x = EDGE;
  for (const { bits, share } of types) {
    const rect = svgElement("rect", {
      class: "bits",
      x,
      y: MAP.top + 20,
      width: Math.max(1, share * INNER),
      height: 36,
    });
    rect.style.cssText = bitsStyle(bits, known);
    card.append(rect);
    x += share * INNER;
  }
}

/** The types with their colours and shares, as many as fit into a line. */
function drawTypes(card: SVGElement, { types }: CardFacts, known: readonly number[]): void {
  let x = EDGE;
  for (const { type, bits, share } of types) {
    const words = `${escapeText(type, 16)} ${formatPercent(share, 1)}`;
    const width = 18 + 6.2 * words.length;
    if (x + width > WIDTH - EDGE) return;
    const swatch = svgElement("rect", { class: "bits", x, y: 259, width: 10, height: 10, rx: 2 });
    swatch.style.cssText = bitsStyle(bits, known);
    card.append(swatch, svgLabel(words, { class: "small", x: x + 15, y: 268 }));
    x += width + 12;
  }
}

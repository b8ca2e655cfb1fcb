import type { TensorInfo, TensorRole } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import { type Mark, MARK_LABELS } from "../gguf/shown-file.ts";
import { formatBytes, formatCount, formatHex, formatId, formatInteger, formatParameters } from "../ui/numbers.ts";
import { nextMatch } from "./tensor-rows.ts";
import type { BlockShare } from "./block-sizes.ts";
import type { TensorColumn } from "./tensor-state.ts";
import { colourName } from "../gguf/type-colours.ts";
import { escapeText } from "../ui/text.ts";
import { renderText } from "../ui/render-text.ts";
import { dimensions } from "./name-bar.ts";

/** The cells of a tensor's row, by column. `share` is that of its size in its block. */
export function tensorCells(
  tensor: TensorInfo,
  {
    highlight,
    share,
    mark,
    role,
  }: { highlight: string; share: BlockShare | undefined; mark: Mark | undefined; role: TensorRole | undefined },
) {
  return {
    index: () => html`<span role="gridcell" class="number dim">${formatId(tensor.index)}</span>`,
    name: () =>
      html`<span role="rowheader" class="name-cell"
        ><span class="name" title=${escapeText(tensor.name)}
          >${mark === undefined ? nothing : html`<span class="mark">${MARK_LABELS[mark]}</span>`}${renderText(tensor.name, { highlight, limit: 256, find: nextMatch })}</span
        >${role === undefined ? nothing : html`<span class="role" title=${role.description}><span class="sr">, </span>${role.title}</span>`}</span
      >`,
    type: () =>
      html`<span role="gridcell" class="kind" data-type=${colourName(tensor.type)} title=${tensor.type}
        ><span class="swatch"></span><span>${tensor.type}</span></span
      >`,
    dimensions: () => html`<span role="gridcell" class="dims">${dimensions(tensor)}</span>`,
    elements: () =>
      html`<span
        role="gridcell"
        class="number"
        title=${tensor.elementCount === undefined ? nothing : formatInteger(tensor.elementCount)}
        >${tensor.elementCount === undefined ? "?" : formatParameters(tensor.elementCount)}</span
      >`,
    bytes: () =>
      html`<span
        role="gridcell"
        class="number size ${share === undefined ? "" : "shared"}"
        data-type=${colourName(tensor.type)}
        .style=${share === undefined ? "" : `--part:${share.part.toFixed(4)}`}
        title=${tensor.byteLength === undefined ? nothing : `${formatCount(tensor.byteLength, "byte")}${share === undefined ? "" : `, ${escapeText(share.words)}`}`}
        >${tensor.byteLength === undefined ? "?" : formatBytes(tensor.byteLength)}${
          share === undefined ? nothing : html`<span class="sr">, ${escapeText(share.words)}</span>`
        }</span
      >`,
    offset: () =>
      html`<span role="gridcell" class="number offset" title=${formatInteger(tensor.offset)}
        >${formatHex(tensor.offset)}</span
      >`,
  } satisfies Record<TensorColumn, () => unknown>;
}

import type { TensorInfo } from "gguf-wasm";
import { html, nothing } from "lit";
import { type Mark, MARK_WORDS } from "../gguf/shown-file.ts";
import { bytes, counted, grouped, hex, parameters } from "../ui/numbers.ts";
import { nextMatch, type TensorColumn } from "./tensor-rows.ts";
import { colourName } from "../gguf/type-colours.ts";
import { visible } from "../ui/text.ts";
import { fileText } from "../ui/file-text.ts";
import { dimensions } from "./tensor-detail.ts";

/** The cells of a tensor's row, by column; `largest` is the size of the largest tensor. */
export function tensorCells(
  tensor: TensorInfo,
  { mark, largest, fate }: { mark: string; largest: number; fate: Mark | undefined },
) {
  return {
    index: () => html`<span role="gridcell" class="number dim">${grouped(tensor.index)}</span>`,
    name: () =>
      html`<span role="rowheader" class="name" title=${visible(tensor.name)}
        >${fate === undefined ? nothing : html`<span class="fate">${MARK_WORDS[fate]}</span>`}${fileText(tensor.name, { mark, limit: 256, find: nextMatch })}</span
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
        title=${tensor.elementCount === undefined ? nothing : grouped(tensor.elementCount)}
        >${tensor.elementCount === undefined ? "?" : parameters(tensor.elementCount)}</span
      >`,
    bytes: () =>
      html`<span
        role="gridcell"
        class="number size"
        data-type=${colourName(tensor.type)}
        .style=${`--part:${(((tensor.byteLength ?? 0) / largest) * 100).toFixed(2)}%`}
        title=${tensor.byteLength === undefined ? nothing : counted(tensor.byteLength, "byte")}
        >${tensor.byteLength === undefined ? "?" : bytes(tensor.byteLength)}</span
      >`,
    offset: () =>
      html`<span role="gridcell" class="number offset" title=${grouped(tensor.offset)}>${hex(tensor.offset)}</span>`,
  } satisfies Record<TensorColumn, () => unknown>;
}

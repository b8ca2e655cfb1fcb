/** The name of a tensor, its type and its dimensions in one row above its values. */

import type { TensorInfo } from "gguf-wasm/full";
import { css, html, nothing } from "lit";
import "../ui/copy-button.ts";
import { formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { escapeText } from "../ui/text.ts";

/** `buttons` stand at the end of the row. */
export function renderNameBar(tensor: TensorInfo, buttons: unknown = nothing) {
  return html`<div class="name-bar">
    <h3 class="mono" title=${escapeText(tensor.name, 300)}>${renderText(tensor.name, { limit: 300 })}</h3>
    <span class="shape">${tensor.type}<span class="times">·</span>${dimensions(tensor)}</span>
    <gguf-copy-button caption="Copy name" label="Copy name of the tensor" .text=${() => tensor.name}></gguf-copy-button>
    ${buttons}
  </div>`;
}

/** The row itself. An element puts it in its place. */
export const nameBarStyles = css`
  .name-bar {
    display: flex;
    align-items: center;
    gap: 4px 12px;
    border-bottom: 1px solid var(--gguf-line);
    background: var(--gguf-hover);
  }
  .name-bar h3 {
    flex: 0 1 auto;
    min-width: 0;
    overflow: hidden;
    font-size: var(--gguf-text-control);
    font-weight: 600;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .name-bar .shape {
    flex: 1 0 auto;
    color: var(--gguf-ink-2);
    font: var(--gguf-text-small) var(--gguf-mono);
  }
  .name-bar gguf-copy-button {
    flex: none;
  }
`;

/** The dimensions in file order: fastest first. */
export function dimensions(tensor: Pick<TensorInfo, "dimensions">) {
  if (tensor.dimensions.length === 0) return html`<span class="dim">scalar</span>`;
  return tensor.dimensions.map(
    (size, i) => html`${i === 0 ? nothing : html`<span class="times">×</span>`}${formatInteger(size)}`,
  );
}

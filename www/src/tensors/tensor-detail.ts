import type { GgmlTypeInfo, Gguf, TensorInfo } from "gguf-wasm/explain";
import type { SetTensor } from "gguf-wasm/full";
import { html, nothing, type TemplateResult } from "lit";
import { blockLayout } from "./block-layouts.ts";
import "../export/save-npy.ts";
import { tensorRole } from "../gguf/library.ts";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { formatCount, formatInteger, formatHex } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import type { FileValues } from "../values/file-values.ts";
import "../values/tensor-bytes.ts";
import { dimensions, renderNameBar } from "./name-bar.ts";
import "./tensor-strip.ts";
import "../values/tensor-values.ts";

interface Detail {
  readonly gguf: Gguf;
  readonly values: FileValues;
  readonly tensor: TensorInfo;
  readonly info: GgmlTypeInfo | undefined;
  /** The buttons beside the name. */
  readonly buttons: unknown;
  /** The fields that change the tensor. */
  readonly fields: unknown;
}

/** The details of a tensor: its values, then everything that the header says about it. */
export function tensorDetail({ gguf, values, tensor, info, buttons, fields }: Detail): TemplateResult {
  return html`<div class="detail-body">
    ${renderNameBar(tensor, buttons)} ${fields}
    <gguf-tensor-values .values=${values} .tensor=${tensor} .info=${info}></gguf-tensor-values>
    ${renderFacts(tensor, info, originalShape(gguf, tensor))}
    <gguf-tensor-bytes .gguf=${gguf} .tensor=${tensor} .block=${info}></gguf-tensor-bytes>
    <gguf-save-npy .gguf=${gguf} .tensor=${tensor}></gguf-save-npy>
    <gguf-tensor-strip .values=${values} .tensors=${gguf.tensors} .current=${tensor}></gguf-tensor-strip>
  </div>`;
}

/** What the header says about a tensor. */
function renderFacts(tensor: TensorInfo, info: GgmlTypeInfo | undefined, original: readonly number[] | undefined) {
  const layout = info && blockLayout(info);
  const role = tensorRole(tensor.name);
  return html`<dl>
    <div class="whole name">
      <dt>Name</dt>
      <dd class="mono">${renderText(tensor.name)}</dd>
    </div>
    <div class="whole layout">
      <dt>Role</dt>
      ${role === undefined ? html`<dd>This name is not known.</dd>` : html`<dd><strong>${role.title}.</strong> ${role.description}</dd>`}
    </div>
    ${
      role === undefined
        ? nothing
        : html`${fact("Section", role.section)} ${fact("Part", role.part)} ${fact("Number of the block", role.block)}
          ${fact("Number of the expert", role.expert)} ${fact("Number in the name", role.number)}`
    }
    <div>
      <dt>Type</dt>
      <dd>
        ${tensor.type}
        <span class="dim"
          >(id ${tensor.typeId}${tensor.typeOwner === undefined ? "" : `, of ${tensor.typeOwner}`})</span
        >
      </dd>
    </div>
    ${
      info && info.blockSize > 0
        ? html`<div>
            <dt>Block</dt>
            <dd>
              ${formatCount(info.blockSize, "element")} in ${formatCount(info.typeSize, "byte")}
              <span class="dim">(${Number(((info.typeSize * 8) / info.blockSize).toFixed(3))} bits each)</span>
            </dd>
          </div>`
        : nothing
    }
    ${renderPlace(tensor, original)}
    ${
      layout === undefined
        ? nothing
        : html`<div class="whole layout">
            <dt>Layout</dt>
            <dd>${layout}</dd>
          </div>`
    }
  </dl>`;
}

/** The shape of a tensor before it was stored as rows of 256 elements. The names in a file that is not GGUF say nothing of it. */
function originalShape(gguf: Gguf, { name }: TensorInfo): readonly number[] | undefined {
  return (gguf as ShownHeader).format === undefined ? gguf.originalShape(name) : undefined;
}

/** The size of a tensor, and its place in the file. `original` is its original shape, if it is stored in another one. */
function renderPlace(tensor: TensorInfo, original: readonly number[] | undefined) {
  const end =
    tensor.fileOffset !== undefined && tensor.byteLength !== undefined
      ? tensor.fileOffset + tensor.byteLength
      : undefined;
  return html`${fact("Shard", shardOf(tensor))}
    <div>
      <dt>Dimensions, fastest first</dt>
      <dd class="mono">${dimensions(tensor)}</dd>
    </div>
    ${
      original === undefined
        ? nothing
        : html`<div>
            <dt>Original shape</dt>
            <dd class="mono">${dimensions({ dimensions: original })}</dd>
          </div>`
    }
    <div>
      <dt>Elements</dt>
      <dd>${tensor.elementCount === undefined ? "too many to count" : formatInteger(tensor.elementCount)}</dd>
    </div>
    <div>
      <dt>Size</dt>
      <dd>${tensor.byteLength === undefined ? "unknown" : formatCount(tensor.byteLength, "byte")}</dd>
    </div>
    <div>
      <dt>Offset in the data section</dt>
      <dd>
        <span class="mono">${formatHex(tensor.offset)}</span>
        <span class="dim">(${formatInteger(tensor.offset)})</span>
      </dd>
    </div>
    <div>
      <dt>Byte range in the file</dt>
      <dd class="mono">
        ${tensor.fileOffset === undefined ? "unknown" : formatHex(tensor.fileOffset)}${end === undefined ? nothing : html`<span class="times">–</span>${formatHex(end)}`}
      </dd>
    </div>`;
}

/** The number of the shard that has a tensor. Undefined if the model is one file. */
function shardOf(tensor: TensorInfo | SetTensor): number | undefined {
  return "shard" in tensor ? tensor.shard : undefined;
}

function fact(label: string, value: string | number | undefined) {
  return value === undefined
    ? nothing
    : html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`;
}

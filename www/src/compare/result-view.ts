/** What the panel shows of a comparison. */

import { html, nothing } from "lit";
import { problemText } from "../gguf/error-texts.ts";
import { bitsPerWeight } from "../gguf/tensor-types.ts";
import { shardCount } from "../gguf/shard-set.ts";
import { icons } from "../ui/icons.ts";
import type { LongTask } from "../ui/long-task.ts";
import { formatBinaryBytes, formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { renderTabs } from "../ui/tabs.ts";
import { type Amount, amountsFor } from "./amounts.ts";
import type { CardContexts } from "./card-context.ts";
import type { RowLink } from "./difference-table.ts";
import "./entry-differences.ts";
import "./errors/error-pictures.ts";
import { MOST_TENSORS, type Pairs } from "./errors/tensor-errors.ts";
import { contextWords, errorFigures, errorSentence, type SideFigures, sizeWords } from "./headline.ts";
import type { Result } from "./result.ts";
import type { Side } from "./sides.ts";
import "./tensor-differences.ts";
import { countWords, coverageText, ENTRY_CHANGES, FORMAT_TITLES, pairCount, tensorWords } from "./words.ts";

/** What is below the summary: the table of the metadata or of the tensors, or the pictures of the errors. */
export type DifferenceList = "entries" | "tensors" | "errors";

interface TableChoice {
  readonly list: DifferenceList;
  /** What the pictures show. Undefined if values were not compared. */
  readonly pairs: Pairs | undefined;
  readonly isRunning: boolean;
  readonly rowLink: RowLink | undefined;
  readonly show: (list: DifferenceList) => void;
  /** Shows the differences of the tensors that a mark of a picture stands for. */
  readonly showTensors: (event: CustomEvent<{ filter: string }>) => void;
}

interface DeeperChoice {
  readonly amount: Amount;
  readonly isRunning: boolean;
  readonly choose: (amount: Amount) => void;
  readonly compare: (depth: "data" | "values") => void;
}

/** Words for the role of a side. */
const ROLE_WORDS: Record<Side["role"], string> = {
  open: "this file",
  edited: "edited",
  original: "original",
  other: "the other file",
};

/** A side, with its role in words. */
export function renderSide(label: string, side: Side) {
  const { name, role, model } = side;
  return html`<dt>${label}</dt>
    <dd>
      ${renderText(name, { limit: 200 })}
      <span class="role"
        >(${ROLE_WORDS[role]}${model.set ? `, ${shardCount(model.set)} ${model.set.shards.length === 1 ? "shard" : "shards"}` : nothing})</span
      >
    </dd>`;
}

/** What a person wants to know first: size, bits, context on the card, error. */
function renderHeadline({ a, b, pairs }: Result, context: ContextAnswer) {
  const size = sizeWords(figuresOf(a), figuresOf(b));
  const errors = errorFigures(pairs, a.model.gguf.tensors);
  return html`<div class="headline">
    ${size === "" ? nothing : html`<p class="size">${size}</p>`}
    ${context.found ? html`<p>${contextWords(context.found)}</p>` : nothing}
    ${
      context.isAsked
        ? html`<p class="hint">
            <button type="button" class="link" @click=${showSummary}>Choose your graphics card in Summary</button> to
            see the context that each file leaves on it.
          </p>`
        : nothing
    }
    ${errors ? html`<p>${renderText(errorSentence(errors), { limit: 400 })}</p>` : nothing}
  </div>`;
}

function showSummary({ currentTarget }: Event): void {
  const detail = "summary";
  currentTarget?.dispatchEvent(new CustomEvent("gguf-show-panel", { detail, bubbles: true, composed: true }));
}

/** What is known of the context on the card. */
export interface ContextAnswer {
  /** Whether the person is asked to choose a card. */
  readonly isAsked: boolean;
  readonly found: CardContexts | undefined;
}

function figuresOf({ model: { gguf, set } }: Side): SideFigures {
  return { size: (set ?? gguf).fileSize, bits: bitsPerWeight(gguf.tensors) };
}

/** The result in a sentence, and the counts of what differs. */
export function renderSummary(result: Result, context: ContextAnswer) {
  const { comparison } = result;
  const isSame = comparison.isEqual && comparison.dataCoverage === "whole";
  return html`${comparison.isEqual ? nothing : renderHeadline(result, context)}
    <h3 class="summary ${isSame ? "same" : ""}" tabindex="-1">
      ${isSame ? icons.check : nothing}${renderText(comparison.summary, { limit: 600 })}
    </h3>
    <div class="facts">
      <p>Metadata: ${countWords(comparison.counts.entries, ENTRY_CHANGES)}.</p>
      <p>Tensors: ${tensorWords(comparison)}.</p>
      ${comparison.format.map(
        ({ property, a: from, b: to }) =>
          html`<p>${FORMAT_TITLES[property]}: ${renderText(String(from))} in A, ${renderText(String(to))} in B.</p>`,
      )}
      ${comparison.isEqual ? nothing : html`<p class="hint">${coverageText(comparison)}</p>`}
    </div>`;
}

/** The choice of how much of the data is read, and what is compared. */
export function renderDeeper(
  { total, depth, comparison, comparable }: Result,
  { amount: chosen, isRunning, choose, compare }: DeeperChoice,
) {
  if (total === 0 || pairCount(comparison) === 0) return nothing;
  // Nothing is left to compare. The files may have changed since.
  const isWhole = comparison.dataCoverage === "whole";
  return html`<div class="deeper">
    <label
      >Read
      <select
        ?disabled=${isRunning}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          choose(value === "whole" ? value : Number(value));
        }}
      >
        ${amountsFor(total).map(
          (amount) =>
            html`<option value=${amount} ?selected=${amount === chosen}>
              ${amount === "whole" ? `everything, ${formatBytes(total)}` : `a sample, ${formatBinaryBytes(amount)}`}
            </option>`,
        )}
      </select></label
    >
    <div class="buttons">
      <button
        type="button"
        class=${depth === "headers" ? "primary" : ""}
        aria-disabled=${isRunning}
        @click=${() => compare("values")}
      >
        Compare the values${isWhole && depth === "values" ? " again" : nothing}
      </button>
      ${
        comparable === 0
          ? nothing
          : html`<button type="button" aria-disabled=${isRunning} @click=${() => compare("data")}>
              Compare the
              data${comparable === pairCount(comparison) ? nothing : ` of ${formatCount(comparable, "tensor")}`}${isWhole ? " again" : nothing}
            </button>`
      }
    </div>
    <p class="hint">
      ${
        comparable === 0
          ? "No tensor has the same type and dimensions in both files, so their bytes cannot be equal. "
          : html`<strong>Data:</strong> whether the stored bytes are equal. `
      }<strong>Values:</strong> how much the numbers differ, as error (NMSE), largest difference and cosine similarity,
      and pictures of the errors of at most ${formatInteger(MOST_TENSORS)} tensors.
    </p>
  </div>`;
}

/** Why the data could not be compared. */
export function renderFailure({ state }: LongTask<unknown>) {
  if (state.name !== "failed") return nothing;
  if (state.isCancelled)
    return html`<p class="notice">${icons.info}<span>Cancelled. The result above is unchanged.</span></p>`;
  return html`<div class="notice bad" role="alert">
    ${icons.error}
    <div>${renderText(problemText(state.error), { limit: 600 })}</div>
  </div>`;
}

/** The tables of the entries and the tensors that differ, and the pictures, one below each tab. */
export function renderTables(
  { comparison, a, b, depth }: Result,
  { list, pairs, isRunning, rowLink, show, showTensors }: TableChoice,
) {
  const { entryCount, tensorCount } = comparison;
  if (entryCount + tensorCount === 0 && (!pairs || (comparison.isEqual && !isRunning))) return nothing;
  const current = list === "errors" && !pairs ? "entries" : list;
  return html`<div class="tabs">
      ${renderTabs({
        tabs: [
          { name: "entries", title: "Metadata", count: entryCount },
          { name: "tensors", title: "Tensors", count: tensorCount },
          ...(pairs ? [{ name: "errors" as const, title: "Error" }] : []),
        ],
        current,
        label: "Differences",
        show,
      })}
    </div>
    <div role="tabpanel" id="panel" class=${current} aria-labelledby="tab-${current}">
      <gguf-entry-differences
        .comparison=${comparison}
        .a=${a}
        .b=${b}
        .rowLink=${rowLink}
        ?hidden=${current !== "entries"}
      ></gguf-entry-differences>
      <gguf-tensor-differences
        .comparison=${comparison}
        .a=${a}
        .b=${b}
        .rowLink=${rowLink}
        .hasValues=${depth === "values"}
        ?hidden=${current !== "tensors"}
      ></gguf-tensor-differences>
      ${
        pairs && current === "errors"
          ? html`<gguf-error-pictures
              .a=${a}
              .b=${b}
              .pairs=${pairs}
              ?running=${isRunning}
              @gguf-show-tensors=${showTensors}
            ></gguf-error-pictures>`
          : nothing
      }
    </div>`;
}

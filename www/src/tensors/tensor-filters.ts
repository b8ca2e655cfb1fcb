import { html, nothing } from "lit";
import type { TypeShare } from "../gguf/tensor-types.ts";
import { colourName } from "../gguf/type-colours.ts";
import "../ui/density-button.ts";
import { formatInteger } from "../ui/numbers.ts";
import "../ui/scroll-row.ts";
import { renderSearchField } from "../ui/search-field.ts";

interface Filters {
  readonly text: string;
  /** How many tensors are shown, in words. */
  readonly count: string;
  readonly isNarrow: boolean;
  readonly isGrouped: boolean;
  /** The order within the groups, in words; "" if there is none. */
  readonly within: string;
  /** The types of the file, and the chosen ones. */
  readonly shares: readonly TypeShare[];
  readonly types: ReadonlySet<string>;
  /** The number of tensors of each type that match the text. */
  readonly counts: ReadonlyMap<string, number>;
  readonly search: (text: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly group: () => void;
  readonly toggleType: (type: string) => void;
}

/** The filters above the table of tensors: by text and by type, and the groups. */
export function renderTensorFilters(filters: Filters) {
  const { text, count, isNarrow, isGrouped, within, shares, search, onKey, group } = filters;
  return html`<div class="toolbar ${isNarrow ? "narrow" : ""}">
    ${renderSearchField({
      label: "Filter tensors by name or role",
      placeholder: "Filter by name or role",
      text,
      search,
      onKey,
    })}
    <span class="count">${count}</span>
    ${isNarrow ? html`<gguf-density-button></gguf-density-button>` : nothing}
    <gguf-scroll-row
      ><div class="filters">
        <button type="button" aria-pressed=${isGrouped} @click=${group}>Group by block</button>
        ${within === "" ? nothing : html`<span class="within">${within}</span>`}
        ${shares.length > 1 ? renderTypes(filters) : nothing}
      </div></gguf-scroll-row
    >
    ${isNarrow ? nothing : html`<gguf-density-button></gguf-density-button>`}
  </div>`;
}

function renderTypes({ shares, types, counts, toggleType }: Filters) {
  return html`<div class="choices" role="group" aria-label="Filter by type">
    ${shares.map(
      ({ type }) =>
        html`<button
          type="button"
          class="quiet"
          data-type=${colourName(type)}
          aria-pressed=${types.has(type)}
          @click=${() => toggleType(type)}
        >
          <span class="swatch"></span><span class="mono">${type}</span
          ><span class="many">${formatInteger(counts.get(type) ?? 0)}</span>
        </button>`,
    )}
  </div>`;
}

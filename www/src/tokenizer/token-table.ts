import type { SpecialToken } from "gguf-wasm/explain";
import { css, html, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import type { EditedFile } from "../gguf/shown-file.ts";
import { announce } from "../ui/announce.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import "../ui/density-button.ts";
import { formatCount, formatFloat, formatId, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { RowTable } from "../ui/row-table.ts";
import { renderSearchField } from "../ui/search-field.ts";
import { renderSortHead, sortStyles } from "../ui/sort-head.ts";
import { baseStyles } from "../ui/styles.ts";
import { tableStyles } from "../ui/table-styles.ts";
import type { Found } from "./found-tokens.ts";
import { type Merge, mergesOf } from "./merges.ts";
import { hexOf } from "./spelling.ts";
import { tokensAsCsv } from "./token-export.ts";
import { findTokens, QueryError } from "./token-filter.ts";
import { tokenStyles } from "./token-styles.ts";
import { renderTokenText } from "./token-text.ts";
import { typeMeaning, typeName } from "./token-types.ts";
import {
  FOUND_TOKENS,
  type FoundTokens,
  type Search,
  type TokenColumn,
  type TokenizerState,
  type TokenOrder,
} from "./tokenizer-state.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { tracks } from "../ui/styles/tracks.ts";

const COLUMNS: Readonly<Record<TokenColumn, { title: string; hint: string }>> = {
  id: { title: "Id", hint: "" },
  text: { title: "Token", hint: "The text that the token stands for. A dot is a space" },
  bytes: { title: "Bytes", hint: "The number of bytes that the token stands for" },
  type: { title: "Type", hint: "" },
  score: { title: "Score", hint: "" },
};

const SEARCH_LABELS: Readonly<Record<Search, string>> = {
  text: "Text",
  id: "Id",
  bytes: "Bytes",
  regex: "Regular expression",
};

const FOUND_LABELS: Readonly<Record<FoundTokens, string>> = { duplicate: "Duplicates", empty: "Empty" };

const BY_ID: TokenOrder = { column: "id", descending: false };

/** All tokens of a vocabulary: searched, filtered and sorted. The event `gguf-tokens` reports a new state (detail: a `TokenizerState`). */
export class GgufTokenTable extends RowTable {
  @property({ attribute: false }) vocabulary!: Vocabulary;
  @property({ attribute: false }) special: readonly SpecialToken[] = [];
  /** The file after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edits: EditedFile | undefined;
  /** The tokens that the check has found. Undefined until it has run. */
  @property({ attribute: false }) found: Found | undefined;
  @property({ attribute: false }) state: TokenizerState = {};
  /** The ids of the rows. */
  @state() private ids: Uint32Array = new Uint32Array();
  @state() private searching = false;
  /** Why the search text cannot be searched for. */
  @state() private problem = "";

  #search: AbortController | undefined;
  /** The merges of open rows, by id. */
  readonly #merges = new Map<number, readonly Merge[]>();
  #merging: AbortController | undefined;

  static override styles = [
    baseStyles,
    tableStyles,
    sortStyles,
    tokenStyles,
    css`
      .columns {
        grid-template-columns: ${tracks(76, "1fr", 64, 112, 96)};
      }
      .narrow .columns {
        grid-template-columns: ${tracks([44, 64], [56, "1fr"], [44, 88])};
        column-gap: 10px;
      }
      .bytes,
      .score {
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
      .problem {
        flex-basis: 100%;
        color: var(--gguf-danger);
        font-size: var(--gguf-text-dense);
      }
      dl {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(220 * var(--gguf-unit))), 1fr));
        gap: 8px 24px;
      }
      .editing {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
        max-width: calc(640 * var(--gguf-unit));
      }
      .mono {
        font-family: var(--gguf-mono);
        font-size: var(--gguf-text-dense);
      }
    `,
  ];

  protected get rowCount(): number {
    return this.ids.length;
  }
  protected get rowHeight(): number {
    return this.isDense ? 26 : 36;
  }
  protected keyOf(row: number): string {
    return String(this.ids[row]);
  }
  protected canOpen(row: number): boolean {
    return row < this.rowCount;
  }
  protected rowClass(): string {
    return "";
  }
  protected get expands(): boolean {
    return true;
  }
  protected rowLevel(): number {
    return 1;
  }
  protected textToCopy(row: number): string | undefined {
    const id = this.ids[row];
    return id === undefined ? undefined : this.vocabulary.stored(id);
  }
  protected onActivated(): void {}
  protected override get editsRows(): boolean {
    return this.edits !== undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search?.abort();
    this.#merging?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("vocabulary")) {
      // While tokens are edited, open rows stay open.
      const before = changed.get("vocabulary") as Vocabulary | undefined;
      if (before?.size !== this.vocabulary.size) this.open.clear();
      this.#merges.clear();
      this.#merging?.abort();
      this.#merging = new AbortController();
    }
    const needsFound = this.state.only !== undefined && changed.has("found");
    if (changed.has("vocabulary") || changed.has("state") || needsFound) void this.#find();
    if (changed.has("ids")) this.rowsChanged();
  }

  async #find(): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    const { vocabulary, state, found } = this;
    const only = state.only === undefined ? undefined : found?.[state.only];
    // The check has not run yet.
    if (state.only !== undefined && only === undefined) return;
    this.searching = true;
    try {
      const filter = {
        query: state.filter ?? "",
        search: state.search ?? "text",
        types: new Set(state.types),
        only,
      } as const;
      const ids = await findTokens(vocabulary, filter, state.sort ?? BY_ID, search.signal);
      this.ids = ids;
      this.problem = "";
      this.active = -1;
      if (this.hasUpdated && ids.length < vocabulary.size) announce(this, `${formatCount(ids.length, "token")} found`);
    } catch (error) {
      if (error instanceof QueryError) this.problem = error.message;
      else if (!search.signal.aborted) throw error;
    } finally {
      if (this.#search === search) this.searching = false;
    }
  }

  /** Clears the filter and shows a token with its detail. */
  async showToken(id: number): Promise<void> {
    if (!this.ids.includes(id)) {
      this.#change({ filter: undefined, types: undefined, only: undefined });
      await this.updateComplete;
      while (this.searching) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const row = this.ids.indexOf(id);
    if (row < 0) return;
    this.toggle(row, true);
    await this.show(row, "start");
    this.scroller?.focus({ preventScroll: true });
  }

  get #columns(): readonly TokenColumn[] {
    const { vocabulary } = this;
    return this.narrow
      ? ["id", "text", "type"]
      : [
          "id",
          "text",
          "bytes",
          ...(vocabulary.hasTypes ? (["type"] as const) : []),
          ...(vocabulary.hasScores ? (["score"] as const) : []),
        ];
  }

  override render() {
    const columns = this.#columns;
    return html`<div class="toolbar">
        ${this.#renderSearch()}
        <span class="count" role="status">${this.#countWords()}</span>
        ${this.#renderFilters()}
        <button type="button" @click=${this.#saveCsv}>Save as CSV</button>
        <gguf-density-button></gguf-density-button>
      </div>
      <div class=${this.narrow ? "wrap narrow" : "wrap"}>
        ${this.renderGrid({
          label: "Tokens",
          head: html`${columns.map((column) => this.#renderHead(column))}`,
          columns: columns.length,
          empty: this.searching ? "Searching…" : "No token matches.",
        })}
      </div>`;
  }

  #renderSearch() {
    const { filter = "", search = "text" } = this.state;
    const isWrong = this.problem !== "";
    return html`${renderSearchField({
        label: "Search tokens",
        placeholder: `Search ${formatCount(this.vocabulary.size, "token")}`,
        text: filter,
        search: (text) => this.#change({ filter: text || undefined }),
        problem: isWrong ? "problem" : undefined,
      })}
      <select
        aria-label="What to search"
        @change=${(event: Event) => this.#change({ search: (event.target as HTMLSelectElement).value as Search })}
      >
        ${Object.entries(SEARCH_LABELS).map(
          ([name, label]) => html`<option value=${name} ?selected=${name === search}>${label}</option>`,
        )}
      </select>
      ${isWrong ? html`<p class="problem" id="problem" role="alert">${this.problem}</p>` : nothing}`;
  }

  #countWords(): string {
    const { size } = this.vocabulary;
    if (this.searching) return "Searching…";
    return this.ids.length === size ? "" : `${formatInteger(this.ids.length)} of ${formatInteger(size)}`;
  }

  /** The filters by type, and by what the check has found. */
  #renderFilters() {
    const { types = [], only } = this.state;
    const counts = [...this.vocabulary.typeCounts()].sort(([a], [b]) => a - b);
    const found = FOUND_TOKENS.filter((name) => (this.found?.[name].size ?? 0) > 0);
    if (counts.length < 2 && found.length === 0) return nothing;
    const press = (
      label: string,
      count: number,
      isPressed: boolean,
      change: Partial<Record<keyof TokenizerState, unknown>>,
    ) =>
      html`<button type="button" aria-pressed=${isPressed} @click=${() => this.#change(change)}>
        ${label}<span class="many">${formatInteger(count)}</span>
      </button>`;
    return html`<span class="choices" role="group" aria-label="Show only">
      ${counts.slice(0, 12).map(([type, count]) => {
        const isPressed = types.includes(type);
        const next = isPressed ? types.filter((other) => other !== type) : [...types, type];
        return press(typeName(type), count, isPressed, { types: next.length > 0 ? next : undefined });
      })}
      ${found.map((name) =>
        press(FOUND_LABELS[name], this.found?.[name].size ?? 0, only === name, {
          only: only === name ? undefined : name,
        }),
      )}
    </span>`;
  }

  #renderHead(column: TokenColumn) {
    const { title, hint } = COLUMNS[column];
    const { column: sorted, descending } = this.state.sort ?? BY_ID;
    const isSorted = sorted === column;
    const next = { column, descending: isSorted && !descending };
    return renderSortHead({
      title,
      direction: !isSorted ? undefined : descending ? "descending" : "ascending",
      sort: () => this.#change({ sort: next.column === "id" && !next.descending ? undefined : next }),
      name: column === "id" || column === "bytes" || column === "score" ? "number" : "",
      hint,
    });
  }

  protected renderCells(row: number) {
    const { vocabulary } = this;
    const id = this.ids[row] ?? 0;
    const bytes = vocabulary.bytes(id);
    const cells: Record<TokenColumn, () => unknown> = {
      id: () => html`<span role="rowheader" class="id">${formatId(id)}</span>`,
      text: () => html`<span role="gridcell" class="token">${renderTokenText(bytes)}</span>`,
      bytes: () => html`<span role="gridcell" class="bytes">${formatInteger(bytes.length)}</span>`,
      type: () => html`<span role="gridcell">${typeName(vocabulary.type(id))}</span>`,
      score: () => html`<span role="gridcell" class="score">${formatFloat(vocabulary.score(id) ?? NaN, 32)}</span>`,
    };
    return html`${this.#columns.map((column) => cells[column]())}`;
  }

  protected renderDetail(row: number) {
    const id = this.ids[row] ?? 0;
    const { vocabulary } = this;
    const [stored, type, score] = [vocabulary.stored(id), vocabulary.type(id), vocabulary.score(id)];
    const roles = this.special.filter((token) => token.id === id);
    const fact = (label: string, value: unknown) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`;
    return html`<div class="detail-body">
      <dl>
        ${fact(
          "Stored as",
          html`<span class="mono">${renderText(stored, { limit: 2000 })}</span>
            <gguf-copy-button label="Copy the stored text" .text=${() => stored}></gguf-copy-button>`,
        )}
        ${fact("Bytes", html`<span class="mono">${hexOf(vocabulary.bytes(id).subarray(0, 400))}</span>`)}
        ${type === undefined ? nothing : fact("Type", html`${typeName(type)}. ${typeMeaning(type) ?? ""}`)}
        ${score === undefined ? nothing : fact("Score", formatFloat(score, 32))}
        ${roles.map(({ role, key }) => fact("Special token", this.#renderRole(role, key)))}
        ${vocabulary.merges ? fact("Made by the merges", this.#renderMerges(id)) : nothing}
      </dl>
      ${this.edits === undefined ? nothing : html`<div class="editing">${this.edits.renderToken(id)}</div>`}
    </div>`;
  }

  /** The role of a special token, with the entry that names it. */
  #renderRole(role: string, key: string) {
    const show = () =>
      this.dispatchEvent(new CustomEvent("gguf-show-row", { detail: { key }, bubbles: true, composed: true }));
    return html`${role}
      <button type="button" class="small mono" aria-label="Show the entry ${key}" @click=${show}>${key}</button>`;
  }

  #renderMerges(id: number) {
    const merges = this.#merges.get(id);
    if (merges === undefined) {
      void this.#findMerges(id);
      return "Searching…";
    }
    if (merges.length === 0) return "None: the token is a single letter, or is never joined from others.";
    return merges.map(
      ({ rank, left, right }) =>
        html`<div class="mono">
          ${renderText(left)} + ${renderText(right)} <span class="many">rank ${formatId(rank)}</span>
        </div>`,
    );
  }

  async #findMerges(id: number): Promise<void> {
    const { merges } = this.vocabulary;
    const signal = this.#merging?.signal;
    if (!merges || !signal) return;
    try {
      this.#merges.set(id, await mergesOf(merges, this.vocabulary.stored(id), signal));
      this.requestUpdate();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  readonly #saveCsv = async () => {
    const { vocabulary, ids } = this;
    const controller = new AbortController();
    const url = URL.createObjectURL(await tokensAsCsv(vocabulary, ids, typeName, controller.signal));
    const link = Object.assign(document.createElement("a"), { href: url, download: "tokens.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };

  #change(change: Partial<Record<keyof TokenizerState, unknown>>): void {
    const next = Object.fromEntries(
      Object.entries({ ...this.state, ...change }).filter(([, value]) => value !== undefined),
    );
    this.rows.scrollToTop();
    this.dispatchEvent(new CustomEvent("gguf-tokens", { detail: next }));
  }
}

define("gguf-token-table", GgufTokenTable);

import type { RepositoryFile } from "gguf-wasm/full";
import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { escapeText } from "../ui/text.ts";
import type { Bits } from "./bits.ts";
import { type Column, isModel, type Order, ROLES, totalSize } from "./file-list.ts";
import { ALLOWANCE_RULE, type Cards, cardsLabel, fits, fitWords, isSame } from "./fits.ts";

/** The rows that are listed at first. A repository may have 100,000 files. */
const FIRST_ROWS = 300;

/** What the tables of a repository show. */
export interface TableView {
  readonly order: Order;
  readonly sortBy: (column: Column) => void;
  readonly linkTo: (url: string) => string;
  readonly bitsOf: (file: RepositoryFile) => Bits | undefined;
  /** The cards of machines, each a column; empty for a table without them. */
  readonly cards: readonly Cards[];
  /** The user's cards. */
  readonly ownCards: Cards | undefined;
  /** The likely best file. */
  readonly best: RepositoryFile | undefined;
  readonly showsAll: boolean;
  readonly showAll: () => void;
}

/** A table of models, or of the files that belong to them. */
export function renderFileTable(title: string, files: readonly RepositoryFile[], view: TableView) {
  const shown = view.showsAll ? files : files.slice(0, FIRST_ROWS);
  const isOther = !files.some(isModel);
  const id = isOther ? "others" : "models";
  const hasBits = !isOther && files.some((file) => view.bitsOf(file) !== undefined);
  const hasFits = !isOther && view.cards.length > 0;
  const largest = files.reduce((most, { size }) => Math.max(most, size), 1);
  return html`<section aria-labelledby=${id}>
    <h3 id=${id}>${title}<span>${formatCount(files.length, "file")}, ${formatBytes(totalSize(files))}</span></h3>
    <div class="scroll">
      <table aria-labelledby=${id}>
        <thead>
          <tr>
            ${renderHead("name", "Name", view)} ${isOther ? html`<th scope="col" class="role">Kind</th>` : nothing}
            ${renderHead("encoding", "Quantization", view, "encoding")}
            ${hasBits ? renderHead("bits", "Bits per weight", view, "number bits") : nothing}
            ${renderHead("size", "Size", view, "number size")}
            ${hasFits ? html`<th scope="col" class="fits" title=${ALLOWANCE_RULE}>Fits GPU, GB</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${shown.map((file) => renderRow(file, view, { hasBits, hasFits, isOther, largest }))}
        </tbody>
      </table>
    </div>
    ${renderShowAll(shown.length, files.length, "file", view.showAll)}
  </section>`;
}

function renderHead(column: Column, title: string, { order, sortBy }: TableView, type = "") {
  const isSorted = order.column === column;
  const direction = order.isDescending ? "descending" : "ascending";
  return html`<th scope="col" class=${type} aria-sort=${isSorted ? direction : "none"}>
    <button type="button" class=${isSorted ? "" : "unsorted"} @click=${() => sortBy(column)}>
      ${title}${order.isDescending ? icons.down : icons.up}
    </button>
  </th>`;
}

interface RowKind {
  readonly hasBits: boolean;
  readonly hasFits: boolean;
  readonly isOther: boolean;
  /** The size of the largest file of the table. */
  readonly largest: number;
}

const NONE = html`<span class="none" aria-label="Unknown">–</span>`;

function renderRow(file: RepositoryFile, view: TableView, { hasBits, hasFits, isOther, largest }: RowKind) {
  const { name, url, size, encoding, role } = file;
  const slash = name.lastIndexOf("/") + 1;
  const isBest = file === view.best;
  return html`<tr class=${isBest ? "best" : ""}>
    <th scope="row">
      <a href=${view.linkTo(url)} title=${escapeText(name, 300)}
        >${slash === 0 ? nothing : html`<span class="folder">${renderText(name.slice(0, slash), { limit: 200 })}</span>`}${renderText(name.slice(slash), { limit: 200 })}</a
      >
      ${isBest ? html`<span class="mark">Likely best</span>` : nothing} ${renderShards(file)}
      ${isOther ? html`<span class="shards role">${ROLES[role]}</span>` : nothing}
    </th>
    ${isOther ? html`<td class="role">${ROLES[role]}</td>` : nothing}
    <td class="encoding">${encoding === undefined ? NONE : renderText(encoding, { limit: 40 })}</td>
    ${hasBits ? html`<td class="number bits">${renderBits(view.bitsOf(file))}</td>` : nothing}
    <td class="number size">
      ${formatBytes(size)}<span class="bar" aria-hidden="true"
        ><span .style=${`width: ${(100 * size) / largest}%`}></span
      ></span>
    </td>
    ${hasFits ? renderFits(file, view) : nothing}
  </tr>`;
}

function isComplete({ shards }: RepositoryFile): boolean {
  return shards === undefined || shards.present === shards.count;
}

function renderShards(file: RepositoryFile) {
  const { shards } = file;
  if (shards === undefined) return nothing;
  return isComplete(file)
    ? html`<span class="shards">${formatCount(shards.count, "shard")}</span>`
    : html`<span class="shards missing"
        >${shards.present} of ${formatCount(shards.count, "shard")}: the set is not complete</span
      >`;
}

function renderBits(bits: Bits | undefined) {
  if (bits === undefined) return NONE;
  if (bits.ofType === undefined) return bits.value.toFixed(2);
  return html`<span class="estimate" title="From the name: most tensors are ${bits.ofType}."
    ><span aria-hidden="true">≈ </span><span class="sr">about </span>${bits.value.toFixed(1)}</span
  >`;
}

/** A place for each card, so that the same card is below itself in all rows. The size of a set without all of its shards is not known. */
function renderFits(file: RepositoryFile, { cards, ownCards = [] }: TableView) {
  if (!isComplete(file)) return html`<td class="fits">${NONE}</td>`;
  const { size } = file;
  const columns = cards.map((own) => ({
    label: cardsLabel(own),
    isFitting: fits(size, { cards: own }),
    isOwn: isSame(own, ownCards),
  }));
  return html`<td class="fits" title=${ALLOWANCE_RULE}>
    <span
      class="cards ${columns.some(({ isFitting }) => isFitting) ? "" : "unfit"}"
      role="img"
      aria-label=${fitWords(size, cards)}
      >${columns.map(
        ({ label, isFitting, isOwn }) =>
          html`<span class="card-size ${isFitting ? "fitting" : ""} ${isOwn ? "own" : ""}"
            >${isFitting ? label : "–"}</span
          >`,
      )}</span
    >
  </td>`;
}

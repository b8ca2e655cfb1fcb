/** The files of a repository as the table shows them: filtered and sorted. */

import type { RepositoryFile, RepositoryRole } from "gguf-wasm/full";

/** The columns that can be sorted. */
export const COLUMNS = ["name", "size", "encoding", "bits"] as const;
export type Column = (typeof COLUMNS)[number];

/** A column, and whether its largest value comes first. */
export interface Order {
  readonly column: Column;
  readonly isDescending: boolean;
}

const BY_SIZE: Order = { column: "size", isDescending: false };

/** What a file is, for people. */
export const ROLES: Readonly<Record<RepositoryRole, string>> = {
  model: "Model",
  projector: "Multimodal projector",
  draft: "Draft model",
  adapter: "LoRA adapter",
  vocabulary: "Vocabulary",
  imatrix: "Importance matrix",
};

/** The order that a link has: `size`, or `-size` for the largest first. An unknown text is the order by size. */
export function parseOrder(text = ""): Order {
  const isDescending = text.startsWith("-");
  const column = COLUMNS.find((one) => one === text.slice(isDescending ? 1 : 0));
  return column === undefined ? BY_SIZE : { column, isDescending };
}

/** An order as links have it; "" for the order by size. */
export function formatOrder({ column, isDescending }: Order): string {
  return column === BY_SIZE.column && !isDescending ? "" : `${isDescending ? "-" : ""}${column}`;
}

/** The order after a person has chosen a column: the other direction if it is the column already. */
export function chosenOrder(order: Order, column: Column): Order {
  return { column, isDescending: order.column === column && !order.isDescending };
}

/** The files of a repository in two groups: models, and what belongs to them. */
export function filesOf(
  files: readonly RepositoryFile[],
  filter: string,
  order: Order,
): { models: RepositoryFile[]; others: RepositoryFile[] } {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, role, encoding }: RepositoryFile) => {
    const text = `${name} ${encoding ?? ""} ${ROLES[role]}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const sorted = files.filter(matches).sort(comparison(order));
  return { models: sorted.filter(isModel), others: sorted.filter((file) => !isModel(file)) };
}

export function isModel({ role }: RepositoryFile): boolean {
  return role === "model";
}

/** The bytes of files together. */
export function totalSize(files: readonly RepositoryFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

const collator = new Intl.Collator("en", { numeric: true });

function comparison({ column, isDescending }: Order): (a: RepositoryFile, b: RepositoryFile) => number {
  const sign = isDescending ? -1 : 1;
  const byName = (a: RepositoryFile, b: RepositoryFile) => collator.compare(a.name, b.name);
  if (column === "name") return (a, b) => sign * byName(a, b);
  return (a, b) => {
    const [left, right] = [valueOf(a, column), valueOf(b, column)];
    // Files without a value come last in both directions.
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined) || byName(a, b);
    const difference =
      typeof left === "string" || typeof right === "string"
        ? collator.compare(String(left), String(right))
        : left - right;
    return sign * difference || byName(a, b);
  };
}

function valueOf(file: RepositoryFile, column: Column): string | number | undefined {
  if (column === "size") return file.size;
  return column === "bits" ? file.bitsPerWeight : file.encoding;
}

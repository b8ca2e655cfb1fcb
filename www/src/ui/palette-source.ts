/** What the palette finds. */

/** Something that a person can go to or do. */
export interface PaletteItem {
  readonly title: string;
  /** What it is, in a few words beside the title. */
  readonly about?: string | undefined;
  /** The keys that do the same: "Ctrl + S". */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Items of one kind. There may be hundreds of thousands, so only the texts are read while they are searched. */
export interface PaletteSource {
  /** The heading of its items. */
  readonly title: string;
  readonly length: number;
  /** The texts that are searched, for the items from `from` to `to`. */
  readonly texts: (from: number, to: number) => readonly string[];
  /** Makes an item that is shown. */
  readonly item: (at: number) => PaletteItem;
  /** Whether all letters of a word must stand together. Absent: they may have other letters between them. */
  readonly isStrict?: boolean;
  /** Whether its items are listed before anything is typed. Absent: no. */
  readonly isListed?: boolean;
}

/** A source of few items. */
export function listSource(
  title: string,
  items: readonly PaletteItem[],
  options: Pick<PaletteSource, "isListed"> = {},
): PaletteSource {
  return {
    title,
    length: items.length,
    texts: (from, to) => items.slice(from, to).map((item) => item.title),
    item: (at) => items[at] as PaletteItem,
    ...options,
  };
}

import type { Change } from "gguf-wasm/full";
import type { MenuGroup } from "../ui/menu.ts";
import { escapeText } from "../ui/text.ts";
import { changeSentence, type Metadata } from "./change-words.ts";

/** The most steps that a menu lists. All are in the panel of changes. */
const MOST_LISTED = 12;
const LONGEST = 90;

interface Steps {
  readonly steps: readonly Change[];
  /** The undone steps. The last one is redone first. */
  readonly undone: readonly Change[];
  /** The entries of the file. */
  readonly metadata?: Metadata | undefined;
  readonly undo: () => void;
  readonly redo: () => void;
}

/** The steps that can be undone and redone, for a menu. Choosing one also undoes those after it, or redoes those before it. */
export function stepGroups({ steps, undone, metadata, undo, redo }: Steps): MenuGroup[] {
  const group = (title: string, listed: readonly Change[], run: () => void): MenuGroup => ({
    title,
    items: listed
      .slice(-MOST_LISTED)
      .reverse()
      .map((change, at) => ({
        title: escapeText(changeSentence(change, metadata), LONGEST),
        run: () => {
          for (let step = 0; step <= at; step += 1) run();
        },
      })),
  });
  return [group("Undo back to", steps, undo), group("Redo up to", undone, redo)].filter(
    ({ items }) => items.length > 0,
  );
}

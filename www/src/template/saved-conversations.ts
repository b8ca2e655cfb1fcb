/** The conversations that a person keeps in the browser, for all templates. */

import { readChoice, storeChoice } from "../ui/choices.ts";
import { formatInteger } from "../ui/numbers.ts";

export interface SavedConversation {
  readonly name: string;
  /** The messages as JSON. */
  readonly messages: string;
  /** The tools as JSON. Absent: no tools. */
  readonly tools?: string;
}

const KEY = "template-conversations";
/** The most conversations that are kept, and the most characters of all of them. The browser gives a page a few megabytes. */
const MOST_CONVERSATIONS = 40;
const MOST_CHARACTERS = 500_000;
/** The most characters of a name. */
export const LONGEST_NAME = 60;

/** The kept conversations in the order of their names. What is not valid is left out. */
export function readSaved(): SavedConversation[] {
  return parseSaved(readChoice(KEY) ?? "[]");
}

export function parseSaved(text: string): SavedConversation[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MOST_CONVERSATIONS).flatMap((one: unknown): SavedConversation[] => {
    const { name, messages, tools } = (one ?? {}) as Partial<Record<string, unknown>>;
    if (typeof name !== "string" || name === "" || typeof messages !== "string") return [];
    return [{ name, messages, ...(typeof tools === "string" ? { tools } : {}) }];
  });
}

/** The conversations with one more. One of the same name is replaced. Or why it cannot be kept. */
export function withSaved(
  saved: readonly SavedConversation[],
  added: SavedConversation,
): readonly SavedConversation[] | { readonly problem: string } {
  const name = added.name.trim().slice(0, LONGEST_NAME);
  if (name === "") return { problem: "Type a name for the conversation." };
  const all = [...withoutSaved(saved, name), { ...added, name }].sort((a, b) => a.name.localeCompare(b.name, "en"));
  if (all.length > MOST_CONVERSATIONS)
    return { problem: `At most ${MOST_CONVERSATIONS} conversations are kept. Remove one first.` };
  const characters = JSON.stringify(all).length;
  return characters <= MOST_CHARACTERS
    ? all
    : {
        problem: `The conversations would have ${formatInteger(characters)} characters, and at most ${formatInteger(MOST_CHARACTERS)} are kept. Remove or shorten one first.`,
      };
}

export function withoutSaved(saved: readonly SavedConversation[], name: string): SavedConversation[] {
  return saved.filter((one) => one.name !== name);
}

export function storeSaved(saved: readonly SavedConversation[]): void {
  storeChoice(KEY, JSON.stringify(saved));
}

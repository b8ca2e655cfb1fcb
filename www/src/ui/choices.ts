/**
 * What a person has chosen for all files. A page of another author has its own storage: there, a choice lasts until the page is closed. Our
 * own page keeps the choices.
 */

let storage: (() => Storage) | undefined;
const ofThisPage = new Map<string, string>();

/** Keeps choices in the storage of the page, which the browser may forbid. */
export function keepChoicesIn(kept: () => Storage): void {
  storage = kept;
}

/** The choice with a name. Null if there is none. */
export function readChoice(name: string): string | null {
  // A choice for which the storage had no room is newer than the stored one.
  const own = ofThisPage.get(name);
  if (own !== undefined) return own;
  try {
    return storage?.().getItem(name) ?? null;
  } catch {
    return null;
  }
}

export function storeChoice(name: string, choice: string): void {
  ofThisPage.set(name, choice);
  if (!storage) return;
  try {
    storage().setItem(name, choice);
    ofThisPage.delete(name);
  } catch {
    // The storage is full or forbidden.
  }
}

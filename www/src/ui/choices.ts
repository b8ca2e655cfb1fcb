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
  try {
    return storage?.().getItem(name) ?? ofThisPage.get(name) ?? null;
  } catch {
    return ofThisPage.get(name) ?? null;
  }
}

export function storeChoice(name: string, choice: string): void {
  if (!storage) {
    ofThisPage.set(name, choice);
    return;
  }
  try {
    storage().setItem(name, choice);
  } catch {
    ofThisPage.set(name, choice);
  }
}

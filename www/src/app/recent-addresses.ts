/** The addresses opened last, where the browser lets a page remember them. */

import { fileName } from "../viewer/address.ts";

export interface Recent {
  url: string;
  /** What the model calls itself. */
  name: string;
}

/** As many as fit on the start page without scrolling past them. */
const MOST = 8;
const KEY = "recent";
/** Names come out of files. */
const LONGEST = 200;

/** The list, newest first; what is no such list is an empty one. */
export function readRecent(storage: () => Storage = () => localStorage): Recent[] {
  try {
    const stored: unknown = JSON.parse(storage().getItem(KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.filter(isRecent).slice(0, MOST);
  } catch {
    return [];
  }
}

/** Puts an address at the top of the list. */
export function remember(recent: Recent, storage?: () => Storage): void {
  if (!isPublic(recent.url)) return;
  const name = recent.name.slice(0, LONGEST).toWellFormed();
  const others = readRecent(storage).filter((other) => other.url !== recent.url);
  write([{ url: recent.url, name }, ...others].slice(0, MOST), storage);
}

/** Takes an address off the list. */
export function forget(url: string, storage?: () => Storage): void {
  write(
    readRecent(storage).filter((other) => other.url !== url),
    storage,
  );
}

function write(list: readonly Recent[], storage: () => Storage = () => localStorage): void {
  try {
    if (list.length === 0) storage().removeItem(KEY);
    else storage().setItem(KEY, JSON.stringify(list));
  } catch {
    // Storage may be forbidden or full; the list then stays as it was.
  }
}

function isRecent(item: unknown): item is Recent {
  const { url, name } = (item ?? {}) as Partial<Recent>;
  return typeof url === "string" && url !== "" && typeof name === "string";
}

/** Signed links are keys to what they lead to, and stop working; those of the browser's own memory stop at once. */
function isPublic(url: string): boolean {
  return (
    url.length <= 2000 && !/^blob:/i.test(url) && !/[?&](?:[^=&]*(?:signature|token|credential)|sig|key)=/i.test(url)
  );
}

/** Where a file is, in few words: its host, and its name if the model has another. */
export function whereabouts(recent: Recent, base: string): string {
  const host = URL.canParse(recent.url, base) ? new URL(recent.url, base).host : "";
  const file = fileName(recent.url);
  return file === recent.name ? host : `${file} · ${host}`;
}

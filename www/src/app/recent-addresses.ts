/** The addresses that were opened last. Only some browsers let a page store them. */

import { fileName } from "../gguf/address.ts";
import { hasSecret } from "../gguf/secret-address.ts";

export interface RecentAddress {
  url: string;
  /** The name of the model, or of the repository. */
  name: string;
  /** If it is a repository: its name in links to this page. */
  repo?: string;
}

/** The most addresses in the list: they fit on the start page without scrolling. */
const MAX_ADDRESSES = 8;
const KEY = "recent";
/** The most characters of a name from a file. */
const MAX_NAME_LENGTH = 200;

/** The list, the newest first. If the stored data is invalid, the list is empty. */
export function readRecentAddresses(storage: () => Storage = () => localStorage): RecentAddress[] {
  try {
    const stored: unknown = JSON.parse(storage().getItem(KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored
      .filter(isRecent)
      .filter(({ url }) => isPublic(url))
      .slice(0, MAX_ADDRESSES);
  } catch {
    return [];
  }
}

/** Puts an address at the top of the list. */
export function rememberAddress(recent: RecentAddress, storage?: () => Storage): void {
  if (!isPublic(recent.url)) return;
  const name = recent.name.slice(0, MAX_NAME_LENGTH).toWellFormed();
  const others = readRecentAddresses(storage).filter((other) => other.url !== recent.url);
  write([{ ...recent, name }, ...others].slice(0, MAX_ADDRESSES), storage);
}

/** Removes an address from the list. */
export function forgetAddress(url: string, storage?: () => Storage): void {
  write(
    readRecentAddresses(storage).filter((other) => other.url !== url),
    storage,
  );
}

function write(list: readonly RecentAddress[], storage: () => Storage = () => localStorage): void {
  try {
    if (list.length === 0) storage().removeItem(KEY);
    else storage().setItem(KEY, JSON.stringify(list));
  } catch {
    // Storage may be forbidden or full. The list then does not change.
  }
}

function isRecent(item: unknown): item is RecentAddress {
  const { url, name, repo } = (item ?? {}) as Partial<RecentAddress>;
  const isPlace = repo === undefined || typeof repo === "string";
  return typeof url === "string" && url !== "" && typeof name === "string" && isPlace;
}

/** Whether an address may be stored. Signed links give access to a file, and expire; `blob:` addresses end with the page. */
function isPublic(url: string): boolean {
  return url.length <= 2000 && !/^blob:/i.test(url) && !hasSecret(url);
}

/** The place of a file in a few words: its host, and its file name if the model has another name. */
export function formatPlace(recent: RecentAddress, base: string): string {
  const host = URL.canParse(recent.url, base) ? new URL(recent.url, base).host : "";
  if (recent.repo !== undefined) return `Repository · ${host}`;
  const file = fileName(recent.url);
  return file === recent.name ? host : `${file} · ${host}`;
}

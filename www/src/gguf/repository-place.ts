/** Names of repositories on Hugging Face, as a person types them and as links have them. */

import type { RepositoryAddress } from "gguf-wasm";

/** Reads the name or the address of a repository: `parseRepository` of the package. */
export type ParseRepository = (text: string) => RepositoryAddress | undefined;

export const HUB = "https://huggingface.co";

/** What a typed text opens, if it is about a repository: the list of its files, or one file. */
export type TypedPlace = { readonly repository: string } | { readonly file: string };

/**
 * What a typed text opens. Undefined if it is not about a repository: addresses of files, and relative addresses such as `models/x.gguf`.
 */
export function typedPlace(typed: string, parse: ParseRepository): TypedPlace | undefined {
  const text = typed.trim().replace(/^<(.*)>$/, "$1");
  const place = text.length > 2000 ? undefined : parse(text);
  if (!place) return undefined;
  const isName = /^hub:/i.test(text) || !text.includes(":");
  if (!isFile(place.path ?? "")) return isFileLink(text) ? undefined : { repository: placeName(place) };
  // Addresses of files keep their spelling, query included.
  return isName && !isFileLink(text) ? { file: fileAddress(place) } : undefined;
}

/** The address of a file. */
function fileAddress({ id, revision = "main", path = "" }: RepositoryAddress): string {
  const parts = path.split("/").map(encodeURIComponent);
  return `${HUB}/${id}/resolve/${encodeURIComponent(revision)}/${parts.join("/")}`;
}

/** The name of a place, as links to this page have it: `owner/name@revision/folder`. */
export function placeName({ id, revision, path }: RepositoryAddress): string {
  const at = revision === undefined || revision === "main" ? "" : `@${encodeURIComponent(revision)}`;
  return `${id}${at}${path === undefined ? "" : `/${path}`}`;
}

/** A place as the package's functions read it. */
export function hubName(place: string): string {
  return `hub:${place}`;
}

/** The page of a repository on Hugging Face. */
export function repositoryPage(place: string): string {
  return `${HUB}/${place.split("@")[0] ?? place}`;
}

/** An address below a repository: tokens are given for addresses of files. */
export function addressIn(place: string): string {
  return `${repositoryPage(place)}/resolve/main/`;
}

function isFile(path: string): boolean {
  return /\.gguf$/i.test(path);
}

/** Whether an address leads to one file of a repository, of any kind. */
function isFileLink(text: string): boolean {
  const [path = "", query = ""] = text.split("#")[0]?.split("?") ?? [];
  return /\/(?:blob|raw|resolve)\//.test(path) || /(?:^|&)show_file_info=/.test(query);
}

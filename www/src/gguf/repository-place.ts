/** Names of repositories on Hugging Face, as a person types them and as links have them. */

import type { RepositoryAddress } from "gguf-wasm/full";
import { AddressError, fetchableAddress, isHubHost, originOf } from "./address.ts";
import { isWords } from "./typed-text.ts";

/** Reads the name or the address of a repository: `parseRepository` of the package. */
export type ParseRepository = (text: string) => RepositoryAddress | undefined;

export const HUB = "https://huggingface.co";

/** The headers for Hugging Face, if those of an open file are for it. `address` is that of the file. */
export function hubHeaders(address: string | undefined, headers: HeadersInit | undefined): HeadersInit | undefined {
  return originOf(address, document.baseURI) === HUB ? headers : undefined;
}

/** A file of a repository that is open. */
export interface HubFile {
  readonly address: string;
  /** The repository and its revision. */
  readonly place: string;
  /** The headers for Hugging Face, for example an access token. */
  readonly headers: HeadersInit | undefined;
}

let lastFile: HubFile | undefined;

/**
 * The open file, if it is one of Hugging Face. `headers` are those of its address. The same object is returned while nothing has changed.
 * Undefined for other addresses, and while `parse` is not known.
 */
export function hubFileOf(
  address: string | undefined,
  headers: HeadersInit | undefined,
  parse: ParseRepository | undefined,
): HubFile | undefined {
  const place = parse && repositoryOf(address, parse);
  if (address === undefined || place === undefined) return undefined;
  if (lastFile?.address !== address || lastFile.headers !== headers) lastFile = { address, place, headers };
  return lastFile;
}

/** The repository of a file on Hugging Face. Undefined for other addresses. */
export function repositoryOf(address: string | undefined, parse: ParseRepository): string | undefined {
  if (address === undefined || address.length > 2000) return undefined;
  const place = /^https?:/i.test(address) ? parse(address) : undefined;
  if (place?.path === undefined) return undefined;
  const { id, revision } = place;
  return placeName({ id, ...(revision === undefined ? {} : { revision }) });
}

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
  return isName && !isFileLink(text) ? { file: place.url } : undefined;
}

/** What a person opens with a typed text: the list of a repository, or a file. */
export type TypedSource =
  | { readonly repository: string }
  /** The address to fetch, and the text that stands for it in links: a relative address stays relative. */
  | { readonly address: string; readonly text: string };

/**
 * What a typed, pasted or dropped text opens. `parse` is undefined if the module has not loaded: then only addresses are known.
 * @throws AddressError
 */
export function typedSource(typed: string, parse: ParseRepository | undefined, base: string): TypedSource {
  const place = parse && typedPlace(typed, parse);
  if (place && "repository" in place) return place;
  const unclear = place || !parse ? undefined : ambiguity(typed, parse);
  if (unclear !== undefined) throw new AddressError(unclear);
  const text = place ? place.file : typed.trim();
  return { address: fetchableAddress(text, base), text };
}

/**
 * The words to search the hub for, if a typed text is neither an address nor a repository nor a file. `parse` is undefined if the module has
 * not loaded: a text with a slash may then be a repository.
 */
export function searchWords(typed: string, parse: ParseRepository | undefined): string | undefined {
  const text = typed.trim();
  if (!isWords(text) || (parse ? parse(text) !== undefined : text.includes("/"))) return undefined;
  return text.replace(/\s+/g, " ");
}

/** The name of a place, as links to this page have it: `owner/name@revision/folder`. */
export function placeName({ id, revision, path }: Omit<RepositoryAddress, "url">): string {
  const at = revision === undefined || revision === "main" ? "" : `@${encodeURIComponent(revision)}`;
  return `${id}${at}${path === undefined ? "" : `/${path}`}`;
}

/** A place as the package's functions read it. */
export function hubName(place: string): string {
  return `hub:${place}`;
}

/** The page of the repository of a place on Hugging Face. The revision and the folder are left out: they may not exist. */
export function repositoryPage(place: string): string {
  const [id] = /^(?:(?:datasets|spaces)\/)?[\w-][\w.-]*\/[\w-][\w.-]*/.exec(place) ?? [];
  return id === undefined ? HUB : `${HUB}/${id}`;
}

/**
 * What a relative address with folders is asked to be, if it can be a place of a repository too: `owner/name/file.gguf`. The message is for
 * the person who typed it. Addresses that begin with `./`, `../` or `/` are clear.
 */
export function ambiguity(typed: string, parse: ParseRepository): string | undefined {
  const text = typed.trim().replace(/^<(.*)>$/, "$1");
  const [first = ""] = text.split("/");
  // A first part with a dot is the name of a host.
  if (text.length > 2000 || /[:?#]/.test(text) || first.includes(".")) return undefined;
  const place = parse(`hub:${text}`);
  if (place?.path === undefined) return undefined;
  return `This can be a file of this site, or a place on Hugging Face. Type hub:${text} for Hugging Face, or ./${text} for this site.`;
}

/** An address below a repository: tokens are given for addresses of files. */
export function addressIn(place: string): string {
  return `${repositoryPage(place)}/resolve/main/`;
}

/** An address at the hub that stands for all searches: tokens are given for addresses. */
export const SEARCH_ADDRESS = addressIn("api/models");

/** The page of the hub that searches for models with GGUF files. */
export function searchPage(words: string): string {
  return `${HUB}/models?${new URLSearchParams({ library: "gguf", search: words }).toString()}`;
}

/** The first parts of addresses of the hub that are no owner of models. */
const NO_OWNERS: ReadonlySet<string> = new Set(
  "api blog collections docs learn models organizations papers posts settings tasks".split(" "),
);

/**
 * The place whose page on the hub has an address, without the module: a bookmark or a link opens the page of a repository or of a folder.
 * Other pages of a repository, such as its discussions, stand for the repository. Undefined for files and for other sites.
 */
export function placeOfPage(address: string): string | undefined {
  if (!URL.canParse(address) || isFileLink(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  const parts = pathname.split("/").filter(Boolean);
  const kind = parts[0] === "datasets" || parts[0] === "spaces" ? `${parts.shift()}/` : "";
  const [owner = "", name = "", page, revision, ...folder] = parts;
  const isName = [owner, name].every((part) => /^[\w-][\w.-]*$/.test(part)) && !NO_OWNERS.has(owner);
  if (!isHubHost(hostname) || !isName) return undefined;
  const id = `${kind}${owner}/${name}`;
  if (page !== "tree" || revision === undefined) return id;
  try {
    const path = folder.map(decodeURIComponent).join("/");
    const named = decodeURIComponent(revision);
    // An address with these would lead out of the repository. No revision and no folder has such a name.
    if (/(?:^|\/)\.\.?(?:\/|$)/.test(`${named}/${path}`)) return id;
    return placeName({ id, revision: named, ...(path === "" ? {} : { path }) });
  } catch {
    return id;
  }
}

/** `owner/name` as people write it, with or without `hub:`. The first part of the address of another site has a dot. */
const NAME_OF_REPOSITORY = /^(?:hub:)?((?!localhost\/)[\w-]+\/[\w-][\w.-]*)$/i;

/** The place of a repository that a link names, by the address of its page or by its name. Undefined for other texts. */
export function placeOfLink(text: string): string | undefined {
  const [, name] = NAME_OF_REPOSITORY.exec(text.trim()) ?? [];
  return name === undefined || isFile(name) ? placeOfPage(text) : name;
}

/** The repository of a file on the hub, by the address of the file. Undefined for other addresses. */
export function placeOfFile(address: string): string | undefined {
  if (!URL.canParse(address) || !isFileLink(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const [path = ""] = pathname.split(/\/(?:blob|raw|resolve)\//);
  return placeOfPage(origin + path);
}

function isFile(path: string): boolean {
  return /\.gguf$/i.test(path);
}

/** Whether an address leads to one file of a repository, of any kind. */
function isFileLink(text: string): boolean {
  const [path = "", query = ""] = text.split("#")[0]?.split("?") ?? [];
  return /\/(?:blob|raw|resolve)\//.test(path) || /(?:^|&)show_file_info=/.test(query);
}

/** The hashes that Hugging Face states for the files of a repository. */

import type { ExpectedFile } from "./expected.ts";

/** The place of a file on Hugging Face. */
export interface HubPlace {
  /** The address that lists the folder of the file. */
  readonly listing: string;
  /** The path of the folder in the repository: "" for the top. */
  readonly folder: string;
}

/** The most pages of a listing that are read. A page has a thousand files. */
const MAX_PAGES = 20;

/** The place of a file by its address; undefined if it is not on Hugging Face. */
export function hubPlace(address: string): HubPlace | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, hostname, pathname } = new URL(address);
  if (hostname !== "huggingface.co") return undefined;
  const parts = pathname.split("/").slice(1);
  const kind = parts[0] === "datasets" || parts[0] === "spaces" ? parts.shift() : "models";
  const at = parts.indexOf("resolve");
  const [revision, ...path] = parts.slice(at + 1);
  if (at < 1 || at > 2 || revision === undefined || path.length === 0) return undefined;
  const folder = path.slice(0, -1);
  const listing = ["api", kind, ...parts.slice(0, at), "tree", revision, ...folder].join("/");
  return { listing: `${origin}/${listing}`, folder: folder.map(decodeURIComponent).join("/") };
}

interface ListedFile {
  readonly type?: unknown;
  readonly path?: unknown;
  readonly lfs?: { readonly oid?: unknown };
}

/**
 * The hashes of the files with these names. A file that is not stored with its hash is left out.
 * @throws an error with the code `http` or `network`
 */
export async function hubHashes(
  place: HubPlace,
  names: readonly string[],
  { headers, signal }: { headers: HeadersInit | undefined; signal: AbortSignal },
): Promise<ExpectedFile[]> {
  const found: ExpectedFile[] = [];
  const wanted = new Map(names.map((name) => [place.folder === "" ? name : `${place.folder}/${name}`, name]));
  let next: string | undefined = place.listing;
  for (let page = 0; next !== undefined && page < MAX_PAGES && found.length < wanted.size; page += 1) {
    const response = await ask(next, { signal, ...(headers === undefined ? {} : { headers }) });
    const files = (await response.json()) as ListedFile[];
    for (const { path, lfs } of Array.isArray(files) ? files : []) {
      const name = typeof path === "string" ? wanted.get(path) : undefined;
      if (name !== undefined && typeof lfs?.oid === "string" && /^[\da-f]{64}$/.test(lfs.oid))
        found.push({ name, sha256: lfs.oid });
    }
    next = nextPage(response, place.listing);
  }
  return found;
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw Object.assign(new Error("the list of files could not be fetched", { cause }), {
      name: "GgufError",
      code: "network",
      url,
    });
  }
  if (response.ok) return response;
  throw Object.assign(new Error(`the list of files answered ${response.status}`), {
    name: "GgufError",
    code: "http",
    status: response.status,
    url,
  });
}

/** The address of the next page of a listing. Only an address of the same origin gets the headers. */
function nextPage(response: Response, listing: string): string | undefined {
  const link = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  if (link === undefined || !URL.canParse(link, listing)) return undefined;
  const url = new URL(link, listing);
  return url.origin === new URL(listing).origin ? url.href : undefined;
}

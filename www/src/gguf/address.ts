/** The address of a file: as a person types it, and as it is fetched. */

import { escapeText } from "../ui/text.ts";
import { AddressError, notAnAddress, urlTextOf } from "./typed-text.ts";

export { AddressError };

const HUB = /^(?:www\.)?(?:huggingface\.co|hf\.co)$/i;

export function isHubHost(hostname: string): boolean {
  return HUB.test(hostname);
}

/**
 * The address to fetch for a typed address, or for one in a link. Host names without a scheme get one. Links to pages about a file become links to the
 * file. Relative addresses are resolved against `base`. The query and the spelling do not change.
 * @throws AddressError
 */
export function fetchableAddress(typed: string, base: string): string {
  const text = urlTextOf(typed);
  if (!URL.canParse(text, base)) throw notAnAddress(typed.trim());
  const url = new URL(text, base);
  if (url.protocol === "file:")
    throw new AddressError("A page cannot open file: addresses. A person must choose the file.");
  if (url.protocol === "hub:") {
    throw new AddressError(
      "This is not the name of a file on Hugging Face. Type hub:owner/name/file.gguf, or owner/name for the list of its files.",
    );
  }
  if (!/^(?:https?|blob):$/.test(url.protocol)) {
    throw new AddressError(`Only http and https addresses can be opened, not ${url.protocol.slice(0, -1)}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new AddressError(
      "This address contains a user name or a password. Browsers refuse to send them: remove them from the address.",
    );
  }
  if (HUB.test(url.hostname)) {
    // The other host names only redirect, and some of the redirects have no CORS headers.
    url.host = "huggingface.co";
    url.protocol = "https:";
    return hubFile(url).href;
  }
  if (url.hostname === "github.com") return githubFile(url).href;
  return url.href;
}

/** The origin that an address asks. Undefined if it is not an address. */
export function originOf(address: string | undefined, base: string): string | undefined {
  try {
    return address === undefined ? undefined : new URL(fetchableAddress(address, base)).origin;
  } catch {
    return undefined;
  }
}

/** `…/blob/…` is a page about a file, and `…/resolve/…` is the file. Links of the site's own file viewer name the file in the query. */
function hubFile(url: URL): URL {
  const file = new URL(url);
  const parts = file.pathname.split("/");
  // /owner/repo/blob/rev/path, /repo/blob/rev/path, and both below /datasets or /spaces.
  const at = parts.findIndex((part, index) => index >= 2 && index <= 4 && (part === "blob" || part === "raw"));
  const shown = file.searchParams.get("show_file_info");
  if (at > 0 && parts.length > at + 2 && !parts.slice(2, 5).includes("resolve")) {
    parts[at] = "resolve";
    file.pathname = parts.join("/");
    file.hash = "";
  } else if (shown !== null && /\.gguf$/i.test(shown) && parts.length >= 3) {
    const revision = parts[3] === "tree" && parts[4] ? parts[4] : "main";
    const folder = parts[3] === "tree" ? parts.slice(5).filter(Boolean) : [];
    const path = shown.split("/").map(encodeURIComponent);
    // In a folder, the name is sometimes the whole path and sometimes only its end.
    const whole = folder.length > 0 && path.length === 1 ? [...folder, ...path] : path;
    file.pathname = [...parts.slice(0, 3), "resolve", revision, ...whole].join("/");
    file.searchParams.delete("show_file_info");
    file.hash = "";
  } else if (parts.filter(Boolean).length <= 1) {
    throw new AddressError(
      "This is not a file or a repository of Hugging Face. Type owner/name, or paste the address of a file or a repository.",
    );
  } else if (parts[2]?.includes(":")) {
    const [name = ""] = decodeURIComponent(parts.slice(1, 3).join("/")).split(":");
    throw new AddressError(
      `This is a repository with a tag, as llama.cpp and Ollama write it. Type ${escapeText(name, 200)}, and choose the file in the list.`,
    );
  } else if (parts.filter(Boolean).length <= 2 || parts[3] === "tree") {
    throw new AddressError(
      "This is a repository, not a file. Paste its address into the field of this page to list its files.",
    );
  }
  return file;
}

function githubFile(url: URL): URL {
  const match = /^\/([^/]+)\/([^/]+)\/(?:blob|raw)\/(.+)$/.exec(url.pathname);
  if (!match) return url;
  const file = new URL(url);
  file.hostname = "raw.githubusercontent.com";
  file.pathname = `/${match[1]}/${match[2]}/${match[3]}`;
  file.hash = "";
  file.searchParams.delete("raw");
  return file;
}

/** The last part of the address's path, decoded. */
export function fileName(address: string): string {
  try {
    const part = new URL(address, "http://localhost/").pathname.split("/").filter(Boolean).at(-1) ?? address;
    return decodeURIComponent(part);
  } catch {
    return address;
  }
}

/** The page about a file, for a `resolve` link of a model host. */
export function pageOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!HUB.test(url.hostname) || !url.pathname.includes("/resolve/")) return undefined;
  return `${url.origin}${url.pathname.replace("/resolve/", "/blob/")}`;
}

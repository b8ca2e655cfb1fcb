import { fetchableAddress } from "../gguf/address.ts";

/** The state of the page in an entry of the browser's history: the local file that the entry shows. */
export interface HistoryState {
  file?: string;
}

export function currentState(): HistoryState {
  return (history.state as HistoryState | null) ?? {};
}

/** The path of the page without a hash. */
export function pagePath(): string {
  return window.location.pathname + window.location.search;
}

/** Shortens an address below the page to a relative address. Such a link works on every host that serves the page. */
export function relativeAddress(url: string): string {
  const base = document.baseURI;
  const here = new URL(".", base).href;
  if (!url.startsWith(here) || /[?#]/.test(url)) return url;
  const short = url.slice(here.length);
  try {
    // A short text may be no address, or another one.
    return fetchableAddress(short, base) === url ? short : url;
  } catch {
    return url;
  }
}

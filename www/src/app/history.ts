/** What this page keeps in the browser's history beside the address: which of the files of this session an entry shows. */
export interface HistoryState {
  file?: string;
}

export function currentState(): HistoryState {
  return (history.state as HistoryState | null) ?? {};
}

/** The page's own address without a hash. */
export function pagePath(): string {
  return window.location.pathname + window.location.search;
}

/** What is below the page itself is written as it is: the link then works wherever the page is served. */
export function shortAddress(url: string): string {
  const here = new URL(".", document.baseURI).href;
  return url.startsWith(here) && !/[?#]/.test(url) ? url.slice(here.length) : url;
}

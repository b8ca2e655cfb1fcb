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

/** An address below the page is shortened to a relative one: the link then works wherever the page is served. */
export function relativeAddress(url: string): string {
  const here = new URL(".", document.baseURI).href;
  return url.startsWith(here) && !/[?#]/.test(url) ? url.slice(here.length) : url;
}

// Asks for the first bytes of the file that a link names, while the modules of the page are loaded. `src/viewer/first-request.ts` takes the
// response, if it is that of the request that the page would make. A link that needs more than this to be understood is not asked for.
{
  const state = location.hash || location.search.replace("?", "#");
  const [, encoded, view = ""] = /^#url=([^&]+)(?:&view=(\w+))?/.exec(state) ?? [];
  try {
    const text = decodeURIComponent(encoded ?? "");
    const isAddress = /^(?:https?:\/\/|\.{0,2}\/)/i.test(text) || /^[^/:?#]+\.gguf$/i.test(text);
    const url = new URL(text, document.baseURI);
    const rest = state.slice(`#url=${encoded}${view && `&view=${view}`}`.length);
    // The page of a repository is no file.
    const isPage = url.hostname === "huggingface.co" && !/\/(?:blob|raw|resolve)\//.test(url.pathname);
    if (isAddress && !isPage && /^https?:$/.test(url.protocol) && !url.username && (!rest || view)) {
      if (url.hostname === "huggingface.co") url.pathname = url.pathname.replace("/blob/", "/resolve/");
      const range = "bytes=0-393215";
      const abort = new AbortController();
      const response = fetch(url, { headers: { range }, signal: abort.signal });
      // Whoever takes the response sees its failure.
      response.catch(() => {});
      globalThis.ggufFirstRequest = { url: url.href, range, response, abort };
    }
  } catch {
    // The page says what is wrong with the address.
  }
}

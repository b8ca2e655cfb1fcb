/** The code with which another page shows the file. */

export interface EmbedChoice {
  /** The name of the element. */
  readonly element: "gguf-viewer" | "gguf-summary" | "gguf-memory";
  readonly title: string;
  readonly about: string;
}

/** What a page can show of a file, the most first. */
export const EMBED_CHOICES: readonly EmbedChoice[] = [
  { element: "gguf-viewer", title: "The whole viewer", about: "All panels, in a box of the page." },
  {
    element: "gguf-summary",
    title: "The summary",
    about: "Name, architecture, parameters, quantization, context and licence.",
  },
  { element: "gguf-memory", title: "The memory", about: "What llama.cpp takes for the model, with choices." },
];

/** The code for a page. `address` is undefined for a local file: the page then names a file beside it. */
export function embedCode({ element }: EmbedChoice, address: string | undefined): string {
  const entry = element === "gguf-viewer" ? "gguf-wasm-viewer" : `gguf-wasm-viewer/${element.replace("gguf-", "")}`;
  return `<script type="module">
  import "${entry}";
</script>
<${element} src="${escapedAttribute(address ?? "model.gguf")}"></${element}>
`;
}

function escapedAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

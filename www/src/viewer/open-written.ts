import type { WrittenFile } from "../saving/written-files.ts";
import type { ViewerSource } from "../gguf/model-source.ts";

interface Host extends HTMLElement {
  src: string;
  source: ViewerSource | undefined;
  handle: FileSystemFileHandle | undefined;
  /** Whether another file may be opened. */
  mayLeave(): Promise<boolean>;
}

/** Opens new files when a panel asks for it, unless the page around the viewer cancels the event `gguf-open-files` and opens them itself. */
export function openWrittenFiles(host: Host): void {
  host.addEventListener("gguf-open-written", (event) => {
    event.stopPropagation();
    const { detail: files } = event as CustomEvent<readonly WrittenFile[]>;
    const request = new CustomEvent("gguf-open-files", {
      detail: files,
      bubbles: true,
      composed: true,
      cancelable: true,
    });
    if (!host.dispatchEvent(request)) return;
    void open(host, files);
  });
}

async function open(host: Host, files: readonly WrittenFile[]): Promise<void> {
  if (!(await host.mayLeave())) return;
  const [first] = files;
  const source = files.length === 1 ? first?.file : files.map(({ file }) => file);
  Object.assign(host, { src: "", source, handle: first?.handle });
}

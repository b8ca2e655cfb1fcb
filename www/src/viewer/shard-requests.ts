import type { GgufSource } from "gguf-wasm/explain";
import type { ViewerSource } from "../gguf/model-source.ts";

/** The event `gguf-shard`: a request to open one shard alone, or the whole set of a shard. */
export interface ShardRequest {
  readonly source: GgufSource;
  readonly isAlone: boolean;
}

interface Host extends HTMLElement {
  src: string;
  alone: boolean;
  source: ViewerSource | undefined;
  handle: FileSystemFileHandle | undefined;
  /** Whether another file may be opened. */
  mayLeave(): Promise<boolean>;
}

/** Opens a shard when a panel asks for it, unless the page around the viewer cancels the event `gguf-shard` and opens it itself. */
export function openRequestedShards(host: Host): void {
  host.addEventListener("gguf-open-shard", (asked) => {
    asked.stopPropagation();
    const { detail } = asked as CustomEvent<ShardRequest>;
    const event = new CustomEvent("gguf-shard", { detail, bubbles: true, composed: true, cancelable: true });
    if (!host.dispatchEvent(event)) return;
    void open(host, detail);
  });
}

async function open(host: Host, { source, isAlone }: ShardRequest): Promise<void> {
  if (!(await host.mayLeave())) return;
  if (typeof source === "string") Object.assign(host, { src: source, source: undefined, alone: isAlone });
  else Object.assign(host, { source, handle: undefined });
}

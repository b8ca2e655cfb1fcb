import { LitElement, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { originOf } from "../gguf/address.ts";
import type { ViewerSource } from "../gguf/model-source.ts";

/** What a page gives an element to open. */
export abstract class FileProperties extends LitElement {
  /** The address of a file. A link to a page about a file on huggingface.co or github.com becomes a link to the file. */
  @property() src = "";
  /** Whether the address of a shard opens this file only. Otherwise it opens all shards of the model. */
  @property({ type: Boolean }) alone = false;
  /** Anything else that `Gguf.open` takes, or a list of the shards of a model. It has priority over `src`. */
  @property({ attribute: false }) source: ViewerSource | undefined;
  /** HTTP headers for the origin of `src`, for example an access token. They are dropped when `src` changes to another origin. */
  @property({ attribute: false }) headers: HeadersInit | undefined;

  /** Opens the source again. */
  abstract reload(): Promise<void>;

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("src") && !changed.has("headers") && this.headers !== undefined) {
      const before = changed.get("src") as string | undefined;
      if (before === undefined || originOf(before, document.baseURI) !== originOf(this.src, document.baseURI))
        this.headers = undefined;
    }
    if (
      changed.has("src") ||
      changed.has("alone") ||
      changed.has("source") ||
      (changed.has("headers") && this.source === undefined)
    )
      void this.reload();
  }
}

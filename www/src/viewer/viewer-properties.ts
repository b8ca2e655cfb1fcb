import { LitElement, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import type { RowLink } from "../compare/difference-table.ts";
import type { SuggestedGroup } from "../compare/suggestions.ts";
import { originOf } from "../gguf/address.ts";
import type { ViewerSource } from "../gguf/model-source.ts";
import type { PanelStates, View } from "../panels.ts";

/** What a page gives a viewer. */
export abstract class ViewerProperties extends LitElement {
  /** The address of a file. A link to a page about a file on huggingface.co or github.com becomes a link to the file. */
  @property() src = "";
  /** Whether the address of a shard opens this file only. Otherwise it opens all shards of the model. */
  @property({ type: Boolean }) alone = false;
  /** Anything else that `Gguf.open` takes, or a list of the shards of a model. It has priority over `src`. */
  @property({ attribute: false }) source: ViewerSource | undefined;
  /** HTTP headers for the origin of `src`, for example an access token. They are dropped when `src` changes to another origin. */
  @property({ attribute: false }) headers: HeadersInit | undefined;
  /** The name of the file, if the source has none. */
  @property() name = "";
  /** The panel that is shown. Absent: the summary. */
  @property({ reflect: true }) view: View | undefined;
  /** The states of the panels. A panel reports changes of its state with the event `gguf-table`. */
  @property({ attribute: false }) panelStates: PanelStates = {};
  /**
   * Makes the address of a link to an entry or a tensor of another file: `(address, { key })` or `(address, { tensor })`. Absent: the
   * viewer has no such links.
   */
  @property({ attribute: false }) rowLink: RowLink | undefined;
  /** Files that the Compare panel suggests as the second one, in groups. */
  @property({ attribute: false }) suggestions: readonly SuggestedGroup[] = [];
  /** Whether there is an Edit button. */
  @property({ type: Boolean }) editable = false;
  /** The file handle of `source`, or of the first shard, for saving in place. */
  @property({ attribute: false }) handle: FileSystemFileHandle | undefined;
  /** Whether the page around the viewer shows the items of `menu()`. The tabs then have the room of the buttons. */
  @property({ type: Boolean, attribute: "menu-outside" }) menuOutside = false;

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

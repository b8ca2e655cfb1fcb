import { property } from "lit/decorators.js";
import type { RowLink } from "../compare/difference-table.ts";
import type { SuggestedGroup } from "../compare/suggestions.ts";
import type { PanelStates, View } from "../panels.ts";
import { FileProperties } from "./file-properties.ts";

/** What a page gives a viewer. */
export abstract class ViewerProperties extends FileProperties {
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
}

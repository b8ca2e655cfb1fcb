import type { GgufViewer, GgufViewerEventMap } from "./element.js";

export type * from "./element.js";

declare global {
  interface HTMLElementTagNameMap {
    "gguf-viewer": GgufViewer;
  }
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it adds the events to those of other elements
  interface GlobalEventHandlersEventMap extends GgufViewerEventMap {}
}

import type { GgufViewer, GgufViewerEventMap } from "./element.js";

export type * from "./element.js";

declare global {
  interface HTMLElementTagNameMap {
    "gguf-viewer": GgufViewer;
  }
  interface GlobalEventHandlersEventMap extends GgufViewerEventMap {}
}

/** Types for Svelte 5: `import type {} from "gguf-wasm-viewer/svelte";`. */

import type { HTMLAttributes } from "svelte/elements";
import type { GgufViewer, GgufViewerEventMap, GgufViewerProperties } from "./element.js";

type Handlers = { [Name in keyof GgufViewerEventMap as `on${Name}`]?: (event: GgufViewerEventMap[Name]) => void };

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "gguf-viewer": HTMLAttributes<GgufViewer> & Partial<GgufViewerProperties> & Handlers;
  }
}

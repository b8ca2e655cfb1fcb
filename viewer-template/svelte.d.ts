/** Types for Svelte 5: `import type {} from "gguf-wasm-viewer/svelte";`. */

import type { HTMLAttributes } from "svelte/elements";
import type {
  GgufMemory,
  GgufMemoryEventMap,
  GgufMemoryProperties,
  GgufSummary,
  GgufSummaryEventMap,
  GgufSummaryProperties,
  GgufTensor,
  GgufTensorEventMap,
  GgufTensorProperties,
  GgufViewer,
  GgufViewerEventMap,
  GgufViewerProperties,
} from "./element.js";

type Attributes<Element extends EventTarget, Properties, Events> = HTMLAttributes<Element> &
  Partial<Properties> & { [Name in keyof Events & string as `on${Name}`]?: (event: Events[Name]) => void };

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "gguf-viewer": Attributes<GgufViewer, GgufViewerProperties, GgufViewerEventMap>;
    "gguf-summary": Attributes<GgufSummary, GgufSummaryProperties, GgufSummaryEventMap>;
    "gguf-tensor": Attributes<GgufTensor, GgufTensorProperties, GgufTensorEventMap>;
    "gguf-memory": Attributes<GgufMemory, GgufMemoryProperties, GgufMemoryEventMap>;
  }
}

/** Types for the templates of Vue 3: `import type {} from "gguf-wasm-viewer/vue";`. */

import type { DefineComponent } from "vue";
import type {
  GgufMemoryEventMap,
  GgufMemoryProperties,
  GgufSummaryEventMap,
  GgufSummaryProperties,
  GgufTensorEventMap,
  GgufTensorProperties,
  GgufViewerEventMap,
  GgufViewerProperties,
} from "./element.js";

// Vue writes a component without state, methods and mixins in this way.
/* eslint-disable @typescript-eslint/no-empty-object-type */
type Component<Properties, Events> = DefineComponent<
  Partial<Properties>,
  {},
  {},
  {},
  {},
  {},
  {},
  { [Name in keyof Events]: (event: Events[Name]) => void }
>;

type Viewer = Component<GgufViewerProperties, GgufViewerEventMap>;
type Summary = Component<GgufSummaryProperties, GgufSummaryEventMap>;
type Tensor = Component<GgufTensorProperties, GgufTensorEventMap>;
type Memory = Component<GgufMemoryProperties, GgufMemoryEventMap>;

declare module "vue" {
  interface GlobalComponents {
    "gguf-viewer": Viewer;
    GgufViewer: Viewer;
    "gguf-summary": Summary;
    GgufSummary: Summary;
    "gguf-tensor": Tensor;
    GgufTensor: Tensor;
    "gguf-memory": Memory;
    GgufMemory: Memory;
  }
}

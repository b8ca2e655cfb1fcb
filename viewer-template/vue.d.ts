/** Types for the templates of Vue 3: `import type {} from "gguf-wasm-viewer/vue";`. */

import type { DefineComponent } from "vue";
import type { GgufViewerEventMap, GgufViewerProperties } from "./element.js";

type Emits = { [Name in keyof GgufViewerEventMap]: (event: GgufViewerEventMap[Name]) => void };

// Vue writes a component without state, methods and mixins in this way.
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
type Component = DefineComponent<Partial<GgufViewerProperties>, {}, {}, {}, {}, {}, {}, Emits>;

declare module "vue" {
  interface GlobalComponents {
    "gguf-viewer": Component;
    GgufViewer: Component;
  }
}

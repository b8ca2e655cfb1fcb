/** Types for the JSX of React 19: `import type {} from "gguf-wasm-viewer/react";`. */

import type { ClassAttributes, HTMLAttributes } from "react";
import type { GgufViewer, GgufViewerEventMap, GgufViewerProperties } from "./element.js";

/** React listens to an event of a custom element if a property has its name after `on`. */
type Handlers = { [Name in keyof GgufViewerEventMap as `on${Name}`]?: (event: GgufViewerEventMap[Name]) => void };

type Properties = { [Name in keyof GgufViewerProperties]?: GgufViewerProperties[Name] | undefined };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gguf-viewer": HTMLAttributes<GgufViewer> & ClassAttributes<GgufViewer> & Properties & Handlers;
    }
  }
}

/** The element for React 19: a component for every page, and the types of the tag. */

import type { ClassAttributes, HTMLAttributes, ReactElement } from "react";
import type { GgufViewer as GgufViewerElement, GgufViewerEventMap, GgufViewerProperties } from "./element.js";

/** React listens to an event of a custom element if a property has its name after `on`. */
type Handlers = { [Name in keyof GgufViewerEventMap as `on${Name}`]?: (event: GgufViewerEventMap[Name]) => void };

type Properties = { [Name in keyof GgufViewerProperties]?: GgufViewerProperties[Name] | undefined };

export type GgufViewerProps = HTMLAttributes<GgufViewerElement> &
  ClassAttributes<GgufViewerElement> &
  Properties &
  Handlers;

/** `<gguf-viewer>`, also in a page that a server renders: there, React listens to no events of the tag itself. */
export function GgufViewer(props: GgufViewerProps): ReactElement;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gguf-viewer": GgufViewerProps;
    }
  }
}

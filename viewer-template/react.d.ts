/** The element for React 19: a component for every page, and the types of the tag. */

import type { ReactElement } from "react";
import type { GgufViewer as GgufViewerElement, GgufViewerEventMap, GgufViewerProperties } from "./element.js";
import type { ElementProps } from "./react-component.js";

export type GgufViewerProps = ElementProps<GgufViewerElement, GgufViewerProperties, GgufViewerEventMap>;

/** `<gguf-viewer>`, also in a page that a server renders: there, React listens to no events of the tag itself. */
export function GgufViewer(props: GgufViewerProps): ReactElement;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gguf-viewer": GgufViewerProps;
    }
  }
}

/** `<gguf-memory>` for React 19: a component for every page, and the types of the tag. */

import type { ReactElement } from "react";
import type { GgufMemory as GgufMemoryElement, GgufMemoryEventMap, GgufMemoryProperties } from "./element.js";
import type { ElementProps } from "./react-component.js";

export type GgufMemoryProps = ElementProps<GgufMemoryElement, GgufMemoryProperties, GgufMemoryEventMap>;

/** `<gguf-memory>`, also in a page that a server renders: there, React listens to no events of the tag itself. */
export function GgufMemory(props: GgufMemoryProps): ReactElement;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gguf-memory": GgufMemoryProps;
    }
  }
}

/** `<gguf-summary>` for React 19: a component for every page, and the types of the tag. */

import type { ReactElement } from "react";
import type { GgufSummary as GgufSummaryElement, GgufSummaryEventMap, GgufSummaryProperties } from "./element.js";
import type { ElementProps } from "./react-component.js";

export type GgufSummaryProps = ElementProps<GgufSummaryElement, GgufSummaryProperties, GgufSummaryEventMap>;

/** `<gguf-summary>`, also in a page that a server renders: there, React listens to no events of the tag itself. */
export function GgufSummary(props: GgufSummaryProps): ReactElement;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gguf-summary": GgufSummaryProps;
    }
  }
}

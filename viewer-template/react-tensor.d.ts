/** `<gguf-tensor>` for React 19: a component for every page, and the types of the tag. */

import type { ReactElement } from "react";
import type { GgufTensor as GgufTensorElement, GgufTensorEventMap, GgufTensorProperties } from "./element.js";
import type { ElementProps } from "./react-component.js";

export type GgufTensorProps = ElementProps<GgufTensorElement, GgufTensorProperties, GgufTensorEventMap>;

/** `<gguf-tensor>`, also in a page that a server renders: there, React listens to no events of the tag itself. */
export function GgufTensor(props: GgufTensorProps): ReactElement;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gguf-tensor": GgufTensorProps;
    }
  }
}

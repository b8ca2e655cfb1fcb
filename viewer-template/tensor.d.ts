import type { GgufTensor } from "./element.js";

export type * from "./element.js";

declare global {
  interface HTMLElementTagNameMap {
    "gguf-tensor": GgufTensor;
  }
}

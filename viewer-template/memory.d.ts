import type { GgufMemory } from "./element.js";

export type * from "./element.js";

declare global {
  interface HTMLElementTagNameMap {
    "gguf-memory": GgufMemory;
  }
}

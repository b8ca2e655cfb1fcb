import type { GgufSummary } from "./element.js";

export type * from "./element.js";

declare global {
  interface HTMLElementTagNameMap {
    "gguf-summary": GgufSummary;
  }
}

import "gguf-wasm-viewer";
import type { GgufFailure, GgufView, GgufViewer } from "gguf-wasm-viewer";

const viewer: GgufViewer = document.createElement("gguf-viewer");
viewer.src = "/model.gguf";
viewer.source = new Blob([]);
viewer.view = "tensors";
viewer.panelStates = { tensors: { filter: "norm" } };
viewer.addEventListener("gguf-open", (event) => {
  const name: string | undefined = event.detail.name;
  document.title = `${name ?? ""} ${event.detail.tensors.length}`;
});
viewer.addEventListener("gguf-error", ({ detail }: CustomEvent<GgufFailure>) => console.log(detail.code));
document.addEventListener("gguf-view", ({ detail }) => {
  const view: GgufView = detail;
  console.log(view);
});
// @ts-expect-error -- there is no such panel
viewer.view = "nothing";
const found: GgufViewer | null = document.querySelector("gguf-viewer");
void found?.select({ tensor: "output.weight" }, { keepFilter: true });

import "gguf-wasm-viewer/memory";
import "gguf-wasm-viewer/summary";
import "gguf-wasm-viewer/tensor";
import type { GgufMemory } from "gguf-wasm-viewer/memory";

const tensor = document.createElement("gguf-tensor");
tensor.name = "token_embd.weight";
tensor.addEventListener(
  "gguf-open",
  (event) => void event.detail.preview("token_embd.weight", { rows: 64, columns: 64 }),
);
const memory: GgufMemory = document.createElement("gguf-memory");
memory.choices = { card: 16, context: 8192, keys: "Q8_0" };
memory.addEventListener("gguf-table", ({ detail }) => console.log(detail.memory.card));
console.log(memory.gguf?.memory().devices[0].name);
const summary = document.createElement("gguf-summary");
summary.addEventListener("gguf-error", ({ detail }) => console.log(detail.code));
// @ts-expect-error -- the reader has no values
void summary.gguf?.preview("token_embd.weight", { rows: 64, columns: 64 });

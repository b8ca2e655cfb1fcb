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

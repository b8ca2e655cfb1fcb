/** The entry for other pages: registers `<gguf-viewer>`. */

export { GgufViewer } from "./viewer/viewer.ts";

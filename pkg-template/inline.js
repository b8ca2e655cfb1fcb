// The same API with the module inside the script, for programs that cannot load other files. There is no top-level await,
// so that the script can be bundled as a classic script.
import base64, { size } from "./gguf_wasm_base64.js";
import { initSync } from "./gguf_wasm.js";
import { inflateSync } from "./inflate.js";

/** @type {{ fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }} */
const { fromBase64 } = /** @type {any} */ (Uint8Array);
const data = fromBase64
  ? fromBase64.call(Uint8Array, base64)
  : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

initSync(inflateSync(data, { out: new Uint8Array(size) }));

export * from "./gguf_wasm_api.js";

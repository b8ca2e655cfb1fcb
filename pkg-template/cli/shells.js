// The shells for which `gguf-wasm completion` has scripts.

export const SHELLS = ["bash", "zsh", "fish"];

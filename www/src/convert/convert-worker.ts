// The script of a worker that converts rows of tensors.
import "gguf-wasm/convert/worker";

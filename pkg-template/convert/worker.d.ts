/**
 * The script of a worker that converts rows. It exports nothing: a script that imports it becomes such a worker. Programs need it only
 * if they start the workers themselves, with `startWorkersWith` of `gguf-wasm/convert/init`.
 */
export {};

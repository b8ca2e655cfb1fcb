/** What the page knows of `gguf-wasm/explain` without its scripts. Elements that a smaller entry is enough for do not load them. */

import type * as library from "gguf-wasm/explain/init";

export type Library = typeof library;

let started: Library | undefined;
let onStarted = () => {};

/** Resolves when `gguf-wasm/explain` is started. Does not start it. */
export const libraryStarted = new Promise<void>((resolve) => (onStarted = resolve));

/** `gguf-wasm/explain`, if it is started. */
export function startedLibrary(): Library | undefined {
  return started;
}

/** Called once `gguf-wasm/explain` is started. */
export function libraryHasStarted(library: Library): void {
  started = library;
  onStarted();
}

let compiled: WebAssembly.Module | undefined;

/** `gguf-wasm/explain` as workers can start it, so that they neither fetch nor compile it. Undefined until it is compiled. */
export function compiledLibrary(): WebAssembly.Module | undefined {
  return compiled;
}

/** Makes `loadLibrary` start a module that the page has compiled. Undefined: it is fetched. */
export function giveLibrary(module: WebAssembly.Module | undefined): void {
  compiled ??= module;
}

/** Frees an object of a module that may have stopped: then there is nothing to free. */
export function freeSafely(object: { free(): void }): void {
  try {
    object.free();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  }
}

/** A compiled module: a `WebAssembly.Module`, if the program has its type. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: new (...args: never) => infer Module } }
  ? Module
  : object;

/** The bytes of the module, or the compiled module. */
export type SyncInitInput = ArrayBuffer | ArrayBufferView | CompiledModule;

/** Where the module comes from: its URL, a response, its bytes, or the compiled module. */
export type InitInput = string | URL | Request | Response | SyncInitInput;

/** The exports of the module. */
export interface InitOutput {
  /** The memory of the module. */
  readonly memory: { readonly buffer: ArrayBuffer };
}

/** The members that the package gives all classes. */
export interface Plain {
  /**
   * The members as a plain object, or the elements as an array. `JSON.stringify` calls this method. 64-bit integers, NaN and
   * infinities are strings.
   */
  toJSON(): object;
}

/**
 * The type of a member that only another entry of the package has: `OtherEntry<"gguf-wasm/explain">`. To use it throws a `GgufError` with
 * the code `other-entry`.
 *
 * It has no members, so that an object of an entry with the member can be used where one of an entry without it is expected.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
export interface OtherEntry<Entry extends string> {}

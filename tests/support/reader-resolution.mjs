// A module resolver that replaces the main module by the reader, for tests that must pass with both.

/** @type {import("node:module").ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  const own = /^gguf-wasm\/full(\/(?:init|inline|node))?$/.exec(specifier);
  return nextResolve(own ? `gguf-wasm/reader${own[1] ?? ""}` : specifier, context);
}

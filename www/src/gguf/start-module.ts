/**
 * Makes a function that fetches and starts the WebAssembly module of an entry of the package, once. After a failure the next call tries
 * again. An entry that starts its module when it is imported could not be tried again: its failure would be cached. `compiled` gives the
 * compiled module; without it, the entry fetches and compiles its own.
 */
export function moduleStarter<Entry extends { init(source?: Promise<WebAssembly.Module>): Promise<unknown> }>(
  entry: Entry,
  started?: () => void,
  compiled?: () => Promise<WebAssembly.Module>,
): () => Promise<Entry> {
  let starting: Promise<unknown> | undefined;
  return async () => {
    starting ??= entry.init(compiled?.()).then(started);
    try {
      await starting;
    } catch (cause) {
      starting = undefined;
      throw Object.assign(new Error("the WebAssembly module did not load", { cause }), {
        name: "GgufError",
        code: "engine",
      });
    }
    return entry;
  };
}

/** Fetches and compiles a WebAssembly module. */
export async function compiledModule(address: URL): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${address.href}`);
  // Browsers compile while they receive a module, if the server knows its type.
  return response.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

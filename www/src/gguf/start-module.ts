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

/** The module of an entry that the page shares with its workers. */
export interface SharedModule<Entry> {
  /** Fetches and starts the module, unless it is started. */
  readonly load: () => Promise<Entry>;
  /** The entry, if its module is started. */
  readonly started: () => Entry | undefined;
  /** Resolves when the module is started. Does not start it. */
  readonly whenStarted: Promise<void>;
  /** The module as workers can start it, so that they neither fetch nor compile it. Undefined until it is compiled. */
  readonly compiled: () => WebAssembly.Module | undefined;
  /** Makes `load` start a module that the page has compiled. Undefined: it is fetched. */
  readonly give: (module: WebAssembly.Module | undefined) => void;
}

/** The module of an entry, which is at an address. */
export function sharedModule<Entry extends { init(source?: Promise<WebAssembly.Module>): Promise<unknown> }>(
  entry: Entry,
  address: URL,
): SharedModule<Entry> {
  let compiled: WebAssembly.Module | undefined;
  let isStarted = false;
  let onStarted = () => {};
  const whenStarted = new Promise<void>((resolve) => (onStarted = resolve));
  return {
    load: moduleStarter(
      entry,
      () => {
        isStarted = true;
        onStarted();
      },
      async () => (compiled ??= await compiledModule(address)),
    ),
    started: () => (isStarted ? entry : undefined),
    whenStarted,
    compiled: () => compiled,
    give: (module) => {
      compiled ??= module;
    },
  };
}

/** Fetches and compiles a WebAssembly module. */
async function compiledModule(address: URL): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${address.href}`);
  // Browsers compile while they receive a module, if the server knows its type.
  return response.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** The scripts of an entry of the package, which start its module. */
interface Startable {
  init(source?: Promise<WebAssembly.Module>): Promise<unknown>;
}

/**
 * Makes a function that fetches and starts the WebAssembly module of an entry of the package, once. After a failure the next call tries
 * again. An entry that starts its module when it is imported could not be tried again: its failure would be cached. `compiled` gives the
 * compiled module; without it, the entry fetches and compiles its own.
 */
export function moduleStarter<Entry extends Startable>(
  entry: Entry | (() => Promise<Entry>),
  started?: (entry: Entry) => void,
  compiled?: () => Promise<WebAssembly.Module>,
): () => Promise<Entry> {
  let starting: Promise<Entry> | undefined;
  const start = async () => {
    // The scripts and the module are fetched at the same time.
    const module = compiled?.();
    module?.catch(() => undefined);
    const scripts = typeof entry === "function" ? await entry() : entry;
    await scripts.init(module);
    started?.(scripts);
    return scripts;
  };
  return async () => {
    try {
      return await (starting ??= start());
    } catch (cause) {
      starting = undefined;
      throw Object.assign(new Error("the WebAssembly module did not load", { cause }), {
        name: "GgufError",
        code: "engine",
      });
    }
  };
}

/** An entry whose scripts and module are fetched when they are needed. The page shares the module with its workers. */
export interface LazyEntry<Entry> {
  /** Fetches and starts it, unless it is started. */
  readonly load: () => Promise<Entry>;
  /** The entry, if it is started. */
  readonly started: () => Entry | undefined;
  /** The module as workers can start it, so that they neither fetch nor compile it. Undefined until it is compiled. */
  readonly compiled: () => WebAssembly.Module | undefined;
  /** Makes `load` start a module that the page has compiled. Undefined: it is fetched. */
  readonly give: (module: WebAssembly.Module | undefined) => void;
}

/** An entry: how its scripts are imported, and the address of its module. */
export function lazyEntry<Entry extends Startable>(scripts: () => Promise<Entry>, address: URL): LazyEntry<Entry> {
  let compiled: WebAssembly.Module | undefined;
  let started: Entry | undefined;
  return {
    load: moduleStarter(
      scripts,
      (entry) => {
        started = entry;
      },
      async () => (compiled ??= await compiledModule(address)),
    ),
    started: () => started,
    compiled: () => compiled,
    give: (module) => {
      compiled ??= module;
    },
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

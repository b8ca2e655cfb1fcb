import { compiledModule, moduleStarter } from "../gguf/start-module.ts";
import type { Library } from "../gguf/started-library.ts";

/** What all entries have of the API of `gguf-wasm/full`. Panels use the rest only of files of an entry that has it. */
export type Entry = Pick<Library, "Gguf" | "ggmlTypes" | "parseShardName">;

/** An entry that is smaller than `gguf-wasm/full`. */
export interface SmallModule {
  /** Fetches and starts it. */
  readonly load: () => Promise<Entry>;
  /** The entry, if it is started. */
  readonly started: () => Entry | undefined;
  /** The compiled module for workers. Undefined until it is compiled. */
  readonly compiled: () => WebAssembly.Module | undefined;
  /** Makes `load` start a module that the page has compiled. Undefined: it is fetched. */
  readonly give: (module: WebAssembly.Module | undefined) => void;
}

/** `onStarted` is called once. */
export function smallModule(
  library: { init(source?: Promise<WebAssembly.Module>): Promise<unknown> },
  address: URL,
  onStarted?: (entry: Entry) => void,
): SmallModule {
  // The methods have the same types as those of `gguf-wasm/full`.
  const entry = library as unknown as Entry & typeof library;
  let isStarted = false;
  let compiled: WebAssembly.Module | undefined;
  return {
    load: moduleStarter(
      entry,
      () => {
        isStarted = true;
        onStarted?.(entry);
      },
      async () => (compiled ??= await compiledModule(address)),
    ),
    started: () => (isStarted ? entry : undefined),
    compiled: () => compiled,
    give: (module) => {
      compiled ??= module;
    },
  };
}

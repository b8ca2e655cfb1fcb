/**
 * Makes a function that fetches and starts the WebAssembly module of an entry of the package, once. After a failure the next call tries
 * again. An entry that starts its module when it is imported could not be tried again: its failure would be cached.
 */
export function moduleStarter<Entry extends { init(): Promise<unknown> }>(
  entry: Entry,
  started?: () => void,
): () => Promise<Entry> {
  let starting: Promise<unknown> | undefined;
  return async () => {
    starting ??= entry.init().then(started);
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

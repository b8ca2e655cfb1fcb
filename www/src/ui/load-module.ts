/**
 * Makes a function that loads a module with `import()`, once. If loading fails, the next call tries again.
 *
 * Chromium remembers that a module could not be fetched, and refuses it from then on without a request. But its error ends with the
 * address, and the same address with another query is fetched.
 */
export function loadModule<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  let address: string | undefined;
  let failures = 0;
  const attempt = (): Promise<Module> =>
    address === undefined ? load() : (import(/* @vite-ignore */ `${address}?again=${failures}`) as Promise<Module>);
  return () =>
    (loading ??= attempt().catch((error: unknown) => {
      loading = undefined;
      failures += 1;
      address ??= /https?:\S+$/.exec(String(error))?.[0];
      throw error;
    }));
}

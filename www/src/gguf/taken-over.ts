import type { Gguf } from "gguf-wasm/explain";

/** An entry that takes over the open files of another one: nothing is read again. */
interface Entry<Taken> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- The right side of `instanceof`.
  readonly Gguf: Function & { readonly prototype: Taken; from(gguf: Gguf): Taken };
}

/** What other entries have made of the open files of the page. */
const TAKEN = new WeakMap<Gguf, { free(): void }[]>();

/** Makes a function that gives an open file in another entry. A file of that entry is returned as it is. */
export function takenOver<Taken extends { free(): void }>(
  load: () => Promise<Entry<Taken>>,
): (gguf: Gguf) => Promise<Taken> {
  const files = new WeakMap<Gguf, Taken>();
  return async (gguf) => {
    const { Gguf } = await load();
    if (gguf instanceof Gguf) return gguf as Gguf & Taken;
    const known = files.get(gguf);
    if (known) return known;
    const taken = Gguf.from(gguf);
    files.set(gguf, taken);
    TAKEN.set(gguf, [...(TAKEN.get(gguf) ?? []), taken]);
    return taken;
  };
}

/** Frees an open file, and what other entries have made of it. */
export function freeFile(gguf: Gguf): void {
  for (const taken of TAKEN.get(gguf) ?? []) taken.free();
  TAKEN.delete(gguf);
  gguf.free();
}

/**
 * The entries of gguf-wasm that opened the files of the page: `gguf-wasm/full`, and smaller ones for elements that they are enough for.
 * What is made for a file, such as a worker or a second file, is of the same entry.
 */

import type { Gguf } from "gguf-wasm/full";
import type { WorkerScript } from "./worker-client.ts";
import { compiledLibrary, type Library, startedLibrary } from "../gguf/started-library.ts";

/** A started entry that is smaller than `gguf-wasm/full`. */
export interface SmallEntry {
  readonly Gguf: Library["Gguf"];
  /** The compiled module, if workers use it. */
  readonly compiled?: () => WebAssembly.Module | undefined;
  /** The workers that have this entry. */
  readonly memoryWorker?: WorkerScript;
  readonly valueWorker?: WorkerScript;
}

const SMALL: SmallEntry[] = [];

/** Called once a smaller entry is started. */
export function entryHasStarted(entry: SmallEntry): void {
  SMALL.push(entry);
}

/** The smaller entry that opened a file. Undefined for `gguf-wasm/full`. */
export function smallEntryOf(gguf: Gguf): SmallEntry | undefined {
  return SMALL.find((entry) => gguf instanceof entry.Gguf);
}

/** The compiled module that opened a file. Undefined if it is not known. */
export function compiledEntry(gguf: Gguf): WebAssembly.Module | undefined {
  const small = smallEntryOf(gguf);
  return small ? small.compiled?.() : compiledLibrary();
}

/** The class that opens further files of the entry that opened a file. */
export function openerOf(gguf: Gguf): Library["Gguf"] {
  const opener = smallEntryOf(gguf)?.Gguf ?? startedLibrary()?.Gguf;
  if (!opener) throw new Error("no module is started");
  return opener;
}

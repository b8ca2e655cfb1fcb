/** Checks that the declarations of the package `gguf-wasm-viewer` are those of the elements. The compiler is the test. */

import type {
  GgufViewer as Declared,
  GgufMemory as DeclaredMemory,
  GgufMemoryChoices,
  GgufSummary as DeclaredSummary,
  GgufTensor as DeclaredTensor,
  GgufView,
} from "../../../pkg-viewer/element.d.ts";
import type { GgufMemory } from "../../../www/src/elements/memory.ts";
import type { GgufSummary } from "../../../www/src/elements/summary.ts";
import type { GgufTensor } from "../../../www/src/elements/tensor.ts";
import type { MemoryState } from "../../../www/src/memory/memory-state.ts";
import type { View } from "../../../www/src/panels.ts";
import type { GgufViewer } from "../../../www/src/viewer.ts";

/** What a page can read and call. */
export type Read = Required<Omit<Declared, keyof HTMLElement | "source" | "suggestions" | "model" | "panelStates">>;

export const read = (viewer: GgufViewer): Read => viewer;

/** What a page can set. */
export const set = (viewer: GgufViewer, declared: Declared): void => {
  viewer.source = declared.source;
  viewer.headers = declared.headers;
  viewer.view = declared.view;
  viewer.rowLink = declared.rowLink;
  viewer.suggestions = declared.suggestions;
  viewer.handle = declared.handle;
  viewer.panelStates = declared.panelStates;
};

/** The members of the smaller elements. Their files are of smaller entries of the package. */
type ReadSmall<Element extends { gguf: unknown }> = Required<
  Omit<Element, keyof HTMLElement | "source" | "gguf" | "tensor">
>;

export const readSummary = (element: GgufSummary): ReadSmall<DeclaredSummary> => element;
export const readTensor = (element: GgufTensor): ReadSmall<DeclaredTensor> => element;
export const readMemory = (element: GgufMemory): ReadSmall<DeclaredMemory> => element;

export const setSmall = (element: GgufMemory, declared: DeclaredMemory): void => {
  element.source = declared.source;
  element.headers = declared.headers;
  element.choices = declared.choices;
};

/** Each panel of one list is in the other. */
export const views = (view: View): GgufView => view;
export const declaredViews = (view: GgufView): View => view;

/** Each choice of the one list is in the other. */
export const choices = (choice: keyof MemoryState): keyof GgufMemoryChoices => choice;
export const state = (state: MemoryState): GgufMemoryChoices => state;
export const declaredChoices = (choice: keyof GgufMemoryChoices): keyof MemoryState => choice;

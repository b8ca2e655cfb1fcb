/** Checks that the declarations of the package `gguf-wasm-viewer` are those of the element. The compiler is the test. */

import type { GgufViewer as Declared, GgufView } from "../../../pkg-viewer/element.d.ts";
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

/** Each panel of one list is in the other. */
export const views = (view: View): GgufView => view;
export const declaredViews = (view: GgufView): View => view;

import type { Gguf, GgufSource } from "./types/explain/index.js";
import type { GgufSet } from "./types/full/index.js";
import type { Gguf as ValuesGguf, TensorInfo } from "./types/index.js";
import type { Gguf as ReaderGguf } from "./types/reader/index.js";

export type { Gguf, GgufSet, GgufSource };

/** The panels, by their names. */
export type GgufView =
  | "summary"
  | "metadata"
  | "tensors"
  | "graph"
  | "tokenizer"
  | "template"
  | "checks"
  | "memory"
  | "compare"
  | "convert"
  | "migrate"
  | "shards"
  | "hash"
  | "share"
  | "changes";

/** A row: an entry of the metadata, or a tensor. */
export interface GgufSelection {
  key?: string | undefined;
  tensor?: string | undefined;
}

/** Why a file could not be opened. */
export interface GgufFailure {
  /** The code of the error, as in `GgufError`; `"address"` for an address that is none, and `"cancelled"`. */
  code: string;
  message: string;
  /** The place in the file. */
  offset?: number;
  /** The HTTP status of the server. */
  status?: number;
  url?: string;
  bytesRead?: number;
  fileSize?: number;
}

/** An open model. */
export interface GgufOpenedModel {
  /** The file, or the set of shards as one file. */
  readonly gguf: Gguf;
  /** The set, if the model has several shards. */
  readonly set: GgufSet | undefined;
  /** The source of the file, or of each shard. Undefined for a shard that cannot be read. */
  readonly sources: readonly (GgufSource | undefined)[];
}

/** The states of panels by their names: search, filter, order, and other choices. They can be stored as JSON. */
export type GgufPanelStates = Partial<Record<GgufView, object>>;

/** How an edited file differs from the stored one. */
export interface GgufEditStatus {
  /** The number of changes. */
  readonly changes: number;
  /** Whether some of them are not saved. */
  readonly unsaved: boolean;
  /** The name that the model will have. */
  readonly name: string | undefined;
}

/** A file that was written, with its handle if the browser has one. */
export interface GgufWrittenFile {
  readonly file: File;
  readonly handle?: FileSystemFileHandle | undefined;
}

/** A file that the panel Compare suggests. */
export interface GgufSuggestedFile {
  readonly name: string;
  /** Its size or its place, in a few words. */
  readonly about: string;
  readonly open: () => GgufOtherSource | Promise<GgufOtherSource>;
}

export type GgufOtherSource =
  { readonly kind: "address"; readonly address: string } | { readonly kind: "files"; readonly files: readonly File[] };

/** The events of `<gguf-viewer>`. All of them bubble, and leave the shadow trees that they were sent in. */
export interface GgufViewerEventMap {
  /** The file is open. */
  "gguf-open": CustomEvent<Gguf>;
  /** The file could not be opened. */
  "gguf-error": CustomEvent<GgufFailure>;
  /** A row was selected. */
  "gguf-select": CustomEvent<GgufSelection>;
  /** The person has gone to another panel. */
  "gguf-view": CustomEvent<GgufView>;
  /** The state of a panel changed: its name with the state. */
  "gguf-table": CustomEvent<GgufPanelStates>;
  /** The number of changes, or whether they are saved, changed. */
  "gguf-edit": CustomEvent<GgufEditStatus>;
  /** The edited file was saved, and is open now. */
  "gguf-saved": CustomEvent<GgufWrittenFile & { readonly source: GgufSource }>;
  /** A shard should be opened alone, or with its set. The viewer does it unless the event is cancelled. */
  "gguf-shard": CustomEvent<{ readonly source: GgufSource; readonly isAlone: boolean }>;
  /** Files that the viewer has written should be opened. The viewer does it unless the event is cancelled. */
  "gguf-open-files": CustomEvent<readonly GgufWrittenFile[]>;
}

/** What can be given to each element: a file. */
export interface GgufFileProperties {
  /** The address of a file. A link to a page about a file on huggingface.co or github.com becomes a link to the file. */
  src: string;
  /** Whether the address of a shard opens this file only. Otherwise it opens all shards of the model. */
  alone: boolean;
  /** A `File`, bytes, a stream or another source of `Gguf.open`, or a list of the shards of a model. It has priority over `src`. */
  source: GgufSource | readonly GgufSource[] | undefined;
  /** HTTP headers for the origin of `src`, such as an access token. They are dropped when `src` changes to another origin. */
  headers: HeadersInit | undefined;
}

/** What can be given to a `<gguf-viewer>`. */
export interface GgufViewerProperties extends GgufFileProperties {
  /** The name of the file, if the source has none. */
  name: string;
  /** The panel that is shown. Undefined: the summary. */
  view: GgufView | undefined;
  /** The states of the panels. A panel reports changes of its state with the event `gguf-table`. */
  panelStates: GgufPanelStates;
  /** Makes the address of a link to a row of another file. Undefined: the panel Compare has no such links. */
  rowLink: ((address: string, row: { key?: string; tensor?: string }) => string) | undefined;
  /** Files that the panel Compare suggests as the second one, in groups. */
  suggestions: readonly { readonly title: string; readonly files: readonly GgufSuggestedFile[] }[];
  /** Whether there is an Edit button. */
  editable: boolean;
  /** The file handle of `source`, or of the first shard, for saving in place. */
  handle: FileSystemFileHandle | undefined;
  /** Whether the page shows the items of `menu()`. The tabs then have the room of the buttons. */
  menuOutside: boolean;
}

/** An element with events of its own. */
export interface GgufEventTarget<Events> extends HTMLElement {
  addEventListener<Name extends keyof Events>(
    name: Name,
    listener: (this: this, event: Events[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (this: this, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Items of a menu that belong together. */
export interface GgufMenuGroup {
  readonly title?: string;
  readonly items: readonly { readonly title: string; readonly run: () => void }[];
}

/** Shows a GGUF file: `<gguf-viewer src="…">`. */
export interface GgufViewer extends GgufEventTarget<GgufViewerEventMap>, GgufViewerProperties {
  /** The open file, or the open set of shards as one file. The element frees it when it opens another file. */
  readonly gguf: Gguf | undefined;
  /** The open model. */
  readonly model: GgufOpenedModel | undefined;
  /** Why the file could not be opened. */
  readonly failure: GgufFailure | undefined;
  /** The row that was selected last. */
  readonly selected: GgufSelection;
  /** The name of the file, or of the first shard of a set; "" if it is not known. */
  readonly fileName: string;
  /** Whether there are changes that have not been saved. */
  readonly unsaved: boolean;
  /** Whether there are unsaved changes, or work that would end, so that `mayLeave` asks. */
  readonly asksBeforeLeaving: boolean;
  /** Whether the open file can be edited and is not being edited. */
  readonly canEdit: boolean;
  /** Resolves when the element shows what its properties say. */
  readonly updateComplete: Promise<boolean>;
  /** Opens the source again. */
  reload(): Promise<void>;
  /** Cancels opening. */
  cancel(): void;
  /** Pauses the download of the header. */
  pause(): void;
  /** Resumes the download of the header. */
  resume(): void;
  /** Shows a row, now or when the file is open. A filter that hides it is cleared, unless `keepFilter` is set. */
  select(selection: GgufSelection, options?: { keepFilter?: boolean }): Promise<void>;
  /** Begins to edit the open file. */
  edit(): Promise<void>;
  /** Whether another file may be opened. Asks the person if changes or work would be lost. */
  mayLeave(): Promise<boolean>;
  /** The actions that have no place of their own in a small viewer. */
  menu(): GgufMenuGroup[];
}

/** The events of an element that shows one thing of a file. All of them bubble, and leave the shadow trees that they were sent in. */
export interface GgufFileEventMap<File> {
  /** The file is open. */
  "gguf-open": CustomEvent<File>;
  /** The file could not be opened or shown. */
  "gguf-error": CustomEvent<GgufFailure>;
}

/** An element that shows one thing of a file. `File` has the methods of the entry of gguf-wasm that the element loads. */
export interface GgufFileElement<File, Events> extends GgufEventTarget<Events>, GgufFileProperties {
  /** The open file, or the open set of shards as one file. The element frees it when it opens another file. */
  readonly gguf: File | undefined;
  /** Why the file could not be opened or shown. */
  readonly failure: GgufFailure | undefined;
  /** The name of the file, or of the first shard of a set; "" if it is not known. */
  readonly fileName: string;
  /** Resolves when the element shows what its properties say. */
  readonly updateComplete: Promise<boolean>;
  /** Opens the source again. */
  reload(): Promise<void>;
  /** Cancels opening. */
  cancel(): void;
  /** Pauses the download of the header. */
  pause(): void;
  /** Resumes the download of the header. */
  resume(): void;
}

export interface GgufSummaryProperties extends GgufFileProperties {
  /** The name of the file, if the source has none. */
  name: string;
}

export type GgufSummaryEventMap = GgufFileEventMap<ReaderGguf>;

/** Shows the facts of a GGUF file: `<gguf-summary src="…">`. */
export interface GgufSummary extends GgufFileElement<ReaderGguf, GgufSummaryEventMap>, GgufSummaryProperties {
  name: string;
}

export interface GgufTensorProperties extends GgufFileProperties {
  /** The name of the tensor. */
  name: string;
}

export type GgufTensorEventMap = GgufFileEventMap<ValuesGguf>;

/** Shows the values of a tensor of a GGUF file: `<gguf-tensor src="…" name="token_embd.weight">`. */
export interface GgufTensor extends GgufFileElement<ValuesGguf, GgufTensorEventMap>, GgufTensorProperties {
  /** The shown tensor. Undefined if no file is open, or if it has no such tensor. */
  readonly tensor: TensorInfo | undefined;
}

/** How a model is loaded. An absent member has its default. */
export interface GgufMemoryChoices {
  /** The context of all sequences together, in tokens. Absent: the one that the person wants, at first 8,192 or the trained one. */
  context?: number | undefined;
  /** The types of the keys and the values. Absent: F16. */
  keys?: GgufCacheType | undefined;
  values?: GgufCacheType | undefined;
  /** The number of sequences. Absent: 1. */
  sequences?: number | undefined;
  /** Whether the sequences share one cache. */
  unified?: boolean | undefined;
  /** The number of layers on the GPU; the output counts as one more. Absent: all. */
  layers?: number | undefined;
  /** The number of layers whose experts stay on the CPU. Absent: 0. */
  experts?: number | undefined;
  /** The number of tokens that are computed at once. Absent: 512. */
  microBatch?: number | undefined;
  /** Whether flash attention is off. */
  noFlash?: boolean | undefined;
  /** Whether layers with a window have a cache for the whole context. */
  fullWindow?: boolean | undefined;
  /** The shares of the layers for each of several cards. Absent: as much as is free on each. */
  split?: readonly number[] | undefined;
  /** The memory of the card, in GiB. Absent: that of the machine that the person has chosen. */
  card?: number | undefined;
  /** Whether GPU and CPU share one memory. */
  shared?: boolean | undefined;
  /** The address of a file that is loaded beside the model. */
  second?: string | undefined;
}

export type GgufCacheType = "F32" | "F16" | "BF16" | "Q8_0" | "Q5_1" | "Q5_0" | "Q4_1" | "Q4_0" | "IQ4_NL";

export interface GgufMemoryProperties extends GgufFileProperties {
  /** The name of the file, if the source has none. */
  name: string;
  /** How the model is loaded. The element reports what a person changes with the event `gguf-table`. */
  choices: GgufMemoryChoices | undefined;
}

export interface GgufMemoryEventMap extends GgufFileEventMap<Gguf> {
  /** The person has changed how the model is loaded. */
  "gguf-table": CustomEvent<{ readonly memory: GgufMemoryChoices }>;
}

/** Shows the memory that llama.cpp takes for a model: `<gguf-memory src="…">`. */
export interface GgufMemory extends GgufFileElement<Gguf, GgufMemoryEventMap>, GgufMemoryProperties {
  name: string;
}

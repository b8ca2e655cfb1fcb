import type { GgmlTypeInfo } from "gguf-wasm/explain";
import type { LegacyFamily } from "gguf-wasm/convert";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Failure } from "../gguf/failure.ts";
import { freeSafely } from "../gguf/free-safely.ts";
import type { ViewerSource } from "../gguf/model-source.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { type OpenCost, plainEntries, type ShownEntry } from "../gguf/shown-file.ts";
import type { EarlyHeader } from "./arrived-header.ts";
import { Opening, type OpeningModules, type OpeningState } from "./opening.ts";

/** An open file. */
export interface OpenState {
  readonly name: "open";
  readonly model: OpenedModel;
  readonly types: readonly GgmlTypeInfo[];
  readonly entries: readonly ShownEntry[];
  readonly cost: OpenCost;
}

export type FileState =
  | { readonly name: "empty" }
  | { readonly name: "opening"; readonly opening: OpeningState }
  | OpenState
  | { readonly name: "failed"; readonly failure: Failure; readonly header: EarlyHeader | undefined };

/** What is opened. */
export interface FileRequest {
  readonly source: ViewerSource;
  /** The name of the file; "" if it is not known. */
  readonly fileName: string;
  readonly isAlone: boolean;
  readonly headers: HeadersInit | undefined;
  /** The family of a legacy model, if the person has chosen one. */
  readonly family?: LegacyFamily | undefined;
}

/** What an element does with its file besides showing it. */
export interface FileCare {
  readonly modules: OpeningModules;
  /** Called when it is clear which panel will show the file, and again with its header, or that of a shard, once that is read. */
  readonly approach?: (header?: EarlyHeader) => void;
  /** Drops what was started for the next file, once that has taken it or was not opened. */
  readonly dropExpected?: () => void;
  /** Allows the workers of a file that is shown again. */
  readonly allowWorkers?: (model: OpenedModel) => void;
  /** Ends the workers of a file that is not shown any more. */
  readonly endWorkers?: (model: OpenedModel) => void;
}

interface Host extends ReactiveControllerHost {
  readonly isConnected: boolean;
  reload(): Promise<void>;
}

/** The file of an element: opens it, and frees its memory when another one takes its place. The host is updated when the state changes. */
export class ViewerFile implements ReactiveController {
  readonly #host: Host;
  readonly #care: FileCare;
  #state: FileState = { name: "empty" };
  #opening: Opening | undefined;
  /** Whether an opening ended because the viewer left the document. */
  #interrupted = false;

  constructor(host: Host, care: FileCare) {
    this.#host = host;
    this.#care = care;
    host.addController(this);
  }

  get state(): FileState {
    return this.#state;
  }

  /** Why no file is open. Undefined if none failed. */
  get failure(): Failure | undefined {
    return this.#state.name === "failed" ? this.#state.failure : undefined;
  }

  /** The open file. */
  get open(): OpenState | undefined {
    return this.#state.name === "open" ? this.#state : undefined;
  }

  hostConnected(): void {
    if (this.open) this.#care.allowWorkers?.(this.open.model);
    if (this.#interrupted) void this.#host.reload();
  }

  hostDisconnected(): void {
    // An element that is only moved is connected again at once. Its opening continues, because a stream cannot be opened twice.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      if (this.open) this.#care.endWorkers?.(this.open.model);
      if (this.#state.name !== "opening") return;
      this.#interrupted = true;
      this.#stopOpening();
    });
  }

  /** Closes the file. */
  close(): void {
    this.#stopOpening();
    this.#interrupted = false;
    if (this.open) void this.#free(this.open.model);
    this.#setState({ name: "empty" });
  }

  /** Opens a file and closes the previous one. Resolves to undefined if another file has been requested since. */
  async load({ source, fileName, isAlone, headers, family }: FileRequest): Promise<OpenState | Failure | undefined> {
    this.close();
    const opening = new Opening(
      source,
      fileName,
      isAlone,
      headers,
      () => {
        if (this.#opening !== opening || this.#state.name !== "opening") return;
        const { state } = opening;
        this.#setState({ name: "opening", opening: state });
        // Its panel is loaded beside the main module. At the start, the width of the viewer may not be known.
        if (state.loadsModule) this.#care.approach?.(state.header);
      },
      this.#care.modules,
      family,
    );
    this.#opening = opening;
    this.#setState({ name: "opening", opening: opening.state });
    this.#care.approach?.();
    const opened = await opening.run();
    if (this.#opening !== opening) {
      opened.model?.free();
      return undefined;
    }
    this.#opening = undefined;
    if (opened.failure) {
      this.#care.dropExpected?.();
      this.#setState({ name: "failed", failure: opened.failure, header: opened.header });
      return opened.failure;
    }
    const { model, types, cost } = opened;
    const state = { name: "open", model, types, entries: plainEntries(model.gguf.entries), cost } as const;
    this.#setState(state);
    // The panel that is rendered now has taken the worker, if it needs it.
    void this.#host.updateComplete.then(() => this.#care.dropExpected?.());
    return state;
  }

  cancel(): void {
    this.#opening?.cancel();
  }

  pause(): void {
    this.#opening?.pause();
  }

  resume(): void {
    this.#opening?.resume();
  }

  #setState(state: FileState): void {
    this.#state = state;
    this.#host.requestUpdate();
  }

  #stopOpening(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    if (opening) this.#care.dropExpected?.();
    opening?.cancel();
  }

  /** Frees the memory of a model after the page has stopped showing it. */
  async #free(model: OpenedModel): Promise<void> {
    await this.#host.updateComplete;
    setTimeout(() => {
      this.#care.endWorkers?.(model);
      freeSafely(model);
    }, 0);
  }
}

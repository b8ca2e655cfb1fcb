import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { Gguf } from "gguf-wasm/explain";
import { errorText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import type { Library } from "../gguf/started-library.ts";
import { baseStyles, themeStyles } from "../ui/styles.ts";
import { hintStyles } from "../ui/styles/notices.ts";
import { TextUnit } from "../ui/text-unit.ts";
import { escapeText } from "../ui/text.ts";
import type { EarlyHeader } from "../viewer/arrived-header.ts";
import "../viewer/error-panel.ts";
import { nameOfFile } from "../viewer/file-facts.ts";
import { FileProperties } from "../viewer/file-properties.ts";
import type { OpeningState } from "../viewer/opening.ts";
import "../viewer/progress.ts";
import { type FileCare, type OpenState, ViewerFile } from "../viewer/viewer-file.ts";

/** The least height, in units of the text size, for bars that stay in view while their settings are changed. */
const ENOUGH_FOR_BARS = 560;

/** What all entries have of the API of the main module. Panels use the rest only of files of an entry that has it. */
export type Entry = Pick<Library, "Gguf" | "ggmlTypes" | "parseShardName">;

/**
 * An element that shows one thing of a GGUF file.
 *
 * Events: `gguf-open` (the detail is the `Gguf`) and `gguf-error` (the detail is the failure with its `code`).
 *
 * Slots: the default slot stands beside "Try again" when a file cannot be opened; the slot `help` stands above it. The slot `empty` is shown
 * without a source.
 *
 * Parts: `panel`, `progress` and `error`.
 */
export abstract class FileElement extends FileProperties {
  /** The text that screen readers announce. */
  @state() private announcement = "";
  /** Whether the page has given the element less height than its content has. */
  @state() private scrolls = false;
  /** Whether bars that stay in view would take the room of what they belong to. */
  @state() private isLow = false;

  readonly #file: ViewerFile;
  readonly #unit = new TextUnit(this, () => this.#measure());
  readonly #sizes = new ResizeObserver(() => this.#measure());

  #measure(): void {
    const { scrollHeight = 0, clientHeight = 0 } = this.renderRoot.querySelector(".scroller") ?? {};
    this.scrolls = scrollHeight > clientHeight;
    this.isLow = this.scrolls && clientHeight < ENOUGH_FOR_BARS * this.#unit.px;
  }

  constructor(care: FileCare) {
    super();
    this.#file = new ViewerFile(this, care);
    this.addEventListener("gguf-announce", (event) => {
      event.stopPropagation();
      this.announcement = (event as CustomEvent<string>).detail;
    });
  }

  /** The styles of every such element. A page sets its width, height and display. */
  static readonly fileStyles = [
    themeStyles,
    baseStyles,
    hintStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-width: 0;
        overflow: clip;
        background: var(--gguf-surface);
      }
      /* A page may give the element another display. The flexible size then says nothing, and the height does. */
      .scroller {
        position: relative;
        flex: 0 1 auto;
        max-height: 100%;
        min-height: 0;
        overflow: auto;
        outline-offset: -2px;
      }
      .low {
        --gguf-bars: static;
      }
      .note {
        padding: 18px;
        overflow-wrap: anywhere;
      }
      /* What happens to a header stands above the part that has arrived. */
      .strip {
        border-bottom: 1px solid var(--gguf-line);
      }
    `,
  ];

  /** The open file, or the open set of shards as one file. */
  get gguf(): Gguf | undefined {
    return this.model?.gguf;
  }

  /** The open model. */
  get model(): OpenedModel | undefined {
    return this.#file.open?.model;
  }

  /** Why the file could not be opened or shown. */
  get failure(): Failure | undefined {
    return this.#file.failure;
  }

  /** The name of the file, or of the first shard of a set; "" if it is not known. */
  get fileName(): string {
    const { model, givenName, source, src } = this;
    return nameOfFile({ model, name: givenName, source, src });
  }

  /** The name that the page gives the file; "" if it gives none. */
  protected abstract readonly givenName: string;

  /** What the element shows, for screen readers. */
  protected abstract readonly label: string;

  /** Opens the source again. */
  override async reload(): Promise<void> {
    if (this.source === undefined && this.src === "") {
      this.#file.close();
      return;
    }
    const opened = await this.#file.load({
      source: this.source ?? this.src,
      fileName: nameOfFile({ ...this.#place, model: undefined }),
      isAlone: this.alone,
      headers: this.source === undefined ? this.headers : undefined,
    });
    if (!opened) return;
    if ("model" in opened) this.#send("gguf-open", opened.model.gguf);
    else this.report(opened);
  }

  get #place() {
    return { name: this.givenName, source: this.source, src: this.src };
  }

  /** Reports that the file cannot be opened or shown. */
  protected report(failure: Failure): void {
    this.announcement = errorText(failure).title;
    this.#send("gguf-error", failure);
  }

  #send(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Cancels opening. */
  cancel(): void {
    this.#file.cancel();
  }

  /** Pauses the download of the header. */
  pause(): void {
    this.#file.pause();
  }

  /** Resumes the download of the header. */
  resume(): void {
    this.#file.resume();
  }

  override render() {
    return html`<div
        class="scroller ${this.isLow ? "low" : ""}"
        role=${this.scrolls ? "region" : nothing}
        aria-label=${this.scrolls ? escapeText(this.label, 300) : nothing}
        tabindex=${this.scrolls ? 0 : nothing}
        @gguf-retry=${this.reload}
        @gguf-cancel=${this.cancel}
        @gguf-pause=${this.pause}
        @gguf-resume=${this.resume}
      >
        <div class="content">${this.#renderState()}</div>
      </div>
      <div class="sr" role="status">${escapeText(this.announcement, 300)}</div>`;
  }

  override firstUpdated(): void {
    for (const box of this.renderRoot.querySelectorAll(".scroller, .content")) this.#sizes.observe(box);
  }

  #renderState() {
    const { state } = this.#file;
    switch (state.name) {
      case "empty":
        return html`<slot name="empty"></slot>`;
      case "opening":
        return html`${this.#renderProgress(state.opening)} ${this.#renderPart(state.opening.header)}`;
      case "failed":
        return html`${this.#renderFailure(state.failure)} ${this.#renderPart(state.header)}`;
      case "open":
        return html`<div part="panel">${this.renderFile(state)}</div>`;
    }
  }

  #renderProgress(opening: OpeningState) {
    return html`<gguf-progress
      part="progress"
      .opening=${opening}
      name=${this.fileName || "the file"}
    ></gguf-progress>`;
  }

  protected renderFailure(failure: Failure, retryable: boolean) {
    return html`<gguf-error-panel
      part="error"
      .failure=${failure}
      name=${this.source === undefined ? this.src : this.fileName}
      ?retryable=${retryable}
      ><slot name="help" slot="help"></slot><slot></slot
    ></gguf-error-panel>`;
  }

  #renderFailure(failure: Failure) {
    return this.renderFailure(failure, failure.code !== "address");
  }

  #renderPart(header: EarlyHeader | undefined) {
    const shown = header && this.renderHeader?.(header);
    return shown ? html`<div part="panel">${shown}</div>` : nothing;
  }

  /** Shows the part of a header that has arrived. Absent: nothing. */
  protected renderHeader?(header: EarlyHeader): TemplateResult;

  protected abstract renderFile(file: OpenState): TemplateResult;
}

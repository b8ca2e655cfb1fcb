import type { Gguf } from "gguf-wasm/explain";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { type AnalysedTemplate, analyseTemplate, asProblem, templateFacts } from "./analyse-template.ts";
import { type SpecialTokens, specialTokens } from "./rendered-tokens.ts";
import type { TemplateFacts, UnknownToken } from "./red-flags.ts";
import type { ProbeResults, RenderInput, RenderResult, SyntaxResult, TemplateProblem } from "./template-messages.ts";
import { TemplateRunner } from "./template-runner.ts";

/** How long a template must rest while a person types, in milliseconds. */
const TYPING_DELAY = 250;

/** What is analysed: a template of a file, and the values for it. */
export interface AnalysisSubject extends AnalysedTemplate {
  /** Undefined if a field is not valid. */
  readonly input: RenderInput | undefined;
}

/**
 * Reads and renders a template in the worker, and updates its host with each result. Results of an earlier template or conversation stay
 * until there are new ones.
 */
export class TemplateAnalysis implements ReactiveController {
  syntax: SyntaxResult | undefined;
  rendering: RenderResult | undefined;
  probes: ProbeResults | undefined;
  unknownTokens: readonly UnknownToken[] | undefined;
  /** The special tokens of the file. Undefined if it has no vocabulary, or until they have been read. */
  special: SpecialTokens | undefined;
  /** How far the checks of the current template have come. `partial`: some did not end in time. */
  checks: "running" | "complete" | "partial" = "running";
  /** Whether the rendering is that of the current template and conversation. */
  isCurrent = false;

  readonly #host: ReactiveControllerHost;
  readonly #runner = new TemplateRunner();
  #gguf: Gguf | undefined;
  #vocabulary: Promise<SpecialTokens | undefined> | undefined;
  #template: string | undefined;
  #input: RenderInput | undefined;
  #readingVocabulary = new AbortController();
  #analysing = new AbortController();
  #rendering = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.forget();
  }

  /** Forgets the file and all results, and ends the worker. */
  forget(): void {
    for (const abort of [this.#readingVocabulary, this.#analysing, this.#rendering]) abort.abort();
    this.#runner.stop();
    this.#gguf = undefined;
    this.#template = undefined;
    this.#input = undefined;
    this.syntax = this.rendering = this.probes = this.unknownTokens = this.special = undefined;
    this.isCurrent = false;
    this.checks = "running";
  }

  /** Gives a reason instead of results. Called while the host updates. */
  refuse(message: string): void {
    this.forget();
    this.syntax = { problem: { kind: "limit", message } };
    this.checks = "complete";
  }

  /** Why there is no rendering. */
  get problem(): TemplateProblem | undefined {
    return this.syntax?.problem ?? this.rendering?.problem;
  }

  facts(bos: string | undefined, addsBos: boolean | undefined): TemplateFacts {
    return templateFacts(this, bos, addsBos);
  }

  /** Analyses and renders a template if it or its values have changed. `isTyped`: a person types it. */
  update(subject: AnalysisSubject, isTyped: boolean): void {
    const { gguf, template, input } = subject;
    if (this.#gguf !== gguf) {
      if (this.#gguf) this.forget();
      this.#gguf = gguf;
      this.#readingVocabulary = new AbortController();
      this.#vocabulary = specialTokens(gguf, this.#readingVocabulary.signal);
      this.#vocabulary.then((special) => this.#set({ special }), ignore);
    }
    if (!isSameInput(this.#input, input)) {
      this.#input = input;
      this.#rendering.abort();
      this.#rendering = new AbortController();
      this.isCurrent = false;
      if (input) void this.#render(input, isTyped, this.#rendering.signal).catch(ignore);
    }
    if (this.#template !== template) {
      const isFirst = this.#template === undefined;
      this.#template = template;
      this.#analysing.abort();
      this.#analysing = new AbortController();
      this.checks = "running";
      void this.#analyse(subject, isTyped && !isFirst, this.#analysing.signal).catch(ignore);
    }
  }

  async #render(input: RenderInput, isTyped: boolean, signal: AbortSignal): Promise<void> {
    if (isTyped) await rest(signal);
    const rendering = await this.#runner.run({ kind: "render", input }, signal).catch(asProblem);
    signal.throwIfAborted();
    this.#set({ rendering, isCurrent: true });
  }

  async #analyse(subject: AnalysisSubject, isTyped: boolean, signal: AbortSignal): Promise<void> {
    if (isTyped) await rest(signal);
    await analyseTemplate(this.#runner, subject, this.#vocabulary, signal, (results) => this.#set(results));
  }

  #set(
    results: Partial<
      Pick<this, "syntax" | "rendering" | "probes" | "unknownTokens" | "special" | "isCurrent" | "checks">
    >,
  ): void {
    Object.assign(this, results);
    this.#host.requestUpdate();
  }
}

function isSameInput(a: RenderInput | undefined, b: RenderInput | undefined): boolean {
  if (a?.template !== b?.template) return false;
  const values = (input: RenderInput | undefined) => JSON.stringify({ ...input, template: "" });
  return values(a) === values(b);
}

/** Waits until a person has stopped typing. Rejects if the signal aborts. */
function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, TYPING_DELAY);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** An aborted request needs no answer. */
function ignore(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}

import type { TemplateFacts, UnknownToken } from "gguf-wasm/common/template-flags.js";
import type { ProbeResults } from "gguf-wasm/common/template-probes.js";
import type { Gguf } from "gguf-wasm/explain";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { type AnalysedTemplate, analyseTemplate, type SyntaxState, templateFacts } from "./analyse-template.ts";
import { type SpecialTokens, specialTokens } from "./rendered-tokens.ts";
import type { RenderInput } from "./template-messages.ts";
import { type ShownRendering, TemplateRenderings } from "./template-renderings.ts";
import { TemplateRunner } from "./template-runner.ts";
import { ignoreAbort, rest } from "./typing-delay.ts";

/** What is analysed: a template of a file, and the renderings that are shown, by key. */
export interface AnalysisSubject extends AnalysedTemplate {
  /** Undefined if a field is not valid. */
  readonly inputs: ReadonlyMap<string, RenderInput> | undefined;
}

/**
 * Reads and renders a template in the worker, and updates its host with each result. Results of an earlier template stay until there are new
 * ones.
 */
export class TemplateAnalysis implements ReactiveController {
  syntax: SyntaxState | undefined;
  probes: ProbeResults | undefined;
  unknownTokens: readonly UnknownToken[] | undefined;
  /** The special tokens of the file. Undefined if it has no vocabulary, or until they have been read. */
  special: SpecialTokens | undefined;
  /** How far the checks of the current template have come. `partial`: some did not end in time. */
  checks: "running" | "complete" | "partial" = "running";

  readonly #host: ReactiveControllerHost;
  readonly #runner = new TemplateRunner();
  readonly #renderings: TemplateRenderings;
  #gguf: Gguf | undefined;
  #vocabulary: Promise<SpecialTokens | undefined> | undefined;
  /** The template and the texts of special tokens that are analysed, as JSON. */
  #analysed: string | undefined;
  #readingVocabulary = new AbortController();
  #analysing = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    this.#renderings = new TemplateRenderings(this.#runner, () => host.requestUpdate());
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
    for (const abort of [this.#readingVocabulary, this.#analysing]) abort.abort();
    this.#renderings.forget();
    this.#runner.stop();
    this.#gguf = undefined;
    this.#analysed = undefined;
    this.syntax = this.probes = this.unknownTokens = this.special = undefined;
    this.checks = "running";
  }

  /** The rendering with a key. */
  rendering(key: string): ShownRendering {
    return this.#renderings.get(key);
  }

  facts(bos: string | undefined, addsBos: boolean | undefined): TemplateFacts {
    return templateFacts(this, bos, addsBos);
  }

  /** Analyses and renders a template if it or its values have changed. `isTyped`: a person types it. */
  update(subject: AnalysisSubject, isTyped: boolean): void {
    const { gguf, template, inputs } = subject;
    if (this.#gguf !== gguf) {
      if (this.#gguf) this.forget();
      this.#gguf = gguf;
      this.#readingVocabulary = new AbortController();
      this.#vocabulary = specialTokens(gguf, this.#readingVocabulary.signal);
      this.#vocabulary.then((special) => this.#set({ special }), ignoreAbort);
    }
    if (inputs) this.#renderings.update(inputs, isTyped);
    // The renderings of the checks depend on the texts of the special tokens, too.
    const analysed = JSON.stringify([template, subject.tokens]);
    if (this.#analysed === analysed) return;
    const isFirst = this.#analysed === undefined;
    this.#analysed = analysed;
    this.#analysing.abort();
    this.#analysing = new AbortController();
    this.checks = "running";
    this.#analyse(subject, isTyped && !isFirst, this.#analysing.signal).catch(ignoreAbort);
  }

  async #analyse(subject: AnalysisSubject, isTyped: boolean, signal: AbortSignal): Promise<void> {
    if (isTyped) await rest(signal);
    await analyseTemplate(this.#runner, subject, this.#vocabulary, signal, (results) => this.#set(results));
  }

  #set(results: Partial<Pick<this, "syntax" | "probes" | "unknownTokens" | "special" | "checks">>): void {
    Object.assign(this, results);
    this.#host.requestUpdate();
  }
}

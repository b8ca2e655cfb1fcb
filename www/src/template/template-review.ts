/** What is suspicious about the chat templates of a file, for the pages that do not show the panel of chat templates. */

import { type FoundFlag, templateFlags } from "gguf-wasm/common/template-flags.js";
import { placedMessage } from "gguf-wasm/common/template-problem.js";
import type { Gguf, MetadataValue, SpecialToken } from "gguf-wasm/explain";
import { tokenizerModels } from "../gguf/library.ts";
import { makeTokenizer } from "../worker/file-tokenizer.ts";
import { whenIdle } from "../ui/idle.ts";
import { analyseTemplate, templateFacts, type TemplateResults } from "./analyse-template.ts";
import { specialTokens } from "./rendered-tokens.ts";
import type { ChatTemplate } from "./template-list.ts";
import { TemplateRunner } from "./template-runner.ts";
import { ADD_BOS, addsBos, bosIdOf, type TokenVariables, tokenVariables } from "./token-variables.ts";

/** The most templates of a file that are reviewed. Real files have one to three. */
const MOST_TEMPLATES = 8;
/** How long the templates of an edited file must rest, in milliseconds. */
const EDIT_DELAY = 250;

/** A file whose templates are reviewed. */
export interface ReviewedFile {
  /** The stored file, with the vocabulary. */
  readonly gguf: Gguf;
  /** The templates after editing. */
  readonly templates: readonly ChatTemplate[];
  /** The file after editing. */
  readonly header: {
    readonly metadata: ReadonlyMap<string, MetadataValue>;
    specialTokens(): readonly SpecialToken[];
  };
}

/** A template that llama.cpp refuses. */
export interface RefusedTemplate {
  /** "" for the default template. */
  readonly name: string;
  /** "line 12, column 3: unexpected character". */
  readonly reason: string;
}

/** The result of a review. */
export interface ReviewResult {
  /** The errors and warnings. A flag that several templates have is one for each. */
  readonly flags: readonly FoundFlag[];
  /** The templates that llama.cpp refuses, with the place and the reason. */
  readonly refused: readonly RefusedTemplate[];
  /** Whether all templates were read and rendered. */
  readonly isComplete: boolean;
}

/** Reviews the templates of a file when the page is idle, in a worker, and again when they are edited. */
export class TemplateReview {
  readonly #changed: () => void;
  readonly #runner = new TemplateRunner();
  #file: ReviewedFile | undefined;
  /** What the review depends on. */
  #subject: readonly unknown[] = [];
  #running = new AbortController();
  #isRunning = false;
  #result: ReviewResult | undefined;

  /** `changed` is called when there is a new result. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The result. Undefined if the file has no template, and until the first review has ended. */
  get result(): ReviewResult | undefined {
    return this.#result;
  }

  /** Whether a review runs, so that the result is that of other templates. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Reviews the templates if they have changed. */
  update(file: ReviewedFile): void {
    const { gguf, templates, header } = file;
    const before = this.#file;
    if (before?.gguf === gguf && before.templates === templates && before.header === header) return;
    const isOther = before?.gguf !== gguf;
    if (isOther || templates.length === 0) this.stop();
    this.#file = file;
    if (templates.length === 0) return;
    const tokens = tokenVariables(header);
    const texts = templates.slice(0, MOST_TEMPLATES).map(({ text }) => text);
    const subject = [JSON.stringify(tokens), header.metadata.get(ADD_BOS), ...texts];
    if (subject.length === this.#subject.length && subject.every((part, at) => part === this.#subject[at])) return;
    this.#subject = subject;
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#isRunning = true;
    const end = (result: ReviewResult) => {
      // A later review uses the worker.
      if (signal.aborted) return;
      this.#runner.stop();
      this.#isRunning = false;
      this.#result = result;
      this.#changed();
    };
    void this.#review(file, tokens, isOther ? 0 : EDIT_DELAY, signal).then(end, (error: unknown) => {
      if (signal.aborted) return;
      end({ flags: [], refused: [], isComplete: false });
      throw error;
    });
  }

  /** Forgets the file and the result, and ends the worker. */
  stop(): void {
    this.#running.abort();
    this.#runner.stop();
    this.#file = undefined;
    this.#subject = [];
    this.#isRunning = false;
    this.#result = undefined;
  }

  async #review(file: ReviewedFile, tokens: TokenVariables, delay: number, signal: AbortSignal): Promise<ReviewResult> {
    await new Promise((resolve) => setTimeout(resolve, delay));
    await whenIdle();
    signal.throwIfAborted();
    const { gguf, templates } = file;
    const vocabulary = specialTokens(gguf, signal);
    // A template that is not valid needs no vocabulary, so nobody may wait for this promise.
    vocabulary.catch(() => undefined);
    const flags: FoundFlag[] = [];
    const refused: RefusedTemplate[] = [];
    let isComplete = templates.length <= MOST_TEMPLATES;
    for (const { name, text: template } of templates.slice(0, MOST_TEMPLATES)) {
      let results: TemplateResults = { checks: "running" };
      await analyseTemplate(this.#runner, { gguf, template, tokens }, vocabulary, signal, (step) => {
        results = { ...results, ...step };
      });
      const found = await this.#flagsOf(file, results, tokens.bos_token, signal);
      flags.push(...found.filter(({ severity }) => severity !== "note"));
      const { problem } = results.syntax ?? {};
      if (problem?.kind === "syntax") refused.push({ name, reason: placedMessage(problem) });
      else if (results.checks === "partial" || problem) isComplete = false;
    }
    signal.throwIfAborted();
    return { flags, refused, isComplete };
  }

  /** The flags of a template. Making the tokenizer takes long. So it is made only if the BOS token could occur twice. */
  async #flagsOf(
    { gguf, header: { metadata } }: ReviewedFile,
    results: TemplateResults,
    bos: string | undefined,
    signal: AbortSignal,
  ): Promise<FoundFlag[]> {
    const flags = templateFlags(templateFacts(results, bos, true));
    if (!flags.some(({ code }) => code === "bos-twice")) return flags;
    const isEntry = typeof metadata.get(ADD_BOS) === "boolean";
    const tokenizer = isEntry ? { problem: "" } : await makeTokenizer(gguf);
    signal.throwIfAborted();
    return templateFlags(templateFacts(results, bos, addsBos(metadata, bosIdOf(gguf), tokenizer, tokenizerModels())));
  }
}

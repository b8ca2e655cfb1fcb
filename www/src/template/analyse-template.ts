/** What is known about a chat template, found step by step. */

import type { SyntaxFacts } from "gguf-wasm/common/template-facts.js";
import type { TemplateFacts, UnknownToken } from "gguf-wasm/common/template-flags.js";
import type { ProbeResults } from "gguf-wasm/common/template-probes.js";
import type { TemplateProblem as EngineProblem } from "gguf-wasm/common/template-problem.js";
import type { Gguf } from "gguf-wasm/explain";
import { makeTokenizer } from "../worker/file-tokenizer.ts";
import { isOneToken, type SpecialTokens, unknownTokens } from "./rendered-tokens.ts";
import type { TemplateProblem } from "./template-messages.ts";
import { RunnerError, type TemplateRunner } from "./template-runner.ts";
import type { TokenVariables } from "./token-variables.ts";

/** What the worker says about the syntax of a template, or why it says nothing. */
export type SyntaxState =
  | { readonly facts: SyntaxFacts; readonly problem?: never }
  | { readonly facts?: never; readonly problem: TemplateProblem };

/** The results of the steps so far. */
export interface TemplateResults {
  readonly syntax?: SyntaxState | undefined;
  readonly probes?: ProbeResults | undefined;
  readonly unknownTokens?: readonly UnknownToken[] | undefined;
  /** How far the checks have come. `partial`: some did not end in time. */
  readonly checks: "running" | "complete" | "partial";
}

/** A template of a file, and the texts of its special tokens. */
export interface AnalysedTemplate {
  readonly gguf: Gguf;
  readonly template: string;
  readonly tokens: TokenVariables;
}

/** Reads a template and renders conversations with it. Reports the results of each step. */
export async function analyseTemplate(
  runner: TemplateRunner,
  { gguf, template, tokens }: AnalysedTemplate,
  vocabulary: Promise<SpecialTokens | undefined> | undefined,
  signal: AbortSignal,
  report: (results: TemplateResults) => void,
): Promise<void> {
  const syntax = await runner.run("syntax", { template }, signal).catch(asProblem);
  signal.throwIfAborted();
  report({ syntax, checks: syntax.problem ? "complete" : "running" });
  if (syntax.problem) return;
  // Without these renderings, some flags are not known. The rendering of the panel says that the template takes too long.
  const probes = await runner.run("probe", { template, variables: { ...tokens } }, signal).catch((error: unknown) => {
    asProblem(error);
    return undefined;
  });
  signal.throwIfAborted();
  report({ probes, checks: "running" });
  const special = await vocabulary;
  signal.throwIfAborted();
  const literals = syntax.facts.tokens;
  const isSpecial = (text: string) => special?.find(text) !== undefined;
  // To make the tokenizer takes long, and only texts that are no special tokens need it.
  const tokenizer = literals.every(({ text }) => isSpecial(text)) ? undefined : await makeTokenizer(gguf);
  signal.throwIfAborted();
  const isToken =
    tokenizer === undefined || "problem" in tokenizer ? isSpecial : (text: string) => isOneToken(text, tokenizer);
  const unknown = special && (await unknownTokens(gguf, isToken, literals, signal));
  signal.throwIfAborted();
  report({ unknownTokens: unknown, checks: probes ? "complete" : "partial" });
}

/** The facts that the flags of a template are found by. */
export function templateFacts(
  { syntax, probes, unknownTokens }: Omit<TemplateResults, "checks">,
  bos: string | undefined,
  addsBos: boolean | undefined,
): TemplateFacts {
  const { problem, facts } = syntax ?? {};
  return {
    // No flag is about the other kinds of problems.
    problem: problem?.kind === "syntax" ? (problem as EngineProblem) : undefined,
    syntax: facts,
    probes: problem ? undefined : probes,
    unknownTokens: problem ? undefined : unknownTokens,
    bos,
    addsBos,
  };
}

/** The result of a request that failed in the runner. Throws other errors again. */
export function asProblem(error: unknown): { problem: TemplateProblem } {
  if (error instanceof RunnerError) return { problem: error.problem };
  throw error;
}

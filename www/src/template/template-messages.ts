/** The messages between the page and the worker that renders templates. */

import type { SyntaxResult } from "gguf-wasm/common/template-facts.js";
import type { ProbeResults } from "gguf-wasm/common/template-probes.js";
import type { TemplateProblem as EngineProblem } from "gguf-wasm/common/template-problem.js";
import type { ChatNote } from "gguf-wasm/template";

/**
 * Why a template has no rendering. Besides what the engine says: `time`: the worker did not answer in time. `worker`: it cannot be started,
 * or has failed.
 */
export interface TemplateProblem extends Omit<EngineProblem, "kind"> {
  readonly kind: EngineProblem["kind"] | "time" | "worker";
}

/** What llama-server gets, and the template that it has. */
export interface RenderInput {
  readonly template: string;
  /** The conversation and other variables: the text of a JSON object, which keeps `1.0` and large integers. */
  readonly context: string;
  /** The texts of the tokens that the tokenizer adds by itself. */
  readonly addedBos?: string;
  readonly addedEos?: string;
}

export interface Rendering {
  readonly text: string;
  /** Whether the text is longer and was cut. */
  readonly isCut: boolean;
  /** What llama-server changed. */
  readonly notes: readonly ChatNote[];
}

export type RenderResult =
  | { readonly rendering: Rendering; readonly problem?: never }
  | { readonly rendering?: never; readonly problem: TemplateProblem };

/** The requests by their kind, and what the worker answers. */
export interface TemplateRequests {
  syntax: { readonly request: { readonly template: string }; readonly response: SyntaxResult };
  render: { readonly request: RenderInput; readonly response: RenderResult };
  probe: {
    readonly request: { readonly template: string; readonly variables: Readonly<Record<string, string>> };
    readonly response: ProbeResults;
  };
}

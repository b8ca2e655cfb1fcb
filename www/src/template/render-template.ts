/**
 * Renders a template with limits on what it may make. Texts are those of Python's jinja2, with which transformers renders, except for the
 * differences that `tests/template/differences.mjs` explains. llama.cpp has an interpreter of its own: it renders some templates that Python
 * refuses, for example if a text is added to a value that is missing.
 */

import { Environment } from "@huggingface/jinja";
import { messageOf, parseTemplate, type Program } from "./parse-template.ts";
import { PythonInterpreter, type Node } from "./python-interpreter.ts";
import type { Value } from "./python-values.ts";
import { strftime } from "./strftime.ts";
import type { Rendering, RenderInput, RenderResult, TemplateProblem } from "./template-messages.ts";

/** The most characters of a rendering that the page gets. */
export const MOST_CHARACTERS = 1_000_000;
/** The most elements of `range()`: the limit of Python's sandbox, in which transformers renders templates. */
const MOST_IN_RANGE = 100_000;
/** The most characters that the expressions of a template may make together, and how many characters an element of a list counts as. */
const MOST_MADE = 2 ** 27;
const ELEMENT_COST = 32;

/** The template called `raise_exception`. */
class Refusal extends Error {}
/** The template makes too much text. */
class LimitError extends Error {}

/** Nodes that give a value of another node, and make none. */
const READS: ReadonlySet<string> = new Set(["Identifier", "MemberExpression", "Ternary", "Program"]);

/** An interpreter that stops before a template uses up the memory. A template could otherwise double a list again and again. */
class LimitedInterpreter extends PythonInterpreter {
  #made = 0;

  override evaluate(node: Node | undefined, environment: Environment): Value {
    const value = super.evaluate(node, environment);
    if (node !== undefined && !READS.has(node.type)) {
      const content: unknown = value.value;
      if (typeof content === "string") this.#made += content.length;
      else if (Array.isArray(content)) this.#made += content.length * ELEMENT_COST;
      if (this.#made > MOST_MADE) throw new LimitError("The template makes too many or too long texts and lists.");
    }
    return value;
  }
}

/** The variables and functions that every chat template has, and the values of this rendering. */
function environmentOf(input: RenderInput): Environment {
  const environment = new Environment();
  const values: Record<string, unknown> = {
    true: true,
    True: true,
    false: false,
    False: false,
    none: null,
    None: null,
    raise_exception: (message: unknown) => {
      throw new Refusal(String(message));
    },
    range: (...bounds: number[]) => range(...bounds),
    strftime_now: (format: unknown) => strftime(new Date(input.now ?? Date.now()), String(format)),
    ...input.variables,
    messages: input.messages,
    add_generation_prompt: input.addGenerationPrompt,
    ...(input.tools ? { tools: input.tools } : {}),
  };
  for (const [name, value] of Object.entries(values)) if (name !== "namespace") environment.set(name, value);
  return environment;
}

function range(first = 0, second?: number, step = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new Error("range() step must not be zero");
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > MOST_IN_RANGE)
    throw new LimitError(`range() has more than ${MOST_IN_RANGE} elements. Python's sandbox refuses that, too.`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

export function renderTemplate(input: RenderInput): RenderResult {
  const { program, problem } = parseTemplate(input.template);
  return problem ? { problem } : renderProgram(program, input);
}

export function renderProgram(program: Program, input: RenderInput): RenderResult {
  try {
    const { value } = new LimitedInterpreter(program, environmentOf(input)).run(program);
    return { rendering: cut(String(value)) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function cut(text: string): Rendering {
  // JSON.parse can make lone surrogates, which are not text.
  const whole = text.toWellFormed();
  return { text: whole.slice(0, MOST_CHARACTERS), isCut: whole.length > MOST_CHARACTERS };
}

function problemOf(error: unknown): TemplateProblem {
  const message = messageOf(error);
  if (error instanceof Refusal) return { kind: "refused", message };
  if (error instanceof LimitError) return { kind: "limit", message };
  if (error instanceof RangeError)
    return { kind: "limit", message: `The template needs too much memory, or calls itself too often (${message}).` };
  return { kind: "run-time", message };
}

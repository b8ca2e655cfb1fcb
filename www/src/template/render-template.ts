/**
 * Renders a template with limits on what it may make. Texts are those of Python's jinja2, with which transformers renders, except for the
 * differences that `tests/template/differences.mjs` explains. llama.cpp has an interpreter of its own: it renders some templates that Python
 * refuses, for example if a text is added to a value that is missing.
 */

import { Environment } from "@huggingface/jinja";
import { messageOf, parseTemplate, type Program, TOO_DEEP } from "./parse-template.ts";
import { PythonInterpreter, type Node } from "./python-interpreter.ts";
import { type Value, valueOf } from "./python-values.ts";
import { strftime } from "./strftime.ts";
import type { Rendering, RenderInput, RenderResult, TemplateProblem } from "./template-messages.ts";

/** The most characters of a rendering that the page gets. */
export const MOST_CHARACTERS = 1_000_000;
/** The most elements of `range()`: the limit of Python's sandbox, in which transformers renders templates. */
const MOST_IN_RANGE = 100_000;
/** The most characters that the expressions of a template may make together, and how many characters an element of a list counts as. */
const MOST_MADE = 2 ** 27;
const ELEMENT_COST = 32;
/** The most characters of a text that is split: each could become an element. */
const MOST_SPLIT = 2 ** 20;
/** The most expressions and blocks in each other. Python reads no more than 200 brackets in each other. */
const MOST_DEPTH = 500;
/** The most characters of the message of an error. It may have a text of the template. */
const MOST_MESSAGE = 10_000;

/** The template called `raise_exception`. */
class Refusal extends Error {}
/** The template makes too much text. */
class LimitError extends Error {}

/** Nodes that give a value of another node, and make none. */
const READS: ReadonlySet<string> = new Set(["Identifier", "MemberExpression", "Ternary", "Program"]);

/** An interpreter that stops before a template uses up the memory. A template could otherwise double a list again and again. */
class LimitedInterpreter extends PythonInterpreter {
  #made = 0;
  #depth = 0;

  override evaluate(node: Node | undefined, environment: Environment): Value {
    const value = this.#inner(node, environment);
    const content: unknown = value.value;
    if (node !== undefined && (!READS.has(node.type) || isSlice(node))) {
      if (typeof content === "string") this.#made += content.length;
      else if (Array.isArray(content)) this.#made += content.length * ELEMENT_COST;
      if (this.#made > MOST_MADE) throw new LimitError("The template makes too many or too long texts and lists.");
    }
    if (typeof content === "string" && content.length > MOST_SPLIT && value.builtins instanceof Map)
      value.builtins.set("split", valueOf(refuseSplit));
    return value;
  }

  #inner(node: Node | undefined, environment: Environment): Value {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw new LimitError(TOO_DEEP);
    try {
      return super.evaluate(node, environment);
    } finally {
      this.#depth -= 1;
    }
  }
}

/** Whether a node makes a part of a list or text: `messages[1:]`. */
function isSlice(node: Node): boolean {
  const { property } = node as { property?: Node };
  return node.type === "MemberExpression" && property?.type === "SliceExpression";
}

function refuseSplit(): never {
  throw new LimitError(`The template splits a text with more than ${MOST_SPLIT} characters.`);
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
      throw new Refusal(String(message).slice(0, MOST_MESSAGE));
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
  const message = messageOf(error).slice(0, MOST_MESSAGE);
  if (error instanceof Refusal) return { kind: "refused", message };
  if (error instanceof LimitError) return { kind: "limit", message };
  if (error instanceof RangeError)
    return { kind: "limit", message: `The template needs too much memory, or calls itself too often (${message}).` };
  // The interpreter ends loops with errors of its own, which have no message.
  if (message === "") return { kind: "run-time", message: "break and continue are only allowed in a loop." };
  return { kind: "run-time", message };
}

/**
 * Renders a template with limits on what it may make. The text equals that of Python's jinja2, which transformers uses.
 * `tests/template/differences.mjs` lists the differences. llama.cpp has an interpreter of its own: it renders some templates that Python
 * refuses, for example if a text is added to a value that is missing.
 */

import { Environment } from "@huggingface/jinja";
import { messageOf, parseTemplate, type Program, TOO_DEEP } from "./parse-template.ts";
import { CHARACTER, LimitError, MemoryBudget, NEW_ELEMENT } from "./memory-budget.ts";
import { PythonInterpreter, type Node } from "./python-interpreter.ts";
import { functionOf, textOf, type Value, valueOf } from "./python-values.ts";
import { strftime } from "./strftime.ts";
import type { Rendering, RenderInput, RenderResult, TemplateProblem } from "./template-messages.ts";

/** The most characters of a rendering that the page gets. */
export const MOST_CHARACTERS = 1_000_000;
/** The most elements of `range()`: the limit of Python's sandbox, in which transformers renders templates. */
const MOST_IN_RANGE = 100_000;
/** The deepest nesting of expressions and blocks. Python accepts at most 200 nested brackets. */
const MOST_DEPTH = 500;
/** The most characters of a formatted time for each character of its format. */
const LONGEST_FIELD = 5;
/** The most characters of the message of an error. It may have a text of the template. */
const MOST_MESSAGE = 10_000;

/** The template called `raise_exception`. */
class Refusal extends Error {}
/** An interpreter that stops before a template uses up the stack. */
class LimitedInterpreter extends PythonInterpreter {
  #depth = 0;

  override evaluate(node: Node | undefined, environment: Environment): Value {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw new LimitError(TOO_DEEP);
    try {
      return super.evaluate(node, environment);
    } finally {
      this.#depth -= 1;
    }
  }
}

/** The variables and functions that every chat template has, and the values of this rendering. */
function environmentOf(input: RenderInput, budget: MemoryBudget): Environment {
  const environment = new Environment();
  const values: Record<string, unknown> = {
    true: true,
    True: true,
    false: false,
    False: false,
    none: null,
    None: null,
    ...input.variables,
    messages: input.messages,
    add_generation_prompt: input.addGenerationPrompt,
    ...(input.tools ? { tools: input.tools } : {}),
  };
  for (const [name, value] of Object.entries(values)) if (name !== "namespace") environment.set(name, value);
  for (const [name, body] of Object.entries(functionsOf(input, budget)))
    if (!environment.variables.has(name)) environment.setVariable(name, functionOf(body));
  return environment;
}

type Functions = Readonly<Record<string, Parameters<typeof functionOf>[0]>>;

/** The functions of chat templates. */
function functionsOf(input: RenderInput, budget: MemoryBudget): Functions {
  return {
    raise_exception: ([message]) => {
      throw new Refusal(message ? textOf(message, budget).slice(0, MOST_MESSAGE) : "The template gives no reason.");
    },
    range: (bounds) => {
      // JavaScript would make a number of a list from its text, which nothing bounds.
      if (bounds.some(({ value }) => typeof value === "object" && value !== null))
        throw new Error("range() takes whole numbers.");
      const numbers = range(...bounds.map(({ value }) => value as number));
      budget.spend(numbers.length * NEW_ELEMENT);
      return valueOf(numbers);
    },
    strftime_now: ([format]) => {
      const text = format ? textOf(format, budget) : "";
      budget.spend(text.length * LONGEST_FIELD * CHARACTER);
      return valueOf(strftime(new Date(input.now ?? Date.now()), text));
    },
  };
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
    const budget = new MemoryBudget();
    const { value } = new LimitedInterpreter(program, environmentOf(input, budget), budget).run(program);
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

/** The interpreter of @huggingface/jinja with the operators, filters and texts of values of Python's jinja2. */

import { type Environment, Interpreter } from "@huggingface/jinja";
import type { Program } from "./parse-template.ts";
import { areEqual, divide, isIn, textOf, type Value, valueOf } from "./python-values.ts";

export type Node = NonNullable<Parameters<Interpreter["evaluate"]>[0]>;

/** The members of a node. The package exports no types of nodes. */
type Members = Node & Readonly<Record<string, unknown>>;

/** Nodes in a list of statements that write nothing by themselves. Each other node there is an expression whose text is written. */
const STATEMENTS: ReadonlySet<string> = new Set([
  ...["If", "For", "Break", "Continue", "Set", "Macro", "Comment", "FilterStatement", "CallStatement"],
]);
/** The members of a statement that are lists of statements. */
const BLOCKS = ["body", "alternate", "defaultBlock"] as const;

/** Filters that first turn any value into a text. */
const TEXT_FILTERS: ReadonlySet<string> = new Set([
  ...["string", "trim", "upper", "lower", "title", "capitalize", "replace"],
]);

export class PythonInterpreter extends Interpreter {
  /** The expressions whose texts are written. */
  readonly #written = new Set<Node>();
  /** The expressions that loops go through. */
  readonly #iterated = new Set<unknown>();

  constructor(program: Program, environment: Environment) {
    super(environment);
    const statements: Node[] = [program];
    for (let node = statements.pop() as Members | undefined; node; node = statements.pop() as Members | undefined) {
      if (node.type === "For") {
        const iterable = node["iterable"] as Members;
        this.#iterated.add(iterable.type === "SelectExpression" ? iterable["lhs"] : iterable);
      }
      for (const child of BLOCKS.flatMap((block) => (node?.[block] ?? []) as Node[])) {
        if (STATEMENTS.has(child.type)) statements.push(child);
        else this.#written.add(child);
      }
    }
  }

  override evaluate(node: Node | undefined, environment: Environment): Value {
    if (node === undefined) return super.evaluate(node, environment);
    const value = this.#value(node as Members, environment);
    if (this.#written.has(node)) return typeof value.value === "string" ? value : valueOf(textOf(value));
    // A loop over an undefined value has no steps.
    return value.type === "UndefinedValue" && this.#iterated.has(node) ? valueOf([]) : value;
  }

  #value(node: Members, environment: Environment): Value {
    if (node.type === "BinaryExpression") return this.#binary(node, environment);
    if (node.type === "FilterExpression") return this.#filter(node, environment);
    return super.evaluate(node, environment);
  }

  #binary(node: Members, environment: Environment): Value {
    const { value: operator } = node["operator"] as { value: string };
    if (!["==", "!=", "~", "/", "//", "%", "in", "not in"].includes(operator)) return super.evaluate(node, environment);
    const left = this.evaluate(node["left"] as Node, environment);
    const right = this.evaluate(node["right"] as Node, environment);
    switch (operator) {
      case "==":
      case "!=":
        return valueOf(areEqual(left, right) === (operator === "=="));
      case "~":
        return valueOf(textOf(left) + textOf(right));
      case "in":
      case "not in":
        return valueOf(isIn(left, right) === (operator === "in"));
      default:
        return divide(operator, left, right);
    }
  }

  #filter(node: Members, environment: Environment): Value {
    const filter = node["filter"] as Members;
    const callee = filter.type === "CallExpression" ? (filter["callee"] as Members) : filter;
    const name = String(callee["value"]);
    if (!TEXT_FILTERS.has(name) && name !== "join") return super.evaluate(node, environment);
    const operand = this.evaluate(node["operand"] as Node, environment);
    const literal = (value: Value) => ({ type: "StringLiteral", value: textOf(value) });
    // The elements of a list are joined as texts.
    const elements = name === "join" && Array.isArray(operand.value) ? operand.value : undefined;
    const texts = elements ? { type: "ArrayLiteral", value: elements.map(literal) } : literal(operand);
    return super.evaluate({ ...node, operand: texts } as Node, environment);
  }
}

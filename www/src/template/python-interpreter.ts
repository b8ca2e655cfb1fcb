/**
 * The interpreter of @huggingface/jinja with the operators, filters and texts of values of Python's jinja2. Each operation spends the bytes of
 * its result before it makes the result.
 */

import { type Environment, Interpreter } from "@huggingface/jinja";
import { CHARACTER, CONTAINER, ELEMENT, type MemoryBudget, NEW_ELEMENT, SCOPE, STEP } from "./memory-budget.ts";
import { type Arguments, sizeOf, spendFilter, spendJson, spendMethod } from "./operation-costs.ts";
import type { Program } from "./parse-template.ts";
import { areEqual, divide, functionOf, isIn, sliceText, textOf, type Value, valueOf } from "./python-values.ts";

export type Node = NonNullable<Parameters<Interpreter["evaluate"]>[0]>;

/** The members of a node. The package exports no types of nodes. */
type Members = Node & Readonly<Record<string, unknown>>;

/** Nodes in a list of statements that write nothing by themselves. Each other node there is an expression whose text is written. */
const STATEMENTS: ReadonlySet<string> = new Set([
  ...["If", "For", "Break", "Continue", "Set", "Macro", "Comment", "FilterStatement", "CallStatement"],
]);
/** Statements whose value is written. */
const WRITTEN_STATEMENTS: ReadonlySet<string> = new Set(["FilterStatement", "CallStatement"]);
/** The members of a statement that are lists of statements. */
const BLOCKS = ["body", "alternate", "defaultBlock"] as const;

/** Filters that first turn any value into a text. */
const TEXT_FILTERS: ReadonlySet<string> = new Set([
  ...["string", "trim", "upper", "lower", "title", "capitalize", "replace"],
]);
/** Filters whose arguments must be literals. */
const LITERAL_FILTERS: ReadonlySet<string> = new Set(["selectattr", "rejectattr"]);
/** Tests that compare a text with a copy in other letters. */
const LETTER_TESTS: ReadonlySet<string> = new Set(["lower", "upper"]);
/** The copy may have three letters for one. */
const LETTER_COPIES = 3;

/** Operators whose operands are evaluated here. */
const OPERATORS: ReadonlySet<string> = new Set(["+", "==", "!=", "~", "/", "//", "%", "in", "not in"]);

/** A node that has its value already. */
const VALUE_NODE = "Value";
const valueNode = (value: Value) => ({ type: VALUE_NODE, value }) as unknown as Node;

export class PythonInterpreter extends Interpreter {
  protected readonly budget: MemoryBudget;
  /** The expressions whose texts are written. */
  readonly #written = new Set<Node>();
  /** The expressions that loops go through. */
  readonly #iterated = new Set<unknown>();
  /** The bytes of the steps of the loop whose list was evaluated last. */
  #steps = 0;

  constructor(program: Program, environment: Environment, budget: MemoryBudget) {
    super(environment);
    this.budget = budget;
    const statements: Node[] = [program];
    for (let node = statements.pop() as Members | undefined; node; node = statements.pop() as Members | undefined) {
      if (node.type === "For") {
        const iterable = node["iterable"] as Members;
        this.#iterated.add(iterable.type === "SelectExpression" ? iterable["lhs"] : iterable);
      }
      for (const child of BLOCKS.flatMap((block) => (node?.[block] ?? []) as Node[])) {
        if (STATEMENTS.has(child.type)) statements.push(child);
        if (!STATEMENTS.has(child.type) || WRITTEN_STATEMENTS.has(child.type)) this.#written.add(child);
      }
    }
  }

  override evaluate(node: Node | undefined, environment: Environment): Value {
    if (node === undefined) return super.evaluate(node, environment);
    const value = this.#value(node as Members, environment);
    if (this.#written.has(node)) {
      const text = textOf(value, this.budget);
      this.budget.spend(text.length * CHARACTER);
      return typeof value.value === "string" ? value : valueOf(text);
    }
    if (!this.#iterated.has(node)) return value;
    const { value: content } = value;
    this.#steps = STEP * (Array.isArray(content) ? content.length : content instanceof Map ? content.size : 0);
    this.budget.spend(this.#steps);
    // A loop over an undefined value has no steps.
    return value.type === "UndefinedValue" ? valueOf([]) : value;
  }

  #value(node: Members, environment: Environment): Value {
    switch (node.type) {
      case VALUE_NODE:
        return node["value"] as Value;
      case "BinaryExpression":
        return this.#binary(node, environment);
      case "FilterExpression":
        return this.#filter(node, environment);
      case "FilterStatement": {
        const operand = { type: "Program", body: node["body"] };
        return this.#filter({ ...node, type: "FilterExpression", operand } as unknown as Members, environment);
      }
      case "CallExpression":
        return this.#call(node, environment);
      case "CallStatement": {
        // The function `caller` keeps its variables.
        this.budget.spend(SCOPE);
        const call = node["call"] as Members;
        const { nodes } = this.#arguments(call["args"] as Members[], environment);
        return super.evaluate({ ...node, call: { ...call, args: nodes } } as Node, environment);
      }
      case "Identifier":
        return this.#identifier(node, environment);
      case "MemberExpression":
        return this.#member(node, environment);
      case "TestExpression":
        return this.#test(node, environment);
      case "ArrayLiteral":
      case "TupleLiteral":
        this.budget.spend(CONTAINER + (node["value"] as unknown[]).length * ELEMENT);
        return super.evaluate(node, environment);
      case "ObjectLiteral":
        this.budget.spend(CONTAINER * (4 + (node["value"] as Map<unknown, unknown>).size));
        return super.evaluate(node, environment);
      case "Macro":
        this.budget.spend(SCOPE);
        return super.evaluate(node, environment);
      case "For":
        return this.#loop(node, environment);
      default:
        return super.evaluate(node, environment);
    }
  }

  #binary(node: Members, environment: Environment): Value {
    const { value: operator } = node["operator"] as { value: string };
    if (!OPERATORS.has(operator)) return super.evaluate(node, environment);
    const left = this.evaluate(node["left"] as Node, environment);
    const right = this.evaluate(node["right"] as Node, environment);
    switch (operator) {
      case "==":
      case "!=":
        return valueOf(areEqual(left, right) === (operator === "=="));
      case "~":
        return this.#concatenate(textOf(left, this.budget), textOf(right, this.budget));
      case "in":
      case "not in":
        return valueOf(isIn(left, right) === (operator === "in"));
      case "+": {
        for (const [value, other] of [
          [left, right],
          [right, left],
        ] as const) {
          // The interpreter adds the JSON of a list to a text.
          if (typeof other.value === "string" && Array.isArray(value.value))
            spendJson(value, { indentation: 0, separator: 2 }, 0, this.budget);
          this.budget.spend(sizeOf(value));
        }
        const operands = { left: valueNode(left), right: valueNode(right) };
        return super.evaluate({ ...node, ...operands } as Node, environment);
      }
      default:
        return divide(operator, left, right);
    }
  }

  #concatenate(left: string, right: string): Value {
    this.budget.spend((left.length + right.length) * CHARACTER);
    return valueOf(left + right);
  }

  #filter(node: Members, environment: Environment): Value {
    const filter = node["filter"] as Members;
    const isCall = filter.type === "CallExpression";
    const name = String((isCall ? (filter["callee"] as Members) : filter)["value"]);
    const operand = this.#operand(name, this.evaluate(node["operand"] as Node, environment));
    let given: Arguments = { positional: [], keywords: new Map() };
    let applied: Node = filter;
    if (isCall && !LITERAL_FILTERS.has(name)) {
      const args = this.#arguments(filter["args"] as Members[], environment);
      given = args;
      applied = { ...filter, args: args.nodes } as Node;
    }
    spendFilter(name, operand, given, this.budget);
    return super.evaluate({ ...node, operand: valueNode(operand), filter: applied } as Node, environment);
  }

  /** The operand of a filter. Python turns it, or the elements of a list that it joins, into texts. */
  #operand(name: string, operand: Value): Value {
    const asText = (value: Value) => (typeof value.value === "string" ? value : valueOf(textOf(value, this.budget)));
    if (TEXT_FILTERS.has(name)) return asText(operand);
    if (name !== "join") return operand;
    if (!Array.isArray(operand.value)) return asText(operand);
    this.budget.spend(operand.value.length * NEW_ELEMENT);
    return Object.assign(valueOf([]), { value: operand.value.map(asText) });
  }

  /** Evaluates arguments once. `nodes` are the arguments with their values. */
  #arguments(args: readonly Members[], environment: Environment): Arguments & { nodes: readonly Node[] } {
    const positional: Value[] = [];
    const keywords = new Map<string, Value>();
    const nodes = args.map((arg): Node => {
      switch (arg.type) {
        case "SpreadExpression":
        case "KeywordSpreadExpression": {
          const value = this.evaluate(arg["argument"] as Node, environment);
          this.budget.spend(2 * sizeOf(value));
          if (Array.isArray(value.value)) for (const element of value.value) positional.push(element);
          else if (value.value instanceof Map) for (const [key, member] of value.value) keywords.set(key, member);
          return { ...arg, argument: valueNode(value) } as Node;
        }
        case "KeywordArgumentExpression": {
          const value = this.evaluate(arg["value"] as Node, environment);
          keywords.set(String((arg["key"] as Members)["value"]), value);
          return { ...arg, value: valueNode(value) } as Node;
        }
        default:
          positional.push(this.evaluate(arg, environment));
          return valueNode(positional.at(-1) as Value);
      }
    });
    return { positional, keywords, nodes };
  }

  #call(node: Members, environment: Environment): Value {
    const args = node["args"] as Members[];
    if (!args.some(({ type }) => type.endsWith("SpreadExpression"))) return super.evaluate(node, environment);
    return super.evaluate({ ...node, args: this.#arguments(args, environment).nodes } as Node, environment);
  }

  #identifier(node: Members, environment: Environment): Value {
    const found = super.evaluate(node, environment);
    if (node["value"] !== "namespace" || typeof found.value !== "function") return found;
    const make = found.value;
    return functionOf((args, scope) => {
      this.budget.spend(args.reduce((bytes, arg) => bytes + CONTAINER * (4 + sizeOf(arg) / ELEMENT), CONTAINER));
      return make(args, scope);
    }, found);
  }

  #member(node: Members, environment: Environment): Value {
    const object = this.evaluate(node["object"] as Node, environment);
    const property = node["property"] as Members;
    const operands = { object: valueNode(object), property: property as Node };
    if (property.type === "SliceExpression") return this.#slice(object, { ...node, ...operands }, environment);
    let name = property["value"];
    if (node["computed"] === true) {
      const key = this.evaluate(property, environment);
      name = key.value;
      operands.property = valueNode(key);
    }
    const found = super.evaluate({ ...node, ...operands } as Node, environment);
    const method = found.value;
    if (typeof method !== "function" || object.builtins.get(String(name)) !== found) return found;
    return functionOf((args, scope) => {
      const last = args.at(-1);
      const keywords = last?.type === "KeywordArgumentsValue" ? (last.value as Map<string, Value>) : undefined;
      const positional = keywords ? args.slice(0, -1) : args;
      spendMethod(String(name), object, { positional, keywords: keywords ?? new Map() }, this.budget);
      return method(args, scope);
    }, found);
  }

  #slice(object: Value, node: Members, environment: Environment): Value {
    const slice = node["property"] as Members;
    const bounds = ["start", "stop", "step"].map((bound) => this.evaluate(slice[bound] as Node, environment));
    const [start, stop, step] = bounds.map(({ type, value }) =>
      type === "IntegerValue" ? (value as number) : type === "UndefinedValue" ? undefined : NaN,
    );
    const text: unknown = object.value;
    if (typeof text === "string" && (step ?? 1) === 1 && !Number.isNaN(start) && !Number.isNaN(stop)) {
      const part = sliceText(text, start, stop);
      this.budget.spend(part.length * CHARACTER);
      return valueOf(part);
    }
    // The interpreter makes a list of the characters.
    this.budget.spend(typeof text === "string" ? text.length * NEW_ELEMENT : CONTAINER + sizeOf(object));
    const [from, to, by] = bounds.map(valueNode);
    return super.evaluate({ ...node, property: { ...slice, start: from, stop: to, step: by } } as Node, environment);
  }

  #test(node: Members, environment: Environment): Value {
    if (!LETTER_TESTS.has(String((node["test"] as Members)["value"]))) return super.evaluate(node, environment);
    const operand = this.evaluate(node["operand"] as Node, environment);
    this.budget.spend(LETTER_COPIES * sizeOf(operand));
    return super.evaluate({ ...node, operand: valueNode(operand) } as Node, environment);
  }

  /** The steps of a loop are kept until it ends. */
  #loop(node: Members, environment: Environment): Value {
    const outer = this.#steps;
    this.#steps = 0;
    const text = super.evaluate(node, environment);
    this.budget.release(this.#steps);
    this.#steps = outer;
    return text;
  }
}

/** What the syntax tree and the literals of a template show: the variables that it reads, and what it compares them with. */

import type { Program } from "./parse-template.ts";
import type { Literal, LiteralTest, SyntaxFacts, TemplateVariable } from "./template-messages.ts";
import { PlaceFinder, type Token, tokenOffsets } from "./token-places.ts";

/** A literal with more characters is very long. */
export const LONG_LITERAL = 1000;
/** The most items of each list. */
const MOST_ITEMS = 200;
/** The most characters of a literal that are kept. */
const MOST_TEXT = 200;

/** Names that Jinja or the renderer defines. */
const GLOBALS: ReadonlySet<string> = new Set([
  ...["true", "false", "none", "True", "False", "None", "loop", "self", "caller", "varargs", "kwargs"],
  ...["range", "namespace", "dict", "cycler", "joiner", "lipsum", "raise_exception", "strftime_now"],
]);

/** A node of the tree. The package exports no types of nodes, so the members are checked when they are read. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";

/** The nodes of a member: a node, a list, or the keys and values of a map. */
function nodesOf(value: unknown): Node[] {
  if (isNode(value)) return [value];
  if (value instanceof Map) return [...value].flat().filter(isNode);
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Members that hold the name of something, not a variable. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  FilterExpression: ["filter"],
  FilterStatement: ["filter"],
  TestExpression: ["test"],
  KeywordArgumentExpression: ["key"],
};

/** The variables that are set in a part of the template, and around it. */
class Scope {
  readonly #names = new Set<string>();
  readonly #parent: Scope | undefined;

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  add(name: string): void {
    this.#names.add(name);
  }

  has(name: string): boolean {
    return this.#names.has(name) || (this.#parent?.has(name) ?? false);
  }
}

class Reader {
  /** The variables that the caller may set, and whether each is only used as a switch. */
  readonly variables = new Map<string, { isSwitch: boolean }>();
  /** The literals that expressions are compared with, by the text of the expression. */
  readonly tests = new Map<string, Set<string>>();

  /** Reads a node. `asCondition`: only its truth matters. */
  read(node: Node, scope: Scope, asCondition = false): void {
    switch (node.type) {
      case "Identifier":
        this.#variable(node, scope, asCondition);
        return;
      case "If":
        this.#all(node["test"], scope, true);
        this.#all(node["body"], scope);
        this.#all(node["alternate"], scope);
        return;
      case "Ternary":
        this.#all(node["condition"], scope, true);
        this.#all(node["trueExpr"], scope, asCondition);
        this.#all(node["falseExpr"], scope, asCondition);
        return;
      case "For": {
        const inner = new Scope(scope);
        const [iterable] = nodesOf(node["iterable"]);
        const isFiltered = iterable?.type === "SelectExpression";
        this.#all(isFiltered ? iterable["lhs"] : iterable, scope);
        nodesOf(node["loopvar"]).forEach((target) => this.#bind(target, inner));
        // `for message in messages if message.role == "user"`: the condition reads the loop variable.
        if (isFiltered) this.#all(iterable["test"], inner, true);
        this.#all(node["body"], inner);
        this.#all(node["defaultBlock"], scope);
        return;
      }
      case "SelectExpression":
        this.#all(node["lhs"], scope, asCondition);
        this.#all(node["test"], scope, true);
        return;
      case "Set":
        this.#all(node["value"], scope);
        this.#all(node["body"], scope);
        nodesOf(node["assignee"]).forEach((target) => this.#bind(target, scope));
        return;
      case "Macro": {
        nodesOf(node["name"]).forEach((target) => this.#bind(target, scope));
        const inner = new Scope(scope);
        this.#parameters(node["args"], scope, inner);
        this.#all(node["body"], inner);
        return;
      }
      case "CallStatement": {
        this.#all(node["call"], scope);
        const inner = new Scope(scope);
        this.#parameters(node["callerArgs"], scope, inner);
        this.#all(node["body"], inner);
        return;
      }
      case "MemberExpression":
        this.#all(node["object"], scope);
        if (node["computed"] === true) this.#all(node["property"], scope);
        return;
      case "UnaryExpression":
        this.#all(node["argument"], scope, operatorOf(node) === "not");
        return;
      case "TestExpression":
        this.#all(node["operand"], scope, isTruthTest(node["test"]));
        return;
      case "BinaryExpression":
        this.#binary(node, scope, asCondition);
        return;
      case "CallExpression":
        this.#call(node, scope);
        return;
      default:
        this.#members(node, scope);
    }
  }

  #all(value: unknown, scope: Scope, asCondition = false): void {
    for (const node of nodesOf(value)) this.read(node, scope, asCondition);
  }

  #members(node: Node, scope: Scope): void {
    const names = NAMES[node.type] ?? [];
    for (const [member, value] of Object.entries(node)) {
      if (!names.includes(member)) this.#all(value, scope);
      // A filter may have arguments.
      else for (const part of nodesOf(value)) if (part.type === "CallExpression") this.#all(part["args"], scope);
    }
  }

  #variable(node: Node, scope: Scope, asCondition: boolean): void {
    const name = String(node["value"]);
    const known = this.variables.get(name);
    // A template often gives a variable a default: `if date is not defined: set date = …`. What follows uses the same variable.
    if (known) known.isSwitch &&= asCondition;
    if (known || GLOBALS.has(name) || scope.has(name)) return;
    if (this.variables.size < MOST_ITEMS) this.variables.set(name, { isSwitch: asCondition });
  }

  #bind(target: Node, scope: Scope): void {
    if (target.type === "Identifier") scope.add(String(target["value"]));
    else if (target.type === "TupleLiteral") nodesOf(target["value"]).forEach((part) => this.#bind(part, scope));
    // `ns.name` changes a variable that exists.
    else this.read(target, scope);
  }

  #parameters(parameters: unknown, outer: Scope, inner: Scope): void {
    for (const parameter of nodesOf(parameters)) {
      if (parameter.type === "KeywordArgumentExpression") {
        this.#all(parameter["value"], outer);
        nodesOf(parameter["key"]).forEach((name) => this.#bind(name, inner));
      } else this.#bind(parameter, inner);
    }
  }

  #binary(node: Node, scope: Scope, asCondition: boolean): void {
    const [left] = nodesOf(node["left"]);
    const [right] = nodesOf(node["right"]);
    if (!left || !right) return;
    const operator = operatorOf(node);
    if (["==", "!=", "in", "not in"].includes(operator)) {
      this.#test(left, right);
      this.#test(right, left);
    }
    const isLogic = operator === "and" || operator === "or";
    const isTruth = (other: Node) => ["==", "!="].includes(operator) && isBoolean(other);
    this.read(left, scope, isLogic ? asCondition : isTruth(right));
    this.read(right, scope, isLogic ? asCondition : isTruth(left));
  }

  #call(node: Node, scope: Scope): void {
    const [callee] = nodesOf(node["callee"]);
    const [first] = nodesOf(node["args"]);
    if (callee?.type === "MemberExpression" && first) {
      const [method] = nodesOf(callee["property"]);
      const [object] = nodesOf(callee["object"]);
      if (object && ["startswith", "endswith"].includes(String(method?.["value"]))) this.#test(object, first);
    }
    if (callee?.type !== "Identifier") this.#all(callee, scope);
    this.#all(node["args"], scope);
  }

  /** Records that an expression is compared with literals. */
  #test(expression: Node, other: Node): void {
    const text = textOf(expression);
    const literals = literalsOf(other);
    if (text === undefined || literals.length === 0) return;
    const known = this.tests.get(text) ?? new Set();
    if (this.tests.size >= MOST_ITEMS && known.size === 0) return;
    for (const literal of literals) if (known.size < MOST_ITEMS) known.add(literal);
    this.tests.set(text, known);
  }
}

const operatorOf = (node: Node) => String((node["operator"] as { value?: unknown } | undefined)?.value);

/** Whether a test only asks for the truth of a value: `is defined`, `is not none`, `is true`. */
function isTruthTest(test: unknown): boolean {
  const names = nodesOf(test).map((node) => String(node["value"]));
  return names.every((name) => ["defined", "undefined", "none", "true", "false", "boolean"].includes(name));
}

const isBoolean = (node: Node) => node.type === "Identifier" && /^(?:true|false|none)$/i.test(String(node["value"]));

/** The text of a variable or of a member of one: `message.role`. Undefined for other expressions. */
function textOf(node: Node): string | undefined {
  if (node.type === "Identifier") return isBoolean(node) ? undefined : String(node["value"]);
  const [object] = nodesOf(node.type === "FilterExpression" ? node["operand"] : node["object"]);
  const before = object && textOf(object);
  if (before === undefined) return undefined;
  if (node.type === "FilterExpression") {
    const [filter] = nodesOf(node["filter"]);
    return filter?.type === "Identifier" ? `${before} | ${String(filter["value"])}` : undefined;
  }
  if (node.type !== "MemberExpression") return undefined;
  const [property] = nodesOf(node["property"]);
  if (property?.type === "StringLiteral" || node["computed"] !== true)
    return `${before}.${String(property?.["value"])}`;
  if (property?.type === "IntegerLiteral") return `${before}[${String(property["value"])}]`;
  return `${before}[…]`;
}

/** Literals as JSON: of a text, of a number, or of the elements of a list. */
function literalsOf(node: Node): string[] {
  if (["StringLiteral", "IntegerLiteral", "FloatLiteral"].includes(node.type)) {
    const { value } = node;
    return [JSON.stringify(typeof value === "string" ? value.slice(0, MOST_TEXT) : value)];
  }
  return ["ArrayLiteral", "TupleLiteral"].includes(node.type) ? nodesOf(node["value"]).flatMap(literalsOf) : [];
}

/** A text in a literal that programs treat as one special token. */
const SPECIAL_TOKEN = /<\|[^<>|\s]{1,60}\|>|<｜[^<>｜\s]{1,60}｜>|<(?:start_of_turn|end_of_turn|bos|eos|s|\/s)>/g;
const ADDRESS = /https?:\/\/[^\s"'<>\\)\]}]+/gi;

/** Texts of literals that match an expression, each once. `placeOf` gives the place of a text in a literal. */
function matches(
  literals: readonly Token[],
  placeOf: (token: Token, text: string) => Literal["place"],
  pattern: RegExp,
): Literal[] {
  const found = new Map<string, Literal>();
  for (const token of literals) {
    for (const [text] of token.value.matchAll(pattern)) {
      if (found.size >= MOST_ITEMS) return [...found.values()];
      if (found.has(text)) continue;
      found.set(text, { text: text.slice(0, MOST_TEXT), length: text.length, place: placeOf(token, text) });
    }
  }
  return [...found.values()];
}

export function syntaxFacts(source: string, program: Program, tokens: readonly Token[]): SyntaxFacts {
  const reader = new Reader();
  reader.read(program as unknown as Node, new Scope());
  const offsets = tokenOffsets(source, tokens);
  const finder = new PlaceFinder(source);
  const places = new Map(tokens.map((token, index) => [token, offsets[index] ?? 0]));
  const placeOf = (token: Token, text = "") => {
    const start = places.get(token) ?? 0;
    // A text with escapes is not in the source as it is. Then the place is that of the literal.
    return finder.placeOf(Math.max(start, source.indexOf(text, start)));
  };
  const literals = tokens.filter(({ type }) => type === "Text" || type === "StringLiteral");
  const listOf = (name: string) => [...(reader.tests.get(name) ?? [])];
  const variables = [...reader.variables].map(([name, { isSwitch }]): TemplateVariable => ({
    name,
    isSwitch,
    values: listOf(name),
  }));
  return {
    variables,
    tests: [...reader.tests].map(([expression, values]): LiteralTest => ({ expression, values: [...values] })),
    addresses: matches(literals, placeOf, ADDRESS),
    long: literals
      .filter(({ value }) => value.length > LONG_LITERAL)
      .slice(0, MOST_ITEMS)
      .map((token) => ({ text: token.value.slice(0, MOST_TEXT), length: token.value.length, place: placeOf(token) })),
    tokens: matches(literals, placeOf, SPECIAL_TOKEN),
  };
}

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

/** Operators that compare. */
const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", ">", "<=", ">=", "in", "not in"]);
/** Methods and filters that look for a text. Their arguments are listed wherever they stand, those of others only below a condition. */
const SEARCHES: ReadonlySet<string> = new Set([
  ...["startswith", "endswith", "split", "rsplit", "find", "rfind", "index", "count", "partition"],
  ...["selectattr", "rejectattr", "select", "reject"],
]);

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
  /** The literals that variables are set to, by the text of the variable. */
  readonly #constants = new Map<string, Set<string>>();
  /** The literals that are listed, or that are the key of a member. */
  readonly #listed = new Set<Node>();
  /** How many conditions the node stands below. */
  #conditions = 0;

  /** Reads a node. `asCondition`: only its truth matters. */
  read(node: Node, scope: Scope, asCondition = false): void {
    switch (node.type) {
      case "Identifier":
        this.#variable(node, scope, asCondition);
        return;
      case "StringLiteral":
      case "IntegerLiteral":
      case "FloatLiteral":
        if (this.#conditions > 0 && !this.#listed.has(node)) this.#list("a condition", [node]);
        return;
      case "MemberExpression":
        this.#all(node["object"], scope);
        if (node["computed"] === true) {
          for (const key of nodesOf(node["property"]))
            for (const part of [key, ...partsOf(key)]) this.#listed.add(part);
          this.#all(node["property"], scope);
        }
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
      case "FilterExpression": {
        const [filter] = nodesOf(node["filter"]);
        if (filter?.type === "CallExpression") {
          const [name] = nodesOf(filter["callee"]);
          this.#arguments(node, String(name?.["value"]), filter["args"]);
        }
        this.#members(node, scope);
        return;
      }
      default:
        if (!this.#statement(node, scope, asCondition)) this.#members(node, scope);
    }
  }

  /** Reads a node that has a body or branches. Returns false for other nodes. */
  #statement(node: Node, scope: Scope, asCondition: boolean): boolean {
    switch (node.type) {
      case "If":
        this.#condition(node["test"], scope);
        this.#all(node["body"], scope);
        this.#all(node["alternate"], scope);
        return true;
      case "Ternary":
        this.#condition(node["condition"], scope);
        this.#all(node["trueExpr"], scope, asCondition);
        this.#all(node["falseExpr"], scope, asCondition);
        return true;
      case "For": {
        const inner = new Scope(scope);
        const [iterable] = nodesOf(node["iterable"]);
        const isFiltered = iterable?.type === "SelectExpression";
        this.#all(isFiltered ? iterable["lhs"] : iterable, scope);
        nodesOf(node["loopvar"]).forEach((target) => this.#bind(target, inner));
        // `for message in messages if message.role == "user"`: the condition reads the loop variable.
        if (isFiltered) this.#condition(iterable["test"], inner);
        this.#all(node["body"], inner);
        this.#all(node["defaultBlock"], scope);
        return true;
      }
      case "SelectExpression":
        this.#all(node["lhs"], scope, asCondition);
        this.#condition(node["test"], scope);
        return true;
      case "Set":
        this.#all(node["value"], scope);
        this.#all(node["body"], scope);
        nodesOf(node["assignee"]).forEach((target) => {
          this.#bind(target, scope);
          this.#remember(target, nodesOf(node["value"]));
        });
        return true;
      case "Macro": {
        nodesOf(node["name"]).forEach((target) => this.#bind(target, scope));
        const inner = new Scope(scope);
        this.#parameters(node["args"], scope, inner);
        this.#all(node["body"], inner);
        return true;
      }
      case "CallStatement": {
        this.#all(node["call"], scope);
        const inner = new Scope(scope);
        this.#parameters(node["callerArgs"], scope, inner);
        this.#all(node["body"], inner);
        return true;
      }
      default:
        return false;
    }
  }

  #all(value: unknown, scope: Scope, asCondition = false): void {
    for (const node of nodesOf(value)) this.read(node, scope, asCondition);
  }

  #condition(value: unknown, scope: Scope): void {
    this.#conditions += 1;
    this.#all(value, scope, true);
    this.#conditions -= 1;
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
    const isLogic = operator === "and" || operator === "or";
    if (COMPARISONS.has(operator) || (this.#conditions > 0 && !isLogic)) {
      this.#test(left, right);
      this.#test(right, left);
    }
    const isTruth = (other: Node) => ["==", "!="].includes(operator) && isBoolean(other);
    this.read(left, scope, isLogic ? asCondition : isTruth(right));
    this.read(right, scope, isLogic ? asCondition : isTruth(left));
  }

  #call(node: Node, scope: Scope): void {
    const [callee] = nodesOf(node["callee"]);
    if (callee) {
      const [method] = nodesOf(callee["property"]);
      const name = callee.type === "MemberExpression" ? method : callee;
      this.#arguments(node, String(name?.["value"]), node["args"]);
    }
    if (callee?.type !== "Identifier") this.#all(callee, scope);
    this.#all(node["args"], scope);
  }

  /** Lists the literals among the arguments of a method, a function or a filter. */
  #arguments(node: Node, name: string, values: unknown): void {
    if (this.#conditions === 0 && !SEARCHES.has(name)) return;
    const given = nodesOf(values).flatMap((value) =>
      value.type === "KeywordArgumentExpression" ? nodesOf(value["value"]) : [value],
    );
    for (const value of given) this.#test(node, value);
  }

  /** Records that an expression is compared with literals. */
  #test(expression: Node, other: Node): void {
    const text = textOf(expression);
    if (text !== undefined) this.#list(text, [other]);
  }

  #list(text: string, nodes: readonly Node[]): void {
    const literals = nodes.flatMap((node) => this.#literalsOf(node));
    if (literals.length === 0) return;
    for (const node of nodes) for (const part of [node, ...partsOf(node)]) this.#listed.add(part);
    const known = this.tests.get(text) ?? new Set();
    if (this.tests.size >= MOST_ITEMS && known.size === 0) return;
    for (const literal of literals) if (known.size < MOST_ITEMS) known.add(literal);
    this.tests.set(text, known);
  }

  /** Remembers the literals that a variable is set to. Conditions may test for them by its name. */
  #remember(target: Node, values: readonly Node[]): void {
    const text = textOf(target);
    const literals = values.flatMap((value) => this.#literalsOf(value));
    if (text === undefined || literals.length === 0) return;
    const known = this.#constants.get(text) ?? new Set();
    for (const literal of literals) if (known.size < MOST_ITEMS) known.add(literal);
    if (this.#constants.size < MOST_ITEMS) this.#constants.set(text, known);
  }

  /** Literals as JSON: of a text, of a number, of the elements of a list, or of a variable that is set to one of these. */
  #literalsOf(node: Node): string[] {
    const value = constantOf(node);
    if (value !== undefined) return [JSON.stringify(typeof value === "string" ? value.slice(0, MOST_TEXT) : value)];
    if (["ArrayLiteral", "TupleLiteral"].includes(node.type))
      return nodesOf(node["value"]).flatMap((part) => this.#literalsOf(part));
    if (node.type !== "Identifier" && node.type !== "MemberExpression") return [];
    return [...(this.#constants.get(textOf(node) ?? "") ?? [])];
  }
}

const operatorOf = (node: Node) => String((node["operator"] as { value?: unknown } | undefined)?.value);

/** Whether a test only asks for the truth of a value: `is defined`, `is not none`, `is true`. */
function isTruthTest(test: unknown): boolean {
  const names = nodesOf(test).map((node) => String(node["value"]));
  return names.every((name) => ["defined", "undefined", "none", "true", "false", "boolean"].includes(name));
}

const isBoolean = (node: Node) => node.type === "Identifier" && /^(?:true|false|none)$/i.test(String(node["value"]));

/** The text of a variable, a member, or what a function or filter makes of one: `message.role`. Undefined for other expressions. */
function textOf(node: Node): string | undefined {
  switch (node.type) {
    case "Identifier":
      return isBoolean(node) ? undefined : String(node["value"]);
    case "CallExpression": {
      const [callee] = nodesOf(node["callee"]);
      const [object] = nodesOf(callee?.["object"]);
      // The arguments of a method are listed with its object.
      return callee && textOf(callee.type === "MemberExpression" && object ? object : callee);
    }
    case "BinaryExpression": {
      const [left] = nodesOf(node["left"]);
      const [right] = nodesOf(node["right"]);
      return (left && textOf(left)) ?? (right && textOf(right));
    }
    case "FilterExpression": {
      const [operand] = nodesOf(node["operand"]);
      const [filter] = nodesOf(node["filter"]);
      const before = operand && textOf(operand);
      return before !== undefined && filter?.type === "Identifier" ? `${before} | ${String(filter["value"])}` : before;
    }
    case "MemberExpression": {
      const [object] = nodesOf(node["object"]);
      const [property] = nodesOf(node["property"]);
      const before = object && textOf(object);
      if (before === undefined) return undefined;
      if (property?.type === "StringLiteral" || node["computed"] !== true)
        return `${before}.${String(property?.["value"])}`;
      if (property?.type === "IntegerLiteral") return `${before}[${String(property["value"])}]`;
      return `${before}[…]`;
    }
    default:
      return undefined;
  }
}

/** The text or number of a literal, or of literals that are joined. */
function constantOf(node: Node): string | number | undefined {
  if (["StringLiteral", "IntegerLiteral", "FloatLiteral"].includes(node.type)) return node["value"] as string | number;
  if (node.type !== "BinaryExpression" || !["~", "+"].includes(operatorOf(node))) return undefined;
  const [left] = nodesOf(node["left"]).map(constantOf);
  const [right] = nodesOf(node["right"]).map(constantOf);
  if (left === undefined || right === undefined) return undefined;
  return typeof left === "number" && typeof right === "number" && operatorOf(node) === "+"
    ? left + right
    : `${left}${right}`;
}

/** The parts of a constant, of a list or of a slice. */
function partsOf(node: Node): Node[] {
  if (!["BinaryExpression", "ArrayLiteral", "TupleLiteral", "SliceExpression"].includes(node.type)) return [];
  const parts = ["left", "right", "value", "start", "stop", "step"].flatMap((member) => nodesOf(node[member]));
  return parts.flatMap((part) => [part, ...partsOf(part)]);
}

/** A text outside of tags, or a string in a tag. */
interface TextLiteral {
  readonly value: string;
  /** Where its token begins in the source. */
  readonly start: number;
}

/** The texts of a template. Strings that are joined by operators or stand side by side are one. Brackets around them do not count. */
function textLiterals(tokens: readonly Token[], offsets: readonly number[]): TextLiteral[] {
  const literals: { value: string; start: number }[] = [];
  let isOpen = false;
  tokens.forEach(({ type, value }, index) => {
    const last = literals.at(-1);
    if (type === "StringLiteral" && isOpen && last) last.value += value;
    else if (type === "StringLiteral" || type === "Text") {
      literals.push({ value, start: offsets[index] ?? 0 });
      isOpen = type === "StringLiteral";
    } else if (!["OpenParen", "CloseParen"].includes(type) && !(type === "AdditiveBinaryOperator" && value !== "-"))
      isOpen = false;
  });
  return literals;
}

/** A text in a literal that programs treat as one special token. */
const SPECIAL_TOKEN = /<\|[^<>|\s]{1,60}\|>|<｜[^<>｜\s]{1,60}｜>|<(?:start_of_turn|end_of_turn|bos|eos|s|\/s)>/g;
const ADDRESS = /https?:\/\/[^\s"'<>\\)\]}]+/gi;

/** Texts of literals that match an expression, each once. `placeOf` gives the place of a text in a literal. */
function matches(
  literals: readonly TextLiteral[],
  placeOf: (literal: TextLiteral, text: string) => Literal["place"],
  pattern: RegExp,
): Literal[] {
  const found = new Map<string, Literal>();
  for (const literal of literals) {
    for (const [text] of literal.value.matchAll(pattern)) {
      if (found.size >= MOST_ITEMS) return [...found.values()];
      if (found.has(text)) continue;
      found.set(text, { text: text.slice(0, MOST_TEXT), length: text.length, place: placeOf(literal, text) });
    }
  }
  return [...found.values()];
}

export function syntaxFacts(source: string, program: Program, tokens: readonly Token[]): SyntaxFacts {
  const reader = new Reader();
  reader.read(program as unknown as Node, new Scope());
  const finder = new PlaceFinder(source);
  const literals = textLiterals(tokens, tokenOffsets(source, tokens));
  const placeOf = ({ start }: TextLiteral, text: string) =>
    // A text with escapes is not found in the source. Then the place of the literal is taken.
    finder.placeOf(Math.max(start, source.indexOf(text, start)));
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
      .map((literal) => ({
        text: literal.value.slice(0, MOST_TEXT),
        length: literal.value.length,
        // A line break after a tag does not belong to the text. So the place of its first word is taken.
        place: placeOf(literal, /\S.{0,40}/.exec(literal.value)?.[0] ?? ""),
      })),
    tokens: matches(literals, placeOf, SPECIAL_TOKEN),
  };
}

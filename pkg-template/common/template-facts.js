// What the syntax tree of a chat template shows: the variables that it reads, what it compares them with, and the texts that it has.

import { Places } from "./template-places.js";
import { problemOf } from "./template-problem.js";

/** @import { ChatTemplateNode } from "../template/index.js" */
/** @import { Place } from "./template-places.js" */
/** @import { TemplateProblem } from "./template-problem.js" */

/**
 * A text that stands in a template: outside of tags, or as a string in a tag.
 *
 * @typedef {object} Literal
 * @property {string} text The first characters.
 * @property {number} length The number of characters.
 * @property {Place} place
 */

/**
 * A variable that the template reads and that the caller may set.
 *
 * @typedef {object} TemplateVariable
 * @property {string} name
 * @property {boolean} isSwitch Whether the template only tests whether the variable is true, false or defined.
 * @property {readonly string[]} values The strings and numbers that the variable is compared with, as JSON.
 */

/**
 * An expression that the template compares with literals.
 *
 * @typedef {object} LiteralTest
 * @property {string} expression
 * @property {readonly string[]} values The literals as JSON.
 */

/**
 * @typedef {object} SyntaxFacts
 * @property {readonly TemplateVariable[]} variables All variables that the caller may set, `messages` included.
 * @property {readonly LiteralTest[]} tests
 * @property {readonly Literal[]} addresses Literals with an http or https address. The text is the address.
 * @property {readonly Literal[]} long Literals that are very long.
 * @property {readonly Literal[]} tokens Texts in literals that have the form of a special token.
 */

/** @typedef {{ readonly facts: SyntaxFacts, readonly problem?: never } | { readonly facts?: never, readonly problem: TemplateProblem }} SyntaxResult */

/** A literal with more characters is very long. */
const LONG_LITERAL = 1000;
/** The most items of each list. */
const MOST_ITEMS = 200;
/** The most characters of a literal that are kept. */
const MOST_TEXT = 200;

/** Names that Jinja or the renderer defines. @type {ReadonlySet<string>} */
const GLOBALS = new Set([
  ...["true", "false", "none", "True", "False", "None", "loop", "self", "caller", "varargs", "kwargs"],
  ...["range", "namespace", "dict", "cycler", "joiner", "lipsum", "raise_exception", "strftime_now"],
]);

/** Operators that compare. @type {ReadonlySet<string>} */
const COMPARISONS = new Set(["==", "!=", "<", ">", "<=", ">=", "in", "not in"]);
/** Operators that join texts. @type {ReadonlySet<string>} */
const JOINS = new Set(["~", "+"]);
/**
 * Methods and filters that look for a text. Their arguments are listed wherever they stand, those of others only below a condition.
 *
 * @type {ReadonlySet<string>}
 */
const SEARCHES = new Set([
  ...["startswith", "endswith", "split", "rsplit", "find", "rfind", "index", "count", "partition"],
  ...["selectattr", "rejectattr", "select", "reject"],
]);

/** The variables that are set in a part of the template, and around it. */
class Scope {
  /** @type {Set<string>} */
  #names = new Set();
  /** @type {Scope | undefined} */
  #parent;

  /** @param {Scope} [parent] */
  constructor(parent) {
    this.#parent = parent;
  }

  /** @param {string} name */
  add(name) {
    this.#names.add(name);
  }

  /** @param {string} name @returns {boolean} */
  has(name) {
    return this.#names.has(name) || (this.#parent?.has(name) ?? false);
  }
}

/** The nodes that a node has as parts, in the order of its members. @param {ChatTemplateNode} node @returns {ChatTemplateNode[]} */
function partsOf(node) {
  return Object.values(node)
    .flat()
    .flatMap((part) => {
      if (typeof part !== "object" || part === null) return [];
      // A branch of `if` is no node.
      return "type" in part ? [part] : [part.test, ...part.body];
    });
}

class Reader {
  /** The variables that the caller may set, and whether each is only used as a switch. @type {Map<string, { isSwitch: boolean }>} */
  variables = new Map();
  /** The literals that expressions are compared with, by the text of the expression. @type {Map<string, Set<string>>} */
  tests = new Map();
  /** The literals that variables are set to, by the text of the variable. @type {Map<string, Set<string>>} */
  #constants = new Map();
  /** The literals that are listed, or that are the key of a member. @type {Set<ChatTemplateNode>} */
  #listed = new Set();
  /** How many conditions the node stands below. */
  #conditions = 0;

  /**
   * Reads a node. `asCondition`: only its truth matters.
   *
   * @param {ChatTemplateNode} node
   * @param {Scope} scope
   * @returns {void}
   */
  read(node, scope, asCondition = false) {
    switch (node.type) {
      case "name":
        return this.#variable(node.name, scope, asCondition);
      case "string":
      case "integer":
      case "float":
        if (this.#conditions > 0 && !this.#listed.has(node)) this.#list("a condition", [node]);
        return;
      case "member":
        return this.read(node.object, scope);
      case "index":
        this.read(node.object, scope);
        for (const part of [node.index, ...constantParts(node.index)]) this.#listed.add(part);
        return this.read(node.index, scope);
      case "slice":
        this.read(node.object, scope);
        for (const bound of [node.start, node.stop, node.step]) {
          if (!bound) continue;
          for (const part of [bound, ...constantParts(bound)]) this.#listed.add(part);
          this.read(bound, scope);
        }
        return;
      case "not":
        return this.read(node.value, scope, true);
      case "binary":
        return this.#binary(node, scope, asCondition);
      case "call":
        return this.#call(node, scope);
      case "test":
        this.read(node.value, scope, isTruthTest(node.test));
        if (node.test.type !== "call") return;
        for (const value of valuesOf(node.test.args)) this.#test(node.value, value);
        return this.all(node.test.args, scope);
      case "filter":
        if (node.filter.type === "call") this.#arguments(node, nameOf(node.filter.callee), node.filter.args);
        this.read(node.value, scope);
        return this.#filter(node.filter, scope);
      case "keyword":
        return this.read(node.value, scope);
      default:
        return this.#statement(node, scope, asCondition);
    }
  }

  /**
   * Reads a node that has a body or branches, or whose parts have no special meaning.
   *
   * @param {ChatTemplateNode} node
   * @param {Scope} scope
   * @param {boolean} asCondition
   * @returns {void}
   */
  #statement(node, scope, asCondition) {
    switch (node.type) {
      case "if":
        for (const { test, body } of node.branches) {
          this.#condition(test, scope);
          this.all(body, scope);
        }
        return this.all(node.otherwise, scope);
      case "ternary":
        this.#condition(node.test, scope);
        this.read(node.yes, scope, asCondition);
        return this.read(node.no, scope, asCondition);
      case "for": {
        const inner = new Scope(scope);
        const { iterable } = node;
        this.read(iterable.type === "select" ? iterable.value : iterable, scope);
        this.#bind(node.target, inner);
        // `for message in messages if message.role == "user"`: the condition reads the loop variable.
        if (iterable.type === "select") this.#condition(iterable.test, inner);
        this.all(node.body, inner);
        return this.all(node.otherwise, scope);
      }
      case "select":
        this.read(node.value, scope, asCondition);
        return this.#condition(node.test, scope);
      case "set":
        this.read(node.value, scope);
        this.#bind(node.target, scope);
        return this.#remember(node.target, node.value);
      case "set-block":
        this.all(node.body, scope);
        return this.#bind(node.target, scope);
      case "macro":
        if (node.name) this.#bind(node.name, scope);
        return this.#body(node, scope);
      case "call-block":
        this.#call(node, scope);
        return this.#body(node, scope);
      case "filter-block":
        this.#filter(node.filter, scope);
        return this.all(node.body, scope);
      default:
        return this.all(partsOf(node), scope);
    }
  }

  /** @param {readonly ChatTemplateNode[]} nodes @param {Scope} scope */
  all(nodes, scope) {
    for (const node of nodes) this.read(node, scope);
  }

  /** @param {ChatTemplateNode} node @param {Scope} scope */
  #condition(node, scope) {
    this.#conditions += 1;
    this.read(node, scope, true);
    this.#conditions -= 1;
  }

  /** Reads the arguments of a filter. Its name is no variable. @param {ChatTemplateNode} filter @param {Scope} scope */
  #filter(filter, scope) {
    if (filter.type === "call") this.all(filter.args, scope);
  }

  /** @param {string} name @param {Scope} scope @param {boolean} asCondition */
  #variable(name, scope, asCondition) {
    const known = this.variables.get(name);
    // A template often gives a variable a default: `if date is not defined: set date = …`. What follows uses the same variable.
    if (known) known.isSwitch &&= asCondition;
    if (known || GLOBALS.has(name) || scope.has(name)) return;
    if (this.variables.size < MOST_ITEMS) this.variables.set(name, { isSwitch: asCondition });
  }

  /** @param {ChatTemplateNode} target @param {Scope} scope */
  #bind(target, scope) {
    if (target.type === "name") scope.add(target.name);
    else if (target.type === "tuple") target.items.forEach((part) => this.#bind(part, scope));
    // `ns.name` changes a variable that exists.
    else this.read(target, scope);
  }

  /**
   * The body of a macro, or of a block that calls one.
   *
   * @param {{ readonly parameters: readonly ChatTemplateNode[], readonly body: readonly ChatTemplateNode[] }} node
   * @param {Scope} scope
   */
  #body({ parameters, body }, scope) {
    const inner = new Scope(scope);
    for (const parameter of parameters) {
      if (parameter.type === "keyword") this.read(parameter.value, scope);
      this.#bind(parameter.type === "keyword" ? parameter.name : parameter, inner);
    }
    this.all(body, inner);
  }

  /** @param {Extract<ChatTemplateNode, { type: "binary" }>} node @param {Scope} scope @param {boolean} asCondition */
  #binary(node, scope, asCondition) {
    const { operator, left, right } = node;
    const isLogic = operator === "and" || operator === "or";
    if (COMPARISONS.has(operator) || (this.#conditions > 0 && !isLogic)) {
      this.#test(left, right);
      this.#test(right, left);
    }
    const isTruth = (/** @type {ChatTemplateNode} */ other) => ["==", "!="].includes(operator) && isBoolean(other);
    this.read(left, scope, isLogic ? asCondition : isTruth(right));
    this.read(right, scope, isLogic ? asCondition : isTruth(left));
  }

  /** @param {Extract<ChatTemplateNode, { type: "call" | "call-block" }>} node @param {Scope} scope */
  #call(node, scope) {
    const { callee, args } = node;
    this.#arguments(node, nameOf(callee), args);
    if (callee.type !== "name") this.read(callee, scope);
    this.all(args, scope);
  }

  /**
   * Lists the literals among the arguments of a method, a function or a filter.
   *
   * @param {ChatTemplateNode} node
   * @param {string | undefined} name
   * @param {readonly ChatTemplateNode[]} args
   */
  #arguments(node, name, args) {
    if (this.#conditions === 0 && !SEARCHES.has(name ?? "")) return;
    for (const value of valuesOf(args)) this.#test(node, value);
  }

  /** Records that an expression is compared with literals. @param {ChatTemplateNode} expression @param {ChatTemplateNode} other */
  #test(expression, other) {
    const text = textOf(expression);
    if (text !== undefined) this.#list(text, [other]);
  }

  /** @param {string} text @param {readonly ChatTemplateNode[]} nodes */
  #list(text, nodes) {
    const literals = nodes.flatMap((node) => this.#literalsOf(node));
    if (literals.length === 0) return;
    for (const node of nodes) for (const part of [node, ...constantParts(node)]) this.#listed.add(part);
    const known = this.tests.get(text) ?? new Set();
    if (this.tests.size >= MOST_ITEMS && known.size === 0) return;
    for (const literal of literals) if (known.size < MOST_ITEMS) known.add(literal);
    this.tests.set(text, known);
  }

  /**
   * Remembers the literals that a variable is set to. Conditions may test for them by its name.
   *
   * @param {ChatTemplateNode} target
   * @param {ChatTemplateNode} value
   */
  #remember(target, value) {
    const text = textOf(target);
    const literals = this.#literalsOf(value);
    if (text === undefined || literals.length === 0) return;
    const known = this.#constants.get(text) ?? new Set();
    for (const literal of literals) if (known.size < MOST_ITEMS) known.add(literal);
    if (this.#constants.size < MOST_ITEMS) this.#constants.set(text, known);
  }

  /**
   * Literals as JSON: of a text, of a number, of the elements of a list, or of a variable that is set to one of these.
   *
   * @param {ChatTemplateNode} node
   * @returns {string[]}
   */
  #literalsOf(node) {
    const value = constantOf(node);
    if (value !== undefined) return [JSON.stringify(typeof value === "string" ? value.slice(0, MOST_TEXT) : value)];
    if (node.type === "list" || node.type === "tuple") {
      const literals = [];
      for (const item of node.items) {
        if (literals.length >= MOST_ITEMS) break;
        literals.push(...this.#literalsOf(item));
      }
      return literals.slice(0, MOST_ITEMS);
    }
    if (node.type !== "name" && node.type !== "member" && node.type !== "index") return [];
    return [...(this.#constants.get(textOf(node) ?? "") ?? [])];
  }
}

/** The values of arguments. @param {readonly ChatTemplateNode[]} args */
const valuesOf = (args) => args.map((argument) => (argument.type === "keyword" ? argument.value : argument));

/** The name of a function or method that is called. @param {ChatTemplateNode} callee @returns {string | undefined} */
function nameOf(callee) {
  if (callee.type === "name") return callee.name;
  return callee.type === "member" ? nameOf(callee.name) : undefined;
}

/** Whether a test only asks for the truth of a value: `is defined`, `is not none`, `is true`. @param {ChatTemplateNode} test */
const isTruthTest = (test) =>
  test.type === "name" && ["defined", "undefined", "none", "true", "false", "boolean"].includes(test.name);

const isBoolean = (/** @type {ChatTemplateNode} */ node) =>
  node.type === "name" && /^(?:true|false|none)$/i.test(node.name);

/**
 * The text of a variable, a member, or what a function or filter makes of one: `message.role`. Undefined for other expressions.
 *
 * @param {ChatTemplateNode} node
 * @returns {string | undefined}
 */
function textOf(node) {
  switch (node.type) {
    case "name":
      return isBoolean(node) ? undefined : node.name;
    case "call":
    case "call-block":
      // The arguments of a method are listed with its object.
      return textOf(node.callee.type === "member" ? node.callee.object : node.callee);
    case "binary":
      return textOf(node.left) ?? textOf(node.right);
    case "filter": {
      const before = textOf(node.value);
      return before !== undefined && node.filter.type === "name" ? `${before} | ${node.filter.name}` : before;
    }
    case "member": {
      const before = textOf(node.object);
      return before === undefined ? undefined : `${before}.${nameOf(node.name)}`;
    }
    case "index": {
      const [before, { index }] = [textOf(node.object), node];
      if (before === undefined) return undefined;
      if (index.type === "string") return `${before}.${index.value}`;
      return `${before}[${index.type === "integer" ? index.value : "…"}]`;
    }
    case "slice": {
      const before = textOf(node.object);
      return before === undefined ? undefined : `${before}[…]`;
    }
    default:
      return undefined;
  }
}

/** The text or number of a literal, or of literals that are joined. @param {ChatTemplateNode} node @returns {string | number | undefined} */
function constantOf(node) {
  if (node.type === "string" || node.type === "integer" || node.type === "float") return node.value;
  if (node.type !== "binary" || !JOINS.has(node.operator)) return undefined;
  const left = constantOf(node.left);
  const right = left === undefined ? undefined : constantOf(node.right);
  if (left === undefined || right === undefined) return undefined;
  return typeof left === "number" && typeof right === "number" && node.operator === "+"
    ? left + right
    : `${left}${right}`;
}

/** The parts of a constant or of a list. @param {ChatTemplateNode} node @returns {ChatTemplateNode[]} */
function constantParts(node) {
  if (!["binary", "list", "tuple"].includes(node.type)) return [];
  return partsOf(node).flatMap((part) => [part, ...constantParts(part)]);
}

/**
 * A text outside of tags, or strings in a tag that operators join.
 *
 * @typedef {{ value: string, readonly place: Place }} TextLiteral
 */

/** The texts of a template, in the order of the source. @param {readonly ChatTemplateNode[]} nodes */
function textLiterals(nodes) {
  /** @type {TextLiteral[]} */
  const literals = [];
  /** @param {ChatTemplateNode} node */
  const visit = (node) => {
    const operands = operandsOf(node);
    if (operands.length === 1 && (node.type === "text" || node.type === "string"))
      literals.push({ value: node.value, place: node });
    else if (operands.length === 1) partsOf(node).forEach(visit);
    else {
      /** @type {TextLiteral | undefined} */
      let open;
      for (const operand of operands) {
        if (operand.type !== "string") {
          open = undefined;
          visit(operand);
        } else if (open) open.value += operand.value;
        else literals.push((open = { value: operand.value, place: operand }));
      }
    }
  };
  nodes.forEach(visit);
  return literals.sort(({ place: a }, { place: b }) => a.line - b.line || a.column - b.column);
}

/** The expressions that operators join to one text. @param {ChatTemplateNode} node @returns {ChatTemplateNode[]} */
function operandsOf(node) {
  /** @type {ChatTemplateNode[]} */
  const operands = [];
  // A chain of operators is as deep as it is long.
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.type === "binary" && JOINS.has(next.operator)) open.push(next.right, next.left);
    else operands.push(next);
  }
  return operands;
}

/** A text in a literal that programs treat as one special token. */
const SPECIAL_TOKEN = /<\|[^<>|\s]{1,60}\|>|<｜[^<>｜\s]{1,60}｜>|<(?:start_of_turn|end_of_turn|bos|eos|s|\/s)>/g;
const ADDRESS = /https?:\/\/[^\s"'<>\\)\]}]+/gi;

/**
 * Texts of literals that match an expression, each once. `placeOf` gives the place of a text in a literal.
 *
 * @param {readonly TextLiteral[]} literals
 * @param {(literal: TextLiteral, text: string) => Place} placeOf
 * @param {RegExp} pattern
 */
function matches(literals, placeOf, pattern) {
  /** @type {Map<string, Literal>} */
  const found = new Map();
  for (const literal of literals) {
    for (const [text] of literal.value.matchAll(pattern)) {
      if (found.size >= MOST_ITEMS) return [...found.values()];
      if (found.has(text)) continue;
      found.set(text, { text: text.slice(0, MOST_TEXT), length: text.length, place: placeOf(literal, text) });
    }
  }
  return [...found.values()];
}

/**
 * What a template shows.
 *
 * @param {string} source
 * @param {readonly ChatTemplateNode[]} nodes the syntax tree
 * @returns {SyntaxFacts}
 */
export function syntaxFacts(source, nodes) {
  const reader = new Reader();
  reader.all(nodes, new Scope());
  const places = new Places(source);
  const literals = textLiterals(nodes);
  const placeOf = (/** @type {TextLiteral} */ { place }, /** @type {string} */ text) => {
    // A text with escapes is not found in the source. Then the place of the literal is taken.
    const at = source.indexOf(text, places.offsetOf(place));
    return at < 0 ? { line: place.line, column: place.column } : places.placeOf(at);
  };
  return {
    variables: [...reader.variables].map(([name, { isSwitch }]) => ({
      name,
      isSwitch,
      values: [...(reader.tests.get(name) ?? [])],
    })),
    tests: [...reader.tests].map(([expression, values]) => ({ expression, values: [...values] })),
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

/**
 * Reads a template: its facts, or why it cannot be read.
 *
 * @param {(template: string) => readonly ChatTemplateNode[]} parse `parseChatTemplate` of `gguf-wasm/template`
 * @param {string} source
 * @returns {SyntaxResult}
 */
export function readTemplate(parse, source) {
  try {
    return { facts: syntaxFacts(source, parse(source)) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

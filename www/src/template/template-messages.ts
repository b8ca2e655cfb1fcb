/** The messages between the page and the worker that renders templates. */

/** A place in a template. Lines and columns begin with 1. */
export interface Place {
  line: number;
  column: number;
}

/** Why a template has no rendering. */
export interface TemplateProblem {
  /**
   * `syntax`: the template is not valid Jinja. `refused`: it calls `raise_exception`. `run-time`: an expression fails. `limit`: it makes too
   * much text, or nests too deep. `time`: it takes too long. `worker`: the renderer cannot be started.
   */
  kind: "syntax" | "refused" | "run-time" | "limit" | "time" | "worker";
  message: string;
  place?: Place | undefined;
}

/** The values of a rendering. */
export interface RenderInput {
  template: string;
  messages: readonly unknown[];
  /** Absent: the variable `tools` is not defined. */
  tools?: readonly unknown[] | undefined;
  addGenerationPrompt: boolean;
  /** Other variables, by name. */
  variables: Readonly<Record<string, unknown>>;
  /** The time for `strftime_now`, in milliseconds. Absent: the current time. */
  now?: number | undefined;
}

export interface Rendering {
  text: string;
  /** Whether the text is longer and was cut. */
  isCut: boolean;
}

/** A text that stands in a template: outside of tags, or as a string in a tag. */
export interface Literal {
  /** The first characters. */
  text: string;
  /** The number of characters. */
  length: number;
  place: Place;
}

/** A variable that the template reads and that the caller may set. */
export interface TemplateVariable {
  name: string;
  /** Whether the template only tests whether the variable is true, false or defined. */
  isSwitch: boolean;
  /** The strings and numbers that the variable is compared with, as JSON. */
  values: readonly string[];
}

/** An expression that the template compares with literals. */
export interface LiteralTest {
  expression: string;
  /** The literals as JSON. */
  values: readonly string[];
}

/** What the syntax tree of a template shows. */
export interface SyntaxFacts {
  /** All variables that the caller may set, `messages` included. */
  variables: readonly TemplateVariable[];
  tests: readonly LiteralTest[];
  /** Literals with an http or https address. The text is the address. */
  addresses: readonly Literal[];
  /** Literals that are very long. */
  long: readonly Literal[];
  /** Texts in literals that have the form of a special token. */
  tokens: readonly Literal[];
}

/** Renderings of conversations with marker texts. */
export interface ProbeResults {
  /** System, user, assistant, user; with a generation prompt. */
  conversation: RenderResult;
  /** The same without the system message. */
  withoutSystem: RenderResult;
  /** The first conversation with lists of parts as contents, if a marker is missing from the others. */
  typedContent: RenderResult | undefined;
  /** One user message, with a generation prompt. */
  prompted: RenderResult;
  /** One user message, without a generation prompt. */
  unprompted: RenderResult;
  /** One user message and its answer. */
  answered: RenderResult;
}

export type RenderResult = { rendering: Rendering; problem?: never } | { rendering?: never; problem: TemplateProblem };
export type SyntaxResult = { facts: SyntaxFacts; problem?: never } | { facts?: never; problem: TemplateProblem };

export type TemplateRequest =
  | { kind: "syntax"; template: string }
  | { kind: "render"; input: RenderInput }
  | { kind: "probe"; template: string; variables: Readonly<Record<string, unknown>> };

export interface TemplateResponses {
  syntax: SyntaxResult;
  render: RenderResult;
  probe: ProbeResults;
}

export type TemplateResponse = TemplateResponses[TemplateRequest["kind"]];

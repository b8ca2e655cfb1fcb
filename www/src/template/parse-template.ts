/** Parses a template, and finds the place of a syntax error. */

import { parse, tokenize } from "@huggingface/jinja";
import type { TemplateProblem } from "./template-messages.ts";
import { LEXER_OPTIONS, PlaceFinder, type Token, tokenOffsets } from "./token-places.ts";

export type Program = ReturnType<typeof parse>;

export type ParsedTemplate =
  | { program: Program; tokens: readonly Token[]; problem?: never }
  | { program?: never; tokens?: never; problem: TemplateProblem };

export const TOO_DEEP = "The template calls itself too often, or has too many expressions in each other.";

export function parseTemplate(source: string): ParsedTemplate {
  let tokens: Token[];
  try {
    tokens = tokenize(source, LEXER_OPTIONS);
  } catch (error) {
    return { problem: lexerProblem(source, messageOf(error)) };
  }
  try {
    return { program: parse(tokens), tokens };
  } catch (error) {
    // The parser uses up the stack.
    if (error instanceof RangeError) return { problem: { kind: "limit", message: TOO_DEEP } };
    return { problem: parserProblem(source, tokens, messageOf(error)) };
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function syntaxProblem(source: string, message: string, offset: number): TemplateProblem {
  return { kind: "syntax", message, place: new PlaceFinder(source).placeOf(offset) };
}

/** The lexer fails in the first tag that it cannot read to the end: that is the tag at which the source must be cut so that it can be read. */
function lexerProblem(source: string, message: string): TemplateProblem {
  const ends = [0, ...[...source.matchAll(/[%}#]\}/g)].map(({ index }) => index + 2)];
  let [readable, unreadable] = [0, ends.length];
  while (unreadable - readable > 1) {
    const middle = (readable + unreadable) >> 1;
    if (canRead(source.slice(0, ends[middle]))) readable = middle;
    else unreadable = middle;
  }
  const from = ends[readable] ?? 0;
  const tag = source.slice(from).search(/\{[%{#]/);
  const start = tag < 0 ? from : from + tag;
  const character = /^Unexpected character: (.)$/su.exec(message)?.[1];
  const at = character === undefined ? -1 : source.indexOf(character, start);
  if (message === "Unexpected end of input")
    return syntaxProblem(source, "The tag or a string in it is not closed.", start);
  if (message === "Missing end of comment tag") return syntaxProblem(source, "The comment is not closed.", start);
  return syntaxProblem(source, `${message}.`, at < 0 ? start : at);
}

function canRead(source: string): boolean {
  try {
    tokenize(source, LEXER_OPTIONS);
    return true;
  } catch {
    return false;
  }
}

/** The error of the parser has no place. The unexpected token is the last one that the parser read. */
function parserProblem(source: string, tokens: Token[], message: string): TemplateProblem {
  let last = 0;
  const watched = new Proxy(tokens, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) last = Number(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  try {
    parse(watched);
  } catch {
    // The same error as before.
  }
  const offsets = tokenOffsets(source, tokens);
  const token = tokens[last];
  if (token === undefined) {
    const open = openBlock(tokens);
    return open === undefined
      ? syntaxProblem(source, "The template ends within a tag.", source.length)
      : syntaxProblem(source, `The block “${open.name}” is not closed.`, offsets[open.token] ?? 0);
  }
  return syntaxProblem(source, parserMessage(message, token, openBlock(tokens.slice(0, last))), offsets[last] ?? 0);
}

function parserMessage(message: string, { type, value }: Token, open: { name: string } | undefined): string {
  const found = type === "Text" ? "text" : `“${value.slice(0, 40)}”`;
  if (message.startsWith("Unexpected token")) return `Unexpected ${found}.`;
  if (message.startsWith("Unknown statement type")) {
    if (!/^(?:end|el)/.test(value)) return `Chat templates have no statement ${found}.`;
    return `Unexpected ${found}: ${open === undefined ? "no block is open" : `the open block is “${open.name}”`}.`;
  }
  const reason = message.replace(/^Parser Error: /, "").replace(/\.? \w+ !== \w+\.$/, "");
  return `${reason}, found ${found}.`;
}

/** The innermost block that has no end, and the token of its tag. */
function openBlock(tokens: readonly Token[]): { name: string; token: number } | undefined {
  const open: { name: string; token: number }[] = [];
  tokens.forEach(({ type }, token) => {
    if (type !== "OpenStatement") return;
    const name = tokens[token + 1]?.value ?? "";
    if (name.startsWith("end")) open.pop();
    else if (
      ["if", "for", "macro", "call", "filter"].includes(name) ||
      (name === "set" && !isAssignment(tokens, token))
    )
      open.push({ name, token });
  });
  return open.at(-1);
}

/** Whether a `set` tag has a value, and so no end tag. */
function isAssignment(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < tokens.length && tokens[at]?.type !== "CloseStatement"; at += 1)
    if (tokens[at]?.type === "Equals") return true;
  return false;
}

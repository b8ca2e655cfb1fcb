/** What is suspicious about a chat template: one row of a table for each. */

import { formatId, formatInteger } from "../ui/numbers.ts";
import { MARKERS } from "./markers.ts";
import type { Literal, ProbeResults, RenderResult, SyntaxFacts, TemplateProblem } from "./template-messages.ts";

/** A text that has the form of a special token, and that the vocabulary does not have as one. */
export interface UnknownToken {
  readonly literal: Literal;
  /** Whether the vocabulary has a normal token with this text. */
  readonly isNormal: boolean;
}

/** What is known about a template. Undefined members are not known (yet). */
export interface TemplateFacts {
  readonly problem?: TemplateProblem | undefined;
  readonly syntax?: SyntaxFacts | undefined;
  readonly probes?: ProbeResults | undefined;
  readonly unknownTokens?: readonly UnknownToken[] | undefined;
  /** The text of the BOS token. */
  readonly bos?: string | undefined;
  /** Whether programs put the BOS token before each text. Undefined until the tokenizer is made. */
  readonly addsBos?: boolean | undefined;
}

export interface RedFlag {
  readonly code: string;
  readonly title: string;
  /** `error`: conversations reach the model wrongly. `warning`: some do. `note`: a person should look at it. */
  readonly severity: "error" | "warning" | "note";
  /** The details if the template has the flag. */
  readonly find: (facts: TemplateFacts) => readonly string[] | undefined;
}

export interface FoundFlag extends RedFlag {
  readonly details: readonly string[];
}

const textOf = (result: RenderResult | undefined) => result?.rendering?.text;
const line = ({ place }: { place: { line: number } }) => `line ${formatId(place.line)}`;
const some = (details: readonly string[]) => (details.length > 0 ? details : undefined);

/** The renderings in which the messages are, with whole texts or lists of parts as contents. */
function renderings({ conversation, withoutSystem, typedContent }: ProbeResults): string[] {
  return [conversation, withoutSystem, typedContent].flatMap((result) => textOf(result) ?? []);
}

export const RED_FLAGS: readonly RedFlag[] = [
  {
    code: "syntax-error",
    title: "The template is not valid",
    severity: "error",
    find: ({ problem }) =>
      problem?.kind === "syntax"
        ? [
            `${problem.place ? `Line ${formatId(problem.place.line)}, column ${formatId(problem.place.column)}: ` : ""}${problem.message}`,
          ]
        : undefined,
  },
  {
    code: "never-rendered",
    title: "No conversation is rendered",
    severity: "note",
    find: ({ probes }) => {
      if (!probes) return undefined;
      const results: (RenderResult | undefined)[] = Object.values(probes);
      if (results.some((result) => result?.rendering)) return undefined;
      const problem = results.find((result) => result?.problem)?.problem;
      return [
        `The template fails for each conversation that was tried${problem ? `: ${problem.message}` : "."}`,
        "What it does with messages is not known. It may need tools or other variables.",
      ];
    },
  },
  {
    code: "messages-unused",
    title: "Messages are not used",
    severity: "error",
    find: ({ syntax, probes }) => {
      if (syntax && !syntax.variables.some(({ name }) => name === "messages"))
        return ["The template does not read the variable messages."];
      const texts = probes ? renderings(probes) : [];
      if (texts.length === 0) return undefined;
      const parts = [
        ["The first user message", MARKERS.user],
        ["The answer of the assistant", MARKERS.assistant],
        ["The last user message", MARKERS.last],
      ] as const;
      const missing = parts.filter(([, marker]) => !texts.some((text) => text.includes(marker)));
      return some(missing.map(([what]) => `${what} of a conversation is not in the text.`));
    },
  },
  {
    code: "system-unused",
    title: "The system message is not used",
    severity: "warning",
    find: ({ syntax, probes }) => {
      if (!probes) return undefined;
      const { conversation, withoutSystem, typedContent } = probes;
      const texts = [textOf(conversation), textOf(typedContent)].filter((text) => text !== undefined);
      if (texts.some((text) => text.includes(MARKERS.system))) return undefined;
      const roles = syntax?.tests.find(({ expression }) => /\.role$/.test(expression))?.values ?? [];
      const tested =
        roles.length > 0 && !roles.includes('"system"') ? [`It tests the role for ${roles.join(", ")} only.`] : [];
      if (conversation.problem?.kind === "refused" && withoutSystem.rendering)
        return [`The template refuses a system message: ${conversation.problem.message}`, ...tested];
      // Without any rendering, nothing is known about the system message.
      return texts.length > 0 ? ["The text of the system message is not in the rendered text.", ...tested] : undefined;
    },
  },
  {
    code: "no-generation-prompt",
    title: "There is no generation prompt",
    severity: "warning",
    find: ({ probes }) => {
      const prompted = textOf(probes?.prompted);
      const answered = textOf(probes?.answered);
      if (prompted === undefined || answered === undefined || prompted !== textOf(probes?.unprompted)) return undefined;
      const question = answered.lastIndexOf(MARKERS.user) + MARKERS.user.length;
      const before = answered.slice(question, answered.indexOf(MARKERS.assistant, question)).trim();
      const end = prompted.slice(prompted.lastIndexOf(MARKERS.user) + MARKERS.user.length).trim();
      // Some models need none: their answers follow the end of the question.
      if (before === end || !before.startsWith(end)) return undefined;
      return [
        `Answers of the assistant begin with ${JSON.stringify(before.slice(end.length).trimStart())}, but a text that the model shall continue ends without it.`,
      ];
    },
  },
  {
    code: "bos-twice",
    title: "The BOS token is there twice",
    severity: "warning",
    find: ({ probes, bos, addsBos }) => {
      if (!addsBos || !bos || !probes) return undefined;
      const texts = renderings(probes).filter((text) => text.trimStart().startsWith(bos));
      if (texts.length === 0) return undefined;
      const isFirst = texts.some((text) => text.startsWith(bos));
      return [
        `The text begins with ${bos}, and programs put the same token before each text of this model. ${
          isFirst
            ? "llama.cpp removes the one of the template. Other programs may not."
            : "llama.cpp does not remove it, because white space stands before it."
        }`,
      ];
    },
  },
  {
    code: "token-unknown",
    title: "Special tokens are not in the vocabulary",
    severity: "warning",
    find: ({ unknownTokens }) =>
      some(
        (unknownTokens ?? []).map(({ literal, isNormal }) =>
          isNormal
            ? `${literal.text} (${line(literal)}) is a normal token, so text that contains it is split into other tokens.`
            : `${literal.text} (${line(literal)}) is not a token, so the model sees several tokens instead.`,
        ),
      ),
  },
  {
    code: "address",
    title: "The template contains addresses",
    severity: "note",
    find: ({ syntax }) => some((syntax?.addresses ?? []).map((literal) => `${literal.text} (${line(literal)})`)),
  },
  {
    code: "long-literal",
    title: "The template contains long texts",
    severity: "note",
    find: ({ syntax }) =>
      some(
        (syntax?.long ?? []).map(
          (literal) =>
            `${formatInteger(literal.length)} characters (${line(literal)}): ${literal.text.replace(/\s+/g, " ").trim().slice(0, 100)}…`,
        ),
      ),
  },
];

/** The flags of a template, in the order of the table. */
export function redFlags(facts: TemplateFacts): FoundFlag[] {
  return RED_FLAGS.flatMap((flag) => {
    const details = flag.find(facts);
    return details ? [{ ...flag, details }] : [];
  });
}

// What is suspicious about a chat template: one row of a table for each.

import { MARKERS } from "./template-probes.js";
import { placedMessage, REFUSED } from "./template-problem.js";

/** @import { Literal, SyntaxFacts } from "./template-facts.js" */
/** @import { ProbeResult, ProbeResults } from "./template-probes.js" */
/** @import { TemplateProblem } from "./template-problem.js" */

/**
 * A text that has the form of a special token, and that the vocabulary does not have as one.
 *
 * @typedef {object} UnknownToken
 * @property {Literal} literal
 * @property {boolean} isNormal Whether the vocabulary has a normal token with this text.
 */

/**
 * What is known about a template. Undefined members are not known (yet).
 *
 * @typedef {object} TemplateFacts
 * @property {TemplateProblem | undefined} [problem] Why the template cannot be read.
 * @property {SyntaxFacts | undefined} [syntax]
 * @property {ProbeResults | undefined} [probes]
 * @property {readonly UnknownToken[] | undefined} [unknownTokens]
 * @property {string | undefined} [bos] The text of the BOS token.
 * @property {boolean | undefined} [addsBos] Whether programs put the BOS token before each text.
 */

/**
 * @typedef {object} TemplateFlag
 * @property {string} code
 * @property {string} title
 * @property {"error" | "warning" | "note"} severity `error`: conversations reach the model wrongly. `warning`: some do. `note`: a person
 * should look at it.
 * @property {(facts: TemplateFacts) => readonly string[] | undefined} find The details if the template has the flag.
 */

/** @typedef {TemplateFlag & { readonly details: readonly string[] }} FoundFlag */

const line = (/** @type {Literal} */ { place }) => `line ${place.line}`;
const some = (/** @type {readonly string[]} */ details) => (details.length > 0 ? details : undefined);

/** The renderings in which the messages are, with whole texts or lists of parts as contents. @param {ProbeResults} probes */
const textsOf = ({ conversation, withoutSystem, typedContent }) =>
  [conversation, withoutSystem, typedContent].flatMap((result) => result?.text ?? []);

/** @type {readonly TemplateFlag[]} */
export const TEMPLATE_FLAGS = [
  {
    code: "syntax-error",
    title: "llama.cpp refuses this template",
    severity: "error",
    find: ({ problem }) => {
      if (problem?.kind !== "syntax") return undefined;
      const text = placedMessage(problem);
      return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`, REFUSED];
    },
  },
  {
    code: "never-rendered",
    title: "No conversation is rendered",
    severity: "note",
    find: ({ probes }) => {
      if (!probes) return undefined;
      /** @type {(ProbeResult | undefined)[]} */
      const results = Object.values(probes);
      if (results.some((result) => result?.text !== undefined)) return undefined;
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
      const texts = probes ? textsOf(probes) : [];
      if (texts.length === 0) return undefined;
      const parts = /** @type {const} */ ([
        ["The first user message", MARKERS.user],
        ["The answer of the assistant", MARKERS.assistant],
        ["The last user message", MARKERS.last],
      ]);
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
      const texts = [conversation.text, typedContent?.text].filter((text) => text !== undefined);
      if (texts.some((text) => text.includes(MARKERS.system))) return undefined;
      const roles = syntax?.tests.find(({ expression }) => /\.role$/.test(expression))?.values ?? [];
      const tested =
        roles.length > 0 && !roles.includes('"system"') ? [`It tests the role for ${roles.join(", ")} only.`] : [];
      if (conversation.problem?.kind === "refused" && withoutSystem.text !== undefined)
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
      const prompted = probes?.prompted.text;
      const answered = probes?.answered.text;
      if (prompted === undefined || answered === undefined || prompted !== probes?.unprompted.text) return undefined;
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
      const texts = textsOf(probes).filter((text) => text.trimStart().startsWith(bos));
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
            `${literal.length.toLocaleString("en-US")} characters (${line(literal)}): ${literal.text.replace(/\s+/g, " ").trim().slice(0, 100)}…`,
        ),
      ),
  },
];

/** The flags of a template, in the order of the table. @param {TemplateFacts} facts @returns {FoundFlag[]} */
export function templateFlags(facts) {
  return TEMPLATE_FLAGS.flatMap((flag) => {
    const details = flag.find(facts);
    return details ? [{ ...flag, details }] : [];
  });
}

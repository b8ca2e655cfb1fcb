// `gguf-wasm template --check`: whether llama.cpp accepts a chat template, what it can do, and what is suspicious about it.

import { readTemplate } from "../common/template-facts.js";
import { templateFlags } from "../common/template-flags.js";
import { probeTemplate } from "../common/template-probes.js";
import { placedMessage } from "../common/template-problem.js";
import { chatTemplateCapabilities, parseChatTemplate, renderChatTemplate } from "../template/node.js";
import { CommandError, aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { printResult } from "./result.js";
import { joined, safe } from "./safe-text.js";
import { setFindings } from "./source.js";
import { list, table } from "./table.js";
import { counted } from "./text.js";
import { quoted } from "./values.js";

/** @import { UnknownToken } from "../common/template-flags.js" */
/** @import { Literal } from "../common/template-facts.js" */
/** @import { Gguf, Tokenizer } from "../full/node.js" */
/** @import { ChatTemplateCapabilities } from "../template/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/**
 * A template to check.
 *
 * @typedef {object} GivenTemplate
 * @property {string} about The file that has it, as the user named it.
 * @property {string} template
 * @property {string} [name] Those of a template of the model.
 * @property {string} [key]
 *
 * What is wrong with a template, or should be looked at.
 *
 * @typedef {object} TemplateFinding
 * @property {"error" | "warning" | "info"} severity
 * @property {string} code
 * @property {string} message
 * @property {readonly string[]} details Sentences.
 * @property {number} [line] Where llama.cpp refuses the template.
 * @property {number} [column]
 */

/** What the abilities of a template are called, in the order in which they are shown. @type {Record<keyof ChatTemplateCapabilities, string>} */
const ABILITIES = {
  systemRole: "system messages",
  tools: "descriptions of tools",
  toolCalls: "calls of tools",
  parallelToolCalls: "several calls in a message",
  objectArguments: "arguments of tools as objects",
  stringContent: "content as a text",
  typedContent: "content as a list of parts",
  preserveReasoning: "reasoning of earlier messages",
  reasoningEffort: "reasoning effort",
};

/** The variables of templates by the role of the token, as llama.cpp and transformers name them. */
const TOKEN_ROLES = ["bos", "eos", "unk", "sep", "pad", "cls", "mask"];

/**
 * @param {OpenedModel} model
 * @param {Arguments} args
 * @param {GivenTemplate} given
 */
export async function check(model, args, { about, template, name, key }) {
  const { findings, capabilities } = await aboutFile(about, () => review(model.gguf, template));
  const refused = findings.find(({ code }) => code === "syntax-error");
  const answer = refused ? "refuses" : "accepts";
  const sentence = `llama.cpp ${answer} the chat template${name === undefined ? "" : ` ${quoted(name)}`}.`;
  const isValid = !findings.some(
    ({ severity }) => severity === "error" || (args.flag("strict") && severity === "warning"),
  );
  const loads = { answer: refused ? "no" : "yes", sentence };
  const result = { file: model.name, name, key, loads, isValid, findings, capabilities, ...setFindings(model) };
  await printResult(args, result, () =>
    joined([
      safe`${about}: ${sentence}\n${countsOf(findings)}\n`,
      table(
        [{ title: "" }, { title: "" }, { title: "" }],
        findings.flatMap(({ severity, code, message, details }) => [
          [severity, code, `${message}.`],
          ...details.map((detail) => ["", "", `  ${detail}`]),
        ]),
      ),
      capabilities ? abilitiesTable(capabilities) : safe``,
    ]),
  );
  return isValid ? DONE : ANSWER_IS_NO;
}

/** What was found, in numbers. @param {readonly TemplateFinding[]} findings */
function countsOf(findings) {
  const count = (/** @type {string} */ severity, /** @type {string} */ noun) =>
    counted(findings.filter((finding) => finding.severity === severity).length, noun);
  if (findings.length === 0) return "no problems found";
  return [count("error", "error"), count("warning", "warning"), count("info", "note")].join(", ");
}

/** @param {ChatTemplateCapabilities} capabilities */
function abilitiesTable(capabilities) {
  const rows = Object.entries(ABILITIES).map(([name, title]) => {
    const has = capabilities[/** @type {keyof ChatTemplateCapabilities} */ (name)];
    return /** @type {const} */ ([title, has ? "yes" : "no"]);
  });
  return safe`What the template takes, as llama-server finds out:\n${list(rows)}`;
}

/**
 * Reviews a template for a model.
 *
 * @param {Gguf} gguf
 * @param {string} template
 */
function review(gguf, template) {
  const { facts, problem } = readTemplate(parseChatTemplate, template);
  if (problem && problem.kind !== "syntax") {
    throw new CommandError("template-limit", `the template cannot be checked: ${placedMessage(problem)}`);
  }
  const tokens = gguf.specialTokens();
  const bos = tokens.find(({ role }) => role === "bos");
  const tokenizer = tokenizerOf(gguf);
  const flags = templateFlags({
    problem,
    syntax: facts,
    probes: facts && probeTemplate(renderChatTemplate, template, variablesOf(gguf)),
    unknownTokens: facts && tokenizer && unknownTokens(gguf, tokenizer, facts.tokens),
    bos: bos?.text,
    addsBos: bos && tokenizer && tokenizer.encode("")[0] === bos.id,
  });
  /** @type {TemplateFinding[]} */
  const findings = flags.map(({ code, title, severity, details }) => ({
    severity: severity === "note" ? "info" : severity,
    code,
    message: title,
    details,
    ...(code === "syntax-error" && problem?.place),
  }));
  return { findings, capabilities: facts && chatTemplateCapabilities(template) };
}

/** The texts of special tokens, by the names of variables. A missing BOS or EOS token is empty, as in llama.cpp. @param {Gguf} gguf */
function variablesOf(gguf) {
  const known = gguf.specialTokens().filter(({ role, text }) => TOKEN_ROLES.includes(role) && text !== undefined);
  return {
    bos_token: "",
    eos_token: "",
    ...Object.fromEntries(known.map(({ role, text }) => [`${role}_token`, text])),
  };
}

/** The tokenizer of the file; `undefined` if it has none that can be run. @param {Gguf} gguf */
function tokenizerOf(gguf) {
  try {
    return gguf.tokenizer();
  } catch (error) {
    if (["no-tokenizer", "unsupported", "bad-vocabulary"].includes(/** @type {any} */ (error).code)) return undefined;
    throw error;
  }
}

/**
 * The texts of a template that look like special tokens, and that the tokenizer does not take as one token.
 *
 * @param {Gguf} gguf
 * @param {Tokenizer} tokenizer
 * @param {readonly Literal[]} literals
 * @returns {UnknownToken[]}
 */
function unknownTokens(gguf, tokenizer, literals) {
  const vocabulary = gguf.getArray("tokenizer.ggml.tokens");
  return literals
    .filter(({ text }) => !isOneToken(tokenizer, text))
    .map((literal) => ({ literal, isNormal: (vocabulary?.indexOf(literal.text) ?? -1) >= 0 }));
}

/** @param {Tokenizer} tokenizer @param {string} text */
function isOneToken(tokenizer, text) {
  try {
    return tokenizer.encode(text, { addSpecial: false }).length === 1;
  } catch (error) {
    // The vocabulary lacks what the text needs.
    if (/** @type {any} */ (error).code !== "bad-vocabulary") throw error;
    return false;
  }
}

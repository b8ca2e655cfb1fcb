/** What was found of a model, and why it cannot be converted. */

import { html, nothing } from "lit";
import { errorText } from "../gguf/error-texts.ts";
import { sentence } from "../gguf/error-text.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import type { ModelDescription } from "./model-folder.ts";

/** The kinds of vocabularies, in words. */
const VOCABULARIES: Readonly<Record<string, string>> = {
  gpt2: "BPE",
  llama: "SentencePiece",
  bert: "WordPiece",
  t5: "Unigram",
};

/** The facts of a model: its class, its vocabulary and its files. */
export function renderFacts(model: ModelDescription) {
  const { className, architecture, vocabulary, tensors, size, dataTypes, parts, files } = model;
  const unknown = html`<span class="unknown">not known</span>`;
  const pre = vocabulary?.preTokenizer ?? (vocabulary?.probablePreTokenizers ? unknown : undefined);
  const { projector } = model;
  const facts: [string, unknown][] = [
    ["Class", className === undefined ? unknown : renderText(className, { limit: 120 })],
    ["Architecture in GGUF", architecture ?? unknown],
    [
      "Vocabulary",
      vocabulary
        ? `${VOCABULARIES[vocabulary.kind] ?? vocabulary.kind}, ${formatCount(vocabulary.tokenCount, "token")}`
        : unknown,
    ],
    ...(pre === undefined ? [] : [["Pre-tokenizer", pre] satisfies [string, unknown]]),
    ...(projector ? [["Reads", `text, ${encoderText(projector)}`] satisfies [string, unknown]] : []),
    ["Stored tensors", `${formatInteger(tensors.length)}, ${formatBytes(size)}`],
    [
      "Stored types",
      dataTypes.map(({ dataType, tensorCount }) => `${dataType} (${formatInteger(tensorCount)})`).join(", "),
    ],
    ["Files of tensors", renderParts(parts)],
    ["Other files", renderText(files.join(", ") || "none", { limit: 600 })],
  ];
  return html`<dl class="facts">
    ${facts.map(
      ([title, value]) =>
        html`<div>
          <dt>${title}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** What the encoders of a projector read. */
export function encoderText({ hasVision, hasAudio }: NonNullable<ModelDescription["projector"]>): string {
  return [hasVision ? "images" : "", hasAudio ? "sound" : ""].filter((what) => what !== "").join(", ");
}

function renderParts(parts: ModelDescription["parts"]) {
  const [only] = parts;
  if (!only) return "none";
  if (parts.length === 1) return renderText(only.name, { limit: 200 });
  return html`<details>
    <summary>${formatCount(parts.length, "file")}</summary>
    <ul>
      ${parts.map(
        ({ name, byteLength, tensorCount }) =>
          html`<li>
            ${renderText(name, { limit: 200 })}: ${formatCount(tensorCount, "tensor")}, ${formatBytes(byteLength)}
          </li>`,
      )}
    </ul>
  </details>`;
}

/** Why a model cannot be converted, and what a person can do. */
export function renderObstacles({ obstacles, projector }: ModelDescription, isRepository: boolean) {
  // The files of a repository are not downloaded by the person.
  const advised = obstacles.filter(({ code }) => !isRepository || code !== "incomplete-model");
  const steps = [...new Set(advised.flatMap((obstacle) => errorText(obstacle).next))];
  return html`<div class="notice bad" role="alert">
    ${icons.error}
    <div>
      <p>
        <strong
          >${projector ? "The model of the text" : "This model"} cannot be
          converted${obstacles.length === 1 ? nothing : `: ${formatCount(obstacles.length, "reason")}`}.</strong
        >
      </p>
      <ul>
        ${obstacles.map(({ message }) => html`<li>${renderMessage(message)}</li>`)}
      </ul>
      ${
        steps.length === 0
          ? nothing
          : html`<p class="steps">What you can do:</p>
              <ul>
                ${steps.map((step) => html`<li>${step}</li>`)}
              </ul>`
      }
    </div>
  </div>`;
}

/** A message of the library. */
export function renderMessage(message: string) {
  return renderText(sentence(message), { limit: 1000 });
}

/** What is said of the folder of an adapter. */
export function renderAdapter() {
  return html`<div class="notice">
    ${icons.info}
    <div>
      <p>
        <strong>This folder is a LoRA adapter.</strong> It has adapter_config.json, and only the changes to another
        model. It is no model of its own, so this page does not convert it.
      </p>
      <p>convert_lora_to_gguf.py of llama.cpp makes a GGUF adapter of it, with the folder of the original model.</p>
    </div>
  </div>`;
}

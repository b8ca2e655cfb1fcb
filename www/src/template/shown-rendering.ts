/** A rendering of a conversation, what llama-server changed for it, and the difference to the rendering of a second template. */

import type { Place } from "gguf-wasm/common/template-places.js";
import type { Gguf } from "gguf-wasm/explain";
import type { ChatNote } from "gguf-wasm/template";
import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { formatId } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import "./rendered-text.ts";
import type { SpecialTokens } from "./rendered-tokens.ts";
import { type ComparedConversation, comparisonHeadline } from "./rendering-differences.ts";
import type { RenderResult, TemplateProblem } from "./template-messages.ts";
import type { ShownRendering } from "./template-renderings.ts";
import { renderTextDifference } from "./text-difference.ts";

const PROBLEM_TITLES: Readonly<Record<TemplateProblem["kind"], string>> = {
  syntax: "llama.cpp refuses this template:",
  refused: "The template refuses the conversation:",
  "run-time": "The template fails:",
  conversation: "llama-server refuses the conversation:",
  context: "The conversation cannot be read:",
  limit: "The template was stopped:",
  time: "The template was stopped.",
  worker: "The template was not rendered.",
};

/** A conversation, and its renderings. */
export interface RenderedConversation {
  readonly id: string;
  readonly title: string;
  readonly shown: ShownRendering;
  /** The rendering by the second template, if there is one. */
  readonly second: ShownRendering | undefined;
}

export interface RenderingOptions {
  readonly gguf: Gguf;
  readonly special: SpecialTokens | undefined;
  readonly withSpaces: boolean;
  readonly withTokens: boolean;
  /** Shows a place of the template. */
  readonly onPlace: (place: Place) => void;
}

/** Several conversations in a grid. */
export function renderGrid(conversations: readonly RenderedConversation[], options: RenderingOptions) {
  return html`<div class="renderings">
    ${conversations.map(
      (conversation, index) =>
        html`<section aria-labelledby="rendering-${conversation.id}">
          <h4 id="rendering-${conversation.id}">${conversation.title}</h4>
          ${renderRendering(conversation, options, index > 0)}
        </section>`,
    )}
  </div>`;
}

/** `isBrief`: another rendering says what is true of all. */
export function renderRendering(
  { title, shown, second }: RenderedConversation,
  options: RenderingOptions,
  isBrief = false,
) {
  const { gguf, special, withSpaces, withTokens, onPlace } = options;
  const { result, isCurrent } = shown;
  const { rendering, problem } = result ?? {};
  return html`${problem ? renderProblem(problem, onPlace) : nothing}
  ${
    rendering
      ? html`<gguf-rendered-text
            label="Rendered text: ${title}"
            .gguf=${gguf}
            .rendering=${rendering}
            .special=${special}
            ?spaces=${withSpaces}
            ?tokenised=${withTokens}
            ?brief=${isBrief}
            ?stale=${!isCurrent}
          ></gguf-rendered-text>
          ${renderNotes(rendering.notes)}`
      : nothing
  }
  ${result || isCurrent ? nothing : html`<p class="hint">Rendering…</p>`} ${second && renderSecond(shown, second)}`;
}

/** What llama-server changed. */
function renderNotes(notes: readonly ChatNote[]) {
  if (notes.length === 0) return nothing;
  return html`<p class="hint">What llama-server changes here:</p>
    <ul class="changes">
      ${notes.map(({ message }) => html`<li>${message}</li>`)}
    </ul>`;
}

/** The difference between the renderings of two templates. */
function renderSecond({ result: first }: ShownRendering, { result }: ShownRendering) {
  return html`<div class="second">
    <p class="hint">What the second template makes:</p>
    ${result ? renderResultDifference(first, result) : html`<p class="hint">Rendering…</p>`}
  </div>`;
}

function renderResultDifference(first: RenderResult | undefined, second: RenderResult) {
  if (second.problem) return renderProblem(second.problem);
  const text = first?.rendering?.text ?? "";
  return text === second.rendering.text
    ? html`<p class="hint">Both templates make the same text.</p>`
    : renderTextDifference(text, second.rendering.text);
}

const STATES = { open: "…", same: "same", differs: "differs" } as const;

/** What the second template changes in all conversations, as a list. */
export function renderComparison(conversations: readonly ComparedConversation[]) {
  return html`<p role="status">${renderText(comparisonHeadline(conversations), { limit: 600 })}</p>
    <ul class="compared">
      ${conversations.map(({ title, state, first, second }) =>
        state === "differs" && second
          ? html`<li>
              <details>
                <summary>${renderText(title, { limit: 100 })}: <b>${STATES[state]}</b></summary>
                ${first?.problem ? renderProblem(first.problem) : nothing} ${renderResultDifference(first, second)}
              </details>
            </li>`
          : html`<li>${renderText(title, { limit: 100 })}: ${STATES[state]}</li>`,
      )}
    </ul>`;
}

export function renderProblem({ kind, message, place }: TemplateProblem, onPlace?: (place: Place) => void) {
  const where = place && `Line ${formatId(place.line)}, column ${formatId(place.column)}`;
  return html`<div class="failure" role="alert">
    ${icons.error}
    <div>
      ${PROBLEM_TITLES[kind]} ${renderText(message, { limit: 1000 })}
      ${
        place === undefined
          ? nothing
          : html`<div>
              ${onPlace ? html`<button type="button" @click=${() => onPlace(place)}>${where}</button>` : where}
            </div>`
      }
    </div>
  </div>`;
}

/** The notice about a file for other programs than llama.cpp: what it is, which programs load it, and how. */

import { type FilePrograms, llamaCppLine, type OtherPrograms } from "gguf-wasm/common/programs.js";
import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";

export function renderPrograms({ sentence }: Pick<FilePrograms, "sentence">, others: OtherPrograms) {
  // Without an option or a node, a list would only repeat the sentence.
  const isListed = others.loading.some(({ how }) => how !== undefined);
  return html`<div class="notice loads">
    ${icons.info}
    <div>
      <p>${renderText(sentence, { limit: 1200 })}</p>
      ${
        isListed
          ? html`<dl class="programs">
              ${others.loading.map(
                ({ program, how }) =>
                  html`<div>
                    <dt>${program}</dt>
                    ${how === undefined ? nothing : html`<dd>${how}</dd>`}
                  </div>`,
              )}
            </dl>`
          : nothing
      }
      <p class="rules">${renderText(llamaCppLine(others), { limit: 1200 })} Tensor values are not checked.</p>
    </div>
  </div>`;
}

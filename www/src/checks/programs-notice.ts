/** The notice about a file for other programs than llama.cpp: what it is, which programs load it, and how. */

import type { FilePrograms } from "gguf-wasm/common/programs.js";
import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";
import type { ChecksResult } from "./findings.ts";

/** `others` are the programs that load the file. */
export function renderPrograms(
  { sentence }: Pick<FilePrograms, "sentence">,
  others: NonNullable<FilePrograms["others"]>,
  loads: ChecksResult["loads"],
) {
  // Without an option or a node, a list would only repeat the sentence.
  const isListed = others.some(({ how }) => how !== undefined);
  return html`<div class="notice loads">
    ${icons.info}
    <div>
      <p>${renderText(sentence, { limit: 1200 })}</p>
      ${
        isListed
          ? html`<dl class="programs">
              ${others.map(
                ({ program, how }) =>
                  html`<dt>${program}</dt>
                    ${how === undefined ? nothing : html`<dd>${how}</dd>`}`,
              )}
            </dl>`
          : nothing
      }
      <p class="rules">${renderText(loads.sentence, { limit: 1200 })} Tensor values are not checked.</p>
    </div>
  </div>`;
}

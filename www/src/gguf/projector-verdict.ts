/** Whether a projector belongs to the model that it is opened with. The answer comes from `gguf-wasm/full`, which is loaded for it. */

import { isProjector } from "gguf-wasm/common/projectors.js";
import type { Gguf } from "gguf-wasm/explain";
import type { ProjectorFit } from "gguf-wasm/full";
import { html, type LitElement, nothing } from "lit";
import { announce } from "../ui/announce.ts";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";
import { fullGguf, loadFull } from "./full.ts";

/** The verdict on the two files that an element shows, if exactly one of them is a projector. */
export class ProjectorVerdict {
  readonly #host: LitElement;
  #files: readonly [Gguf, Gguf] | undefined;
  #fit: ProjectorFit | undefined;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Finds out whether two files belong together, unless they are those of the last call. */
  ask(files: readonly [Gguf, Gguf] | undefined): void {
    const isKnown = files?.[0] === this.#files?.[0] && files?.[1] === this.#files?.[1];
    if (isKnown) return;
    this.#files = files;
    this.#fit = undefined;
    if (files && isProjector(files[0]) !== isProjector(files[1])) void this.#judge(files);
  }

  async #judge(files: readonly [Gguf, Gguf]): Promise<void> {
    const fit = await fitOf(files).catch(() => NOT_CHECKED);
    // The files may be others meanwhile.
    if (this.#files !== files) return;
    this.#fit = fit;
    this.#host.requestUpdate();
    announce(this.#host, fit.sentence);
  }

  /** The verdict as a notice. */
  render() {
    if (!this.#fit) return nothing;
    const { answer, sentence } = this.#fit;
    const [look, icon] = LOOKS[answer];
    return html`<div class="notice ${look} projector-fit">
      ${icon}
      <div>${renderText(sentence, { limit: 600 })}</div>
    </div>`;
  }
}

const NOT_CHECKED: ProjectorFit = {
  answer: "unknown",
  sentence: "It could not be checked whether the projector belongs to the model. Open the files again.",
};

const LOOKS = { yes: ["good", icons.check], no: ["bad", icons.error], unknown: ["", icons.info] } as const;

async function fitOf([a, b]: readonly [Gguf, Gguf]): Promise<ProjectorFit> {
  const { projectorFit } = await loadFull();
  const [model, projector] = isProjector(a) ? [b, a] : [a, b];
  return projectorFit(await fullGguf(model), await fullGguf(projector));
}

// Whether projectors belong to the models that they are given with.

import { isProjector } from "../common/projectors.js";
import { projectorFit } from "../full/node.js";
import { joined, safe } from "./safe-text.js";

/** @import { ProjectorFit } from "../full/node.js" */
/** @import { OpenedModel } from "./source.js" */

/**
 * The verdict on a model and a projector.
 *
 * @typedef {{ model: string, projector: string } & ProjectorFit} NamedFit
 */

/**
 * Whether the projectors among files that are loaded together belong to the model: one for each other file, if it or the first file is a
 * projector.
 *
 * @param {OpenedModel} first
 * @param {readonly OpenedModel[]} others
 * @returns {NamedFit[]}
 */
export const projectorFits = (first, others) =>
  others.filter((other) => isProjector(other.gguf) !== isProjector(first.gguf)).map((other) => fitOf(first, other));

/**
 * Whether two files belong together. If none is a projector, the second one is expected to be it.
 *
 * @param {OpenedModel} first
 * @param {OpenedModel} other
 * @returns {NamedFit}
 */
export function fitOf(first, other) {
  const isSwapped = isProjector(first.gguf) && !isProjector(other.gguf);
  const [model, projector] = isSwapped ? [other, first] : [first, other];
  const { answer, sentence } = projectorFit(model.set ?? model.gguf, projector.set ?? projector.gguf);
  return { model: model.name, projector: projector.name, answer, sentence };
}

/** What people are told. @param {readonly NamedFit[]} fits */
export const fitsText = (fits) => joined(fits.map(({ projector, sentence }) => safe`${projector}: ${sentence}\n`));

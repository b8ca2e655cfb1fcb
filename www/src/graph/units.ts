/** What a part of a model works on: tokens of a text, patches of an image, or frames of a recording. */

import type { GraphNode } from "./graph-model.ts";

/** The words of figures, after "Read for" and "Operations for". */
export interface Units {
  /** All weights of the part are read once for this. */
  readonly whole: string;
  /** What an operation with weights computes on. */
  readonly each: string;
  /** One of these, and several. */
  readonly noun: readonly [one: string, several: string];
}

const TOKEN: Units = { whole: "a token", each: "a token", noun: ["token", "tokens"] };
const PATCH: Units = { whole: "an image", each: "a patch", noun: ["patch", "patches"] };
const FRAME: Units = { whole: "a recording", each: "a frame", noun: ["frame", "frames"] };
/** A projector makes one embedding of one or several patches or frames. */
const IMAGE_EMBEDDING: Units = { whole: "an image", each: "an embedding", noun: ["embedding", "embeddings"] };
const SOUND_EMBEDDING: Units = { whole: "a recording", each: "an embedding", noun: ["embedding", "embeddings"] };

/** Whether a section of a model makes embeddings of what an encoder has computed. */
export const isProjector = (section: string): boolean => /projector|merger|resampler/i.test(section);

/** Whether a section, or the name of a tensor, is about sound. */
export const isOfSound = (name: string): boolean => /audio|^(?:mm\.)?a\./i.test(name);

export function unitsOf({ id, title, tensors }: Pick<GraphNode, "id" | "title" | "tensors">): Units {
  const names = [id, tensors[0]?.name ?? ""];
  const isSound = names.some(isOfSound);
  if (isProjector(title) || names.some((name) => name.startsWith("mm.")))
    return isSound ? SOUND_EMBEDDING : IMAGE_EMBEDDING;
  if (isSound) return FRAME;
  return names.some((name) => /^v\./.test(name)) ? PATCH : TOKEN;
}

/** The units of several nodes: those that all of them have. */
export function commonUnits(nodes: Iterable<GraphNode>): { readonly [Member in "whole" | "each"]: string | undefined } {
  const all = [...nodes].filter(({ tensors }) => tensors.length > 0).map(unitsOf);
  const [wholes, eaches] = [new Set(all.map(({ whole }) => whole)), new Set(all.map(({ each }) => each))];
  return {
    whole: wholes.size === 1 ? all[0]?.whole : undefined,
    each: eaches.size === 1 ? all[0]?.each : undefined,
  };
}

/** A sentence about tokens as one about patches or frames. */
export function inUnits(text: string, { noun: [one, several] }: Units): string {
  return text.replace(/\btoken(s?)\b/g, (_, ending: string) => (ending === "" ? one : several));
}

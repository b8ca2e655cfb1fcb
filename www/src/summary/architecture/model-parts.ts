/** A model as boxes: what comes before its blocks, its blocks with equal ones folded, and what comes after them. */

import { formatCount, formatId, formatInteger, formatParameters } from "../../ui/numbers.ts";
import { blockRole, type TensorPlace } from "../block-roles.ts";
import { commonStart } from "../common-start.ts";
import { formatBlocks } from "../number-ranges.ts";
import { blockBoxes, type Box, isNorm, layerFacts } from "./block-boxes.ts";
import type { ModelSource, PlacedTensor } from "./model-source.ts";

/** Blocks with the same tensors and settings. */
export interface BlockFold {
  readonly title: string;
  /** The numbers of the blocks, ascending. */
  readonly blocks: readonly number[];
  /** The elements of the tensors of one block. */
  readonly parameters: number;
  readonly boxes: readonly Box[];
}

/** What a picture shows from top to bottom: boxes beside each other, or folded blocks. The boxes of blocks have steps. */
export type Stage = { readonly boxes: readonly Box[] } | { readonly folds: readonly BlockFold[] };

/** The most kinds of blocks that are shown for a part of a model. */
const MOST_FOLDS = 8;
/** The most boxes beside each other outside of blocks. */
const MOST_OUTER = 6;

/** The stages of a model in the order in which data passes them. */
export function modelStages(source: ModelSource, placeOf: (name: string) => TensorPlace | undefined): Stage[] {
  const outer = new Map<string, PlacedTensor[]>();
  const blocks = new Map<string, Map<number, PlacedTensor[]>>();
  for (const tensor of source.tensors) {
    const place = placeOf(tensor.name);
    if (place === undefined) continue;
    const placed = { tensor, place, part: blockRole(place.role) };
    if (place.block === undefined) listOf(outer, place.role.section).push(placed);
    else {
      const part = blocks.get(place.prefix) ?? new Map<number, PlacedTensor[]>();
      blocks.set(place.prefix, part);
      listOf(part, place.block).push(placed);
    }
  }
  // Tensors of one dimension, such as factors of the rotary embedding, are details.
  const model = (outer.get("Model") ?? []).filter(({ tensor }) => tensor.dimensions.length > 1);
  outer.delete("Model");
  const inputs = model.filter(isInput).sort(largestFirst);
  const outputs = model.filter((placed) => !isInput(placed) && !isNorm(placed)).sort(largestFirst);
  const stages: Stage[] = [];
  const addBoxes = (boxes: readonly Box[]) => {
    if (boxes.length > 0) stages.push({ boxes: boxes.slice(0, MOST_OUTER) });
  };
  addBoxes(inputs.map((placed) => outerBox(placed)));
  // Encoders of images and sound come before what projects their results.
  const sections = [...outer].sort(([a], [b]) => Number(isProjector(a)) - Number(isProjector(b)));
  const before = sections.filter(([title]) => !isProjector(title));
  addBoxes(before.map(([title, tensors]) => sectionBox(title, tensors)));
  for (const [prefix, numbered] of blocks) {
    const folds = foldBlocks(source, prefix, numbered);
    if (folds.length > 0) stages.push({ folds: folds.slice(0, MOST_FOLDS) });
  }
  addBoxes(sections.filter(([title]) => isProjector(title)).map(([title, tensors]) => sectionBox(title, tensors)));
  addBoxes([...outputs.map((placed) => outerBox(placed)), ...tiedOutput(source)]);
  return stages;
}

/** Blocks with the same tensors and the same settings are one fold. Folds stand in the order of their first block. */
function foldBlocks(source: ModelSource, prefix: string, numbered: ReadonlyMap<number, PlacedTensor[]>): BlockFold[] {
  let folds = foldBy(numbered, (tensors, block) => [signatureOf(tensors), layerFacts(source, prefix, block)]);
  // The sizes may differ from block to block. Then blocks with the same roles are one fold.
  const differ = folds.size > MOST_FOLDS;
  if (differ) folds = foldBy(numbered, (tensors) => [...new Set(tensors.map(({ part }) => part.part))].sort());
  const isAlone = folds.size === 1;
  return [...folds.values()].map(({ blocks, tensors }) => {
    const [first = 0] = blocks;
    const section = tensors[0]?.place.role.section ?? "Block";
    const count = `${formatInteger(blocks.length)} × ${section.toLowerCase()}`;
    return {
      title:
        blocks.length === 1 ? `${section} ${formatId(first)}` : isAlone ? count : `${count}: ${formatBlocks(blocks)}`,
      blocks,
      parameters: tensors.reduce((sum, { tensor }) => sum + (tensor.elementCount ?? 0), 0),
      // A filter finds the tensors of all blocks, or those of one.
      boxes: blockBoxes(source, prefix, first, tensors, isAlone ? prefix : `${prefix}${first}.`).map((box) =>
        differ && blocks.length > 1 ? { ...box, lines: ["sizes differ from block to block"] } : box,
      ),
    };
  });
}

/** Blocks with the same key, in the order of their first block. */
function foldBy(
  numbered: ReadonlyMap<number, PlacedTensor[]>,
  keyOf: (tensors: readonly PlacedTensor[], block: number) => unknown,
): Map<string, { blocks: number[]; tensors: readonly PlacedTensor[] }> {
  const folds = new Map<string, { blocks: number[]; tensors: readonly PlacedTensor[] }>();
  for (const block of [...numbered.keys()].sort((a, b) => a - b)) {
    const tensors = numbered.get(block) ?? [];
    const key = JSON.stringify(keyOf(tensors, block));
    const fold = folds.get(key);
    if (fold) fold.blocks.push(block);
    else folds.set(key, { blocks: [block], tensors });
  }
  return folds;
}

/** Names without the number of the block, and dimensions. Types do not matter. */
function signatureOf(tensors: readonly PlacedTensor[]): string[] {
  return tensors
    .map(({ tensor, place: { role } }) => `${role.base}.${role.part ?? ""} ${tensor.dimensions.join("x")}`)
    .sort();
}

const isInput = ({ place: { role } }: PlacedTensor) =>
  /embd|token_types|conv1d|^per_layer/.test(role.base) && !/norm|unembd/.test(role.base);
const isProjector = (section: string) => /projector|merger|resampler/i.test(section);
const largestFirst = (a: PlacedTensor, b: PlacedTensor) => (b.tensor.elementCount ?? 0) - (a.tensor.elementCount ?? 0);

/** A tensor outside of blocks. */
function outerBox({ tensor, place: { role } }: PlacedTensor): Box {
  return {
    kind: "outer",
    title: role.title,
    lines: [tensor.dimensions.map(formatInteger).join(" × ")],
    filter: tensor.name,
    step: 0,
  };
}

/** All tensors outside of blocks of an encoder or of a projector. */
function sectionBox(title: string, tensors: readonly PlacedTensor[]): Box {
  const parameters = tensors.reduce((sum, { tensor }) => sum + (tensor.elementCount ?? 0), 0);
  return {
    kind: "outer",
    title,
    lines: [formatCount(tensors.length, "tensor"), `${formatParameters(parameters)} parameters`],
    filter: commonStart(tensors.map(({ tensor }) => tensor.name)),
    step: 0,
  };
}

/** A model without an output tensor uses the embedding of the tokens for it. */
function tiedOutput({ estimate }: ModelSource): Box[] {
  if ((estimate?.weights?.tiedOutput ?? 0) === 0) return [];
  return [{ kind: "shared", title: "Output", lines: ["shares the token embedding"], filter: undefined, step: 0 }];
}

function listOf<Key, Value>(map: Map<Key, Value[]>, key: Key): Value[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

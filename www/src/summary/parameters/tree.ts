/** The parameters of a model as a tree: the parts of the model, the roles in their blocks, and the blocks. */

import type { TensorInfo } from "gguf-wasm/explain";
import { formatId } from "../../ui/numbers.ts";
import { type BlockRole, blockRole, type TensorPlace } from "../block-roles.ts";
import { commonStart } from "../common-start.ts";

/** A part of the model. A part with children has no parameters of its own. */
export interface ParameterNode {
  readonly title: string;
  readonly kind: BlockRole["part"] | "outer";
  /** The number of elements, with those of the children. */
  readonly elements: number;
  readonly bytes: number;
  /** The words that filter the table of tensors. */
  readonly filter: string;
  readonly children: readonly ParameterNode[];
}

/** The most blocks of which each has a rectangle. */
const MOST_BLOCKS = 256;

interface Found {
  readonly tensor: TensorInfo;
  readonly place: TensorPlace | undefined;
}

/**
 * The two roles with the most parameters, and the roles that have as many as the second one: gate, up and down often have the same shape.
 */
export function largestRoles(roles: readonly ParameterNode[]): readonly ParameterNode[] {
  const second = roles[1]?.elements;
  return roles.filter(({ elements }, at) => at < 2 || elements === second).slice(0, 4);
}

/** The roles of a model, those with the most parameters first; below each role its blocks. Tensors outside of blocks are roles of their own. */
export function parameterTree(
  tensors: readonly TensorInfo[],
  placeOf: (name: string) => TensorPlace | undefined,
): ParameterNode[] {
  const groups = new Map<string, { title: string; kind: ParameterNode["kind"]; found: Found[] }>();
  for (const tensor of tensors) {
    const place = placeOf(tensor.name);
    const isInBlock = place?.block !== undefined;
    const role = isInBlock ? blockRole(place.role) : undefined;
    const title = role?.title ?? place?.role.title ?? "Tensors with unknown names";
    // An encoder has the same roles as the model.
    const section = place === undefined || /^(?:Model|Block)$/.test(place.role.section) ? "" : place.role.section;
    const key = `${section} ${role?.name ?? title}`;
    const full = section === "" ? title : `${section.replace(/ block$/, "")}: ${title.toLowerCase()}`;
    const group = groups.get(key) ?? { title: full, kind: role?.part ?? "outer", found: [] };
    groups.set(key, group);
    group.found.push({ tensor, place });
  }
  return [...groups.values()]
    .map(({ title, kind, found }): ParameterNode => {
      const blocks = new Map<number | undefined, Found[]>();
      for (const one of found) {
        const { block } = one.place ?? {};
        const inBlock = blocks.get(block);
        if (inBlock) inBlock.push(one);
        else blocks.set(block, [one]);
      }
      const children = [...blocks].flatMap(([block, inBlock]) =>
        block === undefined ? [] : [node(`${title}, block ${formatId(block)}`, kind, inBlock, true)],
      );
      const own = node(title, kind, found, false);
      return children.length > 1 && children.length <= MOST_BLOCKS ? { ...own, children } : own;
    })
    .filter(({ elements }) => elements > 0)
    .sort((a, b) => b.elements - a.elements);
}

function node(title: string, kind: ParameterNode["kind"], found: readonly Found[], isBlock: boolean): ParameterNode {
  return {
    title,
    kind,
    elements: found.reduce((sum, { tensor }) => sum + (tensor.elementCount ?? 0), 0),
    bytes: found.reduce((sum, { tensor }) => sum + (tensor.byteLength ?? 0), 0),
    filter: isBlock ? commonStart(found.map(({ tensor }) => tensor.name)) : roleFilter(found),
    children: [],
  };
}

/** The beginning of the names in all blocks, such as `attn_q`, with the beginning of the names of the blocks. */
function roleFilter(found: readonly Found[]): string {
  const [first] = found;
  if (first?.place?.block === undefined) return commonStart(found.map(({ tensor }) => tensor.name));
  const rest = found.map(({ tensor, place }) => tensor.name.slice(place?.prefix.length ?? 0).replace(/^\d+\./, ""));
  return [first.place.prefix, commonStart(rest)].filter((word) => word !== "").join(" ");
}

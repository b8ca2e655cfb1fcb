/** The tensors of a comparison as points: their bits per weight, and their errors. */

import type { TensorInfo } from "gguf-wasm/explain";
import { bitsPerWeight } from "../../gguf/tensor-types.ts";
import { type BlockRole, blockRole, type TensorPlace } from "../../summary/block-roles.ts";
import type { TensorError, TensorLists } from "./tensor-errors.ts";

/** The most tensors that are drawn. */
export const MOST_POINTS = 4000;

/** The kinds of tensors that marks tell apart. */
export type PointKind = BlockRole["part"] | "outer";

/** A tensor with an error. */
export interface Point {
  readonly error: TensorError;
  /** Its error: 0 for equal tensors. */
  readonly nmse: number;
  /** Its bits per weight in the smaller file. */
  readonly bits: number;
  /** Its type in that file. */
  readonly type: string;
  readonly kind: PointKind;
  /** The number of its block. */
  readonly block: number | undefined;
  /** "Value", "Token embedding". */
  readonly title: string;
}

/** The file with fewer bits per weight: errors come from it. If both have as many, the second one. */
export function smallerSide({ a, b }: TensorLists): "a" | "b" {
  return (bitsPerWeight(a) ?? Infinity) < (bitsPerWeight(b) ?? Infinity) ? "a" : "b";
}

/** The tensors whose errors and sizes are known, those with the largest errors first. */
export function pointsOf(
  errors: readonly TensorError[],
  side: "a" | "b",
  placeOf: (name: string) => TensorPlace | undefined,
): Point[] {
  const points = errors.flatMap((error): Point[] => {
    const own = side === "a" ? error.tensor : error.other;
    const bits = own && bitsOf(own);
    if (error.nmse === undefined || own === undefined || bits === undefined) return [];
    const place = placeOf(error.tensor.name);
    const role = place && blockRole(place.role);
    const inBlock = place?.block !== undefined;
    return [
      {
        error,
        nmse: error.nmse,
        bits,
        type: own.type,
        kind: place === undefined ? "other" : inBlock ? (role?.part ?? "other") : "outer",
        block: place?.block,
        title: (inBlock ? role?.title : place?.role.title) ?? error.tensor.name,
      },
    ];
  });
  return points.sort((one, other) => other.nmse - one.nmse).slice(0, MOST_POINTS);
}

function bitsOf({ byteLength, elementCount = 0 }: TensorInfo): number | undefined {
  return byteLength === undefined || elementCount === 0 ? undefined : (8 * byteLength) / elementCount;
}

/** The errors of the tensors of one type. */
export interface TypeErrors {
  readonly type: string;
  readonly bits: number;
  readonly count: number;
  readonly equal: number;
  /** Of the tensors that differ. Undefined if all are equal. */
  readonly least: number | undefined;
  readonly median: number | undefined;
  readonly largest: number | undefined;
}

/** The errors by type, the type with the fewest bits first. */
export function errorsByType(points: readonly Point[]): TypeErrors[] {
  const types = new Map<string, Point[]>();
  for (const point of points) {
    const own = types.get(point.type);
    if (own) own.push(point);
    else types.set(point.type, [point]);
  }
  return [...types]
    .map(([type, own]): TypeErrors => {
      const different = own.map(({ nmse }) => nmse).filter((nmse) => nmse > 0);
      different.sort((one, other) => one - other);
      return {
        type,
        bits: Math.min(...own.map(({ bits }) => bits)),
        count: own.length,
        equal: own.length - different.length,
        least: different[0],
        median: different[different.length >> 1],
        largest: different.at(-1),
      };
    })
    .sort((one, other) => one.bits - other.bits);
}

/** A type of the picture: its bits, and where its column begins. */
export interface TypeColumn {
  readonly type: string;
  readonly bits: number;
  readonly left: number;
}

/** The columns of the types, those with few bits first, and where the points are. */
export interface TypeAxis {
  readonly columns: readonly TypeColumn[];
  /** The width of a column. */
  readonly each: number;
  readonly x: (point: Pick<Point, "type" | "block">) => number;
}

/** The share of a column that its marks take. */
const USED = 0.8;

/**
 * A column for each type. Marks of one type have the same bits, so a scale of bits would put them onto each other; in a column, they stand
 * in the order of their blocks.
 */
export function typeAxis(
  points: readonly Pick<Point, "type" | "bits" | "block">[],
  [left, right]: readonly [number, number],
): TypeAxis {
  const types = new Map(points.map(({ type, bits }) => [type, bits]));
  const each = (right - left) / Math.max(1, types.size);
  const columns = [...types]
    .sort(([a, bitsA], [b, bitsB]) => bitsA - bitsB || a.localeCompare(b))
    .map(([type, bits], at): TypeColumn => ({ type, bits, left: left + at * each }));
  const leftOf = new Map(columns.map((column) => [column.type, column.left]));
  const blocks = Math.max(1, ...points.map(({ block = 0 }) => block));
  const place = (block: number | undefined) => (block === undefined ? 0 : (block / blocks - 0.5) * USED * each);
  return { columns, each, x: ({ type, block }) => (leftOf.get(type) ?? left) + each / 2 + place(block) };
}

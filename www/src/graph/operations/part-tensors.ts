/** The tensors of a part of a block, in all blocks of the same kind. They are taken by the operations that use them. */

import type { TensorInfo } from "gguf-wasm/explain";
import type { PlacedTensor } from "../../summary/architecture/model-source.ts";

export class PartTensors {
  readonly #left: Map<string, PlacedTensor[]>;
  /** The tensors of one block, which stand for those of the others. */
  readonly #sample: readonly PlacedTensor[];
  /** The number of blocks. */
  readonly times: number;

  /** `blocks` are the tensors of each block. */
  constructor(blocks: readonly (readonly PlacedTensor[])[]) {
    this.#left = new Map();
    for (const placed of blocks.flat()) {
      const { base } = placed.place.role;
      const own = this.#left.get(base);
      if (own) own.push(placed);
      else this.#left.set(base, [placed]);
    }
    this.#sample = blocks[0] ?? [];
    this.times = blocks.length;
  }

  /** Whether a tensor with such a base name is left. */
  has(bases: RegExp): boolean {
    return [...this.#left.keys()].some((base) => bases.test(base));
  }

  /** The number of base names that are left. */
  get count(): number {
    return this.#left.size;
  }

  get isEmpty(): boolean {
    return this.#left.size === 0;
  }

  /** Takes the tensors whose base names match. */
  take(bases: RegExp): TensorInfo[] {
    const taken = [...this.#left].filter(([base]) => bases.test(base));
    for (const [base] of taken) this.#left.delete(base);
    return taken.flatMap(([, placed]) => placed.map(({ tensor }) => tensor));
  }

  /** The dimensions of a weight in one block. Undefined without such a tensor of several dimensions. */
  dimensions(bases: RegExp): readonly number[] | undefined {
    return this.#sample.find(({ tensor, place }) => bases.test(place.role.base) && tensor.dimensions.length > 1)?.tensor
      .dimensions;
  }

  /** What people call the tensors with such a base name. */
  titleOf(bases: RegExp): string | undefined {
    return this.#sample.find(({ place }) => bases.test(place.role.base))?.place.role.title;
  }
}

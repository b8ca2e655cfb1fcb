/** The part of a header that has arrived. */

import type { ArrivedEntry, HeaderPart, OpenProgress, TensorInfo } from "gguf-wasm/explain";
import { fileTypeNames } from "virtual:file-types";
import { fileTypeId } from "../gguf/allowed-values.ts";
import type { Arrival } from "../gguf/arrival.ts";
import { namedFacts } from "../gguf/named-facts.ts";
import type { ReaderGguf } from "../gguf/reader.ts";
import type { StoredHeader } from "../summary/facts.ts";

/** A header as the page shows it before the panels are there. */
export interface EarlyHeader extends StoredHeader {
  readonly entries: readonly ArrivedEntry[];
  readonly arrival: Arrival;
}

/** The facts that need the main module, which is not there yet. */
const UNEXPLAINED = {
  classification: undefined,
  fileType: undefined,
  suggestFileName: () => undefined,
  specialTokens: () => [],
};

/** Collects the parts of a header. */
export class ArrivingHeader {
  readonly #fileName: string;
  readonly #isShard: boolean;
  readonly #entries: ArrivedEntry[] = [];
  readonly #tensors: TensorInfo[] = [];
  readonly #keys = new Set<string>();
  readonly #metadata = new Map<string, Exclude<ArrivedEntry["value"], undefined>>();

  /** `isShard`: the header is that of one shard of a set, so the other headers are still to come. */
  constructor(fileName: string, isShard: boolean) {
    this.#fileName = fileName;
    this.#isShard = isShard;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  add({ entries, tensors }: HeaderPart): void {
    for (const entry of entries) {
      const { key, value } = entry;
      this.#entries.push(entry);
      // The first of several entries with one key counts, even if it is an array.
      if (value !== undefined && !this.#keys.has(key)) this.#metadata.set(key, value);
      this.#keys.add(key);
    }
    for (const tensor of tensors) this.#tensors.push(tensor);
  }

  /** The number of tensors in all shards, as each shard declares it. A broken file may declare anything. */
  get #tensorsOfSet(): number | undefined {
    const count = this.#metadata.get("split.tensors.count");
    return Number.isSafeInteger(count) && Number(count) >= Math.max(1, this.#tensors.length)
      ? Number(count)
      : undefined;
  }

  /** The entries of the model. Only the first shard has them, and it names the architecture. */
  #metadataCount({ metadataCount }: Partial<OpenProgress>): number | undefined {
    return this.#isShard && !this.#keys.has("general.architecture") ? undefined : metadataCount;
  }

  /** What has arrived so far. `missing` stands in place of facts that have not. */
  header(progress: Partial<OpenProgress>, fileSize: number | undefined, missing: string): EarlyHeader {
    const metadataCount = this.#metadataCount(progress);
    const tensorCount = this.#isShard ? this.#tensorsOfSet : progress.tensorCount;
    const [entries, tensors] = [this.#entries, this.#tensors];
    const hasAllMetadata = entries.length === metadataCount;
    const hasAllTensors = hasAllMetadata && tensors.length === tensorCount;
    return {
      ...UNEXPLAINED,
      metadata: this.#metadata,
      entries,
      tensors,
      // The size of a set follows from all its shards.
      fileSize: this.#isShard ? undefined : fileSize,
      parameterCount: hasAllTensors ? tensors.reduce((sum, { elementCount = 0 }) => sum + elementCount, 0) : 0,
      arrival: {
        missing,
        metadataCount,
        tensorCount,
        isWhole: false,
        hasAllMetadata,
        hasAllTensors,
        named: namedFacts(this.#fileName),
        fileType: declaredType(this.#metadata),
        arrayLength: (key) => entries.find((entry) => entry.key === key)?.length,
      },
      // These follow from the whole header.
      version: 0,
      byteOrder: "",
      alignment: 0,
      headerSize: undefined,
      dataOffset: undefined,
      requiredSize: undefined,
      extent: () => undefined,
    };
  }
}

/** A whole header without the facts that need the main module. */
export function wholeHeader(gguf: ReaderGguf, fileName: string): EarlyHeader {
  const { metadata, tensors, entries, version, byteOrder, alignment, parameterCount } = gguf;
  const { fileSize, headerSize, dataOffset, requiredSize } = gguf;
  return {
    ...UNEXPLAINED,
    metadata,
    tensors,
    entries: entries as readonly ArrivedEntry[],
    version,
    byteOrder,
    alignment,
    parameterCount,
    fileSize,
    headerSize,
    dataOffset,
    requiredSize,
    extent: (tensor) => gguf.extent(tensor),
    arrival: {
      missing: "",
      metadataCount: entries.length,
      tensorCount: tensors.length,
      isWhole: true,
      hasAllMetadata: true,
      hasAllTensors: true,
      named: namedFacts(fileName),
      fileType: declaredType(metadata),
      arrayLength: (key) => entries.find((entry) => entry.key === key)?.length,
    },
  };
}

/** The name of the file type that the metadata declares. `fileTypeName` finds it with the main module. */
function declaredType(metadata: ReadonlyMap<string, unknown>): string | undefined {
  const id = metadata.get("general.file_type");
  if (typeof id === "string" && id !== "") return id;
  return typeof id === "number" ? fileTypeNames[String(fileTypeId(id))] : undefined;
}

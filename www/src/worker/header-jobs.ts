/** What is computed of large headers in a worker. */

import type { Tokenizer } from "gguf-wasm/explain";
import type { GgufSet, OriginalTensor } from "gguf-wasm/full";
import { listingOriginals } from "gguf-wasm/common/originals.js";
import { filePrograms } from "gguf-wasm/common/programs.js";
import { errorFrom, type Failure } from "../gguf/failure.ts";
import { type HeaderFacts, headerFacts } from "../gguf/shown-file.ts";
import { checksOf, type FileChecksResult } from "./checks-of-file.ts";
import { checksOfSet } from "./checks-of-set.ts";
import { exportGroups } from "./export-files.ts";
import { FULL, openFullHeader } from "./full-module.ts";
import type { HeaderFile } from "./header-source.ts";
import { openHeader } from "./open-header.ts";
import { madeTokenizer, type MadeTokenizer, type TokenizerCall, TOKENIZER_CALLS } from "./tokenizer-calls.ts";

/** A shard of a set: its header, or why there is none. */
export interface ShardHeader {
  readonly name: string;
  readonly url: string | undefined;
  readonly file: HeaderFile | undefined;
  readonly failure: Failure | undefined;
}

/** A file to check. */
export interface FileToCheck extends HeaderFile {
  readonly fileName: string;
  /** Whether the findings have fixes. */
  readonly withFixes: boolean;
}

/** The checks of a file, and the facts that need its whole header. */
export interface CheckedHeader extends FileChecksResult {
  readonly facts: HeaderFacts;
}

/** The tokenizer of the worker, once it is made. */
let tokenizer: Tokenizer | undefined;

async function openSet(shards: readonly ShardHeader[]): Promise<GgufSet> {
  FULL.give(shards.find(({ file }) => file)?.file?.modules?.full);
  const { GgufSet } = await FULL.load();
  const opened = await Promise.all(
    shards.map(async ({ name, url, file, failure }, at) => ({
      number: at + 1,
      name,
      ...(url === undefined ? {} : { url }),
      ...(file && { gguf: await openFullHeader(file) }),
      ...(failure && { error: errorFrom(failure) as never }),
    })),
  );
  return GgufSet.from({ shards: opened });
}

export const HEADER_JOBS = {
  /** Checks a file. The name is "" if it is not known. Only `gguf-wasm/full` makes fixes. */
  async check({ fileName, withFixes, ...file }: FileToCheck): Promise<CheckedHeader> {
    const gguf = await (withFixes ? openFullHeader(file) : openHeader(file));
    return { ...checksOf(gguf, fileName, filePrograms(gguf)), facts: headerFacts(gguf) };
  },

  /** Checks a set of shards. */
  async checkSet({ shards }: { readonly shards: readonly ShardHeader[] }) {
    return checksOfSet(await openSet(shards));
  },

  /** Writes the export that has a title. */
  async export({
    title,
    fileName,
    originals,
    ...file
  }: HeaderFile & {
    readonly title: string;
    readonly fileName: string;
    readonly originals: readonly OriginalTensor[] | undefined;
  }) {
    const gguf = await openFullHeader(file);
    if (originals) Object.assign(gguf, listingOriginals(gguf, originals));
    const kind = exportGroups(gguf.metadata)
      .flat()
      .find((known) => known.title === title);
    if (!kind) throw new Error(`the worker has no export “${title}”`);
    return new Blob([kind.write(gguf, fileName)], { type: kind.type });
  },

  /** Makes the tokenizer that the worker has from then on. */
  async makeTokenizer(file: HeaderFile): Promise<MadeTokenizer> {
    const gguf = await openHeader(file);
    const made = madeTokenizer(gguf);
    gguf.free();
    if ("problem" in made) return made;
    tokenizer = made.tokenizer;
    return made.facts;
  },

  /** Calls the tokenizer. */
  tokenizer({ name, request }: TokenizerCall) {
    if (!tokenizer) throw new Error("the worker has no tokenizer");
    return TOKENIZER_CALLS[name](tokenizer, request as never);
  },
};

export type HeaderJobs = typeof HEADER_JOBS;

/** What the name of a file declares, for the time until its header is read. The main module has all rules: `parseFileName`. */

export interface NamedFacts {
  /** The name without its ending and its encoding: `Meta-Llama-3.1-8B-Instruct`. */
  readonly title: string;
  /** The size label: `8B`, `8x7B`. */
  readonly sizeLabel: string | undefined;
  /** The encoding: `Q4_K_M`. */
  readonly encoding: string | undefined;
}

/** The most characters of a name that is read. */
const LONGEST_NAME = 400;

const ENDING = /(?:-\d{5}-of-\d{5})?\.gguf$/i;
const ENCODING = /[-._]((?:UD-)?(?:I?Q|TQ)\d(?:_[0-9A-Z]+)*|BF16|F(?:16|32|64)|MXFP4(?:_MOE)?|NVFP4)$/i;
/** A number of parameters. `4k` in lower case is a context. */
const SIZE_LABEL = /[-._]((?:\d+x)?\d+(?:\.\d+)?(?:[BMTbmt]|[KQ]))(?=[-._]|$)/;

/** The parts of a name that name a size or an encoding. `fileName` may be that of a shard, or "". */
export function namedFacts(fileName: string): NamedFacts {
  const whole = fileName.length > LONGEST_NAME ? fileName : fileName.replace(ENDING, "");
  const encoding = ENCODING.exec(whole);
  const title = encoding === null ? whole : whole.slice(0, encoding.index);
  return {
    title,
    sizeLabel: SIZE_LABEL.exec(title)?.[1],
    encoding: encoding?.[1],
  };
}

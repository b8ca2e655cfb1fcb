/**
 * The choices of the memory panel, which a link to the page contains. The machine of the person is not one of them (`machine.ts`), but a link,
 * or the page around an element, may say another context or memory.
 */

import { formatShortText, parseShortText, type StateField } from "../ui/state-field.ts";

/** The types that the programs of llama.cpp accept for keys and values, widest first. */
export const CACHE_TYPES = ["F32", "F16", "BF16", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0", "IQ4_NL"] as const;
export type CacheType = (typeof CACHE_TYPES)[number];

/** The sizes of a micro-batch, in tokens. */
export const MICRO_BATCHES = [32, 64, 128, 256, 512, 1024, 2048, 4096] as const;

/** The largest values that the panel accepts. */
export const MOST = {
  /** llama.cpp counts the tokens of a context in 32 bits. */
  context: 2 ** 32 - 1,
  /** `LLAMA_MAX_SEQ` of llama.cpp. */
  sequences: 256,
  card: 1_000_000,
} as const;

/** An absent member has its default. */
export interface MemoryState {
  /** The context of all sequences together, in tokens. Absent: the one that the person wants. */
  context?: number | undefined;
  /** The type of the keys. Absent: F16. */
  keys?: CacheType | undefined;
  /** The type of the values. Absent: F16. */
  values?: CacheType | undefined;
  /** The number of sequences. Absent: 1. */
  sequences?: number | undefined;
  /** Whether the sequences share one cache. */
  unified?: boolean | undefined;
  /** The number of layers on the GPU; the output counts as one more. Absent: all. */
  layers?: number | undefined;
  /** The number of layers whose experts stay on the CPU. Absent: 0. */
  experts?: number | undefined;
  /** The number of tokens that are computed at once. Absent: 512. */
  microBatch?: number | undefined;
  /** Whether flash attention is off. */
  noFlash?: boolean | undefined;
  /** Whether layers with a window have a cache for the whole context. */
  fullWindow?: boolean | undefined;
  /** The shares of the layers for each of several cards. Absent: as much as is free on each. */
  split?: readonly number[] | undefined;
  /** The memory of the card, in GiB. Absent: that of the person's machine. */
  card?: number | undefined;
  /** Whether GPU and CPU share one memory. Absent: whether those of the person's machine do. */
  shared?: boolean | undefined;
  /** The address of a file that is loaded beside the model. */
  second?: string | undefined;
}

/** The members with numbers and types have these values if they are absent. */
export const DEFAULTS = { keys: "F16", values: "F16", sequences: 1, experts: 0, microBatch: 512 } as const;

/** In the order of the fields. */
const MEMBERS = [
  "context",
  "keys",
  "values",
  "sequences",
  "unified",
  "layers",
  "experts",
  "microBatch",
  "noFlash",
  "fullWindow",
  "split",
  "card",
  "shared",
  "second",
] as const satisfies readonly (keyof MemoryState)[];

/** The choices without members that have their default, in the order of the fields. Equal choices are equal as JSON. */
export function withoutDefaults(state: MemoryState): MemoryState {
  const given: Record<string, unknown> = {};
  for (const name of MEMBERS) {
    const value = state[name];
    const isDefault = name in DEFAULTS && DEFAULTS[name as keyof typeof DEFAULTS] === value;
    if (value !== undefined && value !== false && !isDefault) given[name] = value;
  }
  return given;
}

const number = (name: string, member: keyof MemoryState, parse: StateField<MemoryState>["parse"]) => ({
  name,
  format: (state: MemoryState) => String(withoutDefaults(state)[member] ?? ""),
  parse,
});

const whole = (name: string, member: keyof MemoryState, least: number, most: number): StateField<MemoryState> =>
  number(name, member, (encoded) => {
    const value = /^\d{1,10}$/.test(encoded) ? Number(encoded) : NaN;
    return value >= least && value <= most ? { [member]: value } : undefined;
  });

const type = (name: string, member: "keys" | "values"): StateField<MemoryState> => ({
  name,
  format: (state) => withoutDefaults(state)[member]?.toLowerCase() ?? "",
  parse: (encoded) => {
    const found = CACHE_TYPES.find((known) => known === encoded.toUpperCase());
    return found && { [member]: found };
  },
});

const flag = (
  name: string,
  member: "unified" | "noFlash" | "fullWindow" | "shared",
  text = "1",
): StateField<MemoryState> => ({
  name,
  format: (state) => (state[member] ? text : ""),
  parse: (encoded) => (encoded === text ? { [member]: true } : undefined),
});

export const MEMORY_STATE_FIELDS: readonly StateField<MemoryState>[] = [
  whole("context", "context", 1, MOST.context),
  type("keys", "keys"),
  type("values", "values"),
  whole("sequences", "sequences", 1, MOST.sequences),
  flag("unified", "unified"),
  whole("layers", "layers", 0, MOST.context),
  whole("experts", "experts", 0, MOST.context),
  number("ubatch", "microBatch", (encoded) => {
    const microBatch = MICRO_BATCHES.find((size) => String(size) === encoded);
    return microBatch && { microBatch };
  }),
  flag("flash", "noFlash", "off"),
  flag("window", "fullWindow", "full"),
  {
    name: "split",
    format: ({ split }) => split?.join("-") ?? "",
    parse: (encoded) =>
      /^\d{1,5}(\.\d{1,3})?(-\d{1,5}(\.\d{1,3})?){1,7}$/.test(encoded)
        ? { split: encoded.split("-").map(Number) }
        : undefined,
  },
  number("card", "card", (encoded) => {
    const card = /^\d{1,7}(\.\d{1,3})?$/.test(encoded) ? Number(encoded) : 0;
    return card > 0 && card <= MOST.card ? { card } : undefined;
  }),
  flag("shared", "shared"),
  {
    name: "second",
    format: ({ second }) => formatShortText(second),
    parse: (encoded) => ({ second: parseShortText(encoded) }),
  },
];

/** The parts of an estimate on each device, and whether they fit. */

import type { MemoryDevice, MemoryEstimate, MemoryRange } from "gguf-wasm/explain";
import { formatBinaryBytes, formatCapacity } from "../ui/numbers.ts";
import type { Machine } from "./machine.ts";
import { memoryBytes, usableBytes } from "./room.ts";

/** The parts of a device's memory, in the order of the bar. */
export const PARTS = [
  { name: "weights", title: "Weights" },
  { name: "cache", title: "KV cache" },
  { name: "state", title: "Recurrent state" },
  { name: "output", title: "Output buffer" },
  { name: "compute", title: "Compute buffer" },
] as const;

export type Part = (typeof PARTS)[number]["name"];

/** The memory that a model takes on a device. */
export interface DeviceMemory {
  readonly name: string;
  /** The parts, in bytes. Parts that are not known are 0. */
  readonly parts: Readonly<Record<Part, MemoryRange>>;
  /** The known parts together. */
  readonly total: MemoryRange;
  /** The memory of the device, in bytes. Undefined if nobody has told it. */
  readonly capacity: number | undefined;
  /** The bytes of it that a model may take. */
  readonly usable: number | undefined;
}

/** The parts that are not known. */
export function unknownParts({ devices }: Pick<MemoryEstimate, "devices">): Part[] {
  return PARTS.flatMap(({ name }) => (devices.some((device) => device[name] === undefined) ? [name] : []));
}

/** The devices of an estimate on a machine: each card and the CPU, or one memory for both. */
export function deviceMemories(
  { devices, together }: Pick<MemoryEstimate, "devices" | "together">,
  { cards, main, shared = false }: Machine,
): DeviceMemory[] {
  return (shared ? [together] : devices).map((device, at) => {
    const size = device.name === "CPU" ? main : cards?.[at];
    const [capacity, usable] = size === undefined ? [] : [memoryBytes(size), usableBytes(size)];
    return { name: device.name, parts: partsOf(device), total: device.known, capacity, usable };
  });
}

/** The length of the bars' common scale in bytes: the most memory that a device has or takes. */
export function scaleOf(devices: readonly DeviceMemory[]): number {
  return Math.max(0, ...devices.map(lengthOf));
}

/** The bytes that the bar of a device shows: what it has, or what it takes if that is more. */
export function lengthOf({ capacity = 0, total }: DeviceMemory): number {
  return Math.max(capacity, total.high);
}

/** The parts of a device. Unknown parts are 0, and `unknownParts` names them. */
function partsOf({ weights, cache, state, output, compute }: MemoryDevice): DeviceMemory["parts"] {
  const exactly = (bytes = 0) => ({ low: bytes, high: bytes });
  return {
    weights: exactly(weights),
    cache: exactly(cache),
    state: exactly(state),
    output: exactly(output),
    compute: compute ?? exactly(),
  };
}

/** Two sizes as text: "1.20 to 1.35 GiB". `beside` is a larger size whose unit they have. */
export function formatRange({ low, high }: MemoryRange, beside = high): string {
  const [from, to] = [formatBinaryBytes(low, beside), formatBinaryBytes(high, beside)];
  if (from === to) return to;
  const [number, unit] = from.split(" ");
  return to.endsWith(` ${unit}`) ? `${number} to ${to}` : `${from} to ${to}`;
}

/** A title within a sentence: an abbreviation stays in capitals. */
function inSentence(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title.toLowerCase() : title;
}

/** Whether a model fits into the memory of a device. */
export interface Verdict {
  /** `open`: nobody has told the memory of the device, or a part is not known. */
  readonly fit: "fits" | "tight" | "over" | "open";
  readonly text: string;
}

/** The verdicts, the worst first. */
const WORST = ["over", "tight", "open", "fits"] as const;

/** The verdict of the card that has the least room. `unknownParts` are those of all devices. */
export function worstVerdict(devices: readonly DeviceMemory[], unknownParts: readonly Part[]): Verdict | undefined {
  const verdicts = devices
    .filter(({ name }) => name !== "CPU")
    .map((device) => ({ device, verdict: verdictOf(device, unknownParts) }));
  const [worst] = verdicts.sort((a, b) => WORST.indexOf(a.verdict.fit) - WORST.indexOf(b.verdict.fit));
  if (worst === undefined || verdicts.length === 1) return worst?.verdict;
  return { ...worst.verdict, text: `${worst.device.name}: ${worst.verdict.text}` };
}

/**
 * Says whether a model fits, with the figures that decide it. `unknownParts` are those of all devices. `beside` is the largest size of all
 * devices: all texts have its unit.
 */
export function verdictOf(
  { total, capacity, usable = 0, name }: DeviceMemory,
  unknownParts: readonly Part[],
  beside = capacity ?? total.high,
): Verdict {
  const isMain = name === "CPU";
  // The output buffer is in the memory of the CPU.
  const unknown = isMain || name === "GPU and CPU" ? unknownParts : unknownParts.filter((part) => part !== "output");
  const takes = formatRange(total, beside);
  const atLeast = `at least ${formatBinaryBytes(total.low, beside)}`;
  if (capacity === undefined) {
    const place = isMain ? "main memory" : name === "GPU" ? "GPU memory" : "memory";
    const open = (text: string) => ({ fit: "open", text }) as const;
    if (unknown.length > 0) return open(total.low === 0 ? "Not known." : `Takes ${atLeast} of ${place}.`);
    if (total.high === 0) return open(isMain ? "Takes no memory." : `Nothing is on the ${name}.`);
    return open(`Takes ${takes} of ${place}.`);
  }
  const has = formatCapacity(capacity);
  const reserve = usable < capacity ? `, of which ${formatCapacity(capacity - usable)} is left free` : "";
  if (total.low > usable) {
    const isExact = unknown.length === 0 && total.low === total.high;
    const excess = `${isExact ? "" : "at least "}${formatBinaryBytes(total.low - usable, beside)}`;
    return {
      fit: "over",
      text: `Does not fit: takes ${unknown.length > 0 ? atLeast : takes} of ${has}${reserve}: ${excess} too much.`,
    };
  }
  if (unknown.length > 0) {
    const titles = PARTS.filter((part) => unknown.includes(part.name)).map(({ title }) => inSentence(title));
    const listed = new Intl.ListFormat("en", { type: "conjunction" }).format(titles);
    return {
      fit: "open",
      text: `Not known whether it fits: takes ${atLeast} of ${has}, without ${listed}.`,
    };
  }
  if (total.high > usable) return { fit: "tight", text: `May not fit: takes ${takes} of ${has}${reserve}.` };
  if (total.high === 0) return { fit: "fits", text: `Nothing is on the ${name}.` };
  const free = formatBinaryBytes(capacity - total.high, beside);
  return { fit: "fits", text: `Fits: takes ${takes} of ${has}, and leaves ${free} free.` };
}

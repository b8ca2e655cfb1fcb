/** Which file of a repository is likely the best for the user. */

import type { RepositoryFile } from "gguf-wasm/full";
import { type Machine, machineWords, USUAL_MAIN } from "../memory/machine.ts";
import { usableTogether } from "../memory/room.ts";
import { formatInteger } from "../ui/numbers.ts";
import type { Bits } from "./bits.ts";
import { isModel } from "./file-list.ts";
import { fits, neededBytes } from "./fits.ts";

/** The likely best file, and why. */
export interface Choice {
  /** Undefined if none fits. */
  readonly file: RepositoryFile | undefined;
  /** Why, in one sentence or two. */
  readonly reason: string;
}

/**
 * The quantization that most people use, its bits per weight for Llama 3.1 8B (llama.cpp, `tools/quantize/README.md`), and those of the type
 * that most of its tensors have.
 */
const USUAL = { name: "Q4_K_M", bits: 4.89, ofType: 4.5 };
/** Files with more bits per weight are not quantized. They are larger, but answer hardly better than Q8_0 with its 8.5 bits. */
const MOST_BITS = 9.2;

/** A file with its bits per weight. */
interface Candidate {
  readonly file: RepositoryFile;
  readonly bits: Bits | undefined;
}

/** The files of one model of which one is chosen. */
interface Candidates {
  /** The quantized ones. All if none is known to be quantized. */
  readonly files: readonly Candidate[];
  readonly areQuantized: boolean;
  /** The sentence about files that are all not quantized; "" for others. */
  readonly note: string;
}

/**
 * The largest quantization that fits the cards of `machine`, else the one that is closest to the usual one. Undefined if there is nothing to
 * choose: fewer than two whole files of one model, or several models.
 */
export function chooseFile(
  files: readonly RepositoryFile[],
  machine: Machine,
  bitsOf: (file: RepositoryFile) => Bits | undefined,
): Choice | undefined {
  const whole = files.filter((file) => isModel(file) && file.shards?.present === file.shards?.count);
  const sameModel = largestGroup(whole);
  // A repository with many models has no best file.
  if (sameModel.length < 2 || 2 * sameModel.length <= whole.length) return undefined;
  const all = sameModel.map((file) => ({ file, bits: bitsOf(file) }));
  const candidates = candidatesOf(all);
  return machine.cards === undefined ? usualChoice(candidates) : machineChoice(candidates, machine);
}

function candidatesOf(all: readonly Candidate[]): Candidates {
  const quantized = all.filter(({ bits }) => bits !== undefined && bits.value <= MOST_BITS);
  if (quantized.length > 0) return { files: quantized, areQuantized: true, note: "" };
  const areKnown = all.every(({ bits }) => bits !== undefined);
  return { files: all, areQuantized: false, note: areKnown ? " No file is quantized." : "" };
}

function usualChoice({ files, note }: Candidates): Choice | undefined {
  const file = closestToUsual(files);
  if (file === undefined) return undefined;
  const what = file.encoding === USUAL.name ? "The" : `The closest to ${USUAL.name}, the`;
  return {
    file,
    reason: `${what} usual balance of size and quality.${note} Choose your GPU memory for the largest that fits.`,
  };
}

function machineChoice({ files, areQuantized, note }: Candidates, machine: Machine): Choice {
  const { cards = [], main, shared } = machine;
  const mainSize = main ?? USUAL_MAIN;
  const ofMain = `${formatInteger(mainSize)} GB of main memory`;
  const ownMain = main === undefined ? `${ofMain} (assumed)` : `your ${ofMain}`;
  const hasCards = cards.length > 0;
  const own = hasCards ? `your ${machineWords(machine) ?? ""} of ${shared ? "memory" : "GPU memory"}` : ownMain;
  const fitting = files.filter(({ file }) => fits(file.size, machine)).sort((a, b) => b.file.size - a.file.size);
  const [largest] = fitting;
  if (largest)
    return {
      file: largest.file,
      reason: `The largest ${areQuantized ? "quantization" : "file"} that fits ${own}.${note}`,
    };
  const isSplit = hasCards && !shared;
  const room = usableTogether(machine) + usableTogether({ cards: [], main: mainSize });
  const split = isSplit ? closestToUsual(files.filter(({ file }) => neededBytes(file.size) <= room)) : undefined;
  if (split)
    return {
      file: split,
      reason: `No file fits ${own}. This one runs with a part of it in ${ownMain}, which is slower.${note}`,
    };
  const most = isSplit ? `${own} and ${ownMain}` : own;
  return { file: undefined, reason: `No file fits ${most}. Look for a smaller model.` };
}

/** The file with the usual quantization, else the one whose bits per weight are closest to it. */
function closestToUsual(candidates: readonly Candidate[]): RepositoryFile | undefined {
  const distance = ({ file, bits }: Candidate) => {
    if (file.encoding === USUAL.name) return -1;
    return bits === undefined
      ? Infinity
      : Math.abs(bits.value - (bits.ofType === undefined ? USUAL.bits : USUAL.ofType));
  };
  const [closest] = [...candidates].sort((a, b) => distance(a) - distance(b) || a.file.size - b.file.size);
  return closest && distance(closest) < Infinity ? closest.file : undefined;
}

/** The files of the model that has the most files. */
function largestGroup(files: readonly RepositoryFile[]): RepositoryFile[] {
  const groups = new Map<string, RepositoryFile[]>();
  for (const file of files) {
    const name = modelName(file);
    const group = groups.get(name);
    if (group) group.push(file);
    else groups.set(name, [file]);
  }
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

/** Words in file names that say how a file was quantized, beside its encoding. */
const QUANTIZER_WORDS: ReadonlySet<string> = new Set(["gguf", "i1", "imat", "imatrix", "ud", ""]);

/** The name of the model in the name of its file: without the encoding, the number of the shard and the words of quantizers. */
export function modelName({ name, encoding }: Pick<RepositoryFile, "name" | "encoding">): string {
  const file = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  const base = file.replace(/\.gguf$/, "").replace(/-\d{5}-of-\d{5}$/, "");
  const at = encoding === undefined ? -1 : base.lastIndexOf(encoding.toLowerCase());
  const rest = at < 0 ? base : `${base.slice(0, at)}-${base.slice(at + (encoding ?? "").length)}`;
  return rest
    .split(/[-._\s]+/)
    .filter((word) => !QUANTIZER_WORDS.has(word))
    .join("-");
}

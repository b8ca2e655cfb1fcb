// Which programs load a file, and whether it is for other programs than llama.cpp.

/** @import { Classification, Gguf, ProgramAnswer, Programs } from "gguf-wasm/explain" */

/**
 * @typedef {object} OtherPrograms
 * @property {readonly ProgramAnswer[] | undefined} others The programs that the file is for, if llama.cpp does not load it and is not meant to.
 *
 * @typedef {Programs & OtherPrograms} FilePrograms
 */

/** The programs of image models. They also take language models of llama.cpp, as text encoders. */
const OF_IMAGE_MODELS = ["ComfyUI-GGUF", "stable-diffusion.cpp"];

/** The kinds of files that are for programs of image models only. */
const IMAGE_KINDS = ["image-diffusion", "vae", "text-encoder"];

/**
 * Which programs load a file.
 *
 * @param {Pick<Gguf, "kind" | "programs">} gguf
 * @returns {FilePrograms}
 */
export function filePrograms(gguf) {
  const { sentence, programs } = gguf.programs();
  return { sentence, programs, others: otherPrograms(gguf.kind, programs) };
}

/**
 * Which programs load a set of shards. `undefined` for an image model: its programs load no shards.
 *
 * @param {Parameters<typeof filePrograms>[0]} merged The set as one file.
 */
export const setPrograms = (merged) => (IMAGE_KINDS.includes(merged.kind) ? undefined : filePrograms(merged));

/**
 * Which programs load a file after editing: those that load the stored one. `undefined` if an edit has made another kind of file of it.
 *
 * @param {FilePrograms | undefined} stored
 * @param {Classification} before
 * @param {Classification | undefined} after
 */
export const editedPrograms = (stored, before, after) =>
  before.kind === after?.kind && before.family === after.family ? stored : undefined;

/**
 * The programs that a file is for, if llama.cpp does not load it and is not meant to. A shard alone is for none.
 *
 * @param {Gguf["kind"]} kind
 * @param {readonly ProgramAnswer[]} programs
 * @returns {readonly ProgramAnswer[] | undefined}
 */
export function otherPrograms(kind, programs) {
  const llamaCpp = programs.find(({ program }) => program === "llama.cpp");
  if (llamaCpp?.answer !== "no" || kind === "shard") return undefined;
  const isImage = IMAGE_KINDS.includes(kind);
  const loading = programs.filter(
    ({ program, answer }) => answer === "yes" && (isImage || !OF_IMAGE_MODELS.includes(program)),
  );
  return loading.length === 0 ? undefined : loading;
}

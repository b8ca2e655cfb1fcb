// The types of projectors, and which files are projectors.

/** @import { Gguf } from "gguf-wasm/explain" */

/** The types that convert_hf_to_gguf.py makes projectors of, without those for ternary weights, and how people are shown them. */
export const PROJECTOR_TYPES = /** @type {const} */ ([
  { type: "auto", title: "Auto: BF16 or F16, as the model" },
  { type: "f32", title: "F32" },
  { type: "f16", title: "F16" },
  { type: "bf16", title: "BF16" },
  { type: "q8_0", title: "Q8_0" },
]);

/** @typedef {(typeof PROJECTOR_TYPES)[number]["type"]} ProjectorType */

/**
 * The type of projectors that a text names. Case does not count.
 *
 * @param {string} text
 * @returns {ProjectorType | undefined}
 */
export const projectorType = (text) => PROJECTOR_TYPES.find(({ type }) => type === text.toLowerCase())?.type;

/**
 * Whether a file, or the set of the shard that it is, is a projector.
 *
 * @param {Pick<Gguf, "kind" | "classification">} gguf
 */
export const isProjector = ({ kind, classification }) => (classification.shard?.setKind ?? kind) === "mmproj";

// The types of projectors.

/** The types that convert_hf_to_gguf.py makes projectors of, without those for ternary weights. */
export const PROJECTOR_TYPES = /** @type {const} */ (["auto", "f32", "f16", "bf16", "q8_0"]);

/** @typedef {(typeof PROJECTOR_TYPES)[number]} ProjectorType */

/**
 * The type of projectors that a text names. Case does not count.
 *
 * @param {string} text
 * @returns {ProjectorType | undefined}
 */
export const projectorType = (text) => PROJECTOR_TYPES.find((type) => type === text.toLowerCase());

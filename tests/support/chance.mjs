// Pseudo-random numbers with a fixed seed, so that a test always does the same.

/** A generator of numbers from 0 to 1. The same seed gives the same numbers. @param {number} state */
export function generator(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

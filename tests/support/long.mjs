// The long forms of tests: `cargo xtask test --long`.

/** @template T @param {T} short @param {T} long @returns {T} `long` in a long run */
export const ofRun = (short, long) => (process.env.GGUF_LONG === undefined ? short : long);

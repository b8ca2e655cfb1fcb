import type { HashAlgorithm } from "gguf-wasm/full";

export const ALGORITHM_TITLES: Readonly<Record<HashAlgorithm, string>> = {
  xxh64: "XXH64",
  sha1: "SHA-1",
  sha256: "SHA-256",
  uuid: "UUID",
};

/** The algorithms in the order of a manifest. */
export const ALGORITHMS: readonly HashAlgorithm[] = ["xxh64", "sha1", "sha256", "uuid"];

/** The algorithms that each tensor has a hash of. */
export const TENSOR_ALGORITHMS = ["xxh64", "sha1", "sha256"] as const;

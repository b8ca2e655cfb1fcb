//! `createHash`: SHA-1 and SHA-256 for hosts that have no `node:crypto`, with its interface.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, TextArgument, argument_type, describe, failure};
use gguf_files::hash::{HashAlgorithm, Hasher, Hashes};

argument_type!(ShaAlgorithm: "\"sha1\" | \"sha256\"");
argument_type!(HashedBytes: "ArrayBuffer | SharedArrayBuffer | ArrayBufferView");

/// Bytes that are copied into the module's memory at once, so that they are still in the processor's cache when they are hashed.
const COPIED_BYTES: f64 = (64 << 10) as f64;

/// A SHA-1 or SHA-256 that is being computed: what `createHash` returns.
///
/// @example
/// const hash = createHash("sha256");
/// hash.update(new Uint8Array([1, 2]));
/// hash.update(new Uint8Array([3]));
/// console.log(hash.digest()); // Uint8Array(32) [ 3, 144, 88, … ]
#[wasm_bindgen]
pub struct Hash {
    hasher: Hasher,
}

/// Begins a hash, as `createHash` of `node:crypto` does. That one is several times faster where it exists.
///
/// @param algorithm - `"sha1"` or `"sha256"`.
/// @throws {GgufError} `invalid-argument` for another algorithm.
/// @example
/// const hash = createHash("sha1");
/// hash.update(new TextEncoder().encode("abc"));
/// console.log(hash.digest().length); // 20
#[wasm_bindgen(js_name = createHash)]
pub fn create_hash(algorithm: &ShaAlgorithm) -> Result<Hash, Thrown> {
    let given: &JsValue = algorithm;
    let named = given.as_string().and_then(|name| HashAlgorithm::from_name(&name));
    match named {
        Some(algorithm @ (HashAlgorithm::Sha1 | HashAlgorithm::Sha256)) => Ok(Hash { hasher: Hasher::new(algorithm) }),
        _ => Err(failure!(InvalidArgument:
            "the argument algorithm is {}, expected \"sha1\" or \"sha256\"", describe(given))),
    }
}

#[wasm_bindgen]
impl Hash {
    /// Hashes the next bytes.
    ///
    /// @throws {GgufError} `invalid-argument` if the argument is not bytes; `freed` after `digest()`.
    /// @example
    /// const hash = createHash("sha256");
    /// hash.update(await file.slice(0, 1024).arrayBuffer());
    pub fn update(&mut self, bytes: &HashedBytes) -> Result<(), Thrown> {
        let Some(bytes) = Bytes::of(bytes) else {
            return Err(failure!(InvalidArgument:
                "the argument bytes is {}, expected a Uint8Array or other bytes", describe(bytes)));
        };
        let length = bytes.byte_length();
        let mut start = 0.0;
        while start < length {
            let end = length.min(start + COPIED_BYTES);
            self.hasher.update(&bytes.subarray(start, end)?.to_vec()?);
            start = end;
        }
        Ok(())
    }

    /// The hash of all bytes: 20 bytes of SHA-1, 32 bytes of SHA-256. It also frees the object, which cannot be used any more.
    ///
    /// @throws {GgufError} `freed` if it was called before.
    /// @example
    /// const digest = createHash("sha256").digest();
    /// console.log(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")); // "e3b0c442…"
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn digest(self) -> Result<JsValue, Thrown> {
        let mut hashes = Hashes::default();
        self.hasher.finish(&mut hashes);
        let digest = hashes.sha1.as_ref().map(|bytes| &bytes[..]);
        let digest = digest.or(hashes.sha256.as_ref().map(|bytes| &bytes[..])).unwrap_or_default();
        Ok(Bytes::copy_of(digest)?.into())
    }
}

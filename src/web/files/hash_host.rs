//! The hash functions of the host: `node:crypto` of Node.js, Deno and Bun, which use the processor's instructions for SHA.

use alloc::vec::Vec;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::files::hash::{DataHashes, HashAlgorithm, Hashes, UUID_NAMESPACE};
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::failed_with;
use crate::web::interop::objects::{AnyObject, as_object};

#[wasm_bindgen]
extern "C" {
    /// A `Hash` of `node:crypto`.
    type NodeHash;
    #[wasm_bindgen(method, catch)]
    fn update(this: &NodeHash, bytes: &Bytes) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn digest(this: &NodeHash) -> Result<JsValue, JsValue>;
}

/// The module `node:crypto`.
#[derive(Clone)]
pub(super) struct HostCrypto {
    module: JsValue,
    create_hash: Function,
}

impl HostCrypto {
    /// The module, if the host has it. Browsers do not.
    pub fn find() -> Option<Self> {
        let global: JsValue = js_sys::global().into();
        let process = as_object(&global)?.get("process").ok()?;
        let get_builtin_module = as_object(&process)?.function("getBuiltinModule").ok()??;
        let module = get_builtin_module.call1(&process, &"node:crypto".into()).ok()?;
        let create_hash = as_object(&module)?.function("createHash").ok()??;
        Some(Self { module, create_hash })
    }

    /// Begins a hash. `None` if the host does not have the algorithm: some hosts have no SHA-1.
    pub fn hasher(&self, algorithm: HashAlgorithm) -> Option<HostHasher> {
        let name = match algorithm {
            HashAlgorithm::Xxh64 => return None,
            HashAlgorithm::Sha1 | HashAlgorithm::Uuid => "sha1",
            HashAlgorithm::Sha256 => "sha256",
        };
        self.begin(name, algorithm).ok()
    }

    fn begin(&self, name: &str, algorithm: HashAlgorithm) -> Result<HostHasher, JsValue> {
        let hash = self.create_hash.call1(&self.module, &name.into())?.unchecked_into::<NodeHash>();
        let members: &AnyObject = hash.unchecked_ref();
        // A host that only pretends to have the module is not used.
        for method in ["update", "digest"] {
            members.function(method)?.ok_or(JsValue::UNDEFINED)?;
        }
        if algorithm == HashAlgorithm::Uuid {
            hash.update(&Bytes::copy_of(&UUID_NAMESPACE)?)?;
        }
        Ok(HostHasher { algorithm, hash })
    }
}

/// The hash of one stream of bytes, which the host computes.
pub(super) struct HostHasher {
    algorithm: HashAlgorithm,
    hash: NodeHash,
}

impl HostHasher {
    /// Hashes the next bytes of the stream, which are not copied into the module's memory.
    pub fn update(&mut self, bytes: &Bytes) -> Result<(), JsValue> {
        self.hash.update(bytes).map(drop).map_err(|error| refused(&error))
    }

    /// Ends the hash, and sets it in `hashes`.
    pub fn finish(self, hashes: &mut Hashes) -> Result<(), JsValue> {
        let digest = self.hash.digest().map_err(|error| refused(&error))?;
        let digest = Bytes::of(&digest).ok_or_else(|| refused(&digest))?.to_vec()?;
        hashes.set_digest(self.algorithm, &digest);
        Ok(())
    }
}

#[cold]
fn refused(cause: &JsValue) -> JsValue {
    failed_with(ErrorCode::ReadFailed, "the data could not be hashed by the host's node:crypto", cause)
}

/// The hashes of tensors that the host computes: as `TensorDataHasher`, but the bytes stay in JavaScript's memory.
pub(super) struct HostDataHasher {
    crypto: HostCrypto,
    /// The hashes over all tensors.
    whole: Vec<HostHasher>,
    /// The hashes of the current tensor.
    current: Vec<HostHasher>,
    /// The hashes of the tensors that have ended.
    tensors: Vec<Hashes>,
}

impl HostDataHasher {
    /// Begins with the first tensor. Of the algorithms, those that the host computes are removed.
    pub fn new(crypto: HostCrypto, algorithms: &mut Vec<HashAlgorithm>, tensors: bool) -> Self {
        let mut hasher = Self { crypto, whole: Vec::new(), current: Vec::new(), tensors: Vec::new() };
        algorithms.retain(|algorithm| {
            let Some(whole) = hasher.crypto.hasher(*algorithm) else { return true };
            let current = match tensors && algorithm.is_of_tensors() {
                true => hasher.crypto.hasher(*algorithm).map(Some),
                false => Some(None),
            };
            let Some(current) = current else { return true };
            hasher.whole.push(whole);
            hasher.current.extend(current);
            false
        });
        hasher
    }

    /// How many hashes are computed at once.
    pub fn count(&self) -> usize {
        self.whole.len() + self.current.len()
    }

    /// Hashes the next bytes of the current tensor.
    pub fn update(&mut self, bytes: &Bytes) -> Result<(), JsValue> {
        self.whole.iter_mut().chain(&mut self.current).try_for_each(|hasher| hasher.update(bytes))
    }

    /// Ends the current tensor, and begins the next one.
    pub fn end_tensor(&mut self) -> Result<(), JsValue> {
        let mut hashes = Hashes::default();
        for hasher in &mut self.current {
            let next = self.crypto.hasher(hasher.algorithm).ok_or_else(|| refused(&"no further hash".into()))?;
            core::mem::replace(hasher, next).finish(&mut hashes)?;
        }
        self.tensors.push(hashes);
        Ok(())
    }

    /// Adds the hashes to those that the module has computed.
    pub fn finish(self, hashes: &mut DataHashes) -> Result<(), JsValue> {
        for hasher in self.whole {
            hasher.finish(&mut hashes.data)?;
        }
        for ((_, hashes), computed) in hashes.tensors.iter_mut().zip(self.tensors) {
            hashes.sha1 = hashes.sha1.or(computed.sha1);
            hashes.sha256 = hashes.sha256.or(computed.sha256);
        }
        Ok(())
    }
}

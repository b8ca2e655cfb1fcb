//! Where SHA-1 and SHA-256 are computed: by `node:crypto` of Node.js, Deno and Bun, which uses the processor's instructions, or by
//! the module `gguf-wasm/sha`, which has the same interface and is loaded for the first such hash.

use alloc::{boxed::Box, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AnyObject, Bytes, Function, as_object, called, failed_with};
use gguf_files::hash::{self, HashAlgorithm, HashRequest, UUID_NAMESPACE, WORK_OF_SHA};
use gguf_format::error::{ErrorCode, Result as CoreResult};

#[wasm_bindgen]
extern "C" {
    /// A `Hash` of `node:crypto` or of `gguf-wasm/sha`.
    type NodeHash;
    #[wasm_bindgen(method, catch)]
    fn update(this: &NodeHash, bytes: &Bytes) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn digest(this: &NodeHash) -> Result<JsValue, Thrown>;
}

#[wasm_bindgen(raw_module = "glue/loaded-modules.js")]
extern "C" {
    /// The module `gguf-wasm/sha`, once it has started.
    #[wasm_bindgen(catch, js_name = loadSha)]
    fn load_sha() -> Result<JsValue, Thrown>;
}

/// A module that has `createHash`.
pub(super) struct HostCrypto {
    module: JsValue,
    create_hash: Function,
    /// The work of hashing a byte.
    work: u64,
}

impl HostCrypto {
    /// What computes the hashes of a request; `None` if it needs no SHA. A host that cannot begin one of them computes none: some
    /// have no SHA-1, and others only pretend to have the module.
    ///
    /// # Errors
    ///
    /// `network` if `gguf-wasm/sha` cannot be loaded.
    pub async fn of(request: &HashRequest) -> Result<Option<Self>, Thrown> {
        let sha256 = request.file.then_some(HashAlgorithm::Sha256);
        let wanted = || request.algorithms.iter().copied().chain(sha256).filter(|algorithm| name(*algorithm).is_some());
        if wanted().next().is_none() {
            return Ok(None);
        }
        if let Some(host) = Self::find() {
            if wanted().all(|algorithm| host.hasher(algorithm).is_some()) {
                return Ok(Some(host));
            }
        }
        Ok(Self::in_module(called(load_sha()).await?, WORK_OF_SHA))
    }

    /// `node:crypto`, if the host has it. Browsers do not.
    fn find() -> Option<Self> {
        let global: JsValue = js_sys::global().into();
        let process = as_object(&global)?.get("process").ok()?;
        let get_builtin_module = as_object(&process)?.function("getBuiltinModule").ok()??;
        Self::in_module(get_builtin_module.call1(&process, &"node:crypto".into()).ok()?, 1)
    }

    fn in_module(module: JsValue, work: u64) -> Option<Self> {
        let create_hash = as_object(&module)?.function("createHash").ok()??;
        Some(Self { module, create_hash, work })
    }

    /// Begins a hash. `None` if the module does not have the algorithm.
    pub fn hasher(&self, algorithm: HashAlgorithm) -> Option<Box<dyn hash::HostHasher<Bytes>>> {
        Some(Box::new(self.begin(name(algorithm)?, algorithm).ok()?))
    }

    fn begin(&self, name: &str, algorithm: HashAlgorithm) -> Result<HostHasher, Thrown> {
        let hash = self.create_hash.call1(&self.module, &name.into())?.unchecked_into::<NodeHash>();
        let members: &AnyObject = hash.unchecked_ref();
        for method in ["update", "digest"] {
            members.function(method)?.ok_or(JsValue::UNDEFINED)?;
        }
        if algorithm == HashAlgorithm::Uuid {
            hash.update(&Bytes::copy_of(&UUID_NAMESPACE)?)?;
        }
        Ok(HostHasher { hash, work: self.work })
    }
}

/// The name of the hash function of an algorithm. `None` for XXH64, which only this module computes.
const fn name(algorithm: HashAlgorithm) -> Option<&'static str> {
    match algorithm {
        HashAlgorithm::Sha1 | HashAlgorithm::Uuid => Some("sha1"),
        HashAlgorithm::Sha256 => Some("sha256"),
        _ => None,
    }
}

/// The hash of one stream of bytes, which the host or the other module computes.
struct HostHasher {
    hash: NodeHash,
    work: u64,
}

impl hash::HostHasher<Bytes> for HostHasher {
    fn update(&mut self, bytes: &Bytes) -> CoreResult<()> {
        Ok(self.hash.update(bytes).map(drop).map_err(|error| refused(&error))?)
    }

    fn finish(self: Box<Self>) -> CoreResult<Vec<u8>> {
        let digest = self.hash.digest().map_err(|error| refused(&error))?;
        Ok(Bytes::of(&digest).ok_or_else(|| refused(&digest))?.to_vec()?)
    }

    fn work(&self) -> u64 {
        self.work
    }
}

#[cold]
fn refused(cause: &JsValue) -> Thrown {
    failed_with(ErrorCode::ReadFailed, "the data could not be hashed by createHash of the host", cause)
}

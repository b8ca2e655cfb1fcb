//! The hash functions of the host: `node:crypto` of Node.js, Deno and Bun, which use the processor's instructions for SHA.

use alloc::{boxed::Box, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AnyObject, Bytes, Function, as_object, failed_with};
use gguf_files::hash::{self, HashAlgorithm, UUID_NAMESPACE};
use gguf_format::error::{ErrorCode, Result as CoreResult};

#[wasm_bindgen]
extern "C" {
    /// A `Hash` of `node:crypto`.
    type NodeHash;
    #[wasm_bindgen(method, catch)]
    fn update(this: &NodeHash, bytes: &Bytes) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn digest(this: &NodeHash) -> Result<JsValue, Thrown>;
}

/// The module `node:crypto`.
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
    pub fn hasher(&self, algorithm: HashAlgorithm) -> Option<Box<dyn hash::HostHasher<Bytes>>> {
        let name = match algorithm {
            HashAlgorithm::Sha1 | HashAlgorithm::Uuid => "sha1",
            HashAlgorithm::Sha256 => "sha256",
            _ => return None,
        };
        Some(Box::new(self.begin(name, algorithm).ok()?))
    }

    fn begin(&self, name: &str, algorithm: HashAlgorithm) -> Result<HostHasher, Thrown> {
        let hash = self.create_hash.call1(&self.module, &name.into())?.unchecked_into::<NodeHash>();
        let members: &AnyObject = hash.unchecked_ref();
        // A host that only pretends to have the module is not used.
        for method in ["update", "digest"] {
            members.function(method)?.ok_or(JsValue::UNDEFINED)?;
        }
        if algorithm == HashAlgorithm::Uuid {
            hash.update(&Bytes::copy_of(&UUID_NAMESPACE)?)?;
        }
        Ok(HostHasher(hash))
    }
}

/// The hash of one stream of bytes, which the host computes.
struct HostHasher(NodeHash);

impl hash::HostHasher<Bytes> for HostHasher {
    fn update(&mut self, bytes: &Bytes) -> CoreResult<()> {
        Ok(self.0.update(bytes).map(drop).map_err(|error| refused(&error))?)
    }

    fn finish(self: Box<Self>) -> CoreResult<Vec<u8>> {
        let digest = self.0.digest().map_err(|error| refused(&error))?;
        Ok(Bytes::of(&digest).ok_or_else(|| refused(&digest))?.to_vec()?)
    }
}

#[cold]
fn refused(cause: &JsValue) -> Thrown {
    failed_with(ErrorCode::ReadFailed, "the data could not be hashed by the host's node:crypto", cause)
}

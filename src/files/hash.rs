//! `Gguf.hash` and `Hashes`.

use alloc::{string::String, vec::Vec};
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::files::hash_host::HostCrypto;
use crate::files::manifest;
use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, JsArray, Options, ProgressOptions, Promise, TextArgument, abortable, declare_types, describe,
    elements, failure, frozen_list, is_array, options, refused_option, short_text, to_js, whole_text,
};
use crate::reader::gguf::Gguf;
use crate::reader::progress::on_progress;
use gguf_files::hash::{
    DataHashTexts, DataHashes, FileHashes, HashAlgorithm, HashRequest, Hashes as Computed, TensorHashTexts, hash_file,
};

options! {
    /// What `Gguf.hash` computes.
    pub interface HashOptions extends AbortOptions, ProgressOptions<"ReadProgress"> as progress fills request: HashRequest {
        /// The algorithms that hash the data of the tensors; `["xxh64"]` by default. `[]` is allowed with `file: true`.
        algorithms?: "readonly HashAlgorithm[]" -> request.algorithms: Vec<HashAlgorithm>, by algorithms;
        /// Whether each tensor gets hashes of its own, besides those over the data of all tensors. Default: true.
        tensors?: "boolean" -> request.tensors: bool;
        /// Whether SHA-256 of the whole file is computed too: the number that model hubs show. Default: false.
        file?: "boolean" -> request.file: bool;
    }
}

declare_types!(HashAlgorithm, DataHashTexts, TensorHashTexts);

/// The hashes of a file. They cover the data of the tensors, not the metadata, the names or the padding. So a file keeps its
/// hashes when its metadata is edited.
///
/// @example
/// const hashes = await gguf.hash({ algorithms: ["sha256"] });
/// console.log(hashes.data.sha256, hashes.tensors[0]); // "e576…" { name: "output.weight", sha256: "fa07…" }
#[wasm_bindgen]
pub struct Hashes {
    computed: DataHashes,
    /// Whether each tensor was hashed by itself.
    has_tensors: bool,
    file_sha256: Option<String>,
    /// The objects of the getters. Each is made when a caller first asks for it.
    data: OnceCell<JsValue>,
    tensors: OnceCell<JsArray>,
}

#[wasm_bindgen]
impl Gguf {
    /// Hashes the data of the tensors, and with `file: true` the whole file. The file is read part by part in constant memory: one
    /// time, or two times if the whole file is hashed and the data does not lie in the order of the tensor list. In Node.js, Deno
    /// and Bun, `node:crypto` computes SHA-1 and SHA-256. Elsewhere, the first call that asks for one of them, or for a UUID, loads
    /// the module `gguf-wasm/sha`.
    ///
    /// The data of a tensor whose type is unknown is its `extent`, padding included.
    ///
    /// @throws {GgufError} `truncated` if the file ends before the data of a tensor, before anything is read; `size-unknown`;
    /// `invalid-argument`; `network` if `gguf-wasm/sha` cannot be loaded; or the error of reading the source.
    /// @example
    /// const hashes = await gguf.hash({ algorithms: ["sha256"], file: true });
    /// console.log(hashes.fileSha256 === expected);
    #[wasm_bindgen(unchecked_return_type = "Promise<Hashes>")]
    pub fn hash(&self, options: Option<HashOptions>) -> Promise {
        let (state, options) = (self.state(), Options::new(options));
        abortable(options.clone(), async move {
            let file = state?.file.clone();
            let given = HashOptions::read(&options)?;
            let (mut request, on_progress) = (given.request, on_progress(given.progress));
            if request.algorithms.is_empty() && !request.file {
                return Err(failure!(InvalidArgument:
                    "options.algorithms is empty, so nothing would be hashed: name an algorithm, or set file: true"));
            }
            request.tensors &= !request.algorithms.is_empty();
            let has_tensors = request.tensors;
            let crypto = HostCrypto::of(&request).await?;
            let host = |algorithm| crypto.as_ref()?.hasher(algorithm);
            let FileHashes { data: computed, file_sha256: sha256 } =
                hash_file(&file, &request, &host, on_progress.as_deref()).await?;
            let file_sha256 = Computed { sha256, ..Computed::default() }.text(HashAlgorithm::Sha256);
            let (data, tensors) = Default::default();
            Ok(Hashes { computed, has_tensors, file_sha256, data, tensors }.into())
        })
    }
}

/// An option that is an array of names of algorithms.
fn algorithms(options: &Options, name: &str) -> Result<Option<Vec<HashAlgorithm>>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let expected = || format!("an array of \"{}\"", HashAlgorithm::NAMES.join("\", \""));
    if !is_array(&given) {
        return Err(refused_option(name, &given, &expected()));
    }
    let algorithm = |given: &JsValue| {
        given.as_string().and_then(|given| HashAlgorithm::from_name(&given)).ok_or_else(
            || failure!(InvalidArgument: "options.{name} contains {}, expected {}", describe(given), expected()),
        )
    };
    elements(&given)?.iter().map(algorithm).collect::<Result<_, _>>().map(Some)
}

#[wasm_bindgen]
impl Hashes {
    /// The hashes over the data of all tensors, one tensor after the other in the order of the file's list. The object is made
    /// once, and is frozen.
    #[wasm_bindgen(getter, unchecked_return_type = "DataHashSet")]
    pub fn data(&self) -> JsValue {
        self.data.get_or_init(|| to_js(&self.computed.data.texts())).clone()
    }

    /// The hashes of each tensor, in the order of the file's list; empty with `tensors: false`. The list is made once, and is
    /// frozen.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly TensorHashes[]")]
    pub fn tensors(&self) -> JsArray {
        let make = || {
            let tensors = self.computed.tensor_texts().filter(|_| self.has_tensors);
            frozen_list(tensors.map(|tensor| to_js(&tensor)).collect())
        };
        self.tensors.get_or_init(make).clone()
    }

    /// SHA-256 of the whole file, as 64 hexadecimal digits: what the Hugging Face Hub calls `lfs.oid`. `undefined` without
    /// `file: true`.
    #[wasm_bindgen(getter, js_name = fileSha256)]
    pub fn file_sha256(&self) -> Option<String> {
        self.file_sha256.clone()
    }

    /// The hashes of the tensors in the text format of llama.cpp's `gguf-hash`, which both can check. The lines name the file as
    /// given. If that name or the name of a tensor has a line break, the line begins with `\` and has `\n` or `\r` in its place,
    /// and `\\` for a backslash; `gguf-hash` ignores such lines.
    ///
    /// @throws {GgufError} `invalid-argument`.
    /// @example
    /// const hashes = await gguf.hash({ algorithms: ["xxh64", "sha256"] });
    /// await writeFile("model.gguf.manifest", hashes.manifest("model.gguf"));
    pub fn manifest(&self, #[wasm_bindgen(js_name = fileName)] file_name: TextArgument) -> Result<String, Thrown> {
        Ok(self.computed.manifest(&short_text("fileName", &file_name)?))
    }

    /// Compares the hashes with a manifest of `gguf-hash`. The strongest algorithm that is in the manifest and was computed is
    /// compared. The name of the file in the manifest is not, because a file can be renamed. With `tensors: false`, only the
    /// hash over all data is compared.
    ///
    /// @throws {GgufError} `bad-manifest` if the text has no line with a known hash; `invalid-argument` if no algorithm of the
    /// manifest was computed: see `manifestAlgorithms`.
    /// @example
    /// const [strongest] = manifestAlgorithms(text);
    /// const { result, lines } = (await gguf.hash({ algorithms: [strongest] })).check(text);
    /// const damaged = lines.filter(({ result }) => result === "mismatch").map(({ tensor }) => tensor);
    #[wasm_bindgen(unchecked_return_type = "ManifestCheck")]
    pub fn check(&self, manifest: TextArgument) -> Result<JsValue, Thrown> {
        let check = self.computed.check(&whole_text("manifest", &manifest)?);
        check.map(|check| to_js(&check)).map_err(|error| manifest::refused(&error))
    }
}

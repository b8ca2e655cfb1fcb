//! `Gguf.toNpy` and `NpyFile`.

use alloc::string::String;
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, Object, Options, options};
use crate::reader::gguf::Gguf;
use crate::reader::tensor_info::{self, TensorOrName};
use crate::source::gguf_source::Source;
use crate::write::chunk_stream::{self, MadeChunks, WriteOptions};
use gguf_files::export::npy_file;

options! {
    /// What an `.npy` file contains.
    pub interface NpyOptions {
        /// `"values"` by default: the elements. F32, F64 and integers keep their types, all others become `f32`s with the bits that
        /// ggml's C code computes. `"stored"`: the bytes as stored, as gguf-py gives them: plain numbers, or rows of bytes with the
        /// blocks of other types.
        r#as?: bool of ["values" => false, "stored" => true];
    }
}

/// A tensor as a file of NumPy's format `.npy`. It is made while it is streamed, in constant memory.
///
/// @example
/// const npy = gguf.toNpy("output.weight");
/// await npy.stream().pipeTo(writable); // numpy.load("output.weight.npy")
#[wasm_bindgen]
pub struct NpyFile {
    file: npy_file::NpyFile<Source>,
    /// The object of the getter.
    shape: OnceCell<JsArray>,
}

#[wasm_bindgen]
impl Gguf {
    /// A tensor as a file of NumPy's format `.npy`. Nothing is read before the file is streamed. Its shape is the reverse of the
    /// tensor's `dimensions`, because NumPy names the slowest dimension first.
    ///
    /// @throws {GgufError} `unknown-tensor`; `unknown-type` if the elements of the type are not known: use `as: "stored"`;
    /// `unexpected-eof` if the file ends before the data of the tensor; `size-unknown`, `too-large` or `invalid-argument`.
    /// @example
    /// const npy = gguf.toNpy("blk.0.attn_q.weight");
    /// console.log(npy.dtype, npy.shape, npy.size); // "<f4" [4096, 4096] 67108992
    /// await npy.stream({ onProgress }).pipeTo(await handle.createWritable());
    #[wasm_bindgen(js_name = toNpy)]
    pub fn to_npy(&self, tensor: TensorOrName, options: Option<NpyOptions>) -> Result<NpyFile, Thrown> {
        let file = self.state()?.file.clone();
        let tensor = tensor_info::find(&file.header, &tensor)?;
        let is_stored = NpyOptions::take(options)?.r#as;
        let file = npy_file::NpyFile::new(file.file.clone(), &tensor, is_stored)?;
        Ok(NpyFile { file, shape: OnceCell::new() })
    }
}

#[wasm_bindgen]
impl NpyFile {
    /// The size of the file in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.file.size() as f64
    }

    /// NumPy's name of the type of the elements: `"<f4"`.
    #[wasm_bindgen(getter)]
    pub fn dtype(&self) -> String {
        self.file.array().dtype.clone()
    }

    /// The extents, slowest first. The list is made once, and is frozen.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly number[]")]
    pub fn shape(&self) -> JsArray {
        let make = || {
            let shape: JsArray = self.file.array().shape.iter().map(|extent| JsValue::from(*extent as f64)).collect();
            Object::freeze(&shape);
            shape
        };
        self.shape.get_or_init(make).clone()
    }

    /// The bytes of the file. The tensor is read part by part while the stream is read.
    ///
    /// @throws {GgufError} The stream fails with what reading fails with, or with the signal's reason.
    /// @example
    /// const bytes = await new Response(npy.stream()).arrayBuffer(); // of a small tensor
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<WriteOptions>) -> Result<JsValue, Thrown> {
        let chunks = MadeChunks::new(self.file.chunks()?);
        Ok(chunk_stream::stream(chunks, Options::new(options), 0.0, self.file.size())?.into())
    }
}

//! `Imatrix`: an opened importance matrix.

use alloc::{rc::Rc, string::String, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, Options, Promise, abortable, argument_type, options};
use crate::source::gguf_source::{GgufSource, Source};
use crate::source::http::RequestOptions;
use crate::source::receiver::{Receiver, received};
use crate::source::source_name::name_of;
use gguf_convert::requantize as core;

options! {
    /// How an importance matrix is opened.
    pub interface ImatrixOptions extends AbortOptions, RequestOptions {
        /// The name of the file: converted models contain it as `quantize.imatrix.file`. By default the name of the `File`, or the
        /// last part of the URL or path.
        file_name?: "string" => String;
    }
}

argument_type!(ImatrixSource: "GgufSource | Imatrix");

/// An importance matrix: how much errors in each column of the model's tensors count, as `llama-imatrix` measures it.
///
/// @example
/// import { openImatrix } from "gguf-wasm/convert";
///
/// const imatrix = await openImatrix(imatrixFile);
/// console.log(imatrix.tensorNames.length, imatrix.datasets);
#[wasm_bindgen]
pub struct Imatrix(Rc<core::Imatrix>);

#[wasm_bindgen]
impl Imatrix {
    /// The name of the file, which converted models contain.
    #[wasm_bindgen(getter, js_name = fileName)]
    pub fn file_name(&self) -> String {
        self.0.file_name().into()
    }

    /// The names of the tensors that the matrix has values for, in byte order.
    #[wasm_bindgen(getter, js_name = tensorNames)]
    pub fn tensor_names(&self) -> Vec<String> {
        self.0.names().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// The names of the texts that were measured with.
    #[wasm_bindgen(getter)]
    pub fn datasets(&self) -> Vec<String> {
        self.0.datasets().to_vec()
    }

    /// The number of chunks of text that were measured with. `undefined` if the file does not say it.
    #[wasm_bindgen(getter, js_name = chunkCount)]
    pub fn chunk_count(&self) -> Option<u32> {
        self.0.chunk_count()
    }

    /// Tells a function of this module which matrix this is.
    #[wasm_bindgen(js_name = _giveTo, skip_typescript)]
    pub fn give_to(&self, receiver: &Receiver) {
        receiver.receive(self.0.clone());
    }
}

/// Opens an importance matrix in the GGUF form or in the older binary form. The file is read once to check its numbers; it is not
/// kept in memory, and its parts are read again when tensors are converted.
///
/// @throws {GgufError} `bad-imatrix` with the offset, `invalid-argument`, or what reading the source fails with.
/// @example
/// const imatrix = await openImatrix("https://example.com/model.imatrix.gguf");
/// const plan = await requantize(gguf, { type: "IQ2_XS", imatrix });
#[wasm_bindgen(js_name = openImatrix, unchecked_return_type = "Promise<Imatrix>")]
pub fn open_imatrix(source: GgufSource, options: Option<ImatrixOptions>) -> Promise {
    let options = Options::new(options);
    abortable(options.clone(), async move {
        let name = ImatrixOptions::read(&options)?.file_name;
        Ok(Imatrix(opened(source.into(), name, &options).await?).into())
    })
}

/// An importance matrix that a caller gives as an option.
pub(super) async fn given(given: JsValue, file_name: Option<String>) -> Result<Rc<core::Imatrix>, Thrown> {
    match received(&given)?.and_then(|received| received.downcast::<core::Imatrix>().ok()) {
        Some(imatrix) => Ok(imatrix),
        None => opened(given, file_name, &Options::default()).await,
    }
}

async fn opened(given: JsValue, file_name: Option<String>, options: &Options) -> Result<Rc<core::Imatrix>, Thrown> {
    let name = match file_name {
        Some(name) => name,
        None => name_of(&given)?,
    };
    let source = Source::new(given, options).await?;
    Ok(Rc::new(core::Imatrix::open(source, &name).await?))
}

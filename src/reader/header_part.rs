//! The option `onHeader`: passes the entries and tensors of a header to a function as they arrive.

use alloc::boxed::Box;
use core::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Function, Js, JsArray, ProgressOptions, TextDecoder, Values, plain_object, to_js, utf8_decoder};
use crate::reader::array::scalar_to_js;
use crate::reader::listing::entry_list;
use crate::reader::{progress, tensor_info};
use gguf_format::format::header::Header;
use gguf_format::format::value::Value;
use gguf_format::io::{HeaderProgress, OnHeaderProgress};

/// The most bytes of a string that is passed while the header arrives. A name has tens, a chat template has some thousands.
const LONGEST_STRING: u64 = 1 << 20;

plain_object! {
    /// The entries and tensors of a header that have been read since the last call of `onHeader`. Each is passed once, in file
    /// order.
    pub(crate) struct HeaderPart {
        #[typescript("readonly ArrivedEntry[]")]
        pub entries: Js<JsArray>,
        /// Until the header is complete, it is not known where the data begins, and `fileOffset` is `undefined`.
        #[typescript("readonly TensorInfo[]")]
        pub tensors: Js<JsArray>,
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * An entry of a header that is still read. The value of an array, and of a string of more than 1 MiB, is `undefined`: it is not copied.
 */
export interface ArrivedEntry extends Omit<MetadataEntry, "value"> {
  readonly value?: Exclude<MetadataValue, MetadataArray> | undefined;
}
"#;

/// Passes each entry and tensor to a function once.
struct PartPasser {
    function: Function,
    decoder: TextDecoder,
    /// The numbers of items that have been passed.
    entries: Cell<usize>,
    tensors: Cell<usize>,
}

impl PartPasser {
    fn new(function: Function) -> Self {
        Self { function, decoder: utf8_decoder(), entries: Cell::new(0), tensors: Cell::new(0) }
    }

    fn pass(&self, header: &Header) -> Result<(), Thrown> {
        let (entries, tensors) = (header.metadata().len(), header.tensors().len());
        let (passed_entries, passed_tensors) = (self.entries.get(), self.tensors.get());
        // If a broken response is read again from its start, no item is passed again.
        if entries <= passed_entries && tensors <= passed_tensors {
            return Ok(());
        }
        self.entries.set(entries);
        self.tensors.set(tensors);
        let value = |value: Value<'_>| match value {
            Value::String(text) if text.byte_length() > LONGEST_STRING => Ok(JsValue::UNDEFINED),
            value => scalar_to_js(&self.decoder, value),
        };
        let part = HeaderPart {
            entries: Js(entry_list(header, &self.decoder, passed_entries, &value)?),
            tensors: Js(tensor_info::list(header, &self.decoder, passed_tensors)?),
        };
        self.function.call1(&JsValue::UNDEFINED, &to_js(&part))?;
        Ok(())
    }
}

/// Passes what has been read of the header to `on_part`, and then tells `on_progress` how far it has been read.
pub(crate) fn on_header(on_progress: Values<ProgressOptions>, on_part: Option<Function>) -> Option<OnHeaderProgress> {
    let on_progress = progress::on_progress::<HeaderProgress>(on_progress);
    let passer = on_part.map(PartPasser::new);
    if on_progress.is_none() && passer.is_none() {
        return None;
    }
    Some(Box::new(move |progress, header| {
        if let Some(passer) = &passer {
            passer.pass(header)?;
        }
        on_progress.as_ref().map_or(Ok(()), |on_progress| on_progress(progress))
    }))
}

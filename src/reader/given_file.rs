//! The models that a caller passes: a `Gguf`, or a `GgufSet`.

use alloc::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{argument_type, as_object, describe, failure};
use crate::reader::gguf::Gguf;
use crate::reader::opened_file::OpenedFile;
use crate::source::receiver::{Receiver, received};

argument_type!(GgufOrSet: "Gguf | GgufSet");

#[wasm_bindgen]
impl Gguf {
    /// Tells a function of this module which file this is. For a `GgufSet`, it is the merged file.
    #[wasm_bindgen(js_name = _giveTo, skip_typescript)]
    pub fn give_to(&self, receiver: &Receiver) -> Result<(), Thrown> {
        receiver.receive(self.state()?.file.clone());
        Ok(())
    }
}

/// The file that is passed as the argument `argument`.
///
/// # Errors
///
/// `invalid-argument`, `other-module`, `freed`.
pub(crate) fn given_file(argument: &str, given: &JsValue) -> Result<Rc<OpenedFile>, Thrown> {
    if let Some(received) = received(given)? {
        return received.downcast::<OpenedFile>().map_err(|_| {
            failure!(InvalidArgument:
                "the argument {argument} is an EditPlan, expected a Gguf or a GgufSet: pass Gguf.open(plan)")
        });
    }
    let is_of_package =
        as_object(given).is_some_and(|given| given.get("__wbg_ptr").is_ok_and(|pointer| pointer.is_truthy()));
    if is_of_package {
        return Err(failure!(OtherModule:
            "the argument {argument} is not a Gguf or a GgufSet of this module: if it belongs to another module or \
             copy of gguf-wasm, open the file with the module that you pass it to"));
    }
    Err(failure!(InvalidArgument: "the argument {argument} is {}, expected a Gguf or a GgufSet", describe(given)))
}

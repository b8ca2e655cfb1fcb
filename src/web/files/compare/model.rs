//! The models that a caller passes: a `Gguf`, or a `GgufSet`.

use alloc::format;
use alloc::rc::Rc;
use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::web::edit::edit_plan::EditPlan;
use crate::web::edit::planned_file::PlannedFile;
use crate::web::interop::describe::describe;
use crate::web::interop::error::failure;
use crate::web::interop::objects::as_object;
use crate::web::reader::gguf::Gguf;
use crate::web::reader::opened_file::OpenedFile;

/// What an object of this module gives to a [`FileReceiver`].
enum Received {
    File(Rc<OpenedFile>),
    Plan(Rc<PlannedFile>),
}

/// An object that JavaScript passes to a `Gguf`, a `GgufSet` or an `EditPlan`. JavaScript cannot make one, so only a real object
/// of this module fills it.
#[wasm_bindgen(skip_typescript)]
pub struct FileReceiver(Rc<RefCell<Option<Received>>>);

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Gguf | GgufSet")]
    pub type GgufOrSet;

    /// An object that can be of this module.
    type MaybeGiver;
    #[wasm_bindgen(method, catch, js_name = _giveTo)]
    fn give_to(this: &MaybeGiver, receiver: FileReceiver) -> Result<(), JsValue>;
}

#[wasm_bindgen]
impl Gguf {
    /// Tells a function of this module which file this is. For a `GgufSet`, it is the merged file.
    #[wasm_bindgen(js_name = _giveTo, skip_typescript)]
    pub fn give_to(&self, receiver: &FileReceiver) -> Result<(), JsValue> {
        receiver.0.replace(Some(Received::File(self.state()?.file.clone())));
        Ok(())
    }
}

#[wasm_bindgen]
impl EditPlan {
    /// Tells a function of this module which plan this is.
    #[wasm_bindgen(js_name = _giveTo, skip_typescript)]
    pub fn give_to(&self, receiver: &FileReceiver) {
        receiver.0.replace(Some(Received::Plan(self.file().clone())));
    }
}

/// What an object gives. `None` for an object that is none of this module.
fn received(given: &JsValue) -> Result<Option<Received>, JsValue> {
    let is_candidate = as_object(given).is_some_and(|given| matches!(given.function("_giveTo"), Ok(Some(_))));
    if !is_candidate {
        return Ok(None);
    }
    let place = Rc::new(RefCell::new(None));
    given.unchecked_ref::<MaybeGiver>().give_to(FileReceiver(place.clone()))?;
    Ok(place.take())
}

/// The file that is passed as the argument `argument`.
///
/// # Errors
///
/// `invalid-argument`, `other-module`, `freed`.
pub(super) fn file(argument: &str, given: &JsValue) -> Result<Rc<OpenedFile>, JsValue> {
    match received(given)? {
        Some(Received::File(file)) => return Ok(file),
        Some(Received::Plan(_)) => {
            let message =
                format!("the argument {argument} is an EditPlan, expected a Gguf or a GgufSet: pass Gguf.open(plan)");
            return Err(failure(ErrorCode::InvalidArgument, &message));
        }
        None => {}
    }
    let is_of_package =
        as_object(given).is_some_and(|given| given.get("__wbg_ptr").is_ok_and(|pointer| pointer.is_truthy()));
    if is_of_package {
        let message = format!(
            "the argument {argument} is not a Gguf or a GgufSet of this module: if it belongs to another module or copy of \
             gguf-wasm, open the file with the module that you pass it to"
        );
        return Err(failure(ErrorCode::OtherModule, &message));
    }
    let message = format!("the argument {argument} is {}, expected a Gguf or a GgufSet", describe(given));
    Err(failure(ErrorCode::InvalidArgument, &message))
}

/// The plan, if a source is one of this module.
pub(super) fn plan(source: &JsValue) -> Option<Rc<PlannedFile>> {
    match received(source) {
        Ok(Some(Received::Plan(plan))) => Some(plan),
        _ => None,
    }
}

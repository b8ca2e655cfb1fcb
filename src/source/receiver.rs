//! How functions of this module learn which object of this module a caller has passed.

use alloc::rc::Rc;
use core::any::Any;
use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::interop::as_object;
use crate::interop::thrown::Thrown;

/// What an object of this module stands for.
pub(crate) type Received = Rc<dyn Any>;

/// An object that JavaScript passes to the hidden method `_giveTo` of an object of the package. JavaScript cannot make one, so
/// only a real object of this module fills it.
#[wasm_bindgen(skip_typescript)]
pub struct Receiver(Rc<RefCell<Option<Received>>>);

#[wasm_bindgen]
extern "C" {
    /// An object that can be of this module.
    type MaybeGiver;
    #[wasm_bindgen(method, catch, js_name = _giveTo)]
    fn give_to(this: &MaybeGiver, receiver: Receiver) -> Result<(), Thrown>;
}

impl Receiver {
    pub(crate) fn receive(&self, received: Received) {
        self.0.replace(Some(received));
    }
}

/// What an object stands for. `None` for an object that is none of this module.
pub(crate) fn received(given: &JsValue) -> Result<Option<Received>, Thrown> {
    let is_candidate = as_object(given).is_some_and(|given| matches!(given.function("_giveTo"), Ok(Some(_))));
    if !is_candidate {
        return Ok(None);
    }
    let place = Rc::new(RefCell::new(None));
    given.unchecked_ref::<MaybeGiver>().give_to(Receiver(place.clone()))?;
    Ok(place.take())
}

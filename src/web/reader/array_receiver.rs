//! How an editor learns which array of which header a `MetadataArray` is, without copying its elements to JavaScript.

use alloc::rc::Rc;
use core::cell::RefCell;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::web::reader::file::File;

/// The header, and the bytes of the array in it.
type Received = Rc<RefCell<Option<(Rc<File>, Range<u64>)>>>;

/// An object that JavaScript passes to a `MetadataArray`. JavaScript cannot make one, so only a real `MetadataArray` of
/// this module fills it.
#[wasm_bindgen(skip_typescript)]
pub struct ArrayReceiver(Received);

impl ArrayReceiver {
    /// An object to pass, and the place where the array appears.
    #[cfg(feature = "edit")]
    pub(crate) fn new() -> (Self, Received) {
        let received = Received::default();
        (Self(received.clone()), received)
    }

    pub(crate) fn receive(&self, file: &Rc<File>, range: Range<u64>) {
        self.0.replace(Some((file.clone(), range)));
    }
}

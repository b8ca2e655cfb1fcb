//! How an editor learns which array of which header a `MetadataArray` is, without copying its elements to JavaScript.

use alloc::rc::Rc;
use core::cell::RefCell;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::web::reader::decoded_header::DecodedHeader;

/// A stored array: the header, and the bytes of the array in it.
pub(crate) type StoredArray = (Rc<DecodedHeader>, Range<u64>);

/// The place where the array appears.
type Received = Rc<RefCell<Option<StoredArray>>>;

/// An object that JavaScript passes to a `MetadataArray`. JavaScript cannot make one, so only a real `MetadataArray` of
/// this module fills it.
#[wasm_bindgen(skip_typescript)]
pub struct ArrayReceiver(Received);

impl ArrayReceiver {
    /// A receiver, and the place where the array is stored when the receiver gets it.
    #[cfg(feature = "edit")]
    pub(crate) fn new() -> (Self, Received) {
        let received = Received::default();
        (Self(received.clone()), received)
    }

    pub(crate) fn receive(&self, header: &Rc<DecodedHeader>, range: Range<u64>) {
        self.0.replace(Some((header.clone(), range)));
    }
}

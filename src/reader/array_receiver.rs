//! How an editor learns which array of which header a `MetadataArray` is, without copying its elements to JavaScript.

use alloc::rc::Rc;
use core::cell::RefCell;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::reader::array::MetadataArray;
use crate::reader::decoded_header::DecodedHeader;

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
    pub(crate) fn new() -> (Self, Received) {
        let received = Received::default();
        (Self(received.clone()), received)
    }
}

#[wasm_bindgen]
impl MetadataArray {
    /// Tells an editor which array this is, so that the editor can copy its bytes.
    #[wasm_bindgen(js_name = _copyTo, skip_typescript)]
    pub fn copy_value_to(&self, receiver: &ArrayReceiver) -> Result<(), Thrown> {
        receiver.0.replace(Some((self.header.get()?, self.range.clone())));
        Ok(())
    }
}

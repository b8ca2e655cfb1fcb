//! The header that the arrays of an opened file share.

use alloc::rc::Rc;
use core::cell::RefCell;

use crate::interop::failure;
use crate::interop::thrown::Thrown;
use crate::reader::decoded_header::DecodedHeader;

/// A header, as all `MetadataArray`s of one `Gguf` hold it.
///
/// JavaScript can keep an array for as long as it wants, and an array needs the header. So that `free()` releases the memory
/// of the header at once, it takes the header away from all arrays. Their methods then fail with `freed`.
#[derive(Clone)]
pub(crate) struct SharedHeader(Rc<RefCell<Option<Rc<DecodedHeader>>>>);

impl SharedHeader {
    pub fn new(header: Rc<DecodedHeader>) -> Self {
        Self(Rc::new(RefCell::new(Some(header))))
    }

    /// The header, or the error `freed` after [`release`](Self::release).
    pub fn get(&self) -> Result<Rc<DecodedHeader>, Thrown> {
        self.0.borrow().clone().ok_or_else(freed)
    }

    /// Takes the header away from all arrays.
    pub fn release(&self) {
        self.0.take();
    }
}

/// The error of everything that needs a header after `free()`.
pub(crate) fn freed() -> Thrown {
    failure!(Freed:
        "the file was freed, so its header is not in memory any more: use it before free(), or open it again")
}

//! A metadata value that is in no file yet, and the conversion of values to other types.

#[doc(hidden)]
pub mod convert;
#[doc(hidden)]
pub mod number;
mod number_text;

use alloc::{sync::Arc, vec::Vec};
use core::fmt;
use core::ops::Range;

use crate::error::{Error, Result, error};
use crate::format::header::{Header, MetadataKv};
use crate::format::value::{Value, ValueType};
use crate::format::version::Format;
use crate::limits::Limits;
use crate::write::checks::nested_too_deeply;
use crate::write::encode::{Encoder, OwnedValue};

/// A metadata value that is in no file yet. It is encoded as in version 3 of the format, in little-endian order, and cheap to
/// clone.
///
/// # Examples
///
/// ```
/// use gguf_format::write::{NewValue, encode::OwnedValue};
///
/// let value = NewValue::new(&"llama".into())?;
/// assert_eq!(value.value().as_str().unwrap(), "llama");
///
/// let mixed = OwnedValue::Array { element_type: gguf_format::ValueType::Bool, elements: vec![1u8.into()] };
/// assert_eq!(NewValue::new(&mixed).unwrap_err().code(), "does-not-fit");
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone)]
pub struct NewValue(Arc<Header>);

/// The most bytes of a new value: more than the largest known header, and few enough that several copies fit in the 4 GiB of
/// a WebAssembly memory.
#[doc(hidden)]
pub const MAX_VALUE_BYTES: usize = 256 << 20;

impl NewValue {
    /// Encodes a value.
    ///
    /// # Errors
    ///
    /// `does-not-fit` if an element has not the element type of its array. `limit-exceeded` if arrays are nested more than 64
    /// levels deep, or if the value takes more than 256 MiB.
    pub fn new(value: &OwnedValue) -> Result<Self> {
        check_elements(value, Limits::default().array_depth)?;
        let mut encoder = Self::encoder(value.value_type());
        encoder.value(value);
        Self::encoded(encoder).ok_or_else(value_too_long)
    }

    /// An encoder for the value. The caller writes the value, and passes the encoder to [`encoded`](Self::encoded).
    #[doc(hidden)]
    pub fn encoder(value_type: ValueType) -> Encoder {
        let mut encoder = Encoder::with_capacity(Format::default(), MAX_VALUE_BYTES);
        encoder.key(b"", value_type.id());
        encoder
    }

    /// The value that an [`encoder`](Self::encoder) has written. `None` if it is too long.
    #[doc(hidden)]
    pub fn encoded(encoder: Encoder) -> Option<Self> {
        (!encoder.is_full()).then(|| Self(Arc::new(Header::of_entry(encoder.as_bytes()))))
    }

    /// The value.
    pub fn value(&self) -> Value<'_> {
        self.entry().value()
    }

    /// The header that stores the value as its only entry.
    #[doc(hidden)]
    pub fn header(&self) -> &Arc<Header> {
        &self.0
    }

    /// The size of the value in bytes in a file of version 2 or 3.
    #[doc(hidden)]
    pub fn byte_length(&self) -> u64 {
        let Range { start, end } = self.entry().value_range();
        end - start
    }

    /// The entry that stores the value. Its key is empty.
    pub(crate) fn entry(&self) -> MetadataKv<'_> {
        match self.0.metadata_at(0) {
            Some(entry) => entry,
            None => unreachable!("the header of a new value has one entry"),
        }
    }
}

impl PartialEq for NewValue {
    /// Whether type and bytes are equal. So a NaN is equal to itself.
    fn eq(&self, other: &Self) -> bool {
        let bytes =
            |value: &Self| value.0.bytes().pieces(value.entry().range()).flatten().copied().collect::<Vec<u8>>();
        self.byte_length() == other.byte_length() && bytes(self) == bytes(other)
    }
}

impl Eq for NewValue {}

impl fmt::Debug for NewValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

#[cold]
#[doc(hidden)]
pub fn value_too_long() -> Error {
    error!(LimitExceeded: "cannot use the value: it has more than {MAX_VALUE_BYTES} bytes, the maximum for a new value")
}

/// Checks that elements have the element types of their arrays, and that arrays are nested at most `depth` levels deep.
fn check_elements(value: &OwnedValue, depth: u64) -> Result<()> {
    let OwnedValue::Array { element_type, elements } = value else { return Ok(()) };
    if depth == 0 {
        return Err(nested_too_deeply());
    }
    for (index, element) in elements.iter().enumerate() {
        if element.value_type() != *element_type {
            let found = element.value_type();
            return Err(error!(DoesNotFit:
                "cannot encode the array: element {index} is {found}, the element type is {element_type}"));
        }
        check_elements(element, depth - 1)?;
    }
    Ok(())
}

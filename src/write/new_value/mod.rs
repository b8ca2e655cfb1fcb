//! Metadata values that are in no file yet.

pub(crate) mod number;
mod number_text;

use alloc::format;
use alloc::sync::Arc;
use core::fmt;
use core::ops::Range;

use crate::error::ErrorCode;
use crate::format::header::{Header, MetadataKv};
use crate::format::value::{Value, ValueType};
use crate::format::version::Format;
use crate::limits::Limits;
use crate::write::checks::too_deep;
use crate::write::encode::{Encoder, OwnedValue};
use crate::write::error::{EditError, Result};

/// A metadata value that is in no file yet, encoded as version 3 has it.
///
/// # Examples
///
/// ```
/// use gguf_wasm::NewValue;
/// use gguf_wasm::encode::OwnedValue;
///
/// let value = NewValue::new(&"llama".into())?;
/// assert_eq!(value.value().as_str().unwrap(), "llama");
///
/// let mixed = OwnedValue::Array { element_type: gguf_wasm::ValueType::Bool, elements: vec![1u8.into()] };
/// assert_eq!(NewValue::new(&mixed).unwrap_err().code(), "does-not-fit");
/// # Ok::<(), gguf_wasm::EditError>(())
/// ```
#[derive(Clone)]
pub struct NewValue(Arc<Header>);

/// Bytes that a new value has at most: several times a whole header's, and few enough that a module whose memory ends at
/// 4 GiB has room for what is made of them.
pub(crate) const LONGEST_VALUE: usize = 256 << 20;

impl NewValue {
    /// Encodes a value.
    ///
    /// # Errors
    ///
    /// `does-not-fit` if an element is not of its array's type, `limit-exceeded` if arrays are nested more deeply than
    /// readers follow, or if there are more than 256 MiB.
    pub fn new(value: &OwnedValue) -> Result<Self> {
        check(value, Limits::default().array_depth)?;
        let mut encoder = Self::encoder(value.value_type());
        encoder.value(value);
        Self::encoded(encoder).ok_or_else(too_long)
    }

    /// An encoder that has got as far as the value; what it then writes is for [`encoded`](Self::encoded).
    pub(crate) fn encoder(value_type: ValueType) -> Encoder {
        let mut encoder = Encoder::up_to(Format::default(), LONGEST_VALUE);
        encoder.key(b"", value_type.id());
        encoder
    }

    /// What an [`encoder`](Self::encoder) has written: `None` if it was too long.
    pub(crate) fn encoded(encoder: Encoder) -> Option<Self> {
        (!encoder.is_full()).then(|| Self(Arc::new(Header::of_entry(encoder.as_bytes()))))
    }

    /// The value.
    pub fn value(&self) -> Value<'_> {
        self.entry().value()
    }

    /// The header whose only entry has the value.
    #[cfg(feature = "web")]
    pub(crate) fn header(&self) -> &Arc<Header> {
        &self.0
    }

    /// The bytes that the value takes in a file of version 2 or 3.
    pub(crate) fn byte_length(&self) -> u64 {
        let Range { start, end } = self.entry().value_range();
        end - start
    }

    pub(crate) fn entry(&self) -> MetadataKv<'_> {
        match self.0.metadata_at(0) {
            Some(entry) => entry,
            // It has an entry.
            None => unreachable!(),
        }
    }
}

impl fmt::Debug for NewValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

#[cold]
pub(crate) fn too_long() -> EditError {
    EditError::new(ErrorCode::LimitExceeded, format!("a new value takes up to {LONGEST_VALUE} bytes"))
}

/// Whether the elements of arrays are of the arrays' types, and the arrays not too deep.
fn check(value: &OwnedValue, depth: u64) -> Result<()> {
    let OwnedValue::Array { element_type, elements } = value else { return Ok(()) };
    if depth == 0 {
        return Err(too_deep());
    }
    for (index, element) in elements.iter().enumerate() {
        if element.value_type() != *element_type {
            let message = format!("element {index} is {}, in an array of {element_type}", element.value_type());
            return Err(EditError::new(ErrorCode::DoesNotFit, message));
        }
        check(element, depth - 1)?;
    }
    Ok(())
}

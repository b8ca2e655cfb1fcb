//! The values of entries.

use super::decoder::{NOT_A_DRAFT, damaged};
use super::item::{Incomplete, Item};
use crate::error::shown::Shown;
use crate::error::{Error, Result, error};
use crate::format::value::ValueType;
use crate::limits::Limits;
use crate::write::encode::Encoder;
use crate::write::new_value::{NewValue, value_too_long};

/// The highest type of a value in the draft. 64-bit numbers came later.
const LAST_TYPE: u32 = ValueType::Array as u32;

/// The type with a number. `at` is the offset of the number.
pub(super) fn value_type(key: &[u8], id: u32, at: u64) -> Result<ValueType> {
    ValueType::from_id(id).filter(|_| id <= LAST_TYPE).ok_or_else(|| {
        error!(UnknownValueType:
            "cannot read the value of \"{}\" at offset {at:#x}: its type is {id}, expected 0 to {LAST_TYPE}. {NOT_A_DRAFT}",
            Shown(key))
        .at(at)
    })
}

/// Reads a value, of which all bytes are there: `item` ends with it.
pub(super) fn read_value(key: &[u8], value_type: ValueType, mut item: Item<'_>, limits: &Limits) -> Result<NewValue> {
    let start = item.offset();
    let mut encoder = NewValue::encoder(value_type);
    match copy_value(key, value_type, &mut item, &mut encoder, limits, limits.array_depth) {
        Ok(()) if item.rest().is_empty() => NewValue::encoded(encoder).ok_or_else(value_too_long),
        Err(Failure::Other(error)) => Err(error),
        Ok(()) | Err(Failure::TooShort) => Err(damaged(
            &format!("the value of \"{}\"", Shown(key)),
            start,
            &format!("a value of the type {value_type} does not have the length that the entry gives"),
        )),
    }
}

/// Why a value cannot be read.
enum Failure {
    /// It has more bytes than the entry says.
    TooShort,
    Other(Error),
}

impl From<Incomplete> for Failure {
    fn from(_: Incomplete) -> Self {
        Self::TooShort
    }
}

fn copy_value(
    key: &[u8],
    value_type: ValueType,
    item: &mut Item<'_>,
    encoder: &mut Encoder,
    limits: &Limits,
    depth: u64,
) -> core::result::Result<(), Failure> {
    match (value_type, value_type.size()) {
        (_, Some(size)) => {
            encoder.bytes(item.bytes(size as u32)?);
        }
        (ValueType::String, _) => {
            let length = item.u32()?;
            encoder.string(item.bytes(length)?);
        }
        _ => {
            let at = item.offset();
            let (count, element_id) = (item.u32()?, item.u32()?);
            let element_type = self::value_type(key, element_id, at + 4).map_err(Failure::Other)?;
            let most = if depth == 0 { 0 } else { limits.array_length };
            if u64::from(count) > most {
                return Err(Failure::Other(error!(LimitExceeded:
                    "cannot read the value of \"{}\" at offset {at:#x}: an array of {count} elements exceeds the limits of \
                     {} elements and {} levels of nested arrays. Raise the limits if you trust the file.",
                    Shown(key), limits.array_length, limits.array_depth).at(at)));
            }
            encoder.array(element_id, count.into());
            match element_type.size() {
                // An item has fewer bytes than 4 GiB: a longer array is not there.
                Some(size) => {
                    let length = u32::try_from(u64::from(count) * size).map_err(|_| Failure::TooShort)?;
                    encoder.bytes(item.bytes(length)?);
                }
                // Every element has bytes, so a wrong count ends with the bytes of the value.
                None => {
                    for _ in 0..count {
                        copy_value(key, element_type, item, encoder, limits, depth - 1)?;
                    }
                }
            }
        }
    }
    Ok(())
}

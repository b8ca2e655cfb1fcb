//! The values of entries.

use super::item::{Item, Read, Stop};
use super::refusal::refusal;
use gguf_format::error::{ErrorCode, Result};
use gguf_format::format::value::ValueType;
use gguf_format::limits::Limits;
use gguf_format::write::encode::Encoder;
use gguf_format::write::new_value::{NewValue, value_too_long};

/// The highest type of a value in the draft. 64-bit numbers came later.
const LAST_TYPE: u32 = ValueType::Array as u32;

/// The type with a number. `at` is the offset of the number.
pub(super) fn value_type(id: u32, at: u64) -> Result<ValueType> {
    ValueType::from_id(id)
        .filter(|_| id <= LAST_TYPE)
        .ok_or_else(|| refusal(ErrorCode::UnknownValueType, "the type of a value", at, id.into(), "0 to 9"))
}

/// Reads a value, of which all bytes are there: `item` ends with it.
pub(super) fn read_value(value_type: ValueType, mut item: Item<'_>, limits: &Limits) -> Result<NewValue> {
    let (start, length) = (item.offset(), item.rest().len() as u64);
    let mut encoder = NewValue::encoder(value_type);
    match copy_value(value_type, &mut item, &mut encoder, limits, limits.array_depth) {
        Ok(()) if item.rest().is_empty() => NewValue::encoded(encoder).ok_or_else(value_too_long),
        Err(Stop::Refused(error)) => Err(error),
        Ok(()) | Err(Stop::Incomplete(_)) => {
            Err(refusal(ErrorCode::BadStructure, "a value", start, length, "the length of a value of its type"))
        }
    }
}

fn copy_value(
    value_type: ValueType,
    item: &mut Item<'_>,
    encoder: &mut Encoder,
    limits: &Limits,
    depth: u64,
) -> Read<()> {
    match (value_type, value_type.size()) {
        (_, Some(size)) => {
            encoder.bytes(item.bytes(size)?);
        }
        (ValueType::String, _) => {
            let length = item.u32()?;
            encoder.string(item.bytes(length.into())?);
        }
        _ => {
            let at = item.offset();
            let (count, element_id) = (item.u32()?.into(), item.u32()?);
            let element_type = self::value_type(element_id, at + 4)?;
            if depth == 0 || count > limits.array_length {
                let expected = "an array within the limits of length and depth";
                return Err(refusal(ErrorCode::LimitExceeded, "an array", at, count, expected).into());
            }
            encoder.array(element_id, count);
            match element_type.size() {
                Some(size) => {
                    encoder.bytes(item.bytes(count * size)?);
                }
                // Every element has bytes, so a wrong count ends with the bytes of the value.
                None => {
                    for _ in 0..count {
                        copy_value(element_type, item, encoder, limits, depth - 1)?;
                    }
                }
            }
        }
    }
    Ok(())
}

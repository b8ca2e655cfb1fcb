//! Values as JavaScript gets them: integers of 64 bits as `bigint`s, and arrays as plain arrays.

use gguf_declare::serde::Serializer;
use gguf_declare::serde::ser::SerializeSeq;

use super::view::Value;
use gguf_declare::typescript::Type;
use gguf_declare::value::{self, Given, TypeScript};

impl TypeScript for Value<'_> {
    const TYPE: Type = Type::Named("MetadataValue");
}

impl value::Value for Value<'_> {
    fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Uint8(number) => serializer.serialize_u8(number),
            Self::Int8(number) => serializer.serialize_i8(number),
            Self::Uint16(number) => serializer.serialize_u16(number),
            Self::Int16(number) => serializer.serialize_i16(number),
            Self::Uint32(number) => serializer.serialize_u32(number),
            Self::Int32(number) => serializer.serialize_i32(number),
            Self::Float32(number) => serializer.serialize_f32(number),
            Self::Float64(number) => serializer.serialize_f64(number),
            Self::Bool(flag) => serializer.serialize_bool(flag),
            Self::Uint64(number) => serializer.serialize_u64(number),
            Self::Int64(number) => serializer.serialize_i64(number),
            Self::String(text) => serializer.serialize_str(&text.to_string_lossy()),
            Self::Array(array) => {
                let mut elements = serializer.serialize_seq(None)?;
                array.iter().try_for_each(|element| elements.serialize_element(&Given(&element)))?;
                elements.end()
            }
        }
    }
}

//! The header of a file.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::data_type::DataType;
use crate::json;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::order::sort_items;

/// The most bytes of a header. The reference implementation has the same limit.
pub(super) const MAX_HEADER_LENGTH: u64 = 100_000_000;

/// The size of the length before the header, in bytes.
pub(super) const LENGTH_BYTES: u64 = 8;

/// The name of the member that is no tensor.
const METADATA: &str = "__metadata__";

/// The header of a file.
///
/// # Examples
///
/// ```
/// use gguf_convert::safetensors::{DataType, SafetensorsHeader};
///
/// let json = br#"{"norm.weight":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}"#;
/// let file = [&(json.len() as u64).to_le_bytes()[..], json, &[0; 16]].concat();
/// let header = SafetensorsHeader::decode(&file, Some(file.len() as u64))?;
/// let tensor = &header.tensors()[0];
/// assert_eq!((&*tensor.name, tensor.data_type, &tensor.shape[..]), ("norm.weight", DataType::F32, &[4][..]));
/// assert_eq!(tensor.range, file.len() as u64 - 16..file.len() as u64);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SafetensorsHeader {
    tensors: Vec<StoredTensor>,
    metadata: Vec<(String, String)>,
    data_start: u64,
}

/// A tensor of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoredTensor {
    /// The name.
    pub name: String,
    /// The type of the elements.
    pub data_type: DataType,
    /// The number of elements in each dimension, slowest first.
    pub shape: Vec<u64>,
    /// The place of the data, in bytes from the start of the file.
    pub range: Range<u64>,
}

impl StoredTensor {
    /// The number of elements. A tensor without dimensions has one.
    pub fn element_count(&self) -> u64 {
        self.shape.iter().product()
    }
}

impl SafetensorsHeader {
    /// Decodes a header from the first bytes of a file. Reads no data.
    ///
    /// # Errors
    ///
    /// `unexpected-eof` if the bytes end before the header, `truncated` if the file ends before the data of a tensor,
    /// `limit-exceeded` if the header has more than 100,000,000 bytes. `bad-safetensors` if the header is no JSON, or if a name is
    /// there twice, a type is unknown, a size does not fit its shape, or data overlap. All with an offset.
    pub fn decode(start: &[u8], file_size: Option<u64>) -> Result<Self> {
        let length = header_length(start)?;
        let data_start = LENGTH_BYTES + length;
        let Some(text) = start.get(LENGTH_BYTES as usize..data_start as usize) else {
            return Err(error!(UnexpectedEof:
                "the safetensors file ends within its header: the header has {length} bytes, of which {} are there; \
                 download the file again", start.len() as u64 - LENGTH_BYTES)
            .at(start.len() as u64));
        };
        let mut parser = serde_json::Deserializer::from_slice(text);
        let decoded = Members { data_start }.deserialize(&mut parser).and_then(|members| {
            parser.end()?;
            Ok(members)
        });
        let (tensors, metadata) = decoded.map_err(|cause| bad_header(text, &cause))?;
        let header = Self { tensors: tensors.into_values().collect(), metadata, data_start };
        header.check_overlap()?;
        if let Some(size) = file_size {
            header.check_size(size)?;
        }
        Ok(header)
    }

    /// The tensors in the order of their names.
    pub fn tensors(&self) -> &[StoredTensor] {
        &self.tensors
    }

    /// The tensor with a name.
    pub fn tensor(&self, name: &str) -> Option<&StoredTensor> {
        let position = self.tensors.binary_search_by(|tensor| tensor.name.as_str().cmp(name)).ok()?;
        Some(&self.tensors[position])
    }

    /// The names and texts of `__metadata__`, in the order of the file.
    pub fn metadata(&self) -> &[(String, String)] {
        &self.metadata
    }

    /// The offset of the data, in bytes from the start of the file.
    pub fn data_start(&self) -> u64 {
        self.data_start
    }

    /// Checks that no byte belongs to two tensors.
    fn check_overlap(&self) -> Result<()> {
        let mut sorted: Vec<&StoredTensor> = self.tensors.iter().filter(|tensor| !tensor.range.is_empty()).collect();
        sort_items(&mut sorted, &|a, b| (a.range.start, a.range.end).cmp(&(b.range.start, b.range.end)));
        for pair in sorted.windows(2) {
            if pair[1].range.start < pair[0].range.end {
                return Err(error!(BadSafetensors:
                    "the tensors \"{}\" and \"{}\" of the safetensors file have bytes in common: the data of the first ends at \
                     offset {:#x}, that of the second begins at {:#x}; download the file again",
                    Shown(pair[0].name.as_bytes()), Shown(pair[1].name.as_bytes()), pair[0].range.end, pair[1].range.start)
                .at(pair[1].range.start));
            }
        }
        Ok(())
    }

    /// Checks that a file of this size has the data of all tensors.
    pub(super) fn check_size(&self, size: u64) -> Result<()> {
        match self.tensors.iter().max_by_key(|tensor| tensor.range.end) {
            Some(last) if last.range.end > size => Err(error!(Truncated:
                "the safetensors file has {size} bytes, but the data of tensor \"{}\" ends at offset {:#x}; download the file \
                 again", Shown(last.name.as_bytes()), last.range.end)
            .at(size)),
            _ => Ok(()),
        }
    }
}

/// The length of the header, from the first 8 bytes of the file.
pub(super) fn header_length(start: &[u8]) -> Result<u64> {
    let Some(length) = start.first_chunk() else {
        return Err(error!(UnexpectedEof:
            "the safetensors file has {} bytes: expected at least 8, the length of its header; download the file again",
            start.len())
        .at(start.len() as u64));
    };
    let length = u64::from_le_bytes(*length);
    if length > MAX_HEADER_LENGTH {
        return Err(error!(LimitExceeded:
            "the header of the safetensors file would have {length} bytes: expected at most {MAX_HEADER_LENGTH}; check that the \
             file is a safetensors file")
        .at(0));
    }
    Ok(length)
}

/// The error of a header that cannot be decoded.
#[cold]
fn bad_header(text: &[u8], cause: &serde_json::Error) -> Error {
    let offset = LENGTH_BYTES + json::offset_of(text, cause.line(), cause.column());
    error!(BadSafetensors:
        "the header of the safetensors file cannot be read: {}; download the file again", json::reason(cause))
    .at(offset)
}

/// The members of a header.
struct Members {
    data_start: u64,
}

impl<'de> DeserializeSeed<'de> for Members {
    type Value = (BTreeMap<String, StoredTensor>, Vec<(String, String)>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> core::result::Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = (BTreeMap<String, StoredTensor>, Vec<(String, String)>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a member for each tensor")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> core::result::Result<Self::Value, A::Error> {
        let (mut tensors, mut metadata) = (BTreeMap::new(), None);
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                if metadata.is_some() {
                    return Err(A::Error::custom("the member \"__metadata__\" is there twice"));
                }
                metadata = Some(map.next_value::<Texts>()?.0);
                continue;
            }
            let shown = Shown(name.as_bytes());
            if tensors.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the tensor \"{shown}\" is there twice")));
            }
            let entry: Entry = map.next_value()?;
            let range = entry.range(self.data_start);
            let range = range.map_err(|reason| A::Error::custom(format_args!("the tensor \"{shown}\" {reason}")))?;
            let tensor = StoredTensor { data_type: entry.data_type, shape: entry.shape, range, name: name.clone() };
            tensors.insert(name, tensor);
        }
        Ok((tensors, metadata.unwrap_or_default()))
    }
}

/// The object of a tensor.
struct Entry {
    data_type: DataType,
    shape: Vec<u64>,
    offsets: [u64; 2],
}

impl Entry {
    /// The place of the data in the file, or why it cannot be.
    fn range(&self, data_start: u64) -> core::result::Result<Range<u64>, String> {
        let [begin, end] = self.offsets;
        let shape = || self.shape.iter().try_fold(1_u64, |product, length| product.checked_mul(*length));
        let expected = shape().and_then(|elements| self.data_type.byte_length(elements));
        let Some(expected) = expected.filter(|length| *length <= MAX_FILE_SIZE) else {
            return Err(format!("has too many elements: its shape is {:?}", self.shape));
        };
        if end.checked_sub(begin) != Some(expected) {
            return Err(format!(
                "has data from {begin} to {end}, but {expected} bytes are expected for {} elements of shape {:?}",
                self.data_type, self.shape
            ));
        }
        match data_start.checked_add(end).filter(|end| *end <= MAX_FILE_SIZE) {
            Some(end) => Ok(data_start + begin..end),
            None => Err(format!("has data up to {end}, but a file has at most {MAX_FILE_SIZE} bytes")),
        }
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        deserializer.deserialize_map(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with dtype, shape and data_offsets")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> core::result::Result<Entry, A::Error> {
        let (mut data_type, mut shape, mut offsets) = (None, None, None);
        while let Some(member) = map.next_key::<String>()? {
            let is_twice = match &*member {
                "dtype" => data_type.replace(map.next_value::<NamedType>()?.0).is_some(),
                "shape" => shape.replace(map.next_value()?).is_some(),
                "data_offsets" => offsets.replace(map.next_value()?).is_some(),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    false
                }
            };
            if is_twice {
                return Err(A::Error::custom(format_args!("the member \"{member}\" of a tensor is there twice")));
            }
        }
        Ok(Entry {
            data_type: data_type.ok_or_else(|| A::Error::missing_field("dtype"))?,
            shape: shape.ok_or_else(|| A::Error::missing_field("shape"))?,
            offsets: offsets.ok_or_else(|| A::Error::missing_field("data_offsets"))?,
        })
    }
}

/// The name of a type.
struct NamedType(DataType);

impl<'de> Deserialize<'de> for NamedType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format_args!("the type \"{}\" is unknown", Shown(name.as_bytes())));
        DataType::parse(&name).map(Self).ok_or_else(unknown)
    }
}

/// An object of texts.
struct Texts(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        deserializer.deserialize_map(TextsVisitor)
    }
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of texts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> core::result::Result<Texts, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = map.next_entry()? {
            texts.push(text);
        }
        Ok(Texts(texts))
    }
}

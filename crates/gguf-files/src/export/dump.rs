//! The metadata as gguf-dump lists it: three fields for the numbers at the start of the file, and then the entries.
//!
//! gguf-dump flattens an array of arrays to a list of all innermost elements. The types are taken from the first element.

use alloc::vec::Vec;

use gguf_format::format::header::Header;
use gguf_format::format::value::{Array, Elements, Str, Value, ValueType};

/// A field that gguf-dump lists.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let names: Vec<String> = gguf_files::export::dump_fields(&header).take(4).map(|field| field.name.to_string()).collect();
/// assert_eq!(names, ["GGUF.version", "GGUF.tensor_count", "GGUF.kv_count", "general.architecture"]);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DumpField<'a> {
    /// The key of the entry, or a name of gguf-dump's own.
    pub name: DumpName<'a>,
    /// The offset of the field in the file. That of an entry is where its key begins.
    pub offset: u64,
    /// The value.
    pub value: Value<'a>,
}

/// The name of a field that gguf-dump lists.
#[derive(Clone, Copy, Debug)]
pub enum DumpName<'a> {
    /// The name of a number at the start of the file: `GGUF.version`.
    Own(&'static str),
    /// The key of an entry.
    Key(Str<'a>),
}

impl core::fmt::Display for DumpName<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Own(name) => f.write_str(name),
            Self::Key(key) => key.fmt(f),
        }
    }
}

/// The fields that gguf-dump lists, in their order.
pub fn dump_fields(header: &Header) -> impl Iterator<Item = DumpField<'_>> {
    (0..).map_while(|index| dump_field(header, index))
}

/// The number of fields before the entries.
pub(crate) const OWN_FIELDS: usize = 3;

/// The field at an index.
pub(crate) fn dump_field(header: &Header, index: usize) -> Option<DumpField<'_>> {
    let format = header.format();
    let count = |count: u64| match format.length_size() {
        4 => Value::Uint32(count as u32),
        _ => Value::Uint64(count),
    };
    let (name, offset, value) = match index {
        0 => ("GGUF.version", 4, Value::Uint32(format.version)),
        1 => ("GGUF.tensor_count", 8, count(header.tensor_count())),
        2 => ("GGUF.kv_count", 8 + format.length_size(), count(header.metadata_count())),
        _ => {
            let entry = header.metadata_at(index - OWN_FIELDS)?;
            let (name, offset) = (DumpName::Key(entry.key()), entry.range().start);
            return Some(DumpField { name, offset, value: entry.value() });
        }
    };
    Some(DumpField { name: DumpName::Own(name), offset, value })
}

impl<'a> DumpField<'a> {
    /// The type of the value. Of an array, also the types of its first element, from the outermost in; only `ARRAY` if the
    /// array is empty.
    pub fn types(&self) -> Vec<ValueType> {
        let mut types = vec![self.value.value_type()];
        let mut value = self.value;
        while let Value::Array(array) = value {
            let Some(first) = array.get(0) else { break };
            types.push(first.value_type());
            value = first;
        }
        types
    }

    /// The number of elements: 1 if the value is not an array. Arrays in an array count by their elements.
    pub fn element_count(&self) -> u64 {
        match self.value {
            Value::Array(array) => flat_len(array),
            _ => 1,
        }
    }

    /// The elements of an array. In place of arrays in the array, their elements. Nothing if the value is not an array.
    pub fn elements(&self) -> FlatElements<'a> {
        FlatElements { levels: self.value.as_array().iter().map(Array::iter).collect() }
    }
}

/// The number of innermost elements. The lengths of arrays are added; their elements are not decoded.
fn flat_len(array: Array<'_>) -> u64 {
    if array.element_type() != ValueType::Array {
        return array.len();
    }
    let (mut count, mut levels) = (0_u64, vec![array.iter()]);
    while let Some(level) = levels.last_mut() {
        match level.next() {
            Some(Value::Array(inner)) if inner.element_type() == ValueType::Array => levels.push(inner.iter()),
            Some(Value::Array(inner)) => count = count.saturating_add(inner.len()),
            _ => drop(levels.pop()),
        }
    }
    count
}

/// Iterator over the innermost elements of an array.
pub struct FlatElements<'a> {
    /// The elements that are left, of the array and of the arrays in it. The decoder limits how deep arrays are nested.
    levels: Vec<Elements<'a>>,
}

impl<'a> Iterator for FlatElements<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        loop {
            match self.levels.last_mut()?.next() {
                Some(Value::Array(inner)) => self.levels.push(inner.iter()),
                Some(element) => return Some(element),
                None => drop(self.levels.pop()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::{DumpField, dump_fields};
    use gguf_format::decode::decoder::parse;
    use gguf_format::format::value::{Value, ValueType};
    use gguf_format::format::version::Format;
    use gguf_format::write::encode::{Encoder, OwnedValue};

    #[test]
    fn the_counts_come_first_and_arrays_are_flat() {
        let inner = |numbers: &[u8]| OwnedValue::array(ValueType::Uint8, numbers.iter().copied());
        let mut file = Encoder::new(Format::default());
        file.header(0, 3)
            .kv(b"nested", &OwnedValue::array(ValueType::Array, [inner(&[1, 2]), inner(&[]), inner(&[3])]))
            .kv(b"empty", &OwnedValue::array(ValueType::Array, [inner(&[])]))
            .kv(b"number", &5_u32.into());
        let header = parse(file.as_bytes()).unwrap();
        let fields: Vec<DumpField<'_>> = dump_fields(&header).collect();
        let offsets: Vec<u64> = fields.iter().map(|field| field.offset).collect();
        assert_eq!(offsets[..4], [4, 8, 16, 24]);
        assert_eq!(fields[2].value, Value::Uint64(3));

        assert_eq!(fields[3].name.to_string(), "nested");
        assert_eq!(fields[3].types(), [ValueType::Array, ValueType::Array, ValueType::Uint8]);
        assert_eq!(fields[3].element_count(), 3);
        let elements: Vec<_> = fields[3].elements().map(|element| element.as_u64().unwrap()).collect();
        assert_eq!(elements, [1, 2, 3]);

        assert_eq!(fields[4].types(), [ValueType::Array, ValueType::Array]);
        assert_eq!((fields[4].element_count(), fields[4].elements().count()), (0, 0));
        assert_eq!(fields[5].types(), [ValueType::Uint32]);
        assert_eq!((fields[5].element_count(), fields[5].elements().count()), (1, 0));
    }
}

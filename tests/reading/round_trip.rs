//! Random headers: the decoder reads the written values, and the encoder writes the same bytes as the writer of the tests.

use crate::gguf_bytes::GgufBytes;
use crate::model_value::ModelValue;
use crate::split::{Piece, assert_same};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Endian, Format, GgmlType, Header, Limits, Value, ValueType};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::split;

/// The expected content of a header.
#[derive(Clone, Debug)]
struct Model {
    format: Format,
    metadata: Vec<(Vec<u8>, OwnedValue)>,
    tensors: Vec<Tensor>,
}

#[derive(Clone, Debug)]
struct Tensor {
    name: Vec<u8>,
    dimensions: Vec<u64>,
    ggml_type: u32,
    offset: u64,
}

impl Model {
    fn encode(&self) -> Vec<u8> {
        let mut file = GgufBytes::new(self.format);
        file.header(self.tensors.len() as u64, self.metadata.len() as u64);
        for (key, value) in &self.metadata {
            file.entry(key, value);
        }
        for tensor in &self.tensors {
            file.tensor(&tensor.name, &tensor.dimensions, tensor.ggml_type, tensor.offset);
        }
        file.into_bytes()
    }

    /// The file as the encoder of the crate writes it.
    fn encode_by_crate(&self) -> Vec<u8> {
        let mut file = Encoder::new(self.format);
        file.header(self.tensors.len() as u64, self.metadata.len() as u64);
        for (key, value) in &self.metadata {
            file.kv(key, value);
        }
        for tensor in &self.tensors {
            file.tensor_info(&tensor.name, &tensor.dimensions, tensor.ggml_type, tensor.offset);
        }
        file.into_bytes()
    }

    fn check(&self, header: &Header, header_size: u64) {
        assert_eq!(header.format(), self.format);
        assert_eq!(header.header_size(), header_size);
        assert_eq!(header.metadata().len(), self.metadata.len());
        for (kv, (key, value)) in header.metadata().zip(&self.metadata) {
            assert_eq!(*kv.key().to_bytes(), **key);
            assert_eq!(kv.value_type(), value.value_type());
            let value = ModelValue::of(value);
            assert_eq!(ModelValue::read(kv.value()), value);
            check_elements(kv.value(), &value);
            assert_eq!(*header.bytes().slice(kv.value_range()), value.encoded(self.format));
            let first = self.metadata.iter().position(|(other, _)| other == key);
            assert_eq!(header.get(key).map(|kv| kv.index()), first);
        }
        assert_eq!(header.tensors().len(), self.tensors.len());
        for (info, tensor) in header.tensors().zip(&self.tensors) {
            assert_eq!(*info.name().to_bytes(), *tensor.name);
            assert!(info.dimensions().eq(tensor.dimensions.iter().copied()));
            assert_eq!(info.ggml_type(), GgmlType(tensor.ggml_type));
            assert_eq!(info.offset(), tensor.offset);
            let first = self.tensors.iter().position(|other| other.name == tensor.name);
            assert_eq!(header.tensor(&tensor.name).map(|info| info.index()), first);
        }
    }
}

/// Asserts that `get` returns every element of an array.
fn check_elements(found: Value<'_>, expected: &ModelValue) {
    if let (Value::Array(array), ModelValue::List(_, elements)) = (found, expected) {
        for (index, expected) in elements.iter().enumerate().rev() {
            let element = array.get(index as u64).unwrap();
            assert_eq!(ModelValue::read(element), *expected);
            check_elements(element, expected);
        }
    }
}

fn scalar(value_type: ValueType) -> BoxedStrategy<OwnedValue> {
    match value_type {
        ValueType::Uint8 => any::<u8>().prop_map(Into::into).boxed(),
        ValueType::Int8 => any::<i8>().prop_map(Into::into).boxed(),
        ValueType::Uint16 => any::<u16>().prop_map(Into::into).boxed(),
        ValueType::Int16 => any::<i16>().prop_map(Into::into).boxed(),
        ValueType::Uint32 => any::<u32>().prop_map(Into::into).boxed(),
        ValueType::Int32 => any::<i32>().prop_map(Into::into).boxed(),
        ValueType::Float32 => any::<u32>().prop_map(|bits| f32::from_bits(bits).into()).boxed(),
        ValueType::Bool => any::<bool>().prop_map(Into::into).boxed(),
        ValueType::String => prop_oneof![vec(any::<u8>(), 0..40), "\\PC{0,20}".prop_map(String::into_bytes)]
            .prop_map(OwnedValue::String)
            .boxed(),
        ValueType::Array => unreachable!("arrays are built from what is in them"),
        ValueType::Uint64 => any::<u64>().prop_map(Into::into).boxed(),
        ValueType::Int64 => any::<i64>().prop_map(Into::into).boxed(),
        ValueType::Float64 => any::<u64>().prop_map(|bits| f64::from_bits(bits).into()).boxed(),
    }
}

fn scalar_type() -> impl Strategy<Value = ValueType> {
    prop::sample::select(ValueType::ALL).prop_filter("arrays are no scalars", |ty| *ty != ValueType::Array)
}

/// Lengths around 64 and 128, where the index of an array changes.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0..6usize, 1 => 62..67usize, 1 => 126..131usize]
}

fn array() -> impl Strategy<Value = OwnedValue> {
    let flat = (scalar_type(), length()).prop_flat_map(|(element_type, len)| {
        let elements = vec(scalar(element_type), len);
        elements.prop_map(move |elements| OwnedValue::Array { element_type, elements })
    });
    flat.prop_recursive(4, 400, 70, |inner| {
        length()
            .prop_flat_map(move |len| vec(inner.clone(), len))
            .prop_map(|elements| OwnedValue::Array { element_type: ValueType::Array, elements })
    })
}

fn value() -> impl Strategy<Value = OwnedValue> {
    prop_oneof![2 => scalar_type().prop_flat_map(scalar), 1 => array()]
}

/// Names that are often equal.
fn name() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof!["[a-c]{0,2}".prop_map(String::into_bytes), vec(any::<u8>(), 0..12)]
}

fn tensor(format: Format) -> impl Strategy<Value = Tensor> {
    let largest = if format.version == 1 { u32::MAX.into() } else { u64::MAX };
    let extent = prop_oneof![0..300u64, 0..=largest];
    (name(), vec(extent, 0..=8), any::<u32>(), any::<u64>()).prop_map(|(name, dimensions, ggml_type, offset)| Tensor {
        name,
        dimensions,
        ggml_type,
        offset,
    })
}

fn model() -> impl Strategy<Value = Model> {
    let endian = prop_oneof![Just(Endian::Little), Just(Endian::Big)];
    (1..=3u32, endian).prop_map(|(version, endian)| Format { version, endian }).prop_flat_map(|format| {
        (vec((name(), value()), 0..12), vec(tensor(format), 0..8)).prop_map(move |(metadata, tensors)| Model {
            format,
            metadata,
            tensors,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn a_written_header_is_read_whole_and_in_pieces(model in model(), sizes in vec(1..200usize, 1..20), after in vec(any::<u8>(), 0..9)) {
        let mut file = model.encode();
        assert_eq!(model.encode_by_crate(), file);
        let header_size = file.len() as u64;
        file.extend(after);
        let whole = split::whole(&file, &Limits::default());
        model.check(whole.as_ref().unwrap(), header_size);
        let pieces = sizes.iter().enumerate().map(|(turn, &size)| match turn % 2 {
            0 => Piece::Push(size),
            _ => Piece::Commit(size),
        });
        let split = split::split(&file, &Limits::default(), pieces.cycle());
        assert_same(&whole, &split);
        model.check(split.as_ref().unwrap(), header_size);
    }

    #[test]
    fn a_header_with_one_changed_byte_is_read_alike_whole_and_in_pieces(model in model(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut file = model.encode();
        let at = at.index(file.len());
        file[at] = byte;
        let whole = split::whole(&file, &Limits::default());
        assert_same(&whole, &split::split(&file, &Limits::default(), std::iter::repeat(Piece::Push(1))));
        assert_same(&whole, &split::split(&file, &Limits::default(), [Piece::Push(at)]));
    }
}

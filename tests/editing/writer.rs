//! New files: the three ways of writing them make the same bytes, which are those that were asked for.

use gguf_wasm::encode::OwnedValue;
use gguf_wasm::{Edit, Endian, ErrorCode, Format, GGML_TYPES, GgmlType, NewValue, Segment, ValueType, Writer};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::gguf_bytes::GgufBytes;
use crate::model_value::ModelValue;
use crate::sample;

/// A file as it is meant.
#[derive(Clone, Debug)]
struct Model {
    format: Format,
    /// Where the alignment is another than 32: its value, and before which entry it is set.
    alignment: Option<(u32, usize)>,
    metadata: Vec<(Vec<u8>, OwnedValue)>,
    tensors: Vec<Tensor>,
}

#[derive(Clone, Debug)]
struct Tensor {
    name: Vec<u8>,
    dimensions: Vec<u64>,
    ggml_type: GgmlType,
}

impl Model {
    fn writer(&self) -> Writer {
        let mut writer = Writer::new(self.format).unwrap();
        for (index, (key, value)) in self.entries().iter().enumerate() {
            // Whether an entry or the method sets it comes to the same.
            match value {
                OwnedValue::Uint32(alignment) if key == b"general.alignment" && index % 2 == 0 => {
                    writer.set_alignment(*alignment).unwrap();
                }
                _ => writer.add(key, value).unwrap(),
            }
        }
        for (index, tensor) in self.tensors.iter().enumerate() {
            assert_eq!(writer.add_tensor(&tensor.name, &tensor.dimensions, tensor.ggml_type), Ok(index));
        }
        writer
    }

    fn entries(&self) -> Vec<(Vec<u8>, OwnedValue)> {
        let mut entries = self.metadata.clone();
        if let Some((alignment, position)) = self.alignment {
            entries.insert(position.min(entries.len()), (b"general.alignment".to_vec(), alignment.into()));
        }
        entries
    }

    fn alignment(&self) -> u64 {
        self.alignment.map_or(32, |(alignment, _)| alignment.into())
    }

    /// The data of a tensor, and of no other.
    fn data(&self, index: usize) -> Vec<u8> {
        let tensor = &self.tensors[index];
        let info = tensor.ggml_type.info().unwrap();
        let bytes = tensor.dimensions.iter().product::<u64>() / u64::from(info.block_size) * u64::from(info.type_size);
        (0..bytes).map(|i| (i as u8).wrapping_mul(31).wrapping_add(index as u8 + 1)).collect()
    }

    /// The file as the encoder makes it, every number put there by hand.
    fn by_hand(&self) -> Vec<u8> {
        let (mut file, mut data) = (GgufBytes::new(self.format), GgufBytes::new(self.format));
        let entries = self.entries();
        file.header(self.tensors.len() as u64, entries.len() as u64);
        for (key, value) in &entries {
            file.entry(key, value);
        }
        for (index, tensor) in self.tensors.iter().enumerate() {
            file.tensor(&tensor.name, &tensor.dimensions, tensor.ggml_type.0, data.len());
            data.bytes(&self.data(index)).pad_to(self.alignment());
        }
        if !self.tensors.is_empty() {
            file.pad_to(self.alignment());
        }
        file.bytes(data.as_bytes());
        file.into_bytes()
    }

    fn at_once(&self, writer: &Writer) -> Vec<u8> {
        let plan = writer.plan().unwrap();
        let mut file = Vec::new();
        for segment in plan.segments() {
            match segment {
                Segment::Bytes(bytes) => file.extend_from_slice(bytes),
                Segment::Copy { source, range } => {
                    let data = self.data(*source);
                    assert_eq!(*range, 0..data.len() as u64);
                    file.extend_from_slice(&data);
                }
                Segment::Swap { .. } => panic!("there is nothing to swap"),
            }
        }
        assert_eq!(plan.size(), file.len() as u64);
        assert_eq!((plan.header_size(), plan.data_offset()), (writer.header_size(), writer.data_offset()));
        assert_eq!(plan.patches(), None);
        file
    }

    fn metadata_first(&self, writer: &Writer) -> Vec<u8> {
        let mut file = writer.header().unwrap();
        for tensor in writer.tensors() {
            assert_eq!(tensor.position(), file.len() as u64);
            file.extend(self.data(tensor.index()));
            file.resize((tensor.position() + tensor.padded_length()) as usize, 0);
        }
        file
    }

    /// The data first, the last tensor's before the others'; and the values that fit only when it is there.
    fn data_first(&self) -> Vec<u8> {
        let mut writer = self.writer();
        for (key, value) in self.metadata.iter().filter(|(_, value)| value.value_type().size().is_some()) {
            writer.set(key, &zero(value)).unwrap();
        }
        let data_offset = writer.reserve();
        let mut file = vec![0xee; data_offset as usize];
        file.resize(writer.size() as usize, 0);
        for tensor in writer.tensors().collect::<Vec<_>>().into_iter().rev() {
            let data = self.data(tensor.index());
            file[tensor.position() as usize..][..data.len()].copy_from_slice(&data);
        }
        for (key, value) in &self.metadata {
            writer.set(key, value).unwrap();
        }
        assert_eq!(writer.data_offset(), data_offset);
        let header = writer.header().unwrap();
        file[..header.len()].copy_from_slice(&header);
        file
    }

    fn check(&self) {
        let writer = self.writer();
        let file = self.by_hand();
        assert_eq!(self.at_once(&writer), file);
        assert_eq!(self.metadata_first(&writer), file);
        assert_eq!(self.data_first(), file);
        assert_eq!(writer.size(), file.len() as u64);

        let header = gguf_wasm::parse(&file).unwrap();
        assert_eq!(header.format(), self.format);
        assert_eq!(header.alignment(), self.alignment());
        assert_eq!((header.header_size(), header.data_offset()), (writer.header_size(), writer.data_offset()));
        let entries = self.entries();
        assert_eq!(header.metadata().len(), entries.len());
        for (entry, (key, value)) in header.metadata().zip(&entries) {
            assert_eq!(*entry.key().to_bytes(), **key);
            assert_eq!(ModelValue::read(entry.value()), ModelValue::of(value));
            assert_eq!(entry.value_type(), value.value_type());
        }
        assert_eq!(header.tensors().len(), self.tensors.len());
        for (info, tensor) in header.tensors().zip(&self.tensors) {
            assert_eq!(*info.name().to_bytes(), *tensor.name);
            assert_eq!(info.dimensions().collect::<Vec<_>>(), tensor.dimensions);
            assert_eq!(info.ggml_type(), tensor.ggml_type);
            let (start, length) = (info.file_offset().unwrap(), info.byte_length().unwrap());
            assert!(start.is_multiple_of(self.alignment()));
            assert_eq!(file[start as usize..(start + length) as usize], self.data(info.index()));
            let place = writer.tensor(info.index()).unwrap();
            assert_eq!((place.position(), place.offset(), place.byte_length()), (start, info.offset(), length));
            assert_eq!((place.name(), place.ggml_type()), (&*tensor.name, tensor.ggml_type));
            assert_eq!(place.dimensions(), tensor.dimensions);
        }
        assert!(writer.tensor(self.tensors.len()).is_none());
    }
}

/// Another value of the same type, which takes as many bytes.
fn zero(value: &OwnedValue) -> OwnedValue {
    match value {
        OwnedValue::Uint8(_) => 0_u8.into(),
        OwnedValue::Int8(_) => 0_i8.into(),
        OwnedValue::Uint16(_) => 0_u16.into(),
        OwnedValue::Int16(_) => 0_i16.into(),
        OwnedValue::Uint32(_) => 0_u32.into(),
        OwnedValue::Int32(_) => 0_i32.into(),
        OwnedValue::Uint64(_) => 0_u64.into(),
        OwnedValue::Int64(_) => 0_i64.into(),
        OwnedValue::Float32(_) => 0_f32.into(),
        OwnedValue::Float64(_) => 0_f64.into(),
        OwnedValue::Bool(_) => false.into(),
        other => other.clone(),
    }
}

fn formats() -> impl Strategy<Value = Format> {
    let endian = prop_oneof![Just(Endian::Little), Just(Endian::Big)];
    (2..=3_u32, endian).prop_map(|(version, endian)| Format { version, endian })
}

fn values() -> impl Strategy<Value = OwnedValue> {
    // Floats by their bits: NaNs keep theirs.
    let scalar = prop_oneof![
        any::<u8>().prop_map(OwnedValue::from),
        any::<i16>().prop_map(OwnedValue::from),
        any::<u32>().prop_map(OwnedValue::from),
        any::<i64>().prop_map(OwnedValue::from),
        any::<u64>().prop_map(OwnedValue::from),
        any::<u32>().prop_map(|bits| OwnedValue::Float32(f32::from_bits(bits))),
        any::<u64>().prop_map(|bits| OwnedValue::Float64(f64::from_bits(bits))),
        any::<bool>().prop_map(OwnedValue::from),
        vec(any::<u8>(), 0..40).prop_map(OwnedValue::String),
    ];
    let row = || vec(any::<i32>(), 0..5).prop_map(|row| OwnedValue::array(ValueType::Int32, row));
    prop_oneof![
        4 => scalar,
        1 => vec(any::<u16>(), 0..100).prop_map(|array| OwnedValue::array(ValueType::Uint16, array)),
        1 => vec(".{0,9}", 0..100).prop_map(|array| OwnedValue::array(ValueType::String, array)),
        1 => vec(row(), 0..4).prop_map(|rows| OwnedValue::array(ValueType::Array, rows)),
    ]
}

fn tensors() -> impl Strategy<Value = Vec<Tensor>> {
    let types: Vec<_> = GGML_TYPES.iter().filter(|info| !info.is_removed()).collect();
    let shape = (prop::sample::select(types), 0..3_u64, vec(0..4_u64, 0..=3), any::<bool>());
    btree_map(vec(1..=255_u8, 0..=63), shape, 0..8).prop_map(|tensors| {
        let tensor = |(name, (info, blocks, mut dimensions, is_scalar)): (
            Vec<u8>,
            (&gguf_wasm::GgmlTypeInfo, u64, Vec<u64>, bool),
        )| {
            if is_scalar && info.block_size == 1 {
                dimensions.clear();
            } else {
                dimensions.insert(0, blocks * u64::from(info.block_size));
            }
            Tensor { name, dimensions, ggml_type: GgmlType(info.id) }
        };
        tensors.into_iter().map(tensor).collect()
    })
}

fn models() -> impl Strategy<Value = Model> {
    let alignment = prop::option::of((prop_oneof![Just(8_u32), Just(16), Just(64), Just(4096)], 0..8_usize));
    let metadata = btree_map(vec(any::<u8>(), 1..30), values(), 0..8);
    (formats(), alignment, metadata, tensors()).prop_map(|(format, alignment, metadata, tensors)| Model {
        format,
        alignment,
        metadata: metadata.into_iter().collect(),
        tensors,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_written_is_what_was_asked_for(model in models()) {
        model.check();
    }
}

#[test]
fn every_kind_of_value_in_both_byte_orders() {
    let metadata: Vec<_> =
        sample::values().into_iter().enumerate().map(|(i, value)| (format!("key.{i}").into_bytes(), value)).collect();
    let tensor = |name: &[u8], dimensions: &[u64], ggml_type| Tensor {
        name: name.to_vec(),
        dimensions: dimensions.to_vec(),
        ggml_type,
    };
    let tensors = vec![
        tensor(b"scalar", &[], GgmlType::F32),
        tensor(b"", &[3, 1, 1, 1], GgmlType::I8),
        tensor(b"\xff", &[256, 0, 2], GgmlType::Q4_K),
        tensor(&[b'n'; 63], &[64, 2], GgmlType::NVFP4),
    ];
    for format in sample::formats().filter(|format| format.version > 1) {
        Model { format, alignment: None, metadata: metadata.clone(), tensors: tensors.clone() }.check();
        Model { format, alignment: Some((256, 3)), metadata: Vec::new(), tensors: tensors.clone() }.check();
        Model { format, alignment: None, metadata: metadata.clone(), tensors: Vec::new() }.check();
    }
}

#[test]
fn a_file_with_nothing_in_it_is_its_header() {
    let writer = Writer::new(Format::default()).unwrap();
    let file = writer.header().unwrap();
    assert_eq!(file, b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!((writer.size(), writer.header_size(), writer.data_offset()), (24, 24, 32));
    assert_eq!(writer.plan().unwrap().segments(), [Segment::Bytes(file)]);
}

/// A file with an entry and a tensor.
fn small() -> Writer {
    let mut writer = Writer::new(Format::default()).unwrap();
    writer.add(b"general.name", &"abc".into()).unwrap();
    writer.add_tensor(b"t", &[4], GgmlType::F32).unwrap();
    writer
}

/// Does something to a small file that is refused: with which code, and saying what. The file stays what it is.
fn refused(change: impl FnOnce(&mut Writer) -> Result<(), gguf_wasm::EditError>) -> (ErrorCode, String) {
    let mut writer = small();
    let error = change(&mut writer).unwrap_err();
    assert_eq!(writer.plan(), small().plan());
    (error.code(), error.to_string())
}

fn refused_tensor(name: &[u8], dimensions: &[u64], ggml_type: GgmlType) -> (ErrorCode, String) {
    refused(|writer| writer.add_tensor(name, dimensions, ggml_type).map(|_| ()))
}

#[test]
fn versions_other_than_2_and_3_are_refused() {
    for version in [0, 1, 4] {
        let error = Writer::new(Format { version, endian: Endian::Little }).err().unwrap();
        assert_eq!(error.code(), "unsupported-version");
        assert_eq!(error.to_string(), format!("cannot write a file of version {version}: use version 2 or 3"));
    }
}

#[test]
fn invalid_entries_are_refused() {
    use ErrorCode::*;
    let add = |key: &[u8], value: OwnedValue| refused(|writer| writer.add(key, &value));
    let set = |key: &[u8], value: OwnedValue| refused(|writer| writer.set(key, &value));

    let taken =
        "cannot use the key \"general.name\": another entry has it; rename or remove that entry first".to_owned();
    assert_eq!(add(b"general.name", 1_u8.into()), (KeyTaken, taken));
    let unknown = "cannot set the value of \"general.nam\": no entry has this key; add it first".to_owned();
    assert_eq!(set(b"general.nam", 1_u8.into()), (UnknownKey, unknown));
    let empty = "cannot use the key \"\": it has 0 bytes; a key has 1 to 65535 bytes".to_owned();
    assert_eq!(add(b"", 1_u8.into()), (BadKey, empty));
    assert_eq!(add(&[b'k'; 65_536], 1_u8.into()).0, BadKey);
    let mixed = OwnedValue::Array { element_type: ValueType::Bool, elements: vec![1_u8.into()] };
    assert_eq!(add(b"mixed", mixed.clone()).0, DoesNotFit);
    assert_eq!(set(b"general.name", mixed).0, DoesNotFit);
    let deep = (0..70).fold(OwnedValue::from(1_u8), |value, _| OwnedValue::array(value.value_type(), [value]));
    assert_eq!(add(b"deep", deep).0, LimitExceeded);
    for value in [0_u32.into(), 4_u32.into(), 48_u32.into(), 32_u64.into(), "32".into()] {
        assert_eq!(add(b"general.alignment", value).0, BadAlignment);
    }
    assert_eq!(refused(|writer| writer.set_alignment(1)).0, BadAlignment);
}

#[test]
fn invalid_tensors_are_refused() {
    use ErrorCode::*;
    let f32 = GgmlType::F32;
    let taken =
        "cannot use the tensor name \"t\": another tensor has it; rename or remove that tensor first".to_owned();
    assert_eq!(refused_tensor(b"t", &[1], f32), (NameTaken, taken));
    assert_eq!(refused_tensor(&[b'n'; 64], &[1], f32).0, BadName);
    assert_eq!(refused_tensor(b"a\0b", &[1], f32).0, BadName);
    assert_eq!(
        refused_tensor(b"u", &[1], GgmlType(137)),
        (UnknownType, "cannot add the tensor \"u\": ggml has no type unknown(137)".to_owned())
    );
    assert_eq!(refused_tensor(b"u", &[32], GgmlType(4)).0, UnknownType);
    let partial =
        "cannot add the tensor \"u\": a row has 33 elements, which is no multiple of the 32 elements of a Q8_0 block";
    assert_eq!(refused_tensor(b"u", &[33], GgmlType::Q8_0), (DoesNotFit, partial.to_owned()));
    // Rows, not all of it.
    assert_eq!(refused_tensor(b"u", &[16, 2], GgmlType::Q8_0).0, DoesNotFit);
    assert_eq!(refused_tensor(b"u", &[], GgmlType::Q8_0).0, DoesNotFit);
    assert_eq!(refused_tensor(b"u", &[1; 5], f32).0, LimitExceeded);
    let most = i64::MAX as u64;
    for dimensions in [&[most][..], &[1 << 32, 1 << 31], &[u64::MAX, 0], &[1 << 40, 0, 1 << 40], &[1 << 61]] {
        assert_eq!(refused_tensor(b"u", dimensions, f32).0, LimitExceeded, "{dimensions:?}");
    }
    // Each would do, but not both.
    let mut writer = small();
    writer.add_tensor(b"u", &[1 << 52], GgmlType::I8).unwrap();
    assert_eq!(writer.add_tensor(b"v", &[1 << 52], GgmlType::I8).unwrap_err().code(), LimitExceeded);
    assert_eq!(writer.add_tensor(b"v", &[(1 << 52) - 4096], GgmlType::I8), Ok(2));
    assert_eq!(writer.set_alignment(1 << 31).unwrap_err().code(), LimitExceeded);
    assert_eq!(writer.alignment(), 32);
}

#[test]
fn sizes_and_counts_that_readers_refuse_are_refused() {
    let mut writer = Writer::new(Format::default()).unwrap();
    for index in 0..1 << 20 {
        writer.add_tensor(format!("{index}").as_bytes(), &[], GgmlType::I8).unwrap();
    }
    let error = writer.add_tensor(b"one more", &[], GgmlType::I8).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    assert_eq!(
        error.to_string(),
        "cannot add the tensor \"one more\": the file has 1048576; readers accept at most 1048576"
    );

    // Values share their memory: a header that is too large need not be anywhere.
    let mut writer = Writer::new(Format::default()).unwrap();
    let value = NewValue::new(&OwnedValue::String(vec![0; 1 << 26])).unwrap();
    for key in 0..15_u8 {
        writer.put(&[key], value.clone()).unwrap();
    }
    let error = writer.put(b"p", value.clone()).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    assert_eq!(
        error.to_string(),
        "cannot write the header: it would have 1073742184 bytes; readers accept at most 1073741824"
    );
    writer.set(&[0], &1_u8.into()).unwrap();
    writer.put(b"p", value).unwrap();
}

#[test]
fn after_reserve_a_change_that_moves_the_data_is_refused() {
    // The beginning, an entry, a tensor info; the data begins at 128.
    let mut writer = small();
    assert_eq!(writer.header_size(), 24 + (8 + 12 + 4 + 8 + 3) + (8 + 1 + 4 + 8 + 12));
    assert_eq!((writer.header_size(), writer.reserve()), (92, 96));
    let mut refused = |change: &dyn Fn(&mut Writer) -> Result<(), gguf_wasm::EditError>| {
        let before = writer.plan();
        let error = change(&mut writer).unwrap_err();
        assert_eq!(error.code(), "no-room");
        assert_eq!(writer.plan(), before);
        error.to_string()
    };
    let set = |value: &'static str| move |writer: &mut Writer| writer.set(b"general.name", &value.into());
    assert_eq!(
        refused(&set("abcdefgh")),
        "cannot change \"general.name\": the data is fixed at offset 96 with alignment 32; a header of 97 bytes with alignment \
         32 would move it"
    );
    refused(&|writer| writer.add(b"k", &1_u8.into()));
    refused(&|writer| writer.add_tensor(b"u", &[1], GgmlType::F32).map(|_| ()));
    refused(&|writer| writer.set_alignment(16));
    // The same, but said, which takes an entry.
    refused(&|writer| writer.set_alignment(32));
    set("abcdefg")(&mut writer).unwrap();
    assert_eq!((writer.header_size(), writer.data_offset()), (96, 96));
    // Nor can the header end so early that readers would look for the data before.
    let mut writer = Writer::new(Format::default()).unwrap();
    writer.add(b"general.name", &"a long name for a model".into()).unwrap();
    assert_eq!((writer.header_size(), writer.reserve()), (79, 96));
    assert_eq!(writer.set(b"general.name", &"short".into()).unwrap_err().code(), ErrorCode::NoRoom);
    writer.set(b"general.name", &"shorter".into()).unwrap_err();
    writer.set(b"general.name", &1_u64.into()).unwrap_err();
    writer.set(b"general.name", &"a longer name than that one was!".into()).unwrap();
}

#[test]
fn after_reserve_a_change_that_fits_is_made() {
    let mut writer = Writer::new(Format::default()).unwrap();
    writer.set_alignment(256).unwrap();
    writer.add(b"general.name", &"abc".into()).unwrap();
    let data_offset = writer.reserve();
    assert_eq!(data_offset, 256);
    writer.add(b"k", &1_u8.into()).unwrap();
    writer.set(b"general.name", &1_f64.into()).unwrap();
    let first = writer.add_tensor(b"t", &[4], GgmlType::F32).unwrap();
    let second = writer.add_tensor(b"u", &[4], GgmlType::F32).unwrap();
    writer.set_alignment(256).unwrap();
    assert_eq!((writer.tensor(first).unwrap().position(), writer.tensor(second).unwrap().position()), (256, 512));
    assert_eq!((writer.header().unwrap().len(), writer.size()), (256, 768));
}

#[test]
fn values_are_found_by_their_keys() {
    let mut writer = small();
    assert_eq!(writer.get(b"general.name").unwrap().value().as_str().unwrap(), "abc");
    writer.set(b"general.name", &1_u8.into()).unwrap();
    assert_eq!(writer.get(b"general.name").unwrap().value().as_u64(), Some(1));
    assert!(writer.get(b"general.nam").is_none());
}

#[test]
fn tensors_are_placed_as_llama_cpp_requires() {
    let names = [b"t", b"u", b"v"];
    let tensor = |name: &[u8; 1]| Tensor { name: name.to_vec(), dimensions: vec![5], ggml_type: GgmlType::F16 };
    let model = Model {
        format: Format::default(),
        alignment: Some((64, 0)),
        metadata: vec![(b"general.name".to_vec(), "abc".into())],
        tensors: names.map(tensor).into(),
    };
    let file = model.metadata_first(&model.writer());
    let header = gguf_wasm::parse(&file).unwrap();
    let findings = gguf_wasm::validate(&header, Some(file.len() as u64));
    assert!(findings.iter().all(|finding| finding.check.severity() != gguf_wasm::Severity::Error), "{findings:?}");
    let mut edit = Edit::new(header);
    // Which places them so, and pads them with zeros.
    edit.repack();
    let plan = edit.plan(Some(file.len() as u64)).unwrap();
    let repacked = plan.segments().iter().flat_map(|segment| match segment {
        Segment::Bytes(bytes) => bytes,
        Segment::Copy { range, .. } => &file[range.start as usize..range.end as usize],
        Segment::Swap { .. } => panic!("nothing is swapped"),
    });
    assert!(repacked.eq(&file));
}

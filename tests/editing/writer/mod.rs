//! New files: the three ways to write them give the same bytes, which equal those of a model.

mod files;
mod refused;
mod reserved;

use gguf_format::write::encode::OwnedValue;
use gguf_format::write::{Segment, Writer};
use gguf_format::{Format, GgmlType};

use crate::gguf_bytes::GgufBytes;
use crate::model_value::ModelValue;

/// The content of a file.
#[derive(Clone, Debug)]
pub struct Model {
    pub format: Format,
    /// An alignment other than 32, and the position of the entry before which it is set.
    pub alignment: Option<(u32, usize)>,
    pub metadata: Vec<(Vec<u8>, OwnedValue)>,
    pub tensors: Vec<Tensor>,
}

#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: Vec<u8>,
    pub dimensions: Vec<u64>,
    pub ggml_type: GgmlType,
}

impl Model {
    pub fn writer(&self) -> Writer {
        let mut writer = Writer::new(self.format).unwrap();
        for (index, (key, value)) in self.entries().iter().enumerate() {
            // The entry and the method have the same effect.
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

    pub fn entries(&self) -> Vec<(Vec<u8>, OwnedValue)> {
        let mut entries = self.metadata.clone();
        if let Some((alignment, position)) = self.alignment {
            entries.insert(position.min(entries.len()), (b"general.alignment".to_vec(), alignment.into()));
        }
        entries
    }

    pub fn alignment(&self) -> u64 {
        self.alignment.map_or(32, |(alignment, _)| alignment.into())
    }

    /// The data of a tensor. Each tensor has different data.
    pub fn data(&self, index: usize) -> Vec<u8> {
        let tensor = &self.tensors[index];
        let info = tensor.ggml_type.info().unwrap();
        let bytes = tensor.dimensions.iter().product::<u64>() / u64::from(info.block_size) * u64::from(info.type_size);
        (0..bytes).map(|i| (i as u8).wrapping_mul(31).wrapping_add(index as u8 + 1)).collect()
    }

    /// The expected file, made with the encoder and explicit numbers.
    pub fn by_hand(&self) -> Vec<u8> {
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

    pub fn at_once(&self, writer: &Writer) -> Vec<u8> {
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

    pub fn metadata_first(&self, writer: &Writer) -> Vec<u8> {
        let mut file = writer.header().unwrap();
        for tensor in writer.tensors() {
            assert_eq!(tensor.position(), file.len() as u64);
            file.extend(self.data(tensor.index()));
            file.resize((tensor.position() + tensor.padded_length()) as usize, 0);
        }
        file
    }

    /// Writes the data first, the last tensor before the others. The values that depend on it are set afterwards.
    pub fn data_first(&self) -> Vec<u8> {
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

    pub fn check(&self) {
        let writer = self.writer();
        let file = self.by_hand();
        assert_eq!(self.at_once(&writer), file);
        assert_eq!(self.metadata_first(&writer), file);
        assert_eq!(self.data_first(), file);
        assert_eq!(writer.size(), file.len() as u64);

        let header = gguf_format::parse(&file).unwrap();
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

/// Another value of the same type and the same size.
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

/// A file with an entry and a tensor.
pub fn small_writer() -> Writer {
    let mut writer = Writer::new(Format::default()).unwrap();
    writer.add(b"general.name", &"abc".into()).unwrap();
    writer.add_tensor(b"t", &[4], GgmlType::F32).unwrap();
    writer
}

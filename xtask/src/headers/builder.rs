//! A builder of headers that counts entries and tensors.

use gguf_format::format::DEFAULT_ALIGNMENT;
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, GgmlType, ValueType};

pub struct Builder {
    kv_count: u64,
    kvs: Encoder,
    tensor_count: u64,
    tensor_infos: Encoder,
    data_length: u64,
}

impl Builder {
    pub fn new() -> Self {
        Self {
            kv_count: 0,
            kvs: Encoder::new(Format::default()),
            tensor_count: 0,
            tensor_infos: Encoder::new(Format::default()),
            data_length: 0,
        }
    }

    pub fn kv(&mut self, key: &str, value: impl Into<OwnedValue>) {
        self.kv_count += 1;
        self.kvs.kv(key.as_bytes(), &value.into());
    }

    /// Adds an entry that is an array. The caller appends the elements.
    pub fn array(&mut self, key: &str, element_type: ValueType, count: usize) -> &mut Encoder {
        self.kv_count += 1;
        self.kvs.key(key.as_bytes(), ValueType::Array as u32).array(element_type as u32, count as u64)
    }

    /// Adds a tensor. Its offset is after the data of the previous tensor.
    pub fn tensor(&mut self, name: &str, dimensions: &[u64], ggml_type: GgmlType) {
        self.tensor_count += 1;
        self.tensor_infos.tensor_info(name.as_bytes(), dimensions, ggml_type.0, self.data_length);
        let length = ggml_type.byte_length(dimensions.iter().product(), dimensions[0]).unwrap_or(0);
        self.data_length += length.next_multiple_of(DEFAULT_ALIGNMENT);
    }

    /// The file up to the data section.
    pub fn finish(self) -> Vec<u8> {
        let mut file = Encoder::new(Format::default());
        file.header(self.tensor_count, self.kv_count)
            .bytes(self.kvs.as_bytes())
            .bytes(self.tensor_infos.as_bytes())
            .pad_to(DEFAULT_ALIGNMENT);
        file.into_bytes()
    }
}

//! Merging an adapter takes bounded memory, however large a tensor is.

use std::rc::Rc;

use gguf_convert::lora::{LoraAdapter, MergeOptions, MergedFile};
use gguf_format::io::{Chunks, block_on};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, GgmlType, Limits, OpenedFile};

use crate::counting_allocator::measured;
use crate::zeros::Zeros;

/// A file whose tensors are zeros.
fn file(entries: &[(&str, &str)], tensors: &[(&str, [u64; 2], GgmlType)]) -> Rc<OpenedFile<Zeros>> {
    let mut header = Encoder::new(Format::default());
    header.header(tensors.len() as u64, entries.len() as u64);
    for (key, value) in entries {
        header.kv(key.as_bytes(), &OwnedValue::String((*value).into()));
    }
    let mut offset = 0;
    for (name, dimensions, ggml_type) in tensors {
        header.tensor_info(name.as_bytes(), dimensions, ggml_type.0, offset);
        let length = ggml_type.byte_length(dimensions[0] * dimensions[1], dimensions[0]).unwrap();
        offset = (offset + length).next_multiple_of(32);
    }
    header.pad_to(32);
    let source = Zeros { size: header.len() + offset, header: header.into_bytes() };
    Rc::new(block_on(OpenedFile::open(source, Limits::default())).unwrap())
}

#[test]
fn a_tensor_of_half_a_gigabyte_takes_less_than_32_megabytes() {
    let model = file(&[("general.architecture", "llama")], &[("blk.0.attn_q.weight", [4096, 64 << 10], GgmlType::F16)]);
    let entries = [("general.architecture", "llama"), ("general.type", "adapter"), ("adapter.type", "lora")];
    let adapter = file(
        &entries,
        &[
            ("blk.0.attn_q.weight.lora_a", [4096, 16], GgmlType::F32),
            ("blk.0.attn_q.weight.lora_b", [16, 64 << 10], GgmlType::F32),
        ],
    );
    let adapter = LoraAdapter::new(adapter, 1.0).unwrap();
    let merged = MergedFile::new(model, vec![adapter], MergeOptions::default()).unwrap();
    // A part of the tensor is enough to see what stays in memory.
    let (written, used) = measured(|| {
        let mut chunks = merged.chunks(0);
        let mut written = 0;
        while written < 12 << 20 {
            written += block_on(chunks.next_chunk()).unwrap().unwrap().as_slice().len() as u64;
        }
        written
    });
    assert!(used.peak < 32 << 20, "{} bytes for {written}", used.peak);
    assert!(used.held < 1 << 20, "{} bytes are left", used.held);
}

//! The content of a file, for comparing a file with its shards and with the merged file.

use gguf_files::shards::{MergedEntries, MergedShard};
use gguf_files::shards::{PlannedShard, SplitLimit, merge, split};
use gguf_format::write::WritePlan;
use gguf_format::{Header, parse};

use crate::written::{written, written_from};

/// An entry: its key, and the bytes of its type and value.
pub type Entry = (Vec<u8>, Vec<u8>);

/// A tensor: its name, dimensions, type, and data.
#[derive(Debug, PartialEq, Eq)]
pub struct Tensor {
    pub name: Vec<u8>,
    pub dimensions: Vec<u64>,
    pub ggml_type: u32,
    /// `None` if the size of the data cannot be computed.
    pub data: Option<Vec<u8>>,
}

/// The entries of a file, without those about its place in a set.
pub fn entries(header: &Header) -> Vec<Entry> {
    let entries = header.metadata().filter(|entry| !entry.key().to_bytes().starts_with(b"split."));
    let bytes = |entry: &gguf_format::MetadataKv<'_>| {
        let range = entry.range().start + entry.key().range().end - entry.key().range().start..entry.range().end;
        header.bytes().slice(range).into_owned()
    };
    entries.map(|entry| (entry.key().to_bytes().into_owned(), bytes(&entry))).collect()
}

/// The tensors of a file.
pub fn tensors(file: &[u8]) -> Vec<Tensor> {
    let header = parse(file).unwrap();
    let tensor = |tensor: gguf_format::TensorInfo<'_>| Tensor {
        name: tensor.name().to_bytes().into_owned(),
        dimensions: tensor.dimensions().collect(),
        ggml_type: tensor.ggml_type().0,
        data: tensor.byte_length().map(|length| match length {
            0 => Vec::new(),
            _ => {
                let start = tensor.file_offset().unwrap() as usize;
                file[start..start + length as usize].to_vec()
            }
        }),
    };
    header.tensors().map(tensor).collect()
}

/// The tensors of a file as its shards have them: without dimensions of 1 at the end.
pub fn tensors_of_shards(file: &[u8]) -> Vec<Tensor> {
    let mut tensors = tensors(file);
    for Tensor { dimensions, .. } in &mut tensors {
        let used = dimensions.iter().rposition(|extent| *extent != 1).map_or(1, |last| last + 1);
        dimensions.truncate(used);
    }
    tensors
}

/// Splits a file, and returns the bytes of its shards.
pub fn shards_of(file: &[u8], limit: SplitLimit, tensors_in_first: bool) -> Vec<Vec<u8>> {
    let planned = split(&settled(file), Some(file.len() as u64), limit, tensors_in_first).unwrap();
    planned.iter().map(|PlannedShard { plan, .. }| written(plan, file)).collect()
}

/// The header of a file of which the size is known, as opening has it.
pub fn settled(file: &[u8]) -> Header {
    let mut header = parse(file).unwrap();
    header.settle_types(Some(file.len() as u64));
    header
}

/// Merges shards, and returns the bytes of the file.
pub fn merged(shards: &[Vec<u8>], entries: MergedEntries) -> Vec<u8> {
    let plan = merge_plan(shards, entries).unwrap();
    let sources: Vec<&[u8]> = shards.iter().map(Vec::as_slice).collect();
    let bytes = written_from(&plan, &sources);
    assert_eq!(plan.size(), bytes.len() as u64);
    bytes
}

/// Plans the merge of shards.
pub fn merge_plan(shards: &[Vec<u8>], entries: MergedEntries) -> Result<WritePlan, gguf_format::Error> {
    let headers: Vec<Header> = shards.iter().map(|shard| settled(shard)).collect();
    let sources: Vec<MergedShard<'_>> = headers
        .iter()
        .zip(shards)
        .map(|(header, bytes)| MergedShard { header, file_size: Some(bytes.len() as u64) })
        .collect();
    merge(&sources, entries)
}

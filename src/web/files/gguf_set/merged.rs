//! The shards of a set as one file that is not written anywhere.

use alloc::rc::Rc;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::files::merge::{MergedEntries, MergedShard, merge_readable};
use crate::tensor::extents::required_size;
use crate::web::reader::gguf::Gguf;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::source::gguf_source::{PlannedFile, Source};

/// Opens the planned merge of files, in the order of the shards. `has_first` says whether the first file is the first shard,
/// which has the metadata.
pub(super) async fn open(files: Vec<Rc<OpenedFile>>, has_first: bool) -> Result<Gguf, JsValue> {
    for file in &files {
        if let Some(tensor) = file.header.tensors().find(|tensor| tensor.byte_length().is_none()) {
            file.learn_size_for(&tensor).await?;
        }
    }
    let shards: Vec<_> = files.iter().map(|file| shard(file)).collect();
    let entries = if has_first { MergedEntries::WithoutSplitKeys } else { MergedEntries::None };
    let plan = merge_readable(&shards, entries)?;
    let header = plan.decoded_header(files[0].header.bytes())?;
    let originals = files.iter().map(|file| file.file.clone()).collect();
    Gguf::new(header, Source::Planned(PlannedFile::new(originals, plan)))
}

/// A truncated shard counts as if it were complete: reading its last tensors fails, and all others can be read.
fn shard(file: &OpenedFile) -> MergedShard<'_> {
    let file_size = file.file_size().map(|size| size.max(required_size(&file.header).unwrap_or(size)));
    MergedShard { header: file.header.header(), file_size }
}

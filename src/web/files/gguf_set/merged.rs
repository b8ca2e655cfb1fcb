//! The shards of a set as one file that is not written anywhere.

use alloc::rc::Rc;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::files::merge::{MergedEntries, MergedShard, merge_readable};
use crate::tensor::extents::required_size;
use crate::web::edit::edit_plan::EditPlan;
use crate::web::interop::options::Options;
use crate::web::reader::gguf::Gguf;
use crate::web::reader::opened_file::{OpenedFile, decode};
use crate::web::source::gguf_source::Source;

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
    let header = {
        let size = plan.header_size();
        decode(size, &mut plan.header_pieces(files[0].header.bytes(), 0..size))?
    };
    // A plan is a source: an object with `read` and `size`.
    let source = Source::new(EditPlan::of_files(files, plan).into(), &Options::default()).await?;
    Gguf::new(header, source)
}

/// A truncated shard counts as if it were complete: reading its last tensors fails, and all others can be read.
fn shard(file: &OpenedFile) -> MergedShard<'_> {
    let file_size = file.file_size.get().map(|size| size.max(required_size(&file.header).unwrap_or(size)));
    MergedShard { header: file.header.header(), file_size }
}

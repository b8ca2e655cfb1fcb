//! Safetensors files in memory.

use std::ops::Range;
use std::rc::Rc;

use gguf_convert::model::HubModel;
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel};
use gguf_format::Result;
use gguf_format::io::{Blocking, MemoryBuffer, Source, block_on};
use serde_json::Value as Json;

/// A file in memory.
#[derive(Clone)]
pub struct Bytes(pub Rc<Vec<u8>>);

impl Source for Bytes {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        let end = (range.end as usize).min(self.0.len());
        Ok(self.0[(range.start as usize).min(end)..end].to_vec().into())
    }
}

/// The header and the data of a file.
pub fn parts(file: &[u8]) -> (Json, &[u8]) {
    let length = u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
    (serde_json::from_slice(&file[8..8 + length]).unwrap(), &file[8 + length..])
}

/// A file with a header and data.
pub fn joined(header: &Json, data: &[u8]) -> Vec<u8> {
    let header = header.to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
}

/// A model with other tensors.
pub fn with_tensors<S: Source>(model: &HubModel<S>, file: Vec<u8>) -> Result<HubModel<Bytes>> {
    let part = block_on(SafetensorsFile::open("model.safetensors", Bytes(Rc::new(file))))?;
    let tensors = SafetensorsModel::new(vec![part], None)?;
    Ok(HubModel { folder: model.folder.clone(), files: model.files.clone(), tensors })
}

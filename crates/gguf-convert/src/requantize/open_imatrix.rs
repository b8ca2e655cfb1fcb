//! Opening an importance matrix of either form.

use super::imatrix::Imatrix;
use super::{gguf_imatrix, legacy_imatrix};
use gguf_format::error::Result;
use gguf_format::io::{Buffer, Source};
use gguf_format::limits::Limits;
use gguf_format::tensor::opened_file::OpenedFile;

impl Imatrix {
    /// Reads an importance matrix in the GGUF form or in the older one. `file_name` is stored in the converted model.
    ///
    /// The whole file is read once, in pieces, to check its numbers.
    ///
    /// # Errors
    ///
    /// `bad-imatrix` with the offset if the file is no importance matrix, or if a part is missing or has a wrong type or length. Errors of
    /// the source are passed on.
    pub async fn open<S: Source>(source: S, file_name: &str) -> Result<Self> {
        let start = source.read(0..4).await?;
        let mut magic = [0; 4];
        if start.len() == 4 {
            start.copy_to(&mut magic)?;
        }
        match &magic {
            b"GGUF" => gguf_imatrix::open(OpenedFile::open(source, Limits::default()).await?, file_name).await,
            _ => legacy_imatrix::open(source, file_name).await,
        }
    }
}

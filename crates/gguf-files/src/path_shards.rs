//! Shards in the file system.

use alloc::{rc::Rc, string::ToString};
use std::path::{Path, PathBuf};

use super::open_set::{GivenShard, OpenShard, ShardLimits};
use super::shard_place::ShardPlace;
use gguf_format::error::{Error, Result};
use gguf_format::io::{FileSource, HeaderReader, OnHeaderProgress};
use gguf_format::limits::Limits;
use gguf_format::tensor::opened_file::OpenedFile;

/// Opens shards at paths: see [`open_set`](super::open_set::open_set).
#[derive(Clone, Copy, Debug)]
pub struct PathShards;

impl PathShards {
    /// The shard at a path.
    pub fn given(path: impl AsRef<Path>) -> GivenShard<PathBuf> {
        let path = path.as_ref().to_path_buf();
        let place = ShardPlace::Path(path.to_string_lossy().to_string());
        GivenShard { name: place.name().to_string(), place: Some(place), given: path }
    }
}

impl OpenShard for PathShards {
    type Source = FileSource;
    type Given = PathBuf;
    type File = Rc<OpenedFile<FileSource>>;

    async fn open(
        &self,
        path: PathBuf,
        _: ShardLimits,
        on_progress: Option<OnHeaderProgress>,
    ) -> Result<Rc<OpenedFile<FileSource>>> {
        let source = FileSource::open(path)?;
        let mut header = HeaderReader::new(Limits::default(), on_progress);
        header.read(&source).await?;
        Ok(Rc::new(OpenedFile::new(header.into_header()?.into(), source)))
    }

    fn file(&self, shard: &Rc<OpenedFile<FileSource>>) -> Result<Rc<OpenedFile<FileSource>>> {
        Ok(shard.clone())
    }

    fn at(&self, place: &ShardPlace) -> PathBuf {
        let (ShardPlace::Path(path) | ShardPlace::Url(path)) = place;
        path.into()
    }

    fn is_missing(&self, error: &Error) -> bool {
        let cause = error.cause().and_then(|cause| cause.downcast_ref::<std::io::Error>());
        cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::NotFound)
    }
}

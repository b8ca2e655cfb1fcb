//! An opened model in a format before GGUF.

use alloc::{rc::Rc, string::String, sync::Arc, vec::Vec};

use super::decoder::Options;
use super::header::LegacyHeader;
use super::parts::{JoinedTensor, PartsSource, join};
use super::read::read_header;
use super::view::header_of;
use gguf_format::error::{Error, Result, error};
use gguf_format::io::Source;
use gguf_format::tensor::opened_file::OpenedFile;

/// An opened model in a format before GGUF, of one or several files.
///
/// # Examples
///
/// ```
/// use gguf_format::io::{FileSource, block_on};
/// use gguf_legacy::{LegacyModel, Options};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-legacy-model.bin");
/// # let mut bytes = b"fmgg".to_vec();
/// # [100, 50, 2, 1, 0, 1, 8, 0, 2_u32].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
/// # bytes.extend(b"ln_out.w\0\0\x80\x3f\0\0\0\x40");
/// # std::fs::write(&path, &bytes).unwrap();
/// let model = block_on(LegacyModel::open(vec![FileSource::open(&path)?], Options::default()))?;
/// assert_eq!(model.header().family.name(), "rwkv");
///
/// // Its tensors have values, previews and statistics, as those of a GGUF file.
/// let file = model.file();
/// let tensor = file.header().tensor("ln_out.w").unwrap();
/// assert_eq!(block_on(file.read_f32(&tensor, 0..2))?, [1.0, 2.0]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub struct LegacyModel<S: Source> {
    parts: Vec<LegacyHeader>,
    tensors: Vec<JoinedTensor>,
    file: Rc<OpenedFile<PartsSource<S>>>,
    file_name: Option<String>,
}

impl<S: Source> LegacyModel<S> {
    /// Opens a model: one file, or all parts in order.
    ///
    /// # Errors
    ///
    /// The reason why a file cannot be read, with the offset; `bad-structure` if the parts do not belong together; or what
    /// reading a source fails with.
    pub async fn open(sources: Vec<S>, options: Options) -> Result<Self> {
        let mut sources = sources.into_iter();
        let first = sources.next().ok_or_else(|| error!(InvalidArgument: "a model has at least one file"))?;
        Self::open_parts(first, options, async |_, _| Ok::<_, Error>(sources.next())).await
    }

    /// Opens a model of which the first part is known. `next` finds each further part: it gets the header of the first part and the number
    /// of parts so far, and returns `None` if there are no more. [`LegacyHeader::part_count`] is how many there should be.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open). Errors of `next` are passed on.
    pub async fn open_parts<E: From<Error>>(
        first: S,
        options: Options,
        mut next: impl AsyncFnMut(&LegacyHeader, usize) -> core::result::Result<Option<S>, E>,
    ) -> core::result::Result<Self, E> {
        let (mut parts, mut sources): (Vec<LegacyHeader>, Vec<S>) = (Vec::new(), Vec::new());
        let mut found = Some(first);
        while let Some(source) = found {
            parts.push(read_header(&source, options.clone()).await?);
            sources.push(source);
            found = next(&parts[0], parts.len()).await?;
        }
        let tensors = join(&parts)?;
        let header = header_of(&parts[0], &tensors)?;
        let source = PartsSource::new(sources, &parts, &tensors);
        let file = Rc::new(OpenedFile::new(Arc::new(header), source));
        Ok(Self { parts, tensors, file, file_name: None })
    }

    /// The model with the name of its first file, which is the default of its name after migration.
    pub fn with_file_name(self, name: impl Into<String>) -> Self {
        Self { file_name: Some(name.into()), ..self }
    }

    /// The name of the model if no other name is given: the name of the first file, without its extension.
    pub(super) fn default_name(&self) -> Option<&str> {
        self.file_name().map(without_extension)
    }

    /// The name of the first file.
    pub fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// What the first file says.
    pub fn header(&self) -> &LegacyHeader {
        &self.parts[0]
    }

    /// What each file says.
    pub fn parts(&self) -> &[LegacyHeader] {
        &self.parts
    }

    /// The tensors of the model, with their shares joined, in the order of the first file.
    pub fn tensors(&self) -> &[JoinedTensor] {
        &self.tensors
    }

    /// The model as an opened file: reading, previews and statistics work as for a GGUF file. Its header has the hyperparameters and
    /// tensors under their own names, and types of [`BLOCK_TYPES`](gguf_format::tensor::block_types::BLOCK_TYPES). No file contains this header.
    /// Offsets are positions in the file; for a model in several parts, they are positions in a [`PartsSource`].
    pub fn file(&self) -> &Rc<OpenedFile<PartsSource<S>>> {
        &self.file
    }
}

/// A file name without the extension of models, in upper or lower case. A new file has another one.
///
/// # Examples
///
/// ```
/// assert_eq!(gguf_legacy::without_extension("ggml-model-q4_0.bin"), "ggml-model-q4_0");
/// ```
pub fn without_extension(file_name: &str) -> &str {
    let extension = |known: &str| {
        let (start, end) = file_name.split_at_checked(file_name.len().checked_sub(known.len())?)?;
        end.eq_ignore_ascii_case(known).then_some(start)
    };
    extension(".bin").or_else(|| extension(".gguf")).unwrap_or(file_name)
}

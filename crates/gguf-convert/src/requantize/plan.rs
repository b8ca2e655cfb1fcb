//! The plan of a conversion: a recipe, and the files that have the data.

use alloc::{rc::Rc, sync::Arc, vec::Vec};
use core::ops::Range;

use super::layout::PlannedTensor;
use super::options::Options;
use super::recipe::Recipe;
use super::row::RecipeRow;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::header::Header;
use gguf_format::io::Source;
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::tensor::extents::NoExtent;
use gguf_format::tensor::opened_file::OpenedFile;

/// The elements of a piece of a tensor: 2 MiB of F16s, or 4 MiB of `f32`s. With half as many, two workers convert F16 to Q8_0 at 0.85 of
/// the speed, because each piece is a read and two messages.
const PIECE_ELEMENTS: u64 = 1024 << 10;

/// The plan of a conversion. Clones share it.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
/// use gguf_format::{Limits, OpenedFile, io::{Chunks, FileSource, block_on}};
/// use gguf_convert::requantize::{CallingThread, Options, Plan, Target};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-requantize.gguf");
/// # let mut file = gguf_format::write::encode::Encoder::new(gguf_format::Format::default());
/// # file.header(1, 0).tensor_info(b"output.weight", &[32, 2], 2, 0).pad_to(32).bytes(&[0; 36]);
/// # std::fs::write(&path, file.into_bytes()).unwrap();
/// let model = Rc::new(block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?);
/// let mut options = Options::new(Target::parse("Q8_0")?);
/// options.allow_requantize = true;
/// let plan = Plan::new(vec![model], options)?;
/// let mut conversion = plan.conversion(0, None, Rc::new(CallingThread::default()))?;
/// let mut written = Vec::new();
/// while let Some(chunk) = block_on(conversion.next_chunk())? {
///     written.extend_from_slice(chunk.as_slice());
/// }
/// assert_eq!(written.len() as u64, plan.recipe().size());
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub struct Plan<S: Source>(Rc<Planned<S>>);

pub(super) struct Planned<S: Source> {
    pub files: Vec<Rc<OpenedFile<S>>>,
    pub recipe: Recipe,
    /// The data of each row of the recipe, in its file.
    pub data: Vec<Range<u64>>,
    pub piece_elements: u64,
    pub measures_error: bool,
}

impl<S: Source> Clone for Plan<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> Plan<S> {
    /// Plans the conversion of a model: one file, or all shards in their order.
    ///
    /// # Errors
    ///
    /// As [`Recipe::new`] and [`with_recipe`](Self::with_recipe).
    pub fn new(files: Vec<Rc<OpenedFile<S>>>, options: Options) -> Result<Self> {
        let headers: Vec<Arc<Header>> = files.iter().map(|file| file.header().clone()).collect();
        let recipe = Recipe::new(&headers, options)?;
        Self::with_recipe(files, recipe)
    }

    /// Plans a conversion with a recipe that was made from the headers of these files.
    ///
    /// # Errors
    ///
    /// The first problem of the recipe: `needs-imatrix`, `bad-imatrix`, `already-quantized`, `does-not-fit`, `invalid-argument`,
    /// `limit-exceeded`. `truncated` if a file ends before the data of a tensor. `invalid-argument` if the recipe was made from other
    /// headers.
    pub fn with_recipe(files: Vec<Rc<OpenedFile<S>>>, recipe: Recipe) -> Result<Self> {
        recipe.check()?;
        let headers = &recipe.model().headers;
        let is_same = headers.len() == files.len()
            && headers.iter().zip(&files).all(|(header, file)| Arc::ptr_eq(header, file.header()));
        if !is_same {
            return Err(error!(InvalidArgument:
                "the recipe was made from other headers than those of the files: make it from the opened files"));
        }
        let mut data = Vec::new();
        for row in recipe.rows() {
            data.push(data_of(&files, row)?);
        }
        Ok(Self(Rc::new(Planned { files, recipe, data, piece_elements: PIECE_ELEMENTS, measures_error: false })))
    }

    /// The plan with pieces of about `elements` elements instead of 1,048,576. A row is not divided.
    #[must_use]
    pub fn with_piece_elements(self, elements: u64) -> Self {
        self.changed(|planned| planned.piece_elements = elements.clamp(1, PIECE_ELEMENTS))
    }

    /// The plan with or without measuring the errors of quantizing. Measuring takes time.
    #[must_use]
    pub fn with_quality(self, measures_error: bool) -> Self {
        self.changed(|planned| planned.measures_error = measures_error)
    }

    fn changed(self, change: impl FnOnce(&mut Planned<S>)) -> Self {
        let Planned { files, recipe, data, piece_elements, measures_error } = &*self.0;
        let mut planned = Planned {
            files: files.clone(),
            recipe: recipe.clone(),
            data: data.clone(),
            piece_elements: *piece_elements,
            measures_error: *measures_error,
        };
        change(&mut planned);
        Self(Rc::new(planned))
    }

    /// The files of the model.
    pub fn files(&self) -> &[Rc<OpenedFile<S>>] {
        &self.0.files
    }

    /// The recipe: the tensors, their types, and the sizes of the new files.
    pub fn recipe(&self) -> &Recipe {
        &self.0.recipe
    }

    /// The tensors of a new file, in the order of their data. None if there is no such file.
    pub fn tensors(&self, file: usize) -> Vec<PlannedTensor> {
        self.recipe().tensors(file)
    }

    pub(super) fn planned(&self) -> &Rc<Planned<S>> {
        &self.0
    }
}

/// Where the data of a tensor are in its file.
///
/// # Errors
///
/// `truncated`, `size-unknown`.
pub(super) fn data_of<S: Source>(files: &[Rc<OpenedFile<S>>], row: &RecipeRow) -> Result<Range<u64>> {
    let file = &files[row.shard];
    let tensor = file.header().tensor_at(row.index);
    let extent = tensor.map(|tensor| file.extents().map(|extents| extents.of(&tensor, file.file_size())));
    match extent.transpose()? {
        Some(Ok(range)) if range.end <= MAX_FILE_SIZE => Ok(range),
        Some(Err(NoExtent::FileSizeUnknown)) => Err(error!(SizeUnknown:
            "the model cannot be converted: tensor \"{}\" ends with the file, whose size is not known",
            Shown(row.name.as_bytes()))),
        _ => {
            let offset = tensor.and_then(|tensor| tensor.file_offset()).unwrap_or(u64::MAX);
            Err(error!(Truncated:
                "the model cannot be converted: the file ends before the data of tensor \"{}\" does (at offset \
                 {offset:#x}); download or copy it again", Shown(row.name.as_bytes()))
            .at(offset))
        }
    }
}

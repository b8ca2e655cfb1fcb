//! The recipe: which type each tensor gets.

use alloc::{rc::Rc, sync::Arc, vec::Vec};

use super::choice::{row_by_hand, rows_of};
use super::entries::Entries;
use super::imatrix::Imatrix;
use super::layout::{self, OutputFile, PlannedTensor};
use super::model::Model;
use super::options::Options;
use super::pattern::{NameSearch, Pattern};
use super::row::RecipeRow;
use super::target::Target;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::header::Header;
use gguf_models::file_types::declared_file_type;

/// Which type each tensor gets, and how large the new file becomes.
///
/// It is computed from headers alone. No data are read.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use gguf_format::{Format, GgmlType, write::encode::Encoder};
/// use gguf_convert::requantize::{Options, Recipe, Target};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(2, 0)
///     .tensor_info(b"output.weight", &[256, 8], GgmlType::F16.0, 0)
///     .tensor_info(b"blk.0.attn_q.weight", &[256, 8], GgmlType::F16.0, 4096);
/// let headers = [Arc::new(gguf_format::parse(file.as_bytes())?)];
///
/// let mut recipe = Recipe::new(&headers, Options::new(Target::parse("Q4_K_M")?))?;
/// assert_eq!(recipe.rows()[0].new_type, GgmlType::Q6_K);
/// assert_eq!(recipe.rows()[1].new_type, GgmlType::Q4_K);
/// recipe.set_type(1, GgmlType::Q8_0)?;
/// println!("{} bytes", recipe.size());
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recipe {
    model: Rc<Model>,
    options: Options,
    rows: Vec<RecipeRow>,
    files: Vec<OutputFile>,
}

impl Recipe {
    /// The recipe for a model: one header, or those of all its shards in their order.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if there is no header, if an option has an unusable value, or if options contradict each other.
    /// `incomplete-set` if the headers are not all shards of a set. `foreign-shard` if the byte orders differ. `unknown-type`,
    /// `name-taken`, `bad-alignment`, `bad-imatrix` if a used entry has a number that is not finite, `limit-exceeded`.
    pub fn new(headers: &[Arc<Header>], options: Options) -> Result<Self> {
        let model = Rc::new(Model::new(headers, &options)?);
        Self::of(model, options)
    }

    /// The recipe of a model for a target.
    pub(super) fn of(model: Rc<Model>, options: Options) -> Result<Self> {
        let rows = rows_of(&model, &options);
        let mut recipe = Self { model, options, rows, files: Vec::new() };
        recipe.place()?;
        Ok(recipe)
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What becomes of each tensor, in the order of the new file.
    pub fn rows(&self) -> &[RecipeRow] {
        &self.rows
    }

    /// The new files: one, or one for each shard if shards are kept.
    pub fn files(&self) -> &[OutputFile] {
        &self.files
    }

    /// The tensors of a new file, in the order of their data. None if there is no such file.
    pub fn tensors(&self, file: usize) -> Vec<PlannedTensor> {
        self.files.get(file).map_or_else(Vec::new, |file| layout::tensors_of(file, &self.rows))
    }

    /// The size of all new files together, in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// The value that `general.file_type` gets. `None` if the new file has no such entry.
    pub fn file_type(&self) -> Option<u32> {
        match self.options.target {
            Target::FileType(info) => Some(info.id),
            Target::Copy => declared_file_type(&self.model.headers[0]),
        }
    }

    /// The bits of tensor data for each element. 0 if there are no elements.
    pub fn bits_per_weight(&self) -> f64 {
        let bytes: f64 = self.rows.iter().map(|row| row.new_byte_length as f64).sum();
        let elements: f64 = self.model.tensors.iter().map(|tensor| tensor.element_count() as f64).sum();
        if elements > 0.0 { bytes * 8.0 / elements } else { 0.0 }
    }

    /// Whether a tensor that is converted has a type that cannot be used without an importance matrix.
    pub fn requires_imatrix(&self) -> bool {
        self.rows.iter().any(|row| row.needs_importance)
    }

    /// The rows of the tensors whose names match a pattern, without those that are never quantized, such as norms.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if the search takes too many steps.
    pub fn rows_matching(&self, pattern: &Pattern) -> Result<Vec<usize>> {
        let mut search = NameSearch::default();
        let mut rows = Vec::new();
        for (row, tensor) in self.model.tensors.iter().enumerate() {
            if tensor.is_quantized && search.finds(pattern, &tensor.name)? {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Sets the type of a tensor by hand.
    ///
    /// # Errors
    ///
    /// As [`set_types`](Self::set_types).
    pub fn set_type(&mut self, row: usize, ggml_type: GgmlType) -> Result<()> {
        self.set_types([row].into_iter(), Some(ggml_type)).map(drop)
    }

    /// Gives a tensor the type that `llama-quantize` chooses.
    ///
    /// # Errors
    ///
    /// `out-of-range` if there is no such row.
    pub fn reset_type(&mut self, row: usize) -> Result<()> {
        self.set_types([row].into_iter(), None).map(drop)
    }

    /// Sets the type of several tensors by hand, or gives them the types that `llama-quantize` chooses. Returns their number.
    ///
    /// # Errors
    ///
    /// `out-of-range` if there is no such row. `invalid-argument` if tensors cannot be converted to the type. `does-not-fit` if its blocks
    /// do not fit into the rows. After these errors, nothing has changed. Other obstacles are in the `problem` of the row.
    pub fn set_types(&mut self, rows: impl Iterator<Item = usize>, ggml_type: Option<GgmlType>) -> Result<usize> {
        let chosen = match ggml_type {
            Some(_) => Vec::new(),
            None => rows_of(&self.model, &self.options),
        };
        let mut changed = self.rows.clone();
        let mut count = 0;
        for row in rows {
            let tensor = self.model.tensors.get(row).ok_or_else(
                || error!(OutOfRange: "there is no tensor {row}: the model has {}", self.model.tensors.len()),
            )?;
            let new = match ggml_type {
                Some(ggml_type) => row_by_hand(&self.model, &self.options, tensor, ggml_type),
                None => chosen[row].clone(),
            };
            if let Some(problem) = new.problem.as_ref().filter(|_| ggml_type.is_some()) {
                let is_type_wrong = matches!(problem.code.name(), "invalid-argument" | "does-not-fit");
                if is_type_wrong {
                    return Err(problem.to_error());
                }
            }
            changed[row] = new;
            count += 1;
        }
        self.rows = changed;
        self.place()?;
        Ok(count)
    }

    /// The first reason why the model cannot be converted.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if the model is an image model for which there are no rules, `invalid-argument` if image models are not
    /// converted to the file type. `incomplete-model` if the model lacks a key that llama.cpp requires. Otherwise the code of the problem
    /// of the first row that has one.
    pub fn check(&self) -> Result<()> {
        let of_rows = || self.rows.iter().find_map(|row| row.problem.as_ref()).map(|problem| problem.to_error());
        let missing_key = || self.model.problems.missing_key.clone();
        match self.refusal().or_else(missing_key).or_else(of_rows) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Why an image model is not converted as a whole.
    pub(super) fn refusal(&self) -> Option<Error> {
        self.model.image.as_ref()?.refusal(&self.options)
    }

    /// The header of a new file, with the padding up to the data section.
    ///
    /// # Errors
    ///
    /// `out-of-range` if there is no such file. `too-large` if the memory cannot be allocated.
    pub fn header(&self, file: usize) -> Result<Vec<u8>> {
        match self.files.get(file) {
            Some(file) => layout::encode_header(&self.model, &self.rows, file),
            None => Err(error!(OutOfRange: "there is no file {file}: the conversion makes {}", self.files.len())),
        }
    }

    /// Computes where everything lies in the new files.
    fn place(&mut self) -> Result<()> {
        let entries = Entries::of_first(&self.model, &self.options, self.file_type())?;
        self.files = layout::output_files(&self.model, &self.options, &self.rows, &entries)?;
        Ok(())
    }

    /// The importance matrix, if it has values for all columns of a tensor.
    pub(super) fn importance_of(&self, tensor: usize) -> Option<Rc<Imatrix>> {
        let tensor = &self.model.tensors[tensor];
        let expected = tensor.row_length().saturating_mul(tensor.matrix_count_of_dimension_2());
        let entry = self.model.importance(&self.options, tensor).filter(|entry| entry.value_count() == expected);
        entry.and(self.options.imatrix.clone())
    }

    pub(super) fn model(&self) -> &Rc<Model> {
        &self.model
    }
}

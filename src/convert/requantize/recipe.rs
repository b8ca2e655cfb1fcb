//! The recipe: which type each tensor gets.

use alloc::{collections::BTreeSet, rc::Rc, sync::Arc, vec::Vec};

use super::fallback::fitting_type;
use super::hyperparameters::Hyperparameters;
use super::imatrix::ImatrixEntry;
use super::layout::{self, OutputFile};
use super::mixture::Mixture;
use super::options::Options;
use super::prune::Pruning;
use super::row::{RecipeRow, RowProblem, TypeReason};
use super::target::Target;
use super::target_type::{is_quantized_type, is_target, no_target, requires_importance, row_bytes};
use super::tensors::{InputTensor, tensors_of};
use crate::error::{Error, Result, error};
use crate::format::ggml_type::GgmlType;
use crate::format::header::Header;
use crate::know::file_types::{FileTypeInfo, declared_file_type};
use crate::know::kind::Shard;

/// The most elements of a row that is converted. With these, a job stays below 64 MiB.
pub(super) const MOST_ROW_ELEMENTS: u64 = 2 << 20;

/// Which type each tensor gets, and how large the new file becomes.
///
/// It is computed from headers alone. No data are read.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use gguf_wasm::{Format, GgmlType, write::encode::Encoder};
/// use gguf_wasm::convert::requantize::{Options, Recipe, Target};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(2, 0)
///     .tensor_info(b"output.weight", &[256, 8], GgmlType::F16.0, 0)
///     .tensor_info(b"blk.0.attn_q.weight", &[256, 8], GgmlType::F16.0, 4096);
/// let headers = [Arc::new(gguf_wasm::parse(file.as_bytes())?)];
///
/// let mut recipe = Recipe::new(&headers, Options::new(Target::parse("Q4_K_M")?))?;
/// assert_eq!(recipe.rows()[0].new_type, GgmlType::Q6_K);
/// assert_eq!(recipe.rows()[1].new_type, GgmlType::Q4_K);
/// recipe.set_type(1, GgmlType::Q8_0)?;
/// println!("{} bytes", recipe.size());
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recipe {
    model: Rc<Model>,
    options: Options,
    rows: Vec<RecipeRow>,
    files: Vec<OutputFile>,
}

/// The part of a recipe that does not depend on the target.
#[derive(Debug)]
pub(super) struct Model {
    pub headers: Vec<Arc<Header>>,
    pub tensors: Vec<InputTensor>,
    pub hyperparameters: Hyperparameters,
    pub pruning: Pruning,
    /// The names of the entries of the importance matrix that are used.
    pub weights: BTreeSet<Vec<u8>>,
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
        let rows = match options.target {
            Target::Copy => {
                model.tensors.iter().map(|tensor| model.row(&options, tensor, Choice::copy(tensor))).collect()
            }
            Target::FileType(info) => model.chosen_rows(&options, info),
        };
        let mut recipe = Self { model, options, rows, files: Vec::new() };
        recipe.files = layout::output_files(&recipe)?;
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

    /// Sets the type of a tensor by hand.
    ///
    /// # Errors
    ///
    /// `out-of-range` if there is no such row. `invalid-argument` if tensors cannot be converted to the type. `does-not-fit` if its
    /// blocks do not fit into the rows. Then nothing changes. What else prevents the conversion is the problem of the row.
    pub fn set_type(&mut self, row: usize, ggml_type: GgmlType) -> Result<()> {
        let tensor = self.model.tensors.get(row).ok_or_else(
            || error!(OutOfRange: "there is no tensor {row}: the model has {}", self.model.tensors.len()),
        )?;
        let choice = Choice { ggml_type, reason: TypeReason::Hand, fallback_from: None, problem: None };
        let new = self.model.row(&self.options, tensor, choice);
        if let Some(problem) = &new.problem {
            let is_type_wrong = matches!(problem.code.name(), "invalid-argument" | "does-not-fit");
            if is_type_wrong {
                return Err(problem.to_error());
            }
        }
        self.rows[row] = new;
        self.files = layout::output_files(self)?;
        Ok(())
    }

    /// Gives a tensor the type that `llama-quantize` chooses.
    ///
    /// # Errors
    ///
    /// `out-of-range` if there is no such row.
    pub fn reset_type(&mut self, row: usize) -> Result<()> {
        let original = Self::of(self.model.clone(), self.options.clone())?;
        match (self.rows.get_mut(row), original.rows.get(row)) {
            (Some(row), Some(original)) => *row = original.clone(),
            _ => return Err(error!(OutOfRange: "there is no tensor {row}: the model has {}", self.rows.len())),
        }
        self.files = layout::output_files(self)?;
        Ok(())
    }

    /// The first reason why the model cannot be converted.
    ///
    /// # Errors
    ///
    /// The code of the problem of the first row that has one.
    pub fn check(&self) -> Result<()> {
        match self.rows.iter().find_map(|row| row.problem.as_ref()) {
            Some(problem) => Err(problem.to_error()),
            None => Ok(()),
        }
    }

    pub(super) fn model(&self) -> &Rc<Model> {
        &self.model
    }
}

/// The type of a tensor, and how it was chosen.
struct Choice {
    ggml_type: GgmlType,
    reason: TypeReason,
    fallback_from: Option<GgmlType>,
    problem: Option<Error>,
}

impl Choice {
    fn new(ggml_type: GgmlType, reason: TypeReason) -> Self {
        Self { ggml_type, reason, fallback_from: None, problem: None }
    }

    fn copy(tensor: &InputTensor) -> Self {
        Self::new(tensor.ggml_type, TypeReason::Copy)
    }
}

impl Model {
    pub fn new(headers: &[Arc<Header>], options: &Options) -> Result<Self> {
        let Some(first) = headers.first() else {
            return Err(error!(InvalidArgument: "the model cannot be converted: no file is given"));
        };
        check_shards(headers)?;
        if !options.include_weights.is_empty() && !options.exclude_weights.is_empty() {
            return Err(error!(InvalidArgument:
                "weights of the importance matrix are both included and excluded: use one of the two options"));
        }
        for ggml_type in options.output_tensor_type.into_iter().chain(options.token_embedding_type) {
            if !is_target(ggml_type) {
                return Err(no_target(ggml_type));
            }
        }
        let names: Vec<_> =
            headers.iter().flat_map(|header| header.tensors()).map(|tensor| tensor.name().to_bytes()).collect();
        let pruning = Pruning::new(&options.prune_layers, names.iter().map(|name| &**name));
        let weights: BTreeSet<_> = options.used_weights().into_iter().map(<[u8]>::to_vec).collect();
        if let Some(imatrix) = &options.imatrix {
            weights.iter().try_for_each(|name| imatrix.check_finite(name))?;
        }
        Ok(Self {
            tensors: tensors_of(headers, options, &pruning)?,
            hyperparameters: Hyperparameters::of(first, options),
            headers: headers.to_vec(),
            pruning,
            weights,
        })
    }

    /// The entry of the importance matrix for a tensor.
    pub fn importance<'a>(&self, options: &'a Options, tensor: &InputTensor) -> Option<&'a ImatrixEntry> {
        let name = &tensor.original_name;
        options.imatrix.as_ref().filter(|_| self.weights.contains(name))?.entry(name)
    }

    /// The rows for a file type.
    fn chosen_rows(&self, options: &Options, info: &'static FileTypeInfo) -> Vec<RecipeRow> {
        use super::category::Category;
        let mut mixture = Mixture {
            model: &self.hyperparameters,
            target: info,
            options,
            has_importance: !self.weights.is_empty(),
            is_tied: !self.tensors.iter().any(|tensor| tensor.category == Category::Output),
            value_count: self.tensors.iter().filter(|tensor| tensor.category == Category::AttentionValue).count()
                as u32,
            values_before: 0,
            ups_before: 0,
            gates_before: 0,
            downs_before: 0,
        };
        let mut rows = Vec::with_capacity(self.tensors.len());
        for tensor in &self.tensors {
            let choice = choose(options, info, &mut mixture, tensor);
            rows.push(self.row(options, tensor, choice));
        }
        rows
    }

    /// The row of a tensor whose type is chosen.
    fn row(&self, options: &Options, tensor: &InputTensor, choice: Choice) -> RecipeRow {
        let Choice { ggml_type: new_type, reason, fallback_from, problem } = choice;
        let is_copied = new_type == tensor.ggml_type;
        let importance = self.importance(options, tensor);
        let expected = tensor.row_length().saturating_mul(tensor.matrix_count_of_dimension_2());
        let is_right_length = importance.is_none_or(|entry| entry.value_count() == expected);
        let has_importance = !is_copied && importance.is_some() && is_right_length;
        let needs_importance = !is_copied && needs_importance(options, tensor, new_type);
        let problem = problem.or_else(|| {
            if is_copied {
                return None;
            }
            let found = importance.filter(|_| !is_right_length).map(|entry| entry.value_count());
            problem_of(options, tensor, new_type, has_importance, found.map(|found| (found, expected)))
        });
        let row = row_bytes(new_type, tensor.row_length()).unwrap_or(0);
        let row_count = tensor.rows_of_matrix().saturating_mul(tensor.matrix_count());
        RecipeRow {
            name: tensor.shown_name().into_owned(),
            original_name: (tensor.name != tensor.original_name)
                .then(|| alloc::string::String::from_utf8_lossy(&tensor.original_name).into_owned()),
            shard: tensor.shard,
            index: tensor.index,
            dimensions: tensor.dimensions.clone(),
            old_type: tensor.ggml_type,
            new_type,
            reason,
            fallback_from,
            old_byte_length: tensor.byte_length,
            new_byte_length: if is_copied { tensor.byte_length } else { row.saturating_mul(row_count) },
            has_importance,
            needs_importance,
            problem: problem.as_ref().map(RowProblem::new),
        }
    }
}

/// The type of a tensor for a file type (`llama_tensor_get_type`).
fn choose(options: &Options, info: &'static FileTypeInfo, mixture: &mut Mixture<'_>, tensor: &InputTensor) -> Choice {
    use super::category::Category;
    if !tensor.is_quantized {
        return Choice::new(tensor.ggml_type, TypeReason::Kept);
    }
    if options.leave_output_tensor && tensor.category == Category::Output {
        return Choice::new(tensor.ggml_type, TypeReason::OutputLeft);
    }
    match (tensor.category, options.token_embedding_type, options.output_tensor_type) {
        (Category::TokenEmbedding, Some(ggml_type), _) => {
            return Choice::new(ggml_type, TypeReason::TokenEmbeddingType);
        }
        (Category::Output, _, Some(ggml_type)) => return Choice::new(ggml_type, TypeReason::OutputTensorType),
        _ => {}
    }
    let default = info.tensor_type;
    if !is_quantized_type(default) {
        return Choice::new(default, TypeReason::Default);
    }
    let rule = options.tensor_types.iter().find(|rule| rule.pattern.is_found_in(&tensor.name));
    let mut choice = match rule {
        Some(rule) => Choice::new(rule.ggml_type, TypeReason::Rule),
        None if options.pure => Choice::new(default, TypeReason::Default),
        None => match mixture.next(tensor) {
            Ok(ggml_type) if ggml_type == default => Choice::new(default, TypeReason::Default),
            Ok(ggml_type) => Choice::new(ggml_type, TypeReason::Mixture),
            Err(problem) => Choice { problem: Some(problem), ..Choice::new(default, TypeReason::Default) },
        },
    };
    match fitting_type(choice.ggml_type, tensor.row_length()) {
        Some(fitting) if fitting == choice.ggml_type => {}
        Some(fitting) => choice.fallback_from = Some(core::mem::replace(&mut choice.ggml_type, fitting)),
        // The row reports that the blocks do not fit.
        None => {}
    }
    choice
}

/// Whether a type has so few bits that a tensor needs importance (`tensor_requires_imatrix`), or that its quantiser does.
fn needs_importance(options: &Options, tensor: &InputTensor, ggml_type: GgmlType) -> bool {
    use super::category::Category;
    let is_exempt = matches!(tensor.category, Category::TokenEmbedding | Category::Output);
    let is_small = match ggml_type {
        GgmlType::IQ3_XXS
        | GgmlType::IQ2_XXS
        | GgmlType::IQ2_XS
        | GgmlType::IQ2_S
        | GgmlType::IQ1_M
        | GgmlType::IQ1_S => true,
        GgmlType::Q2_K => options.target.name() == "Q2_K_S",
        _ => false,
    };
    (is_small && !is_exempt) || requires_importance(ggml_type)
}

/// Why a tensor cannot be converted. `length` are the numbers of values that the importance matrix has and should have, if they
/// differ.
fn problem_of(
    options: &Options,
    tensor: &InputTensor,
    new_type: GgmlType,
    has_importance: bool,
    length: Option<(u64, u64)>,
) -> Option<Error> {
    use super::category::Category;
    let (name, old_type, row_length) = (tensor.shown_name(), tensor.ggml_type, tensor.row_length());
    if !is_target(new_type) {
        return Some(no_target(new_type));
    }
    if row_bytes(new_type, row_length).is_none() {
        return Some(error!(DoesNotFit:
            "tensor \"{name}\" cannot be converted to {new_type}: its rows have {row_length} elements, expected a multiple \
             of {}; choose another type for it", super::target_type::block_size(new_type)));
    }
    if matches!(old_type, GgmlType::F64 | GgmlType::I8 | GgmlType::I16 | GgmlType::I32 | GgmlType::I64) {
        return Some(error!(InvalidArgument:
            "tensor \"{name}\" of type {old_type} cannot be converted to {new_type}: expected F32, F16, BF16 or a quantised \
             type; keep its type"));
    }
    if is_quantized_type(old_type) && !options.allow_requantize {
        return Some(error!(AlreadyQuantized:
            "tensor \"{name}\" is quantised already, as {old_type}: converting it to {new_type} loses quality. Use the \
             original model, or allow requantising"));
    }
    if row_length > MOST_ROW_ELEMENTS {
        return Some(error!(LimitExceeded:
            "tensor \"{name}\" cannot be converted: its rows have {row_length} elements, expected at most \
             {MOST_ROW_ELEMENTS}; keep its type"));
    }
    if let Some((found, expected)) = length.filter(|_| tensor.category != Category::TokenEmbedding) {
        return Some(error!(BadImatrix:
            "the importance matrix has {found} values for tensor \"{name}\", expected {expected}: it belongs to another \
             model"));
    }
    if needs_importance(options, tensor, new_type) && !has_importance {
        let found = if options.imatrix.is_some() { "the importance matrix has none" } else { "there is none" };
        return Some(error!(NeedsImatrix:
            "tensor \"{name}\" cannot be converted to {new_type} without importance, and {found}: give an importance matrix \
             with this tensor, or choose a type with more bits"));
    }
    None
}

/// Checks that the headers are one file that is no shard, or all shards of a set.
fn check_shards(headers: &[Arc<Header>]) -> Result<()> {
    let first = &headers[0];
    let count = Shard::of(first).map_or(1, |shard| shard.count);
    if count != headers.len() as u64 {
        return Err(error!(IncompleteSet:
            "the model cannot be converted: it has {count} shards, but {} files are given; open the whole set",
            headers.len()));
    }
    for (position, header) in headers.iter().enumerate() {
        let number = Shard::of(header).and_then(|shard| shard.number).unwrap_or(position as u64 + 1);
        if number != position as u64 + 1 {
            return Err(error!(IncompleteSet:
                "the model cannot be converted: file {} of {count} is shard {number}; give the shards in their order",
                position + 1));
        }
        if header.format().endian != first.format().endian {
            return Err(error!(ForeignShard:
                "the model cannot be converted: file {} of {count} has another byte order than the first", position + 1));
        }
    }
    Ok(())
}

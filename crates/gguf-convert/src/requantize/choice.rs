//! The choice of a type for each tensor, and what prevents its conversion.

use alloc::{string::String, vec::Vec};

use super::category::{Category, EMBEDDINGS_OF_LAYERS};
use super::fallback::fitting_type;
use super::image::{self, ImageMixture};
use super::mixture::Mixture;
use super::model::Model;
use super::options::{Options, TensorTypeRule};
use super::row::{RecipeRow, RowProblem, TypeReason};
use super::target::Target;
use super::target_type::{block_size, is_quantized_type, is_target, no_target, requires_importance, row_bytes};
use super::tensors::InputTensor;
use gguf_format::error::{Error, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_models::file_types::FileTypeInfo;

/// The most elements of a row that is converted. With these, a job stays below 64 MiB.
const MOST_ROW_ELEMENTS: u64 = 2 << 20;

/// The rows of a recipe.
pub(super) fn rows_of(model: &Model, options: &Options) -> Vec<RecipeRow> {
    match options.target {
        Target::Copy => model.tensors.iter().map(|tensor| row(model, options, tensor, Choice::copy(tensor))).collect(),
        Target::FileType(info) => chosen_rows(model, options, info),
    }
}

/// The row of a tensor whose type was chosen by hand.
pub(super) fn row_by_hand(model: &Model, options: &Options, tensor: &InputTensor, ggml_type: GgmlType) -> RecipeRow {
    row(model, options, tensor, Choice::new(ggml_type, TypeReason::Hand))
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

/// The rows for a file type.
fn chosen_rows(model: &Model, options: &Options, info: &'static FileTypeInfo) -> Vec<RecipeRow> {
    let mut mixture = Mixture {
        model: &model.hyperparameters,
        target: info,
        options,
        has_importance: !model.weights.is_empty(),
        is_tied: !model.tensors.iter().any(|tensor| tensor.category == Category::Output),
        value_count: model.tensors.iter().filter(|tensor| tensor.category == Category::AttentionValue).count() as u32,
        values_before: 0,
        ups_before: 0,
        gates_before: 0,
        downs_before: 0,
    };
    let mut image = model.image.is_some().then(ImageMixture::default);
    let mut rows = Vec::with_capacity(model.tensors.len());
    for (position, tensor) in model.tensors.iter().enumerate() {
        let rule = model.rules.of_tensor(position).and_then(|rule| options.tensor_types.get(rule));
        let choice = choose(options, info, &mut mixture, image.as_mut(), tensor, rule);
        rows.push(row(model, options, tensor, choice));
    }
    rows
}

/// The row of a tensor whose type is chosen.
fn row(model: &Model, options: &Options, tensor: &InputTensor, choice: Choice) -> RecipeRow {
    let Choice { ggml_type: new_type, reason, fallback_from, problem } = choice;
    let is_copied = new_type == tensor.ggml_type;
    let importance = model.importance(options, tensor);
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
            .then(|| String::from_utf8_lossy(&tensor.original_name).into_owned()),
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

/// The type of a tensor for a file type (`llama_tensor_get_type`).
fn choose(
    options: &Options,
    info: &'static FileTypeInfo,
    mixture: &mut Mixture<'_>,
    mut image: Option<&mut ImageMixture>,
    tensor: &InputTensor,
    rule: Option<&TensorTypeRule>,
) -> Choice {
    if !tensor.is_quantized {
        return Choice::new(tensor.ggml_type, TypeReason::Kept);
    }
    if options.leave_output_tensor && tensor.category == Category::Output {
        return Choice::new(tensor.ggml_type, TypeReason::OutputLeft);
    }
    // The table of embeddings for each block follows `token_embedding_type` too, unless a rule names it.
    let is_named = rule.is_some() && tensor.name == EMBEDDINGS_OF_LAYERS;
    match (tensor.category, options.token_embedding_type, options.output_tensor_type) {
        (Category::TokenEmbedding, Some(ggml_type), _) if !is_named => {
            return Choice::new(ggml_type, TypeReason::TokenEmbeddingType);
        }
        (Category::Output, _, Some(ggml_type)) => return Choice::new(ggml_type, TypeReason::OutputTensorType),
        _ => {}
    }
    let default = info.tensor_type;
    if !is_quantized_type(default) {
        return Choice::new(default, TypeReason::Default);
    }
    let mut choice = match rule {
        Some(rule) => Choice::new(rule.ggml_type, TypeReason::Rule),
        None if options.pure => Choice::new(default, TypeReason::Default),
        None => match image.as_mut().map_or_else(|| mixture.next(tensor), |image| Ok(image.next(info, &tensor.name))) {
            Ok(ggml_type) if ggml_type == default => Choice::new(default, TypeReason::Default),
            Ok(ggml_type) => Choice::new(ggml_type, TypeReason::Mixture),
            Err(problem) => Choice { problem: Some(problem), ..Choice::new(default, TypeReason::Default) },
        },
    };
    let fitting = match image {
        Some(_) => Some(image::fitting_type(choice.ggml_type, tensor.row_length())),
        None => fitting_type(choice.ggml_type, tensor.row_length()),
    };
    match fitting {
        Some(fitting) if fitting == choice.ggml_type => {}
        Some(fitting) => choice.fallback_from = Some(core::mem::replace(&mut choice.ggml_type, fitting)),
        // `problem_of` reports that the blocks do not fit.
        None => {}
    }
    choice
}

/// Whether a tensor of this type needs importance: because the type has few bits (`tensor_requires_imatrix`), or because its
/// quantizer requires it.
fn needs_importance(options: &Options, tensor: &InputTensor, ggml_type: GgmlType) -> bool {
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

/// Why a tensor cannot be converted. `length` has two numbers of values, if they differ: what the importance matrix has, and
/// what it should have.
fn problem_of(
    options: &Options,
    tensor: &InputTensor,
    new_type: GgmlType,
    has_importance: bool,
    length: Option<(u64, u64)>,
) -> Option<Error> {
    let (name, old_type, row_length) = (tensor.shown_name(), tensor.ggml_type, tensor.row_length());
    if !is_target(new_type) {
        return Some(no_target(new_type));
    }
    if row_bytes(new_type, row_length).is_none() {
        return Some(error!(DoesNotFit:
            "tensor \"{name}\" cannot be converted to {new_type}: its rows have {row_length} elements, expected a multiple \
             of {}; choose another type for it", block_size(new_type)));
    }
    if matches!(old_type, GgmlType::F64 | GgmlType::I8 | GgmlType::I16 | GgmlType::I32 | GgmlType::I64) {
        return Some(error!(InvalidArgument:
            "tensor \"{name}\" of type {old_type} cannot be converted to {new_type}: expected F32, F16, BF16 or a quantized \
             type; keep its type"));
    }
    if is_quantized_type(old_type) && !options.allow_requantize {
        return Some(error!(AlreadyQuantized:
            "tensor \"{name}\" is quantized already, as {old_type}: converting it to {new_type} loses quality. Use the \
             original model, or allow requantizing"));
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

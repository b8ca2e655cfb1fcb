//! Which matrices of the adapters belong to which tensors of the model.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::adapter::{LoraAdapter, text};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::io::Source;
use gguf_format::tensor::blocks::Blocks;

/// The beginning of the name of a token embedding. Its matrices A and B have changed places: A has a row for each token.
const TOKEN_EMBEDDING: &[u8] = b"token_embd";

/// The end of the names of norms. llama.cpp ignores norms in adapters.
const NORM: &[u8] = b"_norm.weight";

/// The most elements of a matrix that is kept in memory: 64 MiB of numbers.
const MAX_FACTOR_ELEMENTS: u64 = 16 << 20;

/// The two matrices of an adapter that change a tensor. The change of row `r` is `Σ coefficients[r][k] × factor[k]` over all
/// `k`, times `scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// The position of the adapter.
    pub adapter: usize,
    pub rank: u64,
    /// The factor of the sums.
    pub scale: f32,
    /// The position of the matrix with a row of `rank` numbers for each row of the tensor.
    pub coefficients: usize,
    /// The position of the matrix that is kept in memory.
    pub factor: usize,
    /// Whether the factor is stored with a row of `rank` numbers for each column of the tensor.
    pub is_transposed: bool,
    /// The number of factors: 1, or one for each expert.
    pub factors: u64,
}

/// The changes of the tensors of a model, by their positions. In each tensor, they are in the order of the adapters.
pub(super) type Pairs = BTreeMap<usize, Vec<Pair>>;

/// The sides of a pair that have been found: the positions of A and of B.
type Sides = [Option<usize>; 2];

/// Finds the pairs of an adapter.
///
/// # Errors
///
/// `invalid-argument` if the adapter does not fit the model.
pub(super) fn add_pairs<S: Source>(
    pairs: &mut Pairs,
    model: &Header,
    position: usize,
    adapter: &LoraAdapter<S>,
) -> Result<()> {
    let header = adapter.file.header();
    let architecture = |header: &Header| text(header, "general.architecture").unwrap_or_default();
    if architecture(model) != architecture(header) {
        return Err(error!(InvalidArgument:
            "the adapter is for the architecture \"{}\", but that of the model is \"{}\"; choose the model that it was trained for",
            Shown(architecture(header).as_bytes()), Shown(architecture(model).as_bytes())));
    }
    let mut found: BTreeMap<Vec<u8>, Sides> = BTreeMap::new();
    for tensor in header.tensors() {
        let name = tensor.name().to_bytes();
        let side = [b".lora_a", b".lora_b"].iter().position(|end| name.ends_with(*end));
        match side {
            Some(side) => found.entry(name[..name.len() - 7].into()).or_default()[side] = Some(tensor.index()),
            None if name.ends_with(NORM) => {}
            None => {
                return Err(error!(InvalidArgument:
                    "the adapter has the tensor \"{}\": expected names that end with .lora_a or .lora_b; convert the adapter again",
                    Shown(&name)));
            }
        }
    }
    for (name, sides) in found {
        let matrix = |side: usize| {
            let index = sides[side].and_then(|index| header.tensor_at(index));
            index.ok_or_else(|| {
                let end = ["a", "b"][side];
                error!(InvalidArgument:
                    "the adapter has no tensor \"{}.lora_{end}\"; download the file again", Shown(&name))
            })
        };
        let Some(target) = model.tensor(&name) else {
            return Err(error!(InvalidArgument:
                "the adapter changes \"{}\", which the model does not have; choose the model that it was trained for", Shown(&name)));
        };
        let pair = pair(&target, matrix(0)?, matrix(1)?, position, adapter)?;
        Blocks::of(model, &target)?;
        pairs.entry(target.index()).or_default().push(pair);
    }
    Ok(())
}

/// Checks the shapes of a pair.
fn pair<S: Source>(
    target: &TensorInfo<'_>,
    a: TensorInfo<'_>,
    b: TensorInfo<'_>,
    position: usize,
    adapter: &LoraAdapter<S>,
) -> Result<Pair> {
    let ([columns, rows, matrices], shape_a, shape_b) = (shape(target), shape(&a), shape(&b));
    let is_transposed = target.name().to_bytes().starts_with(TOKEN_EMBEDDING);
    let (rank, fits) = match is_transposed {
        true => (shape_a[0], shape_a == [shape_b[0], rows, 1] && shape_b == [shape_b[0], columns, 1] && matrices == 1),
        false => {
            let fits = shape_a[..2] == [columns, shape_b[0]] && shape_b[1..] == [rows, matrices];
            (shape_b[0], fits && (shape_a[2] == 1 || shape_a[2] == matrices))
        }
    };
    if !fits || rank == 0 || columns == 0 || rows == 0 || matrices == 0 {
        return Err(error!(InvalidArgument:
            "the matrices of the adapter for \"{}\" do not fit it: its shape is {:?}, that of A is {:?}, and that of B is {:?}; choose \
             the model that the adapter was trained for", Shown(&target.name().to_bytes()),
            listed(target), listed(&a), listed(&b)));
    }
    if rank.checked_mul(columns).is_none_or(|elements| elements > MAX_FACTOR_ELEMENTS) {
        return Err(error!(LimitExceeded:
            "the matrix of the adapter for \"{}\" has {rank} rows of {columns} elements: expected at most {MAX_FACTOR_ELEMENTS} elements",
            Shown(&target.name().to_bytes())));
    }
    for matrix in [&a, &b] {
        Blocks::of(adapter.file.header(), matrix)?;
    }
    let [coefficients, factor] = if is_transposed { [a.index(), b.index()] } else { [b.index(), a.index()] };
    Ok(Pair {
        adapter: position,
        rank,
        scale: adapter.factor(rank),
        coefficients,
        factor,
        is_transposed,
        factors: shape_a[2].max(1),
    })
}

/// The number of columns, of rows, and of matrices.
fn shape(tensor: &TensorInfo<'_>) -> [u64; 3] {
    let dimensions = listed(tensor);
    let length = |place: usize| dimensions.get(place).copied().unwrap_or(1);
    [length(0), length(1), dimensions.iter().skip(2).fold(1, |product, length| product.saturating_mul(*length))]
}

fn listed(tensor: &TensorInfo<'_>) -> Vec<u64> {
    tensor.dimension_iter().collect()
}

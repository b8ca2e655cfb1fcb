//! The tensors of an adapter, as PEFT stores them: pairs of matrices, and whole norms.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::model::several_models::is_of_another_model;
use crate::model::tensors::encoding::Encoding;
use crate::model::tensors::input::{Input, is_readable};
use crate::safetensors::StoredTensor;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::order::sort_by;

/// The ends of the names of the two matrices: of linear layers, and of embeddings.
const ENDS_OF_A: [&str; 2] = [".lora_A.weight", ".lora_embedding_A"];
const ENDS_OF_B: [&str; 2] = [".lora_B.weight", ".lora_embedding_B"];

/// What an adapter has for a tensor of the base model.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AdapterPart {
    /// The positions of A and of B among the inputs, and whether they are of an embedding: then a column of A is for a token.
    Pair { a: usize, b: usize, is_embedding: bool },
    /// The position of a tensor that replaces that of the base model.
    Whole(usize),
}

/// The tensors of an adapter.
pub(super) struct StoredAdapter {
    /// All stored tensors, in the order of their data.
    pub inputs: Vec<Input>,
    /// The names of the tensors of the base model, with what the adapter has for them. Whole tensors come first, then pairs, both in
    /// the order in which they are stored.
    pub parts: Vec<(String, AdapterPart)>,
    /// The names of tensors that are left out.
    pub dropped: Vec<String>,
}

impl StoredAdapter {
    /// Sorts the tensors of an adapter.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if a tensor is neither a matrix of a pair nor a norm. `incomplete-model` if a pair has one matrix only.
    /// `bad-safetensors` if the shapes of a pair do not fit together.
    pub fn new(tensors: &[StoredTensor]) -> Result<Self> {
        let mut positions: Vec<usize> = (0..tensors.len()).collect();
        sort_by(&mut positions, &|a: usize, b| (tensors[a].range.start, a).cmp(&(tensors[b].range.start, b)));
        let order: Vec<&StoredTensor> = positions.into_iter().map(|position| &tensors[position]).collect();
        let mut whole = Vec::new();
        let mut pairs: Vec<(String, [Option<usize>; 2])> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut dropped = Vec::new();
        for (position, tensor) in order.iter().enumerate() {
            let name = tensor.name.as_str();
            let base = base_name(name);
            let side = [ENDS_OF_A, ENDS_OF_B].iter().position(|ends| ends.iter().any(|end| name.contains(end)));
            match side {
                _ if is_of_another_model(&base) => dropped.push(name.into()),
                Some(side) => {
                    check_matrix(tensor)?;
                    let place = *places.entry(base.clone()).or_insert(pairs.len());
                    if place == pairs.len() {
                        pairs.push((base, [None, None]));
                    }
                    if pairs[place].1[side].replace(position).is_some() {
                        return Err(in_tensor(
                            tensor,
                            error!(UnsupportedModel: "the adapter has it twice, under two names"),
                        ));
                    }
                }
                // The matrix of the base model itself.
                None if name.contains(".base_layer.weight") => dropped.push(name.into()),
                None if name.contains("_layernorm") || name.contains(".norm") => {
                    whole.push((base, AdapterPart::Whole(position)))
                }
                None => return Err(in_tensor(tensor, unexpected(name))),
            }
        }
        let mut parts = whole;
        for (base, sides) in pairs {
            let [a, b] = match sides {
                [Some(a), Some(b)] => [a, b],
                [a, b] => {
                    let found = a.or(b).map_or(order[0], |found| order[found]);
                    let missing = if a.is_none() { "A" } else { "B" };
                    return Err(in_tensor(
                        found,
                        error!(IncompleteModel:
                        "the adapter does not have the matrix {missing} that belongs to it; download the file again"),
                    ));
                }
            };
            check_pair(order[a], order[b])?;
            let is_embedding = order[a].name.contains(ENDS_OF_A[1]);
            parts.push((base, AdapterPart::Pair { a, b, is_embedding }));
        }
        let inputs = order.iter().map(|tensor| Input {
            part: 0,
            range: tensor.range.clone(),
            data_type: tensor.data_type,
            shape: tensor.shape.clone(),
            encoding: Encoding::Plain,
        });
        Ok(Self { inputs: inputs.collect(), parts, dropped })
    }
}

/// The name of the tensor of the base model.
fn base_name(name: &str) -> String {
    let mut base = name.replace("base_model.model.", "");
    for end in ENDS_OF_A.iter().chain(&ENDS_OF_B) {
        base = base.replace(end, ".weight");
    }
    base.replace("language_model.", "")
}

fn check_matrix(tensor: &StoredTensor) -> Result<()> {
    if !is_readable(tensor.data_type) {
        return Err(in_tensor(tensor, error!(UnsupportedModel: "its elements have the type {}", tensor.data_type)));
    }
    match tensor.shape.len() == 2 && tensor.element_count() > 0 {
        true => Ok(()),
        false => Err(in_tensor(
            tensor,
            error!(BadSafetensors:
            "its shape is {:?}: expected 2 dimensions, none of them 0", tensor.shape),
        )),
    }
}

/// Checks that the rank of A and of B is the same, and that their product is a matrix.
fn check_pair(a: &StoredTensor, b: &StoredTensor) -> Result<()> {
    if a.shape[0] != b.shape[1] {
        return Err(in_tensor(
            b,
            error!(BadSafetensors:
            "its shape is {:?}, but that of \"{}\" is {:?}: expected as many columns as the other has rows; download the file again",
            b.shape, Shown(a.name.as_bytes()), a.shape),
        ));
    }
    match b.shape[0].checked_mul(a.shape[1]).is_some_and(|elements| elements <= MAX_FILE_SIZE) {
        true => Ok(()),
        false => Err(in_tensor(
            b,
            error!(LimitExceeded:
            "its shape is {:?}, and that of \"{}\" is {:?}: their product has more than {MAX_FILE_SIZE} elements", b.shape,
            Shown(a.name.as_bytes()), a.shape),
        )),
    }
}

/// The reason why a tensor is neither a matrix of a pair nor a norm.
#[cold]
fn unexpected(name: &str) -> Error {
    let ends = |end: &str| name.ends_with(end);
    if name.contains("lora_magnitude_vector") {
        return error!(UnsupportedModel:
            "GGUF adapters have no magnitudes of columns (DoRA); merge the adapter into its model with PEFT, and convert the model");
    }
    if ends(".embed_tokens.weight") || ends(".lm_head.weight") {
        return error!(UnsupportedModel:
            "it replaces a whole matrix of the base model (\"modules_to_save\"), often because the training has added tokens; merge the \
             adapter into its model with PEFT, and convert the model");
    }
    if ends(".bias") {
        return error!(UnsupportedModel:
            "GGUF adapters have no biases; merge the adapter into its model with PEFT, and convert the model");
    }
    error!(UnsupportedModel: "expected a name that ends with .lora_A.weight or .lora_B.weight")
}

/// Says which tensor an error is about.
#[cold]
pub(super) fn in_tensor(tensor: &StoredTensor, error: Error) -> Error {
    Error::new(error.code(), format!("the tensor \"{}\" cannot be converted: {error}", Shown(tensor.name.as_bytes())))
        .at(tensor.range.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::safetensors::DataType;

    fn tensor(name: &str, start: u64, shape: &[u64]) -> StoredTensor {
        let length = 4 * shape.iter().product::<u64>();
        StoredTensor { name: name.into(), data_type: DataType::F32, shape: shape.into(), range: start..start + length }
    }

    fn code(tensors: &[StoredTensor]) -> &'static str {
        StoredAdapter::new(tensors).err().map_or("", |error| error.code().name())
    }

    #[test]
    fn pairs_come_after_norms_in_the_order_of_the_data() {
        let stored = StoredAdapter::new(&[
            tensor("base_model.model.model.layers.0.mlp.up_proj.lora_A.weight", 900, &[2, 4]),
            tensor("base_model.model.model.layers.0.mlp.up_proj.lora_B.weight", 100, &[6, 2]),
            tensor("base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight", 300, &[2, 4]),
            tensor("base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight", 400, &[4, 2]),
            tensor("base_model.model.model.norm.weight", 1000, &[4]),
            tensor("base_model.model.model.vision_tower.x.lora_A.weight", 2000, &[1]),
        ]);
        let stored = stored.unwrap();
        assert_eq!(
            stored.parts,
            [
                ("model.norm.weight".into(), AdapterPart::Whole(4)),
                ("model.layers.0.mlp.up_proj.weight".into(), AdapterPart::Pair { a: 3, b: 0, is_embedding: false }),
                (
                    "model.layers.0.self_attn.q_proj.weight".into(),
                    AdapterPart::Pair { a: 1, b: 2, is_embedding: false }
                ),
            ]
        );
        assert_eq!(stored.dropped, ["base_model.model.model.vision_tower.x.lora_A.weight"]);
        assert_eq!(stored.inputs[3].range.start, 900);
    }

    #[test]
    fn tensors_that_are_no_pair_are_errors() {
        let a = |shape: &[u64]| tensor("x.lora_A.weight", 0, shape);
        let b = |shape: &[u64]| tensor("x.lora_B.weight", 64, shape);
        assert_eq!(code(&[a(&[2, 4]), b(&[4, 2])]), "");
        assert_eq!(code(&[a(&[2, 4])]), "incomplete-model");
        assert_eq!(code(&[b(&[4, 2])]), "incomplete-model");
        assert_eq!(code(&[a(&[2, 4]), b(&[4, 3])]), "bad-safetensors");
        assert_eq!(code(&[a(&[8]), b(&[4, 2])]), "bad-safetensors");
        assert_eq!(code(&[a(&[0, 4]), b(&[4, 0])]), "bad-safetensors");
        assert_eq!(code(&[a(&[1, 1 << 40]), b(&[1 << 40, 1])]), "limit-exceeded");
        assert_eq!(code(&[a(&[2, 4]), b(&[4, 2]), tensor("x.lora_embedding_A", 200, &[2, 4])]), "unsupported-model");
        for name in
            ["x.lora_magnitude_vector", "model.lm_head.weight", "x.bias", "x.lora_B.bias", "x.lora_A.default.weight"]
        {
            assert_eq!(code(&[tensor(name, 0, &[4])]), "unsupported-model", "{name}");
        }
    }
}

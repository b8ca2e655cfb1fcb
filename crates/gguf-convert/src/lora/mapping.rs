//! What the rules of a family make of the pairs of an adapter.
//!
//! A rule moves the rows and columns of a matrix. It moves the product B · A in the same way if it moves the rows of B, and leaves A
//! as it is: row i of the product is row i of B, times A. So the rules are applied to a matrix that has the shape of the product, and
//! the resulting view of its rows becomes a view of the rows of B. A rule that moves columns has no such view, and is refused.

use alloc::string::String;
use alloc::vec::Vec;

use super::stored::{AdapterPart, StoredAdapter, in_tensor};
use crate::model::mapping::{MappedTensor, MappingOptions, map};
use crate::model::tensors::content::{Content, Operation, Values};
use crate::model::tensors::input::Input;
use crate::model::tensors::view::{Axis, UNSCALED, View};
use crate::safetensors::StoredTensor;
use gguf_format::error::{Error, Result, error};

/// The embedding of tokens, whose matrix A is stored transposed: llama.cpp looks up rows of it.
const TOKEN_EMBEDDING: &str = "token_embd.weight";

/// The output matrix of a base model.
const OUTPUT: &str = "lm_head.weight";

/// The new tensors of an adapter, and the names of stored tensors that are left out.
pub(super) struct MappedAdapter {
    pub tensors: Vec<MappedTensor>,
    pub dropped: Vec<String>,
}

/// Finds what becomes of each part.
///
/// # Errors
///
/// `unsupported-model` if the family has no rule for a tensor, or if the rule moves columns. `incomplete-model` if an expert is
/// missing. `bad-safetensors` if a shape does not fit the configuration.
pub(super) fn map_adapter(stored: &StoredAdapter, options: &MappingOptions<'_>) -> Result<MappedAdapter> {
    let products: Vec<StoredTensor> = stored.parts.iter().map(|(name, part)| product(stored, name, part)).collect();
    let listed: Vec<(usize, &StoredTensor)> = products.iter().map(|product| (0, product)).collect();
    let mapping = map(&listed, options)?;
    if mapping.dropped.iter().any(|name| name == OUTPUT) {
        // llama.cpp uses the token embedding instead, so that the change would be lost.
        return Err(error!(UnsupportedModel:
            "the adapter changes \"{OUTPUT}\", but models of the class {} have no such tensor in GGUF; train it without this matrix",
            options.config.class()));
    }
    let mut tensors = Vec::new();
    for tensor in mapping.tensors {
        let input = match &tensor.content {
            Content::Values(values) => values.views.first().map_or(0, |view| view.input),
            _ => 0,
        };
        tensors.extend(converted(stored, tensor).map_err(|error| in_tensor(&products[input], error))?);
    }
    Ok(MappedAdapter { tensors, dropped: mapping.dropped })
}

/// The tensor of the base model that a part is for, as far as the rules look at it: the product of a pair.
fn product(stored: &StoredAdapter, name: &str, part: &AdapterPart) -> StoredTensor {
    let (input, shape) = match part {
        AdapterPart::Pair { a, b, .. } => {
            (&stored.inputs[*a], vec![rows(&stored.inputs[*b]), columns(&stored.inputs[*a])])
        }
        AdapterPart::Whole(position) => (&stored.inputs[*position], stored.inputs[*position].shape.clone()),
    };
    StoredTensor { name: name.into(), data_type: input.data_type, shape, range: input.range.clone() }
}

fn rows(input: &Input) -> u64 {
    input.shape.first().copied().unwrap_or(1)
}

fn columns(input: &Input) -> u64 {
    input.shape.last().copied().unwrap_or(1)
}

/// The tensors of the adapter for a tensor of the base model.
fn converted(stored: &StoredAdapter, tensor: MappedTensor) -> Result<Vec<MappedTensor>> {
    let Content::Values(values) = &tensor.content else { return Err(not_movable()) };
    let parts: Vec<&AdapterPart> = values.views.iter().map(|view| &stored.parts[view.input].1).collect();
    if let [AdapterPart::Whole(position)] = parts[..] {
        return whole(tensor, *position).map(|tensor| vec![tensor]);
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for part in &parts {
        let AdapterPart::Pair { a, b, is_embedding } = part else { return Err(not_movable()) };
        if *is_embedding != tensor.name.contains(TOKEN_EMBEDDING) {
            return Err(error!(UnsupportedModel:
                "it becomes \"{}\": llama.cpp changes the embedding of tokens with matrices of an embedding, and all other tensors with \
                 those of linear layers", tensor.name));
        }
        pairs.push((*a, *b));
    }
    if values.operation != Operation::Keep {
        return Err(error!(UnsupportedModel:
            "models of this class store it in another form, which is no sum of the stored matrix and the adapter"));
    }
    let is_same = pairs.iter().all(|pair| *pair == pairs[0]);
    let [a, b] = match tensor.shape[..] {
        [_, _] if is_same && tensor.name.contains(TOKEN_EMBEDDING) => embedding(stored, &values.views, pairs[0])?,
        [rows, columns] if is_same => {
            let (a, b) = pairs[0];
            let input = &stored.inputs[a];
            let rank = input.shape[0];
            if columns != self::columns(input) {
                return Err(not_movable());
            }
            let a = (vec![rank, columns], vec![View::whole(a, &input.shape)]);
            [a, (vec![rows, rank], rows_of_b(&values.views, columns, b, rank)?)]
        }
        [experts, rows, columns] if experts == pairs.len() as u64 => {
            let rank = stored.inputs[pairs[0].0].shape[0];
            if pairs.iter().any(|(a, _)| self::columns(&stored.inputs[*a]) != columns) {
                return Err(not_movable());
            }
            if let Some((a, _)) = pairs.iter().find(|(a, _)| stored.inputs[*a].shape[0] != rank) {
                return Err(error!(UnsupportedModel:
                    "its rank is {rank}, but that of another expert is {}: llama.cpp has one tensor for all experts",
                    stored.inputs[*a].shape[0]));
            }
            let a: Vec<View> = pairs.iter().map(|(a, _)| View::whole(*a, &stored.inputs[*a].shape)).collect();
            let mut b = Vec::new();
            for (view, (_, position)) in values.views.iter().zip(&pairs) {
                b.extend(rows_of_b(core::slice::from_ref(view), columns, *position, rank)?);
            }
            [(vec![experts, rank, columns], a), (vec![experts, rows, rank], b)]
        }
        _ => return Err(not_movable()),
    };
    let named = |end: &str, (shape, views): (Vec<u64>, Vec<View>)| MappedTensor {
        name: format!("{}{end}", tensor.name),
        shape,
        content: Content::Values(Values { views, operation: Operation::Keep }),
        stored_name: tensor.stored_name.clone(),
        is_scaled: false,
    };
    Ok(vec![named(".lora_a", a), named(".lora_b", b)])
}

/// A norm, which replaces that of the base model.
fn whole(tensor: MappedTensor, position: usize) -> Result<MappedTensor> {
    if tensor.shape.len() != 1 || !tensor.name.contains("_norm") {
        return Err(error!(UnsupportedModel:
            "it becomes \"{}\" of shape {:?}: only vectors of norms are stored whole in GGUF adapters", tensor.name, tensor.shape));
    }
    let Content::Values(mut values) = tensor.content else { return Err(not_movable()) };
    for view in &mut values.views {
        view.input = position;
    }
    Ok(MappedTensor { content: Content::Values(values), ..tensor })
}

/// The matrices of an embedding: A transposed, and B.
fn embedding(stored: &StoredAdapter, views: &[View], (a, b): (usize, usize)) -> Result<[(Vec<u64>, Vec<View>); 2]> {
    let (input_a, input_b) = (&stored.inputs[a], &stored.inputs[b]);
    let shape = [rows(input_b), columns(input_a)];
    match views {
        [view] if view.offset == 0 && view.factors == UNSCALED && view.axes == View::whole(0, &shape).axes => {
            let turned = View::whole(a, &input_a.shape).swapped(0, 1)?;
            let whole = View::whole(b, &input_b.shape);
            Ok([(turned.shape(), vec![turned]), (whole.shape(), vec![whole])])
        }
        _ => Err(error!(UnsupportedModel: "models of this class have a part of the token embedding only")),
    }
}

/// The rows of B for views of the rows of the product, which has `columns` columns.
fn rows_of_b(views: &[View], columns: u64, b: usize, rank: u64) -> Result<Vec<View>> {
    let row = |view: &View| {
        // The reference cannot multiply matrices of an adapter.
        if view.factors != UNSCALED {
            return None;
        }
        let (last, outer) = view.axes.split_last().filter(|(last, _)| **last == Axis { length: columns, stride: 1 })?;
        let in_rows = |elements: u64| elements.is_multiple_of(columns).then(|| elements / columns * rank);
        let mut axes = Vec::new();
        for axis in outer {
            // The distance of one element does not matter.
            let stride = if axis.length == 1 { 0 } else { in_rows(axis.stride)? };
            axes.push(Axis { length: axis.length, stride });
        }
        axes.push(Axis { length: rank, stride: last.stride });
        Some(View { input: b, offset: in_rows(view.offset)?, axes, factors: UNSCALED })
    };
    views.iter().map(|view| row(view).ok_or_else(not_movable)).collect()
}

#[cold]
fn not_movable() -> Error {
    error!(UnsupportedModel:
        "models of this class store its columns in another order, which an adapter cannot follow; merge the adapter into its model \
         with PEFT, and convert the model")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_rows_are_rows_of_b() {
        let product = View::whole(0, &[8, 5]).divided(0, &[Some(2), Some(2), None]).unwrap().swapped(1, 2).unwrap();
        let own = View::whole(3, &[8, 2]).divided(0, &[Some(2), Some(2), None]).unwrap().swapped(1, 2).unwrap();
        assert_eq!(rows_of_b(&[product], 5, 3, 2).unwrap(), [own]);
        let part = View::whole(0, &[9, 5]).divided(0, &[Some(3), Some(3)]).unwrap().sliced(1, 1, 1, 1).unwrap();
        let rows = rows_of_b(&[part], 5, 3, 2).unwrap();
        assert_eq!((0..6).map(|element| rows[0].position(element)).collect::<Vec<_>>(), [2, 3, 8, 9, 14, 15]);
    }

    #[test]
    fn moved_columns_are_an_error() {
        let product = View::whole(0, &[4, 4]);
        assert!(rows_of_b(&[product.clone().swapped(0, 1).unwrap()], 4, 1, 2).is_err());
        assert!(rows_of_b(&[product.sliced(1, 0, 1, 2).unwrap()], 4, 1, 2).is_err());
    }
}

//! The factors of matrices of NVFP4, which are tensors of their own.

use alloc::vec::Vec;

use super::mapping::MappedTensor;
use super::tensors::content::{Content, Factor};
use super::tensors::input::Inputs;
use gguf_format::error::Result;
use gguf_format::io::Source;

/// Reads the factors. A tensor whose factors are all 1 is left out: llama.cpp takes this without it.
pub(super) async fn read_factors<S: Source>(inputs: &Inputs<S>, tensors: &mut Vec<MappedTensor>) -> Result<()> {
    let all = tensors.iter().filter_map(|tensor| match &tensor.content {
        Content::Factors(factors) => Some(factors),
        _ => None,
    });
    let positions: Vec<usize> = all.flatten().filter_map(|factor| factor.input).collect();
    let mut numbers = inputs.single_numbers(&positions).await?.into_iter();
    for tensor in tensors.iter_mut() {
        let Content::Factors(factors) = &tensor.content else { continue };
        let value = |factor: &Factor| match factor.input.and_then(|_| numbers.next()) {
            Some(number) if factor.is_inverse => 1.0 / number,
            number => number.unwrap_or(1.0),
        };
        tensor.content = Content::Constants(factors.iter().map(value).collect());
    }
    tensors.retain(|tensor| !matches!(&tensor.content, Content::Constants(numbers) if is_trivial(numbers)));
    Ok(())
}

/// Whether all numbers are 1, as exactly as the reference looks: several may differ by ten times more than one.
fn is_trivial(numbers: &[f32]) -> bool {
    let most = if numbers.len() == 1 { 1e-6 } else { 1e-6 + 1e-5 };
    numbers.iter().all(|number| (f64::from(*number) - 1.0).abs() <= most)
}

//! Which rule of the options decides the type of each tensor.

use alloc::vec::Vec;

use super::options::TensorTypeRule;
use super::pattern::NameSearch;
use super::tensors::InputTensor;
use gguf_format::error::Result;

/// The rules of the options, compared with the names of a model. No file type compares them again.
#[derive(Debug)]
pub(super) struct MatchedRules {
    /// The position of the first rule that matches each tensor.
    of_tensors: Vec<Option<usize>>,
    /// Whether each rule matches a tensor that is quantized.
    is_used: Vec<bool>,
}

impl MatchedRules {
    /// Compares the rules with the names of the tensors that are quantized.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if this takes too many steps.
    pub fn new(rules: &[TensorTypeRule], tensors: &[InputTensor], mut search: NameSearch) -> Result<Self> {
        let mut is_used = vec![false; rules.len()];
        let mut first_rule = |tensor: &InputTensor| {
            let mut first = None;
            for (position, rule) in rules.iter().enumerate().filter(|_| tensor.is_quantized) {
                // A later rule is compared only until a name matches it.
                let is_open = first.is_none() || !is_used[position];
                if is_open && search.finds(&rule.pattern, &tensor.name)? {
                    is_used[position] = true;
                    first.get_or_insert(position);
                }
            }
            Ok(first)
        };
        Ok(Self { of_tensors: tensors.iter().map(&mut first_rule).collect::<Result<_>>()?, is_used })
    }

    /// The position of the first rule that matches a tensor.
    pub fn of_tensor(&self, tensor: usize) -> Option<usize> {
        self.of_tensors.get(tensor).copied().flatten()
    }

    /// Whether a rule matches a tensor that is quantized.
    pub fn is_used(&self, rule: usize) -> bool {
        self.is_used.get(rule).is_some_and(|is_used| *is_used)
    }
}

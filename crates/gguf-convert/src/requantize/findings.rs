//! What speaks against a conversion, and what is worth knowing before it begins.

use alloc::{string::String, string::ToString, vec::Vec};

use super::options::TensorTypeRule;
use super::recipe::Recipe;
use super::row::RecipeRow;
use super::target_type::is_quantized_type;
use gguf_declare::result;
use gguf_format::error::shown::Shown;
use gguf_models::validate::{Check, Severity};

result! {
    /// What speaks against a conversion, or is worth knowing.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ConversionFinding {
        /// With an error, the conversion is not possible.
        pub severity: Severity,
        /// The code of the error that writing fails with. Not present if it does not fail.
        pub code: Option<&'static str>,
        /// The check of `validate` that the new file fails: `"duplicate-token"`. Only present if the new file is the subject.
        pub check: Option<&'static str>,
        /// The row of the recipe: the position in the list of all tensors. Only present if a tensor is the subject.
        pub row: Option<usize>,
        /// The name of the tensor in the new file. Only present if a tensor is the subject.
        pub tensor: Option<String>,
        /// What was found, and what to do.
        pub message: String,
    }
}

/// A finding about an option that has no effect.
fn warning_of_option(message: String) -> ConversionFinding {
    ConversionFinding { severity: Severity::Warning, code: None, check: None, row: None, tensor: None, message }
}

impl Recipe {
    /// What speaks against the conversion, and what is worth knowing: first of the new file, then of the options and of the tensors in
    /// their order. Of the new file, this checks the keys that llama.cpp requires and the texts of the tokens;
    /// [`validate`](gguf_models::validate::validate) makes all checks of its [header](Self::header). Of an image model that is not
    /// converted, the reason is the only finding: it has no tensor and no check.
    pub fn findings(&self) -> Vec<ConversionFinding> {
        if let Some(error) = self.refusal() {
            let (code, message) = (Some(error.code().name()), error.to_string());
            return vec![ConversionFinding {
                severity: Severity::Error,
                code,
                check: None,
                row: None,
                tensor: None,
                message,
            }];
        }
        let rules = self.options().tensor_types.iter().enumerate();
        let rules = rules.filter_map(|(position, rule)| self.finding_of_rule(position, rule));
        let blocks = self.options().prune_layers.iter().filter_map(|block| self.finding_of_pruned_block(*block));
        let rows = self.rows().iter().enumerate();
        let of_file = self.findings_of_file().into_iter().flatten();
        of_file
            .chain(rules)
            .chain(blocks)
            .chain(rows.filter_map(|(position, row)| self.finding(position, row)))
            .collect()
    }

    /// What llama.cpp refuses about the new file. Without a required key it is not written.
    fn findings_of_file(&self) -> [Option<ConversionFinding>; 2] {
        let finding = |severity, code, check: Check, message| ConversionFinding {
            severity,
            code,
            check: Some(check.code()),
            row: None,
            tensor: None,
            message,
        };
        let problems = &self.model().problems;
        let missing = problems
            .missing_key
            .as_ref()
            .map(|error| finding(Severity::Error, Some(error.code().name()), Check::MissingKey, error.to_string()));
        let tokens = problems.duplicate_tokens.clone();
        [missing, tokens.map(|message| finding(Severity::Warning, None, Check::DuplicateToken, message))]
    }

    /// A rule that has no effect, because no name matches its pattern or because the target has no rules.
    fn finding_of_rule(&self, position: usize, rule: &TensorTypeRule) -> Option<ConversionFinding> {
        let (pattern, ggml_type, target) = (rule.pattern.as_str(), rule.ggml_type, self.options().target.name());
        let is_quantized = self.options().target.file_type().is_some_and(|info| is_quantized_type(info.tensor_type));
        let message = if !is_quantized {
            format!(
                "the type {ggml_type} for \"{pattern}\" is not used: types by pattern are for quantized file types, not for {target}"
            )
        } else if !self.model().rules.is_used(position) {
            let example = self.model().tensors.iter().find(|tensor| tensor.is_quantized);
            let example = example.map_or_else(String::new, |tensor| format!(", such as \"{}\"", tensor.shown_name()));
            format!(
                "no tensor that is quantized matches the pattern \"{pattern}\", so its type {ggml_type} is not used: compare it \
                     with the names of the tensors{example}"
            )
        } else {
            return None;
        };
        Some(warning_of_option(message))
    }

    /// A block that cannot be left out, because the model does not have it.
    fn finding_of_pruned_block(&self, block: u32) -> Option<ConversionFinding> {
        if self.model().pruning.knows(block.into()) {
            return None;
        }
        Some(warning_of_option(format!(
            "block {block} cannot be left out: the model has no tensor whose name begins with \"blk.{block}.\". Blocks are counted \
             from 0"
        )))
    }

    fn finding(&self, position: usize, row: &RecipeRow) -> Option<ConversionFinding> {
        let finding = |severity, code, message| {
            Some(ConversionFinding {
                severity,
                code,
                check: None,
                row: Some(position),
                tensor: Some(row.name.clone()),
                message,
            })
        };
        let (name, new_type) = (Shown(row.name.as_bytes()), row.new_type);
        if let Some(problem) = &row.problem {
            return finding(Severity::Error, Some(problem.code.name()), problem.message.clone());
        }
        if let Some(wanted) = row.fallback_from {
            let length = row.dimensions.first().copied().unwrap_or(1);
            return finding(
                Severity::Warning,
                None,
                format!(
                    "tensor \"{name}\" becomes {new_type} instead of {wanted}: the blocks of {wanted} do not fit into rows of \
                 {length} elements"
                ),
            );
        }
        let is_without = !row.is_copied() && !row.has_importance && self.options().imatrix.is_some();
        if is_without && is_quantized_type(new_type) {
            return finding(
                Severity::Info,
                None,
                format!(
                    "the importance matrix has no data for tensor \"{name}\": it is converted to {new_type} without importance"
                ),
            );
        }
        None
    }
}

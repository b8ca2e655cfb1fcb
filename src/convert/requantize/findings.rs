//! What speaks against a conversion, and what is worth knowing before it begins.

use alloc::{string::String, vec::Vec};

use super::recipe::Recipe;
use super::row::RecipeRow;
use crate::declare::result;
use crate::validate::Severity;

result! {
    /// What speaks against a conversion, or is worth knowing.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ConversionFinding {
        /// With an error, the conversion is not possible.
        pub severity: Severity,
        /// The code of the error that writing fails with. Not present if it does not fail.
        pub code: Option<&'static str>,
        /// The row of the recipe: the position in the list of all tensors.
        pub row: usize,
        /// The name of the tensor in the new file.
        pub tensor: String,
        /// What was found, and what to do.
        pub message: String,
    }
}

impl Recipe {
    /// What speaks against the conversion, and what is worth knowing, in the order of the tensors.
    pub fn findings(&self) -> Vec<ConversionFinding> {
        let rows = self.rows().iter().enumerate();
        rows.filter_map(|(position, row)| self.finding(position, row)).collect()
    }

    fn finding(&self, position: usize, row: &RecipeRow) -> Option<ConversionFinding> {
        let finding = |severity, code, message| {
            Some(ConversionFinding { severity, code, row: position, tensor: row.name.clone(), message })
        };
        let (name, new_type) = (&row.name, row.new_type);
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
        if is_without && super::target_type::is_quantized_type(new_type) {
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

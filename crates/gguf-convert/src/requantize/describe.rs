//! All file types in comparison, for a model.

use alloc::{rc::Rc, sync::Arc, vec::Vec};

use super::model::Model;
use super::options::Options;
use super::recipe::Recipe;
use super::target::{self, Target};
use gguf_declare::result;
use gguf_format::error::Result;
use gguf_format::format::header::Header;

result! {
    /// What a model would be as a file of a type.
    #[derive(Clone, Debug)]
    pub struct FileTypeEstimate {
        /// The number of the file type.
        pub id: u32,
        /// The name: `"Q4_K_M"`.
        pub name: &'static str,
        /// Another name for the same type: `"Q4_K"` for Q4_K_M. Not present if there is none.
        pub alias: Option<&'static str>,
        /// Which tensors have which type, in one sentence.
        pub description: &'static str,
        /// What files of this type are good for, in one sentence.
        pub advice: &'static str,
        /// The size of all files, in bytes.
        pub size: u64,
        /// The bits of tensor data for each element.
        pub bits_per_weight: f64,
        /// Whether the conversion needs an importance matrix.
        pub requires_imatrix: bool,
        /// Whether the conversion is possible with these options.
        pub is_possible: bool,
    }
}

/// Each file type for a model with some options, whose target is ignored, by id.
///
/// # Errors
///
/// As [`Recipe::new`].
pub fn file_types(headers: &[Arc<Header>], options: &Options) -> Result<Vec<FileTypeEstimate>> {
    let model = Rc::new(Model::new(headers, options)?);
    let estimate = |info: &'static gguf_models::file_types::FileTypeInfo| {
        let options = Options { target: Target::FileType(info), ..options.clone() };
        let recipe = Recipe::of(model.clone(), options)?;
        Ok(FileTypeEstimate {
            id: info.id,
            name: info.name,
            alias: info.alias,
            description: info.description,
            advice: info.advice.unwrap_or_default(),
            size: recipe.size(),
            bits_per_weight: recipe.bits_per_weight(),
            requires_imatrix: recipe.requires_imatrix(),
            is_possible: recipe.check().is_ok(),
        })
    };
    target::file_types().map(estimate).collect()
}

/// The names of the possible file types, and the types that the tensors get as each of them, one file type after the other.
///
/// # Errors
///
/// As [`Recipe::new`].
pub fn types_of_tensors(headers: &[Arc<Header>], options: &Options) -> Result<(Vec<&'static str>, Vec<u32>)> {
    let model = Rc::new(Model::new(headers, options)?);
    let (mut names, mut types) = (Vec::new(), Vec::new());
    for info in target::file_types() {
        let recipe = Recipe::of(model.clone(), Options { target: Target::FileType(info), ..options.clone() })?;
        if recipe.check().is_ok() {
            names.push(info.name);
            types.extend(recipe.rows().iter().map(|row| row.new_type.0));
        }
    }
    Ok((names, types))
}

/// The possible file type with the most bits per weight whose files have at most `bytes` bytes together. Of several with as many
/// bits, the first. `None` if all are larger.
///
/// # Errors
///
/// As [`Recipe::new`].
pub fn largest_file_type(headers: &[Arc<Header>], options: &Options, bytes: u64) -> Result<Option<FileTypeEstimate>> {
    let mut best: Option<FileTypeEstimate> = None;
    for estimate in file_types(headers, options)? {
        let is_better = best.as_ref().is_none_or(|best| estimate.bits_per_weight > best.bits_per_weight);
        if estimate.is_possible && estimate.size <= bytes && is_better {
            best = Some(estimate);
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requantize::options::TensorTypeRule;
    use crate::requantize::pattern::{NameSearch, searches};
    use crate::requantize::rules::MatchedRules;
    use gguf_format::format::ggml_type::GgmlType;
    use gguf_format::format::version::Format;
    use gguf_format::write::encode::Encoder;

    /// A model of some matrices, and rules of which only the last matches.
    fn model_and_rules(tensors: u64, rules: usize) -> ([Arc<Header>; 1], Options) {
        let mut file = Encoder::new(Format::default());
        file.header(tensors, 0);
        for block in 0..tensors {
            let name = alloc::format!("blk.{block}.ffn_up.weight");
            file.tensor_info(name.as_bytes(), &[256, 8], GgmlType::F16.0, 4096 * block);
        }
        let mut options = Options::new(Target::parse("Q4_K_M").unwrap());
        let pattern = |rule: usize| alloc::format!("{}=q8_0", if rule + 1 == rules { "ffn_up" } else { "ffn_down" });
        options.tensor_types = (0..rules).map(|rule| TensorTypeRule::parse(&pattern(rule)).unwrap()).collect();
        ([Arc::new(gguf_format::parse(file.as_bytes()).unwrap())], options)
    }

    #[test]
    fn each_rule_is_compared_with_each_name_once_for_all_file_types() {
        let (headers, options) = model_and_rules(20, 30);
        let most = 20 * 30;
        assert!(searches::during(|| assert!(file_types(&headers, &options).unwrap().len() > 30)) <= most);
        let mut recipe = None;
        assert!(searches::during(|| recipe = Some(Recipe::new(&headers, options).unwrap())) <= most);
        let mut recipe = recipe.unwrap();
        assert!(recipe.rows().iter().all(|row| row.new_type == GgmlType::Q8_0));
        let later = searches::during(|| {
            assert_eq!(recipe.findings().len(), 29);
            recipe.reset_type(3).unwrap();
        });
        assert_eq!(later, 0);
    }

    #[test]
    fn all_rules_share_one_limit() {
        let (headers, options) = model_and_rules(20, 30);
        let model = Model::new(&headers, &options).unwrap();
        let matched = |steps| MatchedRules::new(&options.tensor_types, &model.tensors, NameSearch::new(steps));
        // Each search takes fewer steps.
        assert_eq!(matched(1000).unwrap_err().code(), "limit-exceeded");
        assert!(matched(100_000).is_ok());
    }

    #[test]
    fn the_rules_of_a_file_are_not_longer_together_than_a_conversion_may_have() {
        use crate::requantize::parse_tensor_types;
        assert_eq!(parse_tensor_types(&"a{999}=q8_0\n".repeat(100)).unwrap().len(), 100);
        assert_eq!(parse_tensor_types(&"a{999}=q8_0\n".repeat(1000)).unwrap_err().code(), "limit-exceeded");
    }
}

//! What a file name says.

use alloc::vec::Vec;

use super::lenient::lenient_parts;
use super::parts::Part;
use super::rules::{FileNameProblem, problems};
use super::shard_name::shard_numbers;
use super::strict::strict_parts;
use gguf_declare::result;

result! {
    /// What the name of a file says. The parts are as they are written in the name.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct FileName<'a> {
        /// Whether the name conforms to the naming convention of the specification: it breaks no rule.
        fn is_conventional(&self) -> bool,
        /// The rules that the name breaks.
        pub problems: Vec<FileNameProblem>,
        /// What the file is beside a model: `"mmproj"`, `"mtp"`.
        pub sidecar: Option<&'a str>,
        /// The name of the model: `"Mixtral"`.
        pub base_name: Option<&'a str>,
        /// The number of parameters: `"8x7B"`, `"30B-A3B"`.
        pub size_label: Option<&'a str>,
        /// What the model was tuned for: `"Instruct"`. If words follow the version, they and the version are in it.
        pub fine_tune: Option<&'a str>,
        /// The version: `"v0.1"`. A missing version means `v1.0`.
        pub version: Option<&'a str>,
        /// How the weights are encoded: `"Q4_K_M"`, `"UD-IQ1_S"`.
        pub encoding: Option<&'a str>,
        /// What the file holds if it is not a model: `"LoRA"`, `"vocab"`.
        pub r#type: Option<&'a str>,
        /// Which shard of a model the file is.
        pub shard: Option<FileShard>,
    }
}

result! {
    /// Which shard of a model a file is, by its name: `00003-of-00009`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FileShard {
        /// The number of the shard; the first one has number 1.
        pub number: u32,
        /// The number of shards.
        pub count: u32,
    }
}

impl FileName<'_> {
    /// Whether the name conforms to the naming convention: the specification's regular expression matches it, it has a
    /// base name and a size label, and the number of a shard is in 1 to the count.
    pub fn is_conventional(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Takes a file name apart.
///
/// A name that conforms to the naming convention has the parts that the specification gives it. Other names are taken apart
/// by what each word looks like, as publishers write them; [`FileName::problems`] then says which rules they break. A word
/// that is not recognised belongs to the base name, or after a size label to the fine-tune.
///
/// Takes time in proportion to the length of the name.
///
/// # Examples
///
/// ```
/// use gguf_models::file_name::parse_file_name;
///
/// let name = parse_file_name("Mixtral-8x7B-v0.1-Q4_K_M.gguf");
/// assert!(name.is_conventional());
/// assert_eq!((name.base_name, name.size_label), (Some("Mixtral"), Some("8x7B")));
///
/// let name = parse_file_name("gemma-3-27b-it-UD-Q4_K_XL-00001-of-00002.gguf");
/// assert_eq!((name.base_name, name.fine_tune), (Some("gemma-3"), Some("it")));
/// assert_eq!((name.encoding, name.shard.unwrap().count), (Some("UD-Q4_K_XL"), 2));
/// assert_eq!(name.problems[0].rule.name(), "version-missing");
/// ```
pub fn parse_file_name(name: &str) -> FileName<'_> {
    let parts = strict_parts(name).unwrap_or_else(|| lenient_parts(name));
    let text = |part| parts.text(name, part).filter(|text| !text.is_empty());
    let shard = text(Part::Shard).and_then(shard_numbers).map(|(number, count)| FileShard { number, count });
    FileName {
        problems: problems(name, &parts),
        sidecar: text(Part::Sidecar),
        base_name: text(Part::BaseName),
        size_label: text(Part::SizeLabel),
        fine_tune: text(Part::FineTune),
        version: text(Part::Version),
        encoding: text(Part::Encoding),
        r#type: text(Part::Type),
        shard,
    }
}

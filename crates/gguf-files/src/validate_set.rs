//! The findings about a set of shards: about the set, about each shard, and about the model.

use alloc::{sync::Arc, vec::Vec};

use super::set_check::SetFinding;
use gguf_format::distinct_names::DistinctNames;
use gguf_format::format::header::Header;
use gguf_models::validate::Severity;
use gguf_models::validate::described::{DescribedFinding, described_findings};

/// A shard that could be opened.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct CheckedShard {
    /// Its number in the set, from 1.
    pub number: u32,
    /// Its header.
    pub header: Arc<Header>,
    /// The size of the file, if it is known.
    pub file_size: Option<u64>,
}

impl SetFinding {
    /// The finding, as those about files are described.
    pub fn described(&self) -> DescribedFinding {
        let info = self.check.info();
        let mut finding = DescribedFinding::new(info.code, info.severity, self.message.clone());
        (finding.key, finding.offset, finding.shard) = (self.key.clone(), self.offset, self.shard);
        finding
    }
}

/// Adds to the findings about the set those about its shards and about the model, which is the merged file if no shard is missing.
///
/// Facts that a shard before has, too, are not repeated. Of the model, only what no shard has is a finding, without positions, which
/// would be those in the merged file. `file_name` is the name of the first shard.
///
/// # Examples
///
/// ```
/// use gguf_files::shards::{CheckedShard, GivenSet, PathShards, open_set, validate_set};
/// use gguf_format::io::block_on;
///
/// # let path = std::env::temp_dir().join("gguf-wasm-validate-set-00001-of-00001.gguf");
/// # let file = gguf_format::example_file();
/// # std::fs::write(&path, &file).unwrap();
/// let set = block_on(open_set(PathShards, GivenSet::OneOf(PathShards::given(&path)), None))?;
/// let mut shards = Vec::new();
/// for (shard, number) in set.shards.iter().zip(1..) {
///     if let Ok(file) = &shard.file {
///         shards.push(CheckedShard { number, header: file.header().clone(), file_size: file.file_size() });
///     }
/// }
/// let findings = validate_set(&set.findings, &shards, Some(&set.header.into()), None);
/// assert!(findings.iter().any(|finding| finding.code == "no-tokenizer" && finding.shard == Some(1)));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn validate_set(
    of_set: &[SetFinding],
    shards: &[CheckedShard],
    model: Option<&Arc<Header>>,
    file_name: Option<&str>,
) -> Vec<DescribedFinding> {
    let mut list: Vec<_> = of_set.iter().map(SetFinding::described).collect();
    // Two findings with the same code, key and tensor say the same.
    let mut known = DistinctNames::default();
    let mut is_new = |found: &DescribedFinding| {
        let count = known.count();
        known.position(format!("{} {:?} {:?}", found.code, found.key, found.tensor).as_bytes()) == count
    };
    for shard in shards {
        let file_name = file_name.filter(|_| shard.number == 1);
        for mut found in described_findings(&shard.header, shard.file_size, file_name) {
            if is_new(&found) || found.severity != Severity::Info {
                found.shard = Some(shard.number);
                list.push(found);
            }
        }
    }
    let of_model = model.map(|header| described_findings(header, None, None)).unwrap_or_default();
    let new = of_model.into_iter().filter(is_new);
    list.extend(new.map(|mut found| {
        (found.index, found.offset, found.fix) = (None, None, None);
        found
    }));
    list
}

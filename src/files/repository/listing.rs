//! The GGUF files of a repository, with the shards of a set together.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::role::{RepositoryRole, role_and_encoding};
use crate::files::shard_name::ShardName;

const EXTENSION: &str = ".gguf";

/// The longest path of a file, in bytes: that of Linux.
const LONGEST_PATH: usize = 4096;

/// The bits for each parameter that a model can have. Plain numbers have at most 32, or 64 in rare models, and no encoding has less
/// than 1. Outside of these limits, the number of parameters is that of another model of the repository.
const PLAUSIBLE_BITS: core::ops::RangeInclusive<f64> = 0.9..=66.0;

/// A file of a repository, as a hub lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "what a hub says about a file")]
pub struct ListedFile {
    /// The path in the repository: `Q4_K_M/model-00001-of-00002.gguf`.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// SHA-256 of the file, as 64 small hexadecimal digits, if the hub tells it.
    pub sha256: Option<String>,
}

/// A file of a repository, or the shards of a model together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepositoryFile {
    /// The file, or the shards of the set that the repository has, in the order of their numbers. Never empty.
    pub parts: Vec<ListedFile>,
    /// What the file is, by its name.
    pub role: RepositoryRole,
    /// The encoding in its name, or in that of its folder: `Q4_K_M`.
    pub encoding: Option<String>,
    /// The number of shards of the set, if the file is a set. It is larger than the number of parts if shards are missing.
    pub shard_count: Option<u32>,
}

impl RepositoryFile {
    /// The path of the file, or of the first shard.
    pub fn name(&self) -> &str {
        &self.parts[0].path
    }

    /// The bytes of all parts together.
    pub fn size(&self) -> u64 {
        self.parts.iter().fold(0, |size, part| size.saturating_add(part.size))
    }

    /// Whether no shard is missing.
    pub fn is_complete(&self) -> bool {
        self.shard_count.is_none_or(|count| count as usize == self.parts.len())
    }

    /// The bits of the file for each parameter of the model.
    ///
    /// `None` for a file that is not a model, for a set that is not complete, and for a result that no model can have: the
    /// number of parameters is then that of another model.
    pub fn bits_per_weight(&self, parameter_count: f64) -> Option<f64> {
        let is_whole_model = self.role == RepositoryRole::Model && self.is_complete();
        let bits = self.size() as f64 * 8.0 / parameter_count;
        (is_whole_model && PLAUSIBLE_BITS.contains(&bits)).then_some(bits)
    }
}

/// The GGUF files among the files of a repository. The shards of a set are one file.
///
/// The files are in the order of their roles, then of their names without shard numbers. A path that is listed twice counts once. Left out are files
/// whose names do not end in `.gguf`, and paths that an address cannot have: with empty parts, `.` or `..`. A shard is
/// recognised by a name as llama.cpp writes it. If a set has only one shard, the file counts as a single file.
///
/// Takes `n log n` steps for `n` files.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{ListedFile, RepositoryRole, repository_files};
///
/// let listed = ["m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf", "mmproj-m-F16.gguf", "README.md"];
/// let files = repository_files(listed.map(|path| ListedFile { path: path.into(), size: 1000, sha256: None }));
/// assert_eq!(files.len(), 2);
/// assert_eq!((files[0].name(), files[0].size(), files[0].shard_count), (listed[0], 2000, Some(2)));
/// assert_eq!(files[0].bits_per_weight(1882.0).unwrap().round(), 9.0);
/// assert_eq!(files[1].role, RepositoryRole::Projector);
/// ```
pub fn repository_files(listed: impl IntoIterator<Item = ListedFile>) -> Vec<RepositoryFile> {
    // The key has a path, or of shards what their names have in common.
    let mut groups = BTreeMap::<(RepositoryRole, String, u32), Group>::new();
    for file in listed {
        if !is_gguf(&file.path) {
            continue;
        }
        let (role, encoding) = role_and_encoding(&file.path);
        let (name, count, number) = match set_of(&file.path) {
            Some(shard) => (shard.prefix, shard.count, shard.number),
            None => (file.path.as_str(), 0, 0),
        };
        let new = || Group { encoding: encoding.map(ToString::to_string), parts: BTreeMap::new() };
        groups.entry((role, name.to_string(), count)).or_insert_with(new).parts.entry(number).or_insert(file);
    }
    let files = groups.into_iter().map(|((role, _, count), Group { encoding, parts })| RepositoryFile {
        role,
        encoding,
        shard_count: (count > 0).then_some(count),
        parts: parts.into_values().collect(),
    });
    files.collect()
}

/// A file, or the shards of a set.
struct Group {
    encoding: Option<String>,
    /// By the numbers of the shards.
    parts: BTreeMap<u32, ListedFile>,
}

/// Whether a path is that of a GGUF file, and can be in an address.
fn is_gguf(path: &str) -> bool {
    let start = path.len().checked_sub(EXTENSION.len());
    let has_extension = start.is_some_and(|start| path.as_bytes()[start..].eq_ignore_ascii_case(EXTENSION.as_bytes()));
    has_extension && path.len() <= LONGEST_PATH && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The parts of the name of a shard of several. Other programs cannot find shards whose numbers are written in another way.
fn set_of(path: &str) -> Option<ShardName<'_>> {
    ShardName::parse(path).filter(|shard| shard.count > 1 && shard.of_number(shard.number) == path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn listed(path: &str, size: u64) -> ListedFile {
        ListedFile { path: path.to_string(), size, sha256: None }
    }

    fn names(paths: &[&str]) -> Vec<String> {
        let files = repository_files(paths.iter().map(|path| listed(path, 1)));
        files.iter().map(|file| file.name().to_string()).collect()
    }

    #[test]
    fn only_gguf_files_with_usable_paths_are_listed() {
        let paths = [
            "README.md",
            "model.gguf.part",
            "a/../model.gguf",
            "./model.gguf",
            "/model.gguf",
            "a//model.gguf",
            "gguf",
            "model.GGUF",
            "b/model.gguf",
            ".gguf",
            "",
        ];
        assert_eq!(names(&paths), [".gguf", "b/model.gguf", "model.GGUF"]);
        assert_eq!(names(&[&format!("{}.gguf", "a".repeat(LONGEST_PATH))]), [""; 0]);
    }

    #[test]
    fn a_path_that_is_listed_twice_counts_once() {
        let files = repository_files([listed("m.gguf", 5), listed("m.gguf", 7), listed("n.gguf", 1)]);
        assert_eq!(files.len(), 2);
        assert_eq!(files[0].size(), 5);
    }

    #[test]
    fn the_shards_of_a_set_are_one_file() {
        let files = repository_files([
            listed("Q4/m-00003-of-00003.gguf", 3),
            listed("Q4/m-00001-of-00002.gguf", 50),
            listed("Q4/m-00001-of-00003.gguf", 1),
            listed("Q4/m-00002-of-00003.gguf", 2),
            listed("m-00001-of-00003.gguf", 9),
            listed("single-00001-of-00001.gguf", 4),
            listed("odd-000001-of-000002.gguf", 8),
        ]);
        let found = |file: &RepositoryFile| (file.name().to_string(), file.size(), file.parts.len(), file.shard_count);
        assert_eq!(
            files.iter().map(found).collect::<Vec<_>>(),
            [
                ("Q4/m-00001-of-00002.gguf".into(), 50, 1, Some(2)),
                ("Q4/m-00001-of-00003.gguf".into(), 6, 3, Some(3)),
                ("m-00001-of-00003.gguf".into(), 9, 1, Some(3)),
                ("odd-000001-of-000002.gguf".into(), 8, 1, None),
                ("single-00001-of-00001.gguf".into(), 4, 1, None),
            ]
        );
        assert!(files[1].is_complete() && !files[0].is_complete());
    }

    #[test]
    fn bits_per_weight_of_whole_models_only() {
        let files = repository_files([
            listed("m-Q4_0.gguf", 4500),
            listed("n-00001-of-00002.gguf", 4500),
            listed("mmproj-m.gguf", 4500),
            listed("tiny.gguf", 1),
        ]);
        let bits: Vec<_> = files.iter().map(|file| file.bits_per_weight(8000.0)).collect();
        assert_eq!(bits, [Some(4.5), None, None, None]);
        for count in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(files[0].bits_per_weight(count), None);
        }
    }

    #[test]
    fn sizes_beyond_64_bits_do_not_overflow() {
        let shard = |number| listed(&crate::shard_name("m", number, 2), u64::MAX);
        assert_eq!(repository_files([shard(1), shard(2)])[0].size(), u64::MAX);
    }

    #[test]
    fn a_hundred_thousand_shards_of_one_set_are_grouped() {
        let shards = (1..=100_000).rev().map(|number| listed(&crate::shard_name("m", number, 100_000), 1));
        let files = repository_files(shards);
        assert_eq!((files.len(), files[0].parts.len(), files[0].size()), (1, 100_000, 100_000));
        assert_eq!(files[0].name(), "m-00001-of-100000.gguf");
    }
}

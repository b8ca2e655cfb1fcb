//! The GGUF files of a repository, with the shards of a set together.

use alloc::{string::String, string::ToString, vec::Vec};

use super::place::RepositoryPlace;
use super::role::{RepositoryRole, role_and_encoding};
use gguf_declare::result;
use gguf_format::order::sort_by;
use gguf_models::file_name::ShardName;

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

result! {
    /// The GGUF files of a repository.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Repository {
        /// `"owner/name"`.
        pub id: String,
        /// The branch, tag or commit.
        pub revision: String,
        /// The page of the repository, or of the folder, for people.
        pub url: String,
        /// The folder whose files are listed, with those of the folders in it; `""` for the whole repository.
        pub folder: String,
        /// The number of parameters of the model, if the hub tells it.
        pub parameter_count: Option<u64>,
        /// The architecture of the model, if the hub tells it: `"llama"`.
        pub architecture: Option<String>,
        /// Whether its files can be read only after its conditions were accepted. False if the hub does not tell it.
        pub is_gated: bool,
        /// The files: models first, then what belongs to them; in both by their names.
        pub files: Vec<RepositoryFile>,
    }
}

result! {
    /// A file of a repository, or the shards of a model together.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RepositoryFile {
        /// The path in the repository. Of shards, that of the first one.
        pub name: String,
        /// The URL for `Gguf.open`, or of shards for `GgufSet.open`.
        pub url: String,
        /// Bytes of the file, or of all shards together.
        pub size: u64,
        /// What the file is, by its name.
        pub role: RepositoryRole,
        /// The encoding in the name, or in that of its folder: `"Q4_K_M"`.
        pub encoding: Option<String>,
        /// Bits of the file for each parameter. Only of a whole model, if the hub tells the number of parameters.
        pub bits_per_weight: Option<f64>,
        /// The number of shards, if the file is a set.
        pub shards: Option<RepositoryShards>,
        /// The file, or the shards in their order. There is at least one.
        pub parts: Vec<RepositoryPart>,
    }
}

result! {
    /// How many shards a set has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct RepositoryShards {
        /// The number of shards of the whole set.
        pub count: u32,
        /// The number of shards in the repository.
        pub present: u32,
    }
}

result! {
    /// A file of a repository.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RepositoryPart {
        /// The path in the repository.
        pub name: String,
        /// The URL of the file.
        pub url: String,
        /// Bytes.
        pub size: u64,
        /// SHA-256 of the file as 64 hexadecimal digits, if the hub tells it: compare with `Hashes.fileSha256`.
        pub sha256: Option<String>,
    }
}

impl RepositoryFile {
    fn new<'a>(
        place: &RepositoryPlace,
        key: &Key<'_>,
        files: impl Iterator<Item = &'a ListedFile>,
        parameters: Option<f64>,
    ) -> Self {
        let part = |ListedFile { path, size, sha256 }: &ListedFile| RepositoryPart {
            url: place.file(path),
            name: path.clone(),
            size: *size,
            sha256: sha256.clone(),
        };
        let parts: Vec<_> = files.map(part).collect();
        let (role, count) = (key.role, key.count);
        let shards = (count > 0).then_some(RepositoryShards { count, present: parts.len() as u32 });
        let size = parts.iter().fold(0_u64, |size, part| size.saturating_add(part.size));
        let is_whole_model =
            role == RepositoryRole::Model && shards.is_none_or(|shards| shards.count == shards.present);
        // Implausible results are dropped: the number of parameters then belongs to another model.
        let bits = parameters.map(|parameters| size as f64 * 8.0 / parameters);
        let bits_per_weight = bits.filter(|bits| is_whole_model && PLAUSIBLE_BITS.contains(bits));
        let RepositoryPart { name, url, .. } = parts[0].clone();
        let encoding = role_and_encoding(&name).1.map(ToString::to_string);
        Self { name, url, size, role, encoding, bits_per_weight, shards, parts }
    }
}

/// The GGUF files among the files of a repository. The shards of a set are one file.
///
/// The files are in the order of their roles, then of their names without shard numbers. A path that is listed twice counts once. Files
/// whose names do not end in `.gguf` are left out, and so are paths that an address cannot have: with empty parts, `.` or `..`. A shard is
/// recognised by the form of its name, which is llama.cpp's. If a set has only one shard, the file counts as a single file.
///
/// Takes `n log n` steps for `n` files.
///
/// # Examples
///
/// ```
/// use gguf_files::repository::{HUB, ListedFile, RepositoryAddress, RepositoryPlace, RepositoryRole, repository_files};
///
/// let address = RepositoryAddress::parse("owner/name", HUB).unwrap();
/// let place = RepositoryPlace::new(HUB.into(), address, None);
/// let listed = ["m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf", "mmproj-m-F16.gguf", "README.md"];
/// let listed = listed.map(|path| ListedFile { path: path.into(), size: 1000, sha256: None });
/// let files = repository_files(listed, &place, Some(1882.0));
/// assert_eq!(files.len(), 2);
/// assert_eq!((files[0].size, files[0].shards.unwrap().count), (2000, 2));
/// assert_eq!(files[0].url, "https://huggingface.co/owner/name/resolve/main/m-Q8_0-00001-of-00002.gguf");
/// assert_eq!(files[0].bits_per_weight.unwrap().round(), 9.0);
/// assert_eq!(files[1].role, RepositoryRole::Projector);
/// ```
pub fn repository_files(
    listed: impl IntoIterator<Item = ListedFile>,
    place: &RepositoryPlace,
    parameter_count: Option<f64>,
) -> Vec<RepositoryFile> {
    let listed: Vec<_> = listed.into_iter().filter(|file| is_gguf(&file.path)).collect();
    let keys: Vec<_> = listed.iter().map(Key::of).collect();
    let mut order: Vec<usize> = (0..listed.len()).collect();
    sort_by(&mut order, &|a, b| (&keys[a], a).cmp(&(&keys[b], b)));
    order.dedup_by_key(|at| &keys[*at]);
    let groups = order.chunk_by(|a, b| keys[*a].is_of_set_of(&keys[*b]));
    groups
        .map(|group| RepositoryFile::new(place, &keys[group[0]], group.iter().map(|at| &listed[*at]), parameter_count))
        .collect()
}

/// By what files are sorted and belong together.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    role: RepositoryRole,
    /// The path. For shards the common beginning of their names.
    name: &'a str,
    /// The number of shards of the set, and that of the shard. 0 for a single file.
    count: u32,
    number: u32,
}

impl<'a> Key<'a> {
    fn of(file: &'a ListedFile) -> Self {
        let (role, _) = role_and_encoding(&file.path);
        match set_of(&file.path) {
            Some(shard) => Self { role, name: shard.prefix, count: shard.count, number: shard.number },
            None => Self { role, name: &file.path, count: 0, number: 0 },
        }
    }

    fn is_of_set_of(&self, other: &Self) -> bool {
        (self.role, self.name, self.count) == (other.role, other.name, other.count)
    }
}

/// Whether a path is that of a GGUF file, and can be in an address.
pub(super) fn is_gguf(path: &str) -> bool {
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
    use crate::repository::address::{HUB, RepositoryAddress};

    fn listed(path: &str, size: u64) -> ListedFile {
        ListedFile { path: path.to_string(), size, sha256: None }
    }

    fn files(listed: impl IntoIterator<Item = ListedFile>, parameter_count: Option<f64>) -> Vec<RepositoryFile> {
        let address = RepositoryAddress::parse("owner/name", HUB).unwrap();
        repository_files(listed, &RepositoryPlace::new(HUB.into(), address, None), parameter_count)
    }

    fn names(paths: &[&str]) -> Vec<String> {
        let files = files(paths.iter().map(|path| listed(path, 1)), None);
        files.into_iter().map(|file| file.name).collect()
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
        let files = files([listed("m.gguf", 5), listed("m.gguf", 7), listed("n.gguf", 1)], None);
        assert_eq!(files.len(), 2);
        assert_eq!(files[0].size, 5);
    }

    #[test]
    fn the_shards_of_a_set_are_one_file() {
        let listed = [
            listed("Q4/m-00003-of-00003.gguf", 3),
            listed("Q4/m-00001-of-00002.gguf", 50),
            listed("Q4/m-00001-of-00003.gguf", 1),
            listed("Q4/m-00002-of-00003.gguf", 2),
            listed("m-00001-of-00003.gguf", 9),
            listed("single-00001-of-00001.gguf", 4),
            listed("odd-000001-of-000002.gguf", 8),
        ];
        let files = files(listed, None);
        let found = |file: &RepositoryFile| {
            (file.name.clone(), file.size, file.parts.len(), file.shards.map(|shards| shards.count))
        };
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
        assert_eq!(files[0].shards.map(|shards| shards.present), Some(1));
    }

    #[test]
    fn bits_per_weight_of_whole_models_only() {
        let listed = [
            listed("m-Q4_0.gguf", 4500),
            listed("n-00001-of-00002.gguf", 4500),
            listed("mmproj-m.gguf", 4500),
            listed("tiny.gguf", 1),
        ];
        let bits =
            |count| files(listed.clone(), Some(count)).iter().map(|file| file.bits_per_weight).collect::<Vec<_>>();
        assert_eq!(bits(8000.0), [Some(4.5), None, None, None]);
        for count in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(bits(count), [None; 4]);
        }
    }

    #[test]
    fn sizes_beyond_64_bits_do_not_overflow() {
        let shard = |number| listed(&gguf_models::file_name::shard_name("m", number, 2), u64::MAX);
        assert_eq!(files([shard(1), shard(2)], None)[0].size, u64::MAX);
    }

    #[test]
    fn the_most_shards_of_one_set_are_grouped() {
        use gguf_models::file_name::{MOST_SHARDS, shard_name};
        let shards = (1..=MOST_SHARDS).rev().map(|number| listed(&shard_name("m", number, MOST_SHARDS), 1));
        let files = files(shards, None);
        assert_eq!((files.len(), files[0].parts.len(), files[0].size), (1, 65_535, 65_535));
        assert_eq!(files[0].name, "m-00001-of-65535.gguf");
    }
}

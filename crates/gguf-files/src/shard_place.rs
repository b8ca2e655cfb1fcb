//! Where shards are, and their names.

use alloc::string::String;

use gguf_models::file_name::{ShardName, shard_name};

/// The URL or the absolute path of a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "other sources have no place from which those of the other shards follow")]
pub enum ShardPlace {
    /// A URL.
    Url(String),
    /// An absolute path.
    Path(String),
}

impl ShardPlace {
    /// The name of the file, without folders.
    pub fn name(&self) -> &str {
        let (Self::Url(place) | Self::Path(place)) = self;
        &place[self.name_start()..self.name_end()]
    }

    /// The place of the shard with a number, from 1, of a set with `count` shards, if this is the place of a shard. The query of
    /// a URL stays as it is.
    pub fn of_shard(&self, number: u32, count: u32) -> Option<Self> {
        let (Self::Url(place) | Self::Path(place)) = self;
        let (path, query) = place.split_at(self.name_end());
        let place = format!("{}{query}", name_of_shard(ShardName::parse(path)?, number, count));
        Some(match self {
            Self::Url(_) => Self::Url(place),
            Self::Path(_) => Self::Path(place),
        })
    }

    fn name_start(&self) -> usize {
        let path = match self {
            Self::Url(url) => &url[..self.name_end()],
            Self::Path(path) => path,
        };
        // Absolute paths of Windows begin with a drive or with a server, and only they have backslashes between names.
        let is_windows = matches!(self, Self::Path(_)) && !path.starts_with('/');
        path.rfind(|character| character == '/' || is_windows && character == '\\').map_or(0, |separator| separator + 1)
    }

    /// The end of the path: that of a URL ends before its query and its fragment.
    fn name_end(&self) -> usize {
        match self {
            Self::Url(url) => url.find(['?', '#']).unwrap_or(url.len()),
            Self::Path(path) => path.len(),
        }
    }
}

/// The name of the shard with a number, from 1, of a set with `count` shards. The count in the name of another shard is kept,
/// because all files were probably named alike, unless the number is larger.
pub(super) fn name_of_shard(name: ShardName<'_>, number: u32, count: u32) -> String {
    let count = if number <= name.count { name.count } else { count };
    shard_name(name.prefix, number, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(url: &str) -> ShardPlace {
        ShardPlace::Url(url.into())
    }

    fn path(path: &str) -> ShardPlace {
        ShardPlace::Path(path.into())
    }

    #[test]
    fn a_query_stays_as_it_is() {
        let given =
            url("https://host/a-00001-of-00002/m-00002-of-00003.gguf?download=true&x=m-00002-of-00003.gguf#part");
        let first = "https://host/a-00001-of-00002/m-00001-of-00003.gguf?download=true&x=m-00002-of-00003.gguf#part";
        assert_eq!(given.of_shard(1, 3), Some(url(first)));
        assert_eq!(given.name(), "m-00002-of-00003.gguf");
        assert_eq!(url("https://host/model.gguf?x=m-00002-of-00003.gguf").of_shard(1, 3), None);
    }

    #[test]
    fn a_number_larger_than_the_count_in_the_name_has_the_count_of_the_header() {
        assert_eq!(url("m-00001-of-00002.gguf").of_shard(2, 3), Some(url("m-00002-of-00002.gguf")));
        assert_eq!(url("m-00001-of-00002.gguf").of_shard(3, 3), Some(url("m-00003-of-00003.gguf")));
    }

    #[test]
    fn a_path_has_no_query_and_ends_at_its_last_separator() {
        let given = path("/a #1?/m-00002-of-00003.gguf");
        assert_eq!(given.of_shard(1, 3), Some(path("/a #1?/m-00001-of-00003.gguf")));
        assert_eq!(given.name(), "m-00002-of-00003.gguf");
        assert_eq!(path(r"C:\models/m.gguf").name(), "m.gguf");
        assert_eq!(path(r"C:\models\m.gguf").name(), "m.gguf");
        assert_eq!(path(r"/models/a\m.gguf").name(), r"a\m.gguf");
    }
}

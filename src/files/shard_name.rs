//! Names of shards: `model-00002-of-00003.gguf`.
//!
//! llama.cpp makes these names with the format `%s-%05d-of-%05d.gguf`, and finds the other shards of a set by them.

use alloc::string::String;

const EXTENSION: &str = ".gguf";

/// The fewest digits of a number. llama.cpp writes more only from 100,000 on.
const FEWEST_DIGITS: usize = 5;

/// The most digits of a number. `split.count` has 16 bits, so more are never needed.
const MOST_DIGITS: usize = 9;

/// The parts of a shard's name.
///
/// # Examples
///
/// ```
/// use gguf_wasm::shards::ShardName;
///
/// let name = ShardName::parse("folder/model-00002-of-00003.gguf").unwrap();
/// assert_eq!((name.prefix, name.number, name.count), ("folder/model", 2, 3));
/// assert_eq!(name.of_number(1), "folder/model-00001-of-00003.gguf");
/// assert_eq!(ShardName::parse("model-Q4_K_M.gguf"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "a name has three parts")]
pub struct ShardName<'a> {
    /// The name before the number, with a path if there is one.
    pub prefix: &'a str,
    /// The number of the shard, from 1.
    pub number: u32,
    /// The number of shards in the set.
    pub count: u32,
}

impl<'a> ShardName<'a> {
    /// The parts of a name. `None` if it is not the name of a shard, or if the number is not from 1 to the count.
    pub fn parse(name: &'a str) -> Option<Self> {
        let (rest, count) = name.strip_suffix(EXTENSION)?.rsplit_once("-of-")?;
        let (prefix, number) = rest.rsplit_once('-')?;
        let (number, count) = (parse_number(number)?, parse_number(count)?);
        (1..=count).contains(&number).then_some(Self { prefix, number, count })
    }

    /// The name of another shard of the set.
    pub fn of_number(&self, number: u32) -> String {
        shard_name(self.prefix, number, self.count)
    }
}

/// The name that llama.cpp gives a shard. `number` counts from 1.
///
/// # Examples
///
/// ```
/// assert_eq!(gguf_wasm::shards::shard_name("model", 2, 3), "model-00002-of-00003.gguf");
/// ```
pub fn shard_name(prefix: &str, number: u32, count: u32) -> String {
    format!("{prefix}-{number:05}-of-{count:05}{EXTENSION}")
}

fn parse_number(digits: &str) -> Option<u32> {
    let is_number = (FEWEST_DIGITS..=MOST_DIGITS).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_files_are_not_names_of_shards() {
        for name in [
            "",
            ".gguf",
            "model.gguf",
            "model-00001-of-00003",
            "model-00001-of-00003.bin",
            "model-1-of-3.gguf",
            "model-00000-of-00003.gguf",
            "model-00004-of-00003.gguf",
            "model-0000a-of-00003.gguf",
            "model-+0001-of-00003.gguf",
            "model-00001-of-9999999999.gguf",
            "00001-of-00003.gguf",
        ] {
            assert_eq!(ShardName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn the_prefix_can_contain_anything() {
        for prefix in ["", "a-of-b", "a-00001-of-00002", "ü/ñ", "-"] {
            let name = shard_name(prefix, 7, 123_456);
            assert_eq!(ShardName::parse(&name), Some(ShardName { prefix, number: 7, count: 123_456 }), "{name}");
        }
    }
}

//! Names of shards: `model-00002-of-00003.gguf`.
//!
//! llama.cpp makes these names with the format `%s-%05d-of-%05d.gguf`, and finds the other shards of a set by them.

use alloc::string::{String, ToString};

use super::forms::is_digits;
use gguf_declare::result;

const EXTENSION: &str = ".gguf";

/// The digits of a number.
const DIGITS: usize = 5;

/// The most shards of a set: `split.count` is a `UINT16`.
pub const MOST_SHARDS: u32 = 65_535;

result! {
    /// The parts of a shard's name.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_models::file_name::ShardName;
    ///
    /// let name = ShardName::parse("folder/model-00002-of-00003.gguf").unwrap();
    /// assert_eq!((name.prefix, name.number, name.count), ("folder/model", 2, 3));
    /// assert_eq!(name.of_number(1), "folder/model-00001-of-00003.gguf");
    /// assert_eq!(ShardName::parse("model-Q4_K_M.gguf"), None);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ShardName<'a> {
        /// The name before the number, with a path if there is one.
        pub prefix: &'a str,
        /// The number of the shard, from 1.
        pub number: u32,
        /// The number of shards in the set.
        pub count: u32,
    }
}

impl<'a> ShardName<'a> {
    /// The parts of a name. `None` if it is not the name of a shard, if the number is not from 1 to the count, or if the count is
    /// more than [`MOST_SHARDS`].
    pub fn parse(name: &'a str) -> Option<Self> {
        let (rest, count) = split_number(name.strip_suffix(EXTENSION)?)?;
        let (rest, number) = split_number(rest.strip_suffix("-of")?)?;
        is_possible(number, count).then_some(Self { prefix: rest, number, count })
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
/// assert_eq!(gguf_models::file_name::shard_name("model", 2, 3), "model-00002-of-00003.gguf");
/// ```
pub fn shard_name(prefix: &str, number: u32, count: u32) -> String {
    [prefix, "-", &shard_text(number.into(), count.into()), EXTENSION].concat()
}

/// The shard in the name of a file: `00002-of-00003`.
pub(super) fn shard_text(number: u64, count: u64) -> String {
    [five_digits(number), five_digits(count)].join("-of-")
}

/// A number with zeros before it, if it has less than five digits.
fn five_digits(number: u64) -> String {
    let digits = number.to_string();
    let zeros = "0000".get(..DIGITS.saturating_sub(digits.len())).unwrap_or_default();
    [zeros, &digits].concat()
}

/// Whether a set can have a shard with a number.
pub(super) fn is_possible(number: u32, count: u32) -> bool {
    (1..=count).contains(&number) && count <= MOST_SHARDS
}

/// The text before a dash and a number, and the number.
fn split_number(text: &str) -> Option<(&str, u32)> {
    let (rest, digits) = text.split_at_checked(text.len().checked_sub(DIGITS)?)?;
    let rest = rest.strip_suffix('-')?;
    let number = || digits.bytes().fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
    is_shard_number(digits).then(|| (rest, number()))
}

/// Whether a text is a number of a shard by the naming convention.
pub(super) fn is_shard_number(text: &str) -> bool {
    text.len() == DIGITS && is_digits(text)
}

/// Whether a text is a shard by the naming convention, possible or not: `00003-of-00009`.
pub(super) fn is_shard(text: &str) -> bool {
    let count = text
        .get(..DIGITS)
        .filter(|number| is_shard_number(number))
        .and_then(|_| text.get(DIGITS..)?.strip_prefix("-of-"));
    count.is_some_and(is_shard_number)
}

/// The number and the count of a shard as publishers write it: the first and the last digits of its text.
pub(super) fn shard_numbers(text: &str) -> Option<(u32, u32)> {
    let mut numbers =
        text.split(|character: char| !character.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
    Some((numbers.next()?, numbers.next_back()?))
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
            "model-00001-of-65536.gguf",
            "model-0000001-of-0000003.gguf",
            "00001-of-00003.gguf",
        ] {
            assert_eq!(ShardName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn the_prefix_can_contain_anything() {
        for prefix in ["", "a-of-b", "a-00001-of-00002", "ü/ñ", "-"] {
            let name = shard_name(prefix, 7, MOST_SHARDS);
            assert_eq!(ShardName::parse(&name), Some(ShardName { prefix, number: 7, count: MOST_SHARDS }), "{name}");
        }
    }
}

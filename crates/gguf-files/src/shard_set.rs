//! The files of a set of shards in their order, and what is wrong with the set.

use alloc::{string::String, string::ToString, vec::Vec};

use super::set_check::{SetCheck, SetFinding};
use gguf_format::distinct_names::DistinctNames;
use gguf_format::error::shown::bounded;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::header::Header;
use gguf_format::format::version::ALIGNMENT;
use gguf_format::tensor::extents;
use gguf_models::file_name::{MOST_SHARDS, ShardName, shard_name};
use gguf_models::kind::{SHARD_KEYS, Shard};
use gguf_models::validate::MAX_FINDINGS;

/// A file that may be a shard.
#[derive(Clone, Copy)]
#[allow(clippy::exhaustive_structs, reason = "a file has a name, a header and a size")]
pub struct ShardFile<'a> {
    /// The name of the file, or its path or URL; empty if it is not known.
    pub name: &'a str,
    /// The header of the file.
    pub header: &'a Header,
    /// The size of the file in bytes, if it is known.
    pub size: Option<u64>,
}

/// The files of a set in the order of their numbers, and the findings about the set.
///
/// # Examples
///
/// ```
/// use gguf_files::shards::{ShardFile, ShardSet};
///
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let files = [ShardFile { name: "model.gguf", header: &header, size: Some(file.len() as u64) }];
/// let set = ShardSet::arrange(&files)?;
/// assert_eq!(set.positions, [Some(0)]); // a file that is not a shard is a set of its own
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShardSet {
    /// For each shard of the set, from the first on, the position of its file in the list of files. `None` if it is missing.
    pub positions: Vec<Option<usize>>,
    /// What is wrong with the set.
    pub findings: Vec<SetFinding>,
}

impl ShardSet {
    /// Puts the files of a set in order, and checks the set.
    ///
    /// The number of a shard is `split.no`. If that is missing or not less than `split.count`, it is the number in its name.
    /// If two files are the same shard, the one whose name agrees is used, else the first one.
    ///
    /// # Errors
    ///
    /// `foreign-shard` if two files are not shards of one model: if their names differ in more than the number, if
    /// `split.count`, `split.tensors.count` or the byte orders differ, if a tensor is in both, or if one is not a shard.
    /// `limit-exceeded` if `split.count` is larger than 65,535. `invalid-argument` if there are no files, or if a file does not
    /// say which shard it is.
    pub fn arrange(files: &[ShardFile<'_>]) -> Result<Self> {
        let Some(first) = files.first() else {
            return Err(error!(InvalidArgument: "cannot open the set of shards: no file is given"));
        };
        let Some(shard) = Shard::of(first.header) else {
            return match files {
                [_] => Ok(Self { positions: vec![Some(0)], findings: Vec::new() }),
                [first, second, ..] => Err(foreign(first, second, &format!("{} is not a shard", shown(first)))),
                [] => Ok(Self { positions: Vec::new(), findings: Vec::new() }),
            };
        };
        if shard.count > u64::from(MOST_SHARDS) {
            return Err(error!(LimitExceeded:
                "cannot open the set of shards: split.count of {} is {}, expected at most {MOST_SHARDS}", shown(first),
                shard.count));
        }
        for other in &files[1..] {
            check_same_set(first, &shard, other)?;
        }
        let mut set = Self { positions: vec![None; shard.count as usize], findings: Vec::new() };
        set.place(files, shard.count)?;
        set.check_names(files, shard.count);
        set.check_ends(files);
        check_tensor_names(files, &set.positions)?;
        set.check_tensor_count(files, &shard);
        set.check_metadata(files);
        Ok(set)
    }

    /// Reports that the shard with a number, from 1, is missing. `name` is the name that it should have.
    pub fn report_missing(&mut self, number: u32, name: &str) {
        let name = if name.is_empty() { String::new() } else { format!(" \"{name}\"") };
        let count = self.positions.len();
        let message = format!("shard {number} of {count} is missing. Add the file{name}.");
        self.report(SetCheck::MissingShard, Some(number), message);
    }

    /// Reports that the shard with a number, from 1, could not be opened. `reason` is the message of the error.
    pub fn report_unreadable(&mut self, number: u32, name: &str, reason: &str) {
        let message = format!("\"{name}\" could not be opened: {reason}");
        self.report(SetCheck::UnreadableShard, Some(number), message);
    }

    /// Puts the files at the positions of their numbers.
    fn place(&mut self, files: &[ShardFile<'_>], count: u64) -> Result<()> {
        let mut duplicates = Vec::new();
        // Files whose names agree with their headers come first.
        for takes_agreeing in [true, false] {
            for (position, file) in files.iter().enumerate() {
                let named = ShardName::parse(file_name(file.name)).map(|name| u64::from(name.number));
                let stored = Shard::of(file.header).and_then(|shard| shard.number).filter(|number| *number <= count);
                let Some(number) = stored.or(named).filter(|number| *number <= count) else {
                    return Err(error!(InvalidArgument:
                        "cannot open the set of shards: neither split.no nor the name of {} says which shard it is",
                        shown(file)));
                };
                if (named == Some(number)) != takes_agreeing {
                    continue;
                }
                match self.positions[number as usize - 1] {
                    Some(other) => duplicates.push((number, other, position)),
                    None => self.positions[number as usize - 1] = Some(position),
                }
            }
        }
        for (number, used, unused) in duplicates {
            let (used, unused) = (shown(&files[used]), shown(&files[unused]));
            let message = format!(
                "{used} and {unused} are both shard {number} by their split.no. {used} is used. Replace {unused}."
            );
            self.report(SetCheck::DuplicateShard, Some(number as u32), message);
        }
        Ok(())
    }

    /// Compares the names with the headers.
    fn check_names(&mut self, files: &[ShardFile<'_>], count: u64) {
        let prefix = files.iter().find_map(|file| Some(ShardName::parse(file_name(file.name))?.prefix.to_string()));
        for (number, file) in numbered(files, &self.positions.clone()) {
            let Some(name) = ShardName::parse(file_name(file.name)) else {
                if !file.name.is_empty() {
                    let prefix = prefix.as_deref().unwrap_or("model");
                    let name = shard_name(prefix, number, count as u32);
                    let message = format!("{} does not have the name of a shard: name it \"{name}\".", shown(file));
                    self.report(SetCheck::UnnamedShard, Some(number), message);
                }
                continue;
            };
            if name.number != number || u64::from(name.count) != count {
                let message = format!(
                    "{} is shard {} of {} by its name, but shard {number} of {count} by its header. It was swapped with \
                     another file or renamed: name it \"{}\".",
                    shown(file),
                    name.number,
                    name.count,
                    shard_name(name.prefix, number, count as u32)
                );
                self.report(SetCheck::SwappedShard, Some(number), message);
            }
        }
    }

    /// Reports shards that end before the data of their tensors.
    fn check_ends(&mut self, files: &[ShardFile<'_>]) {
        for (number, file) in numbered(files, &self.positions.clone()) {
            let Some(size) = file.size else { continue };
            let Some(tensor) = extents::first_incomplete(file.header, size) else { continue };
            let message = format!(
                "{} has {size} bytes and ends before the data of tensor \"{}\" does. Download it again.",
                shown(file),
                tensor.name()
            );
            self.report_at(SetCheck::TruncatedShard, Some(number), message, None, Some(size));
        }
    }

    /// Compares the number of tensors of a complete set with `split.tensors.count`.
    fn check_tensor_count(&mut self, files: &[ShardFile<'_>], shard: &Shard) {
        let (Some(expected), true) = (shard.tensor_count, self.positions.iter().all(Option::is_some)) else { return };
        let found: u64 = numbered(files, &self.positions).map(|(_, file)| file.header.tensor_count()).sum();
        if found != expected {
            let message = format!(
                "the shards have {found} tensors together, but split.tensors.count is {expected}. A shard belongs to another \
                 version of the model, or the entry is wrong."
            );
            self.report(SetCheck::SetTensorCount, None, message);
        }
    }

    /// Compares the metadata of later shards with that of the first one.
    fn check_metadata(&mut self, files: &[ShardFile<'_>]) {
        let positions = self.positions.clone();
        let Some(first) = positions.first().copied().flatten().map(|position| files[position].header) else { return };
        for (number, file) in numbered(files, &positions).skip(1) {
            for entry in file.header.metadata() {
                let key = entry.key().to_bytes();
                if SHARD_KEYS.iter().any(|other| other.as_bytes() == &*key) {
                    continue;
                }
                let own = first.get(&key);
                let has_same_value = own.is_some_and(|own| {
                    let bytes = first.bytes().slice(own.value_range());
                    own.value_type() == entry.value_type() && file.header.bytes().equal(entry.value_range(), &bytes)
                });
                // Each shard can have its own alignment.
                if has_same_value || *key == *ALIGNMENT.as_bytes() {
                    continue;
                }
                let difference = match own {
                    Some(_) => "with another value than the first shard",
                    None => "that the first shard does not have",
                };
                let message =
                    format!("{} has the entry \"{}\" {difference}. llama.cpp ignores it.", shown(file), entry.key());
                let (key, offset) = (entry.key().to_string(), entry.value_range().start);
                if !self.report_at(SetCheck::ShardMetadata, Some(number), message, Some(key), Some(offset)) {
                    return;
                }
            }
        }
    }

    /// Adds a finding about a shard or the set as a whole.
    fn report(&mut self, check: SetCheck, shard: Option<u32>, message: String) {
        self.report_at(check, shard, message, None, None);
    }

    /// Adds a finding. A hostile set can cause millions, so the findings of one check are limited. Returns whether there is room
    /// for more of them.
    fn report_at(
        &mut self,
        check: SetCheck,
        shard: Option<u32>,
        message: String,
        key: Option<String>,
        offset: Option<u64>,
    ) -> bool {
        let count = self.findings.iter().filter(|finding| finding.check == check).count();
        if count < MAX_FINDINGS {
            self.findings.push(SetFinding { check, shard, message: bounded(message), key, offset });
        } else if count == MAX_FINDINGS {
            let message = format!("there are more findings like these. Only the first {MAX_FINDINGS} are listed.");
            self.findings.push(SetFinding { check, shard: None, message, key: None, offset: None });
        }
        count < MAX_FINDINGS
    }
}

/// The files that are there, with their numbers, from 1.
fn numbered<'a>(
    files: &'a [ShardFile<'a>],
    positions: &'a [Option<usize>],
) -> impl Iterator<Item = (u32, &'a ShardFile<'a>)> {
    (1..).zip(positions).filter_map(|(number, position)| Some((number, &files[(*position)?])))
}

/// Fails with `foreign-shard` if two files are not shards of the same set.
fn check_same_set(first: &ShardFile<'_>, shard: &Shard, other: &ShardFile<'_>) -> Result<()> {
    let Some(other_shard) = Shard::of(other.header) else {
        return Err(foreign(first, other, &format!("{} is not a shard", shown(other))));
    };
    let prefix = |file: &ShardFile<'_>| Some(ShardName::parse(file_name(file.name))?.prefix.to_string());
    let (format, other_format) = (first.header.format(), other.header.format());
    let difference = match (prefix(first), prefix(other)) {
        (Some(own), Some(other)) if own != other => "their names differ in more than the number".into(),
        _ if shard.count != other_shard.count => {
            format!("split.count is {} in one and {} in the other", shard.count, other_shard.count)
        }
        _ if shard.tensor_count.is_some_and(|own| other_shard.tensor_count.is_some_and(|other| own != other)) => {
            let count = |shard: &Shard| shard.tensor_count.unwrap_or_default();
            format!("split.tensors.count is {} in one and {} in the other", count(shard), count(&other_shard))
        }
        _ if format.endian != other_format.endian => {
            format!("one is {}, the other is {}", format.endian.name(), other_format.endian.name())
        }
        _ => return Ok(()),
    };
    Err(foreign(first, other, &difference))
}

/// Fails with `foreign-shard` if two shards have a tensor of the same name.
fn check_tensor_names(files: &[ShardFile<'_>], positions: &[Option<usize>]) -> Result<()> {
    // The names, and the number of the shard that has each.
    let (mut names, mut owners) = (DistinctNames::default(), Vec::new());
    for (number, file) in numbered(files, positions) {
        for tensor in file.header.tensors() {
            let place = names.position(&tensor.name().to_bytes());
            owners.resize(names.count(), number);
            let owner: u32 = owners[place];
            // A name that is twice in one shard is a finding of the checks of that file.
            if owner != number
                && let Some(position) = positions[owner as usize - 1]
            {
                let difference = format!("both have the tensor \"{}\"", tensor.name());
                return Err(foreign(&files[position], file, &difference));
            }
        }
    }
    Ok(())
}

#[cold]
fn foreign(first: &ShardFile<'_>, other: &ShardFile<'_>, difference: &str) -> Error {
    error!(ForeignShard:
        "cannot open {} and {} as one model: {difference}; open the shards of one model only", shown(first),
        shown(other))
}

/// The name of a file in messages.
fn shown(file: &ShardFile<'_>) -> String {
    match file_name(file.name) {
        "" => match Shard::of(file.header).and_then(|shard| shard.number) {
            Some(number) => format!("the file with split.no {}", number - 1),
            None => "a file without a name".into(),
        },
        name => format!("\"{name}\""),
    }
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

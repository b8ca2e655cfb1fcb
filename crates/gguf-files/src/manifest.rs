//! Manifests: the text format in which llama.cpp's `gguf-hash` writes hashes and checks them.
//!
//! A line has the algorithm, padded to 8 characters, two spaces, the hash in hexadecimal digits, two spaces, and a name. The
//! name is `file:tensor`, or `file` for the data of all tensors:
//!
//! ```text
//! xxh64     88e3bdf7b131b446  model.gguf:output.weight
//! xxh64     93930bb6450cd9d3  model.gguf
//! ```
//!
//! - Writing gives the bytes that `gguf-hash` writes. There is one exception, because a line break in a name would end the
//!   line: such a line begins with a `\`. In its name, `\n` stands for a line feed, `\r` for a carriage return, and `\\` for a
//!   backslash. `sha256sum` writes such names in the same way.
//! - Reading accepts digits of either case, CRLF, a byte order mark, and other spaces between the columns. The name is the
//!   rest of the line, so it may contain spaces. Lines of other forms are ignored.
//! - The names of files and of tensors may contain colons. So the tensors of the file decide where a name is split. Only if
//!   there is no such tensor, the other lines do.
//! - The name of the file is not compared, because a file can be renamed. If a manifest has lines of several files, the file
//!   is taken whose hashes agree best.
//!
//! Examples: [`manifest_algorithms`], [`DataHashes::check`].

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;
use core::fmt::Write;

use crate::hash::{DataHashes, HASH_ALGORITHMS, HashAlgorithm, Hashes};
use gguf_declare::{names, result};
use gguf_format::distinct_names::DistinctNames;
use gguf_format::error::ErrorCode;
use gguf_format::order::{sort_by, sorted};

/// All algorithms, the strongest first.
const STRONGEST_FIRST: [HashAlgorithm; 4] =
    [HashAlgorithm::Sha256, HashAlgorithm::Sha1, HashAlgorithm::Xxh64, HashAlgorithm::Uuid];

/// The fewest hexadecimal digits that count as a hash, perhaps a damaged one. Fewer are more likely a word of a text.
const FEWEST_DIGITS: usize = 8;

result! {
    /// The result of checking a manifest.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ManifestCheck {
        /// The algorithm that was compared. The strongest that is in the manifest and was computed: SHA-256, SHA-1, XXH64, UUID.
        pub algorithm: HashAlgorithm,
        /// The result of all lines.
        pub result: CheckResult,
        /// The lines of the algorithm, in the order of the manifest. Lines of tensors are left out if tensors were not hashed.
        pub lines: Vec<ManifestLine>,
        /// The names of the file's tensors that no line of the algorithm names.
        pub unlisted: Vec<String>,
    }
}

names! {
    /// What a check of a manifest found. `match`: all lines of this file agree. The file can have more tensors than the manifest
    /// names: see `unlisted`. `mismatch`: a line has another hash, or the file lacks a tensor that the manifest names while
    /// other lines agree. `nothing-found`: no line could be compared.
    #[typescript("ManifestResult")]
    pub enum CheckResult {
        /// At least one line was compared, and all lines of this file agree.
        Match = "match",
        /// A line has another hash, or the file lacks a tensor that the manifest names while other lines agree.
        Mismatch = "mismatch",
        /// No line could be compared.
        NothingFound = "nothing-found",
    }
}

result! {
    /// A line of a manifest.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ManifestLine {
        /// The name of the tensor. Not present if the line is about the data of all tensors.
        pub tensor: Option<String>,
        /// The hash in the manifest.
        pub expected: String,
        /// The hash of the data. Not present if the line is not about this file.
        pub actual: Option<String>,
        /// Whether the two agree.
        pub result: LineResult,
    }
}

names! {
    /// The result of a line of a manifest. `not-in-file`: the file does not have the tensor, or the line is about another file.
    #[typescript("ManifestLineResult")]
    pub enum LineResult {
        /// The data has this hash.
        Match = "match",
        /// The data has another hash.
        Mismatch = "mismatch",
        /// The file does not have the tensor, or the line is about another file.
        NotInFile = "not-in-file",
    }
}

/// The reason why a manifest cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestError {
    /// No line has a hash of a known algorithm.
    NoHashes,
    /// No algorithm of the manifest was computed. It has these, the strongest first.
    NotComputed(Vec<HashAlgorithm>),
}

impl ManifestError {
    /// The stable code of the reason: `bad-manifest` or `invalid-argument`.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoHashes => ErrorCode::BadManifest,
            Self::NotComputed(_) => ErrorCode::InvalidArgument,
        }
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHashes => f.write_str(
                "the manifest cannot be used: no line has a hash that is known, expected lines such as \"sha256    HASH  \
                 model.gguf:TENSOR\" of the types sha256, sha1, xxh64 or uuid",
            ),
            Self::NotComputed(algorithms) => {
                let names: Vec<_> = algorithms.iter().map(|algorithm| algorithm.name()).collect();
                write!(
                    f,
                    "the manifest cannot be checked: it has hashes of {}, of which none was computed. Compute {} too",
                    names.join(", "),
                    names.first().unwrap_or(&"")
                )
            }
        }
    }
}

impl core::error::Error for ManifestError {}

/// The algorithms of the hashes in a manifest, the strongest first: SHA-256, SHA-1, XXH64, UUID.
///
/// # Errors
///
/// `bad-manifest` if no line has a hash of a known algorithm.
///
/// # Examples
///
/// ```
/// use gguf_files::{hash::HashAlgorithm, manifest::manifest_algorithms};
///
/// let manifest = "xxh64     93930bb6450cd9d3  model.gguf\n";
/// assert_eq!(manifest_algorithms(manifest).unwrap(), [HashAlgorithm::Xxh64]);
/// ```
pub fn manifest_algorithms(manifest: &str) -> Result<Vec<HashAlgorithm>, ManifestError> {
    algorithms_of(&lines(manifest).collect::<Vec<_>>())
}

fn algorithms_of(lines: &[Line<'_>]) -> Result<Vec<HashAlgorithm>, ManifestError> {
    let has = |algorithm: &HashAlgorithm| lines.iter().any(|line| line.algorithm == *algorithm);
    let found: Vec<_> = STRONGEST_FIRST.into_iter().filter(has).collect();
    if found.is_empty() { Err(ManifestError::NoHashes) } else { Ok(found) }
}

impl DataHashes {
    /// The manifest of the hashes: for each tensor a line of each algorithm, and then the lines of the whole file.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_files::hash::{HashAlgorithm, TensorDataHasher};
    ///
    /// let hashes = TensorDataHasher::new(&[HashAlgorithm::Xxh64], true).finish();
    /// assert_eq!(hashes.manifest("empty.gguf"), "xxh64     ef46db3751d8e999  empty.gguf\n");
    /// ```
    pub fn manifest(&self, file_name: &str) -> String {
        let mut text = String::new();
        for (tensor, hashes) in &self.tensors {
            write_lines(&mut text, hashes, &format!("{file_name}:{tensor}"));
        }
        write_lines(&mut text, &self.data, file_name);
        text
    }

    /// Compares the hashes with a manifest.
    ///
    /// # Errors
    ///
    /// `bad-manifest` if no line has a hash of a known algorithm, and `invalid-argument` if none of its algorithms was
    /// computed.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_files::{hash::{HashAlgorithm, TensorDataHasher}, manifest::CheckResult};
    ///
    /// let mut hasher = TensorDataHasher::new(&[HashAlgorithm::Xxh64], true);
    /// hasher.update(b"weights");
    /// hasher.end_tensor("output.weight".into());
    /// let hashes = hasher.finish();
    /// let check = hashes.check("xxh64  0123456789abcdef  model.gguf:output.weight").unwrap();
    /// assert_eq!(check.result, CheckResult::Mismatch);
    /// assert_eq!(check.lines[0].tensor.as_deref(), Some("output.weight"));
    /// ```
    pub fn check(&self, manifest: &str) -> Result<ManifestCheck, ManifestError> {
        let lines: Vec<_> = lines(manifest).collect();
        let algorithms = algorithms_of(&lines)?;
        let Some(algorithm) = algorithms.iter().copied().find(|algorithm| self.data.has(*algorithm)) else {
            return Err(ManifestError::NotComputed(algorithms));
        };
        let names = Names::new(self);
        let files = FileNames::new(&lines, &names);
        let mut compared: Vec<Compared<'_>> = Vec::new();
        let mut occurrences = vec![0; self.tensors.len()];
        for line in lines.iter().filter(|line| line.algorithm == algorithm) {
            let (file, subject) = files.split(&line.name, &names);
            let subject = match subject {
                Subject::Known(first) => {
                    // Several tensors with one name are named one after the other.
                    let occurrence: &mut usize = &mut occurrences[first];
                    *occurrence += 1;
                    Subject::Known(names.occurrence(&self.tensors[first].0, *occurrence - 1))
                }
                other => other,
            };
            compared.push((file, self.compare(line, subject), subject));
        }
        let file = best_file(&compared);
        let mut is_listed = vec![false; self.tensors.len()];
        let mut lines = Vec::new();
        let mut lacks_tensor = false;
        for (of, line, subject) in compared {
            lacks_tensor |= of == file && matches!(subject, Subject::Unknown(_));
            if let Subject::Known(index) = subject
                && of == file
            {
                is_listed[index] = true;
            }
            lines.extend(line.map(|line| if of == file { line } else { line.of_another_file() }));
        }
        let has = |result| lines.iter().any(|line: &ManifestLine| line.result == result);
        let result = match (has(LineResult::Mismatch), has(LineResult::Match)) {
            (true, _) => CheckResult::Mismatch,
            // If no line agrees, the manifest is about another file. If some lines agree and a listed tensor is missing, the
            // tensor was removed or renamed.
            (false, true) if lacks_tensor => CheckResult::Mismatch,
            (false, true) => CheckResult::Match,
            (false, false) => CheckResult::NothingFound,
        };
        let listed = self.tensors.iter().zip(is_listed);
        let unlisted = listed.filter(|(_, is_listed)| !is_listed).map(|((name, _), _)| name.clone()).collect();
        Ok(ManifestCheck { algorithm, result, lines, unlisted })
    }

    /// Compares one line. `None` if the tensor was not hashed.
    fn compare(&self, line: &Line<'_>, subject: Subject<'_>) -> Option<ManifestLine> {
        let (tensor, hashes) = match subject {
            Subject::Whole => (None, Some(&self.data)),
            Subject::Known(index) => (Some(&self.tensors[index].0[..]), Some(&self.tensors[index].1)),
            Subject::Unknown(name) => (Some(name), None),
        };
        let actual = match hashes {
            Some(hashes) => Some(hashes.text(line.algorithm)?),
            None => None,
        };
        let result = match &actual {
            None => LineResult::NotInFile,
            Some(actual) if actual.eq_ignore_ascii_case(line.expected) => LineResult::Match,
            Some(_) => LineResult::Mismatch,
        };
        Some(ManifestLine { tensor: tensor.map(Into::into), expected: line.expected.into(), actual, result })
    }
}

impl ManifestLine {
    fn of_another_file(self) -> Self {
        Self { actual: None, result: LineResult::NotInFile, ..self }
    }
}

/// Writes the lines of all hashes of one name.
fn write_lines(text: &mut String, hashes: &Hashes, name: &str) {
    let is_escaped = name.contains(['\n', '\r']);
    let name = if is_escaped { Cow::Owned(escaped(name)) } else { Cow::Borrowed(name) };
    for algorithm in HASH_ALGORITHMS {
        if let Some(hash) = hashes.text(*algorithm) {
            let mark = if is_escaped { "\\" } else { "" };
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{mark}{:<8}  {hash}  {name}", algorithm.name());
        }
    }
}

fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut characters = name.chars();
    while let Some(character) = characters.next() {
        let next = if character == '\\' { characters.clone().next() } else { None };
        let meant = match next {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('\\') => '\\',
            _ => {
                text.push(character);
                continue;
            }
        };
        characters.next();
        text.push(meant);
    }
    text
}

/// A line with a hash of a known algorithm.
struct Line<'a> {
    algorithm: HashAlgorithm,
    expected: &'a str,
    /// `file:tensor`, or `file`.
    name: Cow<'a, str>,
}

/// The lines of a manifest that have a hash of a known algorithm.
fn lines(manifest: &str) -> impl Iterator<Item = Line<'_>> {
    let manifest = manifest.strip_prefix('\u{feff}').unwrap_or(manifest);
    manifest.split('\n').filter_map(|line| parse_line(line.strip_suffix('\r').unwrap_or(line)))
}

fn parse_line(line: &str) -> Option<Line<'_>> {
    let is_space = |character: char| character == ' ' || character == '\t';
    let line = line.trim_start_matches(is_space);
    let (line, is_escaped) = line.strip_prefix('\\').map_or((line, false), |line| (line, true));
    let (algorithm, rest) = line.split_once(is_space)?;
    let algorithm = HashAlgorithm::from_name(algorithm)?;
    let (expected, rest) = rest.trim_start_matches(is_space).split_once(is_space)?;
    // The first of the two spaces is gone. A name can begin with a space, so no more than two are removed.
    let name = rest.strip_prefix(is_space).unwrap_or(rest);
    let is_digit = |byte: u8| byte.is_ascii_hexdigit() || algorithm == HashAlgorithm::Uuid && byte == b'-';
    let is_hash = expected.len() >= FEWEST_DIGITS && expected.bytes().all(is_digit);
    let name = if is_escaped { Cow::Owned(unescaped(name)) } else { Cow::Borrowed(name) };
    (is_hash && !name.is_empty()).then_some(Line { algorithm, expected, name })
}

/// What a line is about.
#[derive(Clone, Copy)]
enum Subject<'a> {
    /// The data of all tensors.
    Whole,
    /// A tensor of the file, by its index.
    Known(usize),
    /// A tensor that the file does not have.
    Unknown(&'a str),
}

/// The indices of the tensors by their names.
struct Names<'a> {
    hashes: &'a DataHashes,
    /// The indices, sorted by name, and then by index.
    sorted: Vec<usize>,
    /// The lengths of the names in bytes, the longest first, each once.
    lengths: Vec<usize>,
}

impl<'a> Names<'a> {
    fn new(hashes: &'a DataHashes) -> Self {
        let name = |index: usize| &hashes.tensors[index].0;
        let mut sorted: Vec<_> = (0..hashes.tensors.len()).collect();
        sort_by(&mut sorted, &|a, b| (name(a), a).cmp(&(name(b), b)));
        let mut lengths: Vec<_> = hashes.tensors.iter().map(|(name, _)| name.len()).collect();
        sort_by(&mut lengths, &|a, b| b.cmp(&a));
        lengths.dedup();
        Self { hashes, sorted, lengths }
    }

    /// The name of the tensor with an index.
    fn name(&self, index: usize) -> &str {
        &self.hashes.tensors[index].0
    }

    /// The first tensor with a name.
    fn find(&self, name: &str) -> Option<usize> {
        let place = self.sorted.partition_point(|index| self.name(*index) < name);
        self.sorted.get(place).copied().filter(|index| self.name(*index) == name)
    }

    /// The tensor that has a name for the time `occurrence`, counted from 0, or the last one that has it. There must be one.
    fn occurrence(&self, name: &str, occurrence: usize) -> usize {
        let start = self.sorted.partition_point(|index| self.name(*index) < name);
        let end = self.sorted.partition_point(|index| self.name(*index) <= name);
        self.sorted[(start + occurrence).min(end - 1)]
    }
}

/// The names of files in a manifest. They tell where the names of its lines are split.
struct FileNames<'a> {
    /// The names of all lines, and the texts before the names of known tensors: sorted, each once.
    texts: Vec<&'a str>,
    /// The texts before the names of known tensors, and how many lines have each.
    files: DistinctNames,
    counts: Vec<usize>,
}

impl<'a> FileNames<'a> {
    fn new(lines: &'a [Line<'_>], names: &Names<'_>) -> Self {
        let mut texts: Vec<_> = lines.iter().map(|line| &line.name[..]).collect();
        let (mut files, mut counts) = (DistinctNames::default(), Vec::new());
        for place in 0..texts.len() {
            for (file, _) in known_tensors(texts[place], names) {
                let position = files.position(file.as_bytes());
                if position == counts.len() {
                    texts.push(file);
                    counts.push(0);
                }
                counts[position] += 1;
            }
        }
        let mut texts = sorted(&texts);
        texts.dedup();
        Self { texts, files, counts }
    }

    /// How many lines name a known tensor of the file.
    fn count(&self, file: &str) -> usize {
        self.files.find(file.as_bytes()).map_or(0, |position| self.counts[position])
    }

    /// Splits the name of a line into the name of the file and that of the tensor.
    fn split<'b>(&self, text: &'b str, names: &Names<'_>) -> (&'b str, Subject<'b>) {
        // `a:b:c` can be the tensor `b:c` of `a`, or `c` of `a:b`: most lines of a manifest have the same file. Of equally
        // frequent ones, the first is taken, whose tensor has the longest name.
        let candidates = known_tensors(text, names).map(|(file, tensor)| (self.count(file), file, tensor));
        let best = candidates.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let lines_of_file = self.count(text);
        match best {
            Some((count, file, tensor)) if count > lines_of_file => return (file, Subject::Known(tensor)),
            _ if lines_of_file > 0 => return (text, Subject::Whole),
            _ => {}
        }
        // The path of a file may contain a colon too: `C:\\model.gguf`.
        let after_suffix = || text.find(".gguf:").map(|suffix| suffix + ".gguf".len());
        let in_base_name = || {
            let base = text.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
            text[base..].find(':').map(|colon| base + colon)
        };
        match self.after_file(text).or_else(after_suffix) {
            Some(colon) => (&text[..colon], Subject::Unknown(&text[colon + 1..])),
            None if self.begins_another(text) => (text, Subject::Whole),
            None => match in_base_name() {
                Some(colon) => (&text[..colon], Subject::Unknown(&text[colon + 1..])),
                None => (text, Subject::Whole),
            },
        }
    }

    /// The first colon whose preceding text is the name of a file in the manifest.
    ///
    /// A hostile line has millions of colons. So the texts with the same beginning are narrowed down byte by byte, instead of
    /// searching for each beginning.
    fn after_file(&self, text: &str) -> Option<usize> {
        let mut texts = &self.texts[..];
        for (index, byte) in text.bytes().enumerate() {
            // All of `texts` begin with the bytes before `index`. If one of them ends there, it is the first.
            let (first, others) = texts.split_first()?;
            if first.len() == index {
                if byte == b':' {
                    return Some(index);
                }
                texts = others;
            }
            let at = |text: &&str| text.as_bytes()[index];
            if texts.first().map(at) != Some(byte) || texts.last().map(at) != Some(byte) {
                let start = texts.partition_point(|text| at(text) < byte);
                let end = texts.partition_point(|text| at(text) <= byte);
                texts = &texts[start..end];
            }
        }
        None
    }

    /// Whether another line is about a tensor of the file `text`.
    fn begins_another(&self, text: &str) -> bool {
        let start = || text.bytes().chain([b':']);
        let place = self.texts.partition_point(|other| other.bytes().lt(start()));
        self.texts.get(place).is_some_and(|other| other.strip_prefix(text).is_some_and(|rest| rest.starts_with(':')))
    }
}

/// Every way to split a text into the name of a file and that of a known tensor, the longest tensor name first.
fn known_tensors<'a>(text: &'a str, names: &Names<'_>) -> impl Iterator<Item = (&'a str, usize)> {
    // Only a rest that is as long as a name can be one. A hostile line has millions of colons.
    let split = |length: &usize| {
        let colon = text.len() - length - 1;
        let is_colon = text.as_bytes()[colon] == b':';
        is_colon.then(|| Some((&text[..colon], names.find(&text[colon + 1..])?))).flatten()
    };
    let shorter = names.lengths.partition_point(|length| *length >= text.len());
    names.lengths[shorter..].iter().filter_map(split)
}

/// A line of the manifest with the name of its file and its subject.
type Compared<'a> = (&'a str, Option<ManifestLine>, Subject<'a>);

/// The name of the file that the manifest means: the file with the most lines that agree. If several have equally many, the
/// file with the most lines that could be compared.
fn best_file<'a>(compared: &[Compared<'a>]) -> &'a str {
    let (mut files, mut counts) = (DistinctNames::default(), Vec::<(usize, usize)>::new());
    for (file, line, _) in compared {
        let position = files.position(file.as_bytes());
        counts.resize(files.count(), (0, 0));
        let (matches, known) = &mut counts[position];
        if let Some(line) = line {
            *matches += usize::from(line.result == LineResult::Match);
            *known += usize::from(line.result != LineResult::NotInFile);
        }
    }
    let count = |file: &str| files.find(file.as_bytes()).map(|position| counts[position]);
    let best = compared.iter().map(|(file, ..)| *file).reduce(
        |best, other| {
            if count(other) > count(best) { other } else { best }
        },
    );
    best.unwrap_or("")
}

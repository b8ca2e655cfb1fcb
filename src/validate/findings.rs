//! Findings, and the list of them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Write};

use super::check::{CHECKS, Check};
use super::{data, metadata, tensors};
use crate::format::Endian;
use crate::header::{Header, MetadataKv, TensorInfo};

/// How many findings there are of one check; of the others, one more finding gives the number.
pub const MAX_FINDINGS: u64 = 100;

/// Something that a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which check.
    pub check: Check,
    /// What was found, and where it helps what was expected, in plain words.
    pub message: String,
    /// The position of the metadata entry that it is about.
    pub entry: Option<usize>,
    /// The position of the tensor that it is about.
    pub tensor: Option<usize>,
    /// Where it is, in bytes from the start of the file.
    pub offset: Option<u64>,
}

/// Looks for everything in [`CHECKS`](crate::CHECKS). Whether data is missing, or follows where none is expected, is known
/// only with the file's size; of a header that is not complete, what is there is checked.
///
/// # Examples
///
/// ```
/// use gguf_wasm::encode::Encoder;
/// use gguf_wasm::{Check, Format, Severity, validate};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 1).kv(b"general.architecture", &"llama".into()).tensor_info(b"output.weight", &[32, 2], 2, 0);
/// file.pad_to(32).bytes(&[0; 30]);
///
/// let header = gguf_wasm::parse(file.as_bytes())?;
/// let findings = validate(&header, Some(file.len()));
/// let truncated = findings.iter().find(|finding| finding.check == Check::Truncated).unwrap();
/// assert_eq!(truncated.check.code(), "truncated");
/// assert_eq!(truncated.check.severity(), Severity::Error);
/// assert_eq!(truncated.message, "the file has 158 bytes and needs 164: 6 missing, of \"output.weight\"");
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn validate(header: &Header, file_size: Option<u64>) -> Vec<Finding> {
    let mut findings = Findings { list: Vec::new(), counts: [0; CHECKS.len()] };
    check_format(header, &mut findings);
    metadata::check(header, &mut findings);
    tensors::check(header, &mut findings);
    data::check(header, file_size, &mut findings);
    findings.finish()
}

fn check_format(header: &Header, findings: &mut Findings) {
    let format = header.format();
    let place = Place { offset: Some(4), ..Place::default() };
    if format.version == 1 {
        findings.report(Check::Version1, place, &[]);
    }
    if format.endian == Endian::Big {
        match format.version {
            3 => findings.report(Check::BigEndian, place, &[]),
            version => findings.report(Check::BigEndianBeforeVersion3, place, &[&version]),
        }
    }
}

/// What a finding is about, and where that is.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    entry: Option<usize>,
    tensor: Option<usize>,
    offset: Option<u64>,
}

impl Place {
    /// At an offset in the file.
    pub fn file(offset: u64) -> Self {
        Self { offset: Some(offset), ..Self::default() }
    }

    pub fn entry(kv: &MetadataKv<'_>, offset: u64) -> Self {
        Self { entry: Some(kv.index()), ..Self::file(offset) }
    }

    pub fn tensor(tensor: &TensorInfo<'_>, offset: u64) -> Self {
        Self { tensor: Some(tensor.index()), ..Self::file(offset) }
    }

    pub fn at(self, offset: u64) -> Self {
        Self { offset: Some(offset), ..self }
    }
}

pub(super) struct Findings {
    list: Vec<Finding>,
    /// How many findings there are of each check, also those that are not listed.
    counts: [u64; CHECKS.len()],
}

impl Findings {
    /// Adds a finding, with `values` in its message.
    pub fn report(&mut self, check: Check, place: Place, values: &[&dyn Display]) {
        let count = &mut self.counts[check as usize];
        *count += 1;
        if *count > MAX_FINDINGS {
            return;
        }
        let mut message = String::new();
        let mut values = values.iter();
        // Character by character: looking for text in text takes more of the wasm module than all checks of tensors.
        for character in check.info().message.chars() {
            match character {
                '{' => {
                    if let Some(value) = values.next() {
                        // Writing to a string does not fail.
                        let _ = write!(message, "{value}");
                    }
                }
                '}' => {}
                character => message.push(character),
            }
        }
        let Place { entry, tensor, offset } = place;
        self.list.push(Finding { check, message, entry, tensor, offset });
    }

    /// All findings, and of checks with more than are listed how many more.
    fn finish(mut self) -> Vec<Finding> {
        for (info, count) in CHECKS.iter().zip(self.counts) {
            if let Some(more @ 1..) = count.checked_sub(MAX_FINDINGS) {
                let mut message = String::new();
                let _ = write!(message, "{more} more like this are not listed");
                self.list.push(Finding { check: info.check, message, entry: None, tensor: None, offset: None });
            }
        }
        self.list
    }
}

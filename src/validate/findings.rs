//! Findings, and the list of them.

use alloc::string::String;
use alloc::vec::Vec;

use super::check::{CHECKS, Check, line};
use super::{metadata, tensors};
use crate::format::header::Header;
use crate::format::version::{Endian, Format};
use crate::know::keys::KeyTypes;

/// How many findings there are of one check; if there are others, one more finding says so.
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
/// assert_eq!(truncated.message, "truncated: 158 of 164 bytes");
/// assert_eq!(truncated.tensor, Some(0));
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn validate(header: &Header, file_size: Option<u64>) -> Vec<Finding> {
    let mut list = Vec::new();
    look(header, file_size, &mut |check, message, subject, offset| {
        let position = Some(subject as u32 as usize).filter(|_| subject != NONE);
        let (entry, tensor) = if subject < TENSORS { (position, None) } else { (None, position) };
        list.push(Finding { check, message, entry, tensor, offset: Some(offset).filter(|offset| *offset != NONE) });
    });
    list
}

/// For a subject or an offset that there is not.
pub(crate) const NONE: u64 = u64::MAX;

/// What is added to the position of a tensor in a subject.
pub(crate) const TENSORS: u64 = 1 << 32;

/// Is told what is found: which check has found it, what, what it is about (the position of an entry; that of a tensor, and
/// [`TENSORS`]; or [`NONE`]), and where it is in the file, or [`NONE`].
pub(crate) type Found<'a> = dyn FnMut(Check, String, u64, u64) + 'a;

/// Hands on what is found.
pub(crate) fn look(header: &Header, file_size: Option<u64>, found: &mut Found<'_>) {
    let mut findings = Findings { found, counts: [0; CHECKS.len()], subject: NONE };
    let Format { version, endian } = header.format();
    if version == 1 {
        findings.report(Check::Version1, 4, 0, 0);
    }
    if header.entries_beyond() > 0 {
        findings.report(Check::WrongVersion, 4, header.entries_beyond(), 0);
    }
    if endian == Endian::Big {
        let check = if version < 3 { Check::BigEndianBeforeVersion3 } else { Check::BigEndian };
        findings.report(check, 4, version.into(), 0);
    }
    let marks = metadata::check(header, &mut findings);
    tensors::check(header, file_size, marks, &mut findings);
}

pub(super) struct Findings<'a> {
    found: &'a mut Found<'a>,
    /// How many findings there are of each check, also those that are not listed.
    counts: [u64; CHECKS.len()],
    /// What all that is reported is about, as in [`Found`].
    pub subject: u64,
}

impl Findings<'_> {
    /// Reports a finding, with numbers for its message; where it has fewer, the others are not looked at.
    #[inline(never)]
    pub fn report(&mut self, check: Check, offset: u64, first: u64, second: u64) {
        self.counts[check as usize] += 1;
        let count = self.counts[check as usize];
        if count > MAX_FINDINGS + 1 {
            return;
        }
        let row = check as usize * 3;
        let (mut subject, mut offset, mut rest) = (self.subject, offset, line(row + 2));
        if count > MAX_FINDINGS {
            (subject, offset, rest) = (NONE, NONE, ": more are not listed");
        }
        let mut message = String::new();
        for byte in line(row + 1).bytes() {
            push(&mut message, if byte == b'-' { b' ' } else { byte });
        }
        let mut number = first;
        // The number before, which decides whether a noun is a plural.
        let mut counted = first;
        for byte in rest.bytes() {
            match byte {
                b'%' => {
                    if counted != 1 {
                        push(&mut message, b's');
                    }
                    continue;
                }
                b'@' if number >= TYPES => KeyTypes((number / TYPES) as u32).push_to(&mut message),
                b'#' | b'@' => push_number(&mut message, number, 10, 1),
                b'~' => push_number(&mut message, number, 16, 4),
                _ => {
                    push(&mut message, byte);
                    continue;
                }
            }
            counted = number;
            number = second;
        }
        (self.found)(check, message, subject, offset);
    }
}

/// What types are multiplied by, so that they are no number.
pub(super) const TYPES: u64 = 1 << 32;

/// Adds a number of at least so many digits. The standard library's way of writing numbers takes more of the module.
fn push_number(text: &mut String, number: u64, base: u64, digits: u32) {
    if number >= base || digits > 1 {
        push_number(text, number / base, base, digits.saturating_sub(1));
    }
    push(text, b"0123456789ABCDEF"[(number % base) as usize & 15]);
}

/// Adds a character of ASCII.
#[inline(never)]
fn push(text: &mut String, character: u8) {
    text.push(char::from(character & 0x7f));
}

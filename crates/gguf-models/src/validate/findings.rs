//! Findings, and the list of them.

use alloc::{string::String, string::ToString, vec::Vec};
use core::fmt;

use super::check::{CHECKS, Check};
use super::fix::{self, Fix};
use crate::architectures::RequiredTensor;
use gguf_format::error::shown::bounded;

/// The most findings of one check about entries or the whole file. If there are more, one more finding says so. It is also the
/// most findings of one check that have a fix, because finding a fix may take as long as reading the header.
pub const MAX_FINDINGS: usize = 100;

/// The most findings of one check about tensors. A defect often repeats in all blocks, and programs join its findings to ranges
/// of blocks, so no model with fewer tensors loses one. Most models have fewer than 1500 tensors.
pub const MAX_TENSOR_FINDINGS: usize = 2000;

/// A problem or a peculiarity of a file, found by one of the [`CHECKS`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The check that found it.
    pub check: Check,
    /// What was found, what was expected, and what to do about it. The message does not name the subject.
    pub message: String,
    /// The entry or tensor that the finding is about. `None` if it is about the whole file.
    pub subject: Option<Subject>,
    /// The position of the problem, in bytes from the start of the file.
    pub offset: Option<u64>,
    /// The changes that remove the finding. `None` if only a person can know them, without the feature `fixes`, or if the file is not
    /// complete: then no edit of it can be written.
    pub fix: Option<Fix>,
}

/// The entry or tensor that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The metadata entry at a position in the file.
    Entry(usize),
    /// The tensor at a position in the file.
    Tensor(usize),
    /// An entry that the file lacks: its key, in which `{arch}` stands for the value of `general.architecture`.
    MissingEntry(&'static str),
    /// A tensor that the file lacks.
    MissingTensor(RequiredTensor),
}

/// The findings so far.
pub(super) struct Findings {
    pub list: Vec<Finding>,
    /// The number of findings of each check, with those that are not listed.
    counts: [usize; CHECKS.len()],
}

impl Default for Findings {
    fn default() -> Self {
        Self { list: Vec::new(), counts: [0; CHECKS.len()] }
    }
}

impl Findings {
    /// Adds a finding. The message is written only if the finding is listed, because a hostile file can cause millions.
    pub fn report(&mut self, check: Check, subject: Option<Subject>, offset: Option<u64>, message: fmt::Arguments<'_>) {
        self.report_with_fix(check, subject, offset, message, &|| None);
    }

    /// Adds a finding with its fix. The fix is made only if the finding is listed.
    pub fn report_with_fix(
        &mut self,
        check: Check,
        subject: Option<Subject>,
        offset: Option<u64>,
        message: fmt::Arguments<'_>,
        make_fix: &dyn Fn() -> Option<Fix>,
    ) {
        let count = &mut self.counts[check as usize];
        *count += 1;
        let most = match subject {
            Some(Subject::Tensor(_) | Subject::MissingTensor(_)) => MAX_TENSOR_FINDINGS,
            _ => MAX_FINDINGS,
        };
        if *count <= most {
            let fix = if fix::ARE_MADE && *count <= MAX_FINDINGS { make_fix() } else { None };
            self.list.push(Finding { check, message: bounded(message.to_string()), subject, offset, fix });
        } else if *count == most + 1 {
            let message = format!("there are more findings like these. Only the first {most} are listed.");
            self.list.push(Finding { check, message, subject: None, offset: None, fix: None });
        }
    }
}

/// A number of things, with a plural `s` if the number is not 1: `2 bytes`.
pub(super) struct Counted(pub u64, pub &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        write!(f, "{count} {noun}{}", if *count == 1 { "" } else { "s" })
    }
}

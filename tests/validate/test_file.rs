//! A file with one entry or tensor at a time, and the finding that a test expects.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Format, GgmlType};
use gguf_models::validate::{Check, Finding, Subject};

use crate::gguf_bytes::GgufBytes;
use crate::validate::validate_file;

/// A file with `general.architecture`, these entries and these tensors.
#[derive(Default)]
pub struct TestFile<'a> {
    format: Format,
    /// Keys and values, after `general.architecture`.
    entries: Vec<(&'a [u8], OwnedValue)>,
    /// Names, dimensions, types and offsets.
    tensors: Vec<(&'a [u8], &'a [u64], GgmlType, u64)>,
    data: usize,
}

impl<'a> TestFile<'a> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(key: &'a [u8], value: impl Into<OwnedValue>) -> Self {
        Self::new().entry(key, value)
    }

    pub fn entry(mut self, key: &'a [u8], value: impl Into<OwnedValue>) -> Self {
        self.entries.push((key, value.into()));
        self
    }

    pub fn tensor(mut self, name: &'a [u8], dimensions: &'a [u64], ggml_type: GgmlType, offset: u64) -> Self {
        self.tensors.push((name, dimensions, ggml_type, offset));
        self
    }

    pub fn format(self, version: u32, endian: Endian) -> Self {
        Self { format: Format { version, endian }, ..self }
    }

    pub fn data(self, data: usize) -> Self {
        Self { data, ..self }
    }

    /// The file, the offset of each entry, and the offset of each tensor info.
    pub fn encode(&self) -> (Vec<u8>, Vec<u64>, Vec<u64>) {
        let mut file = GgufBytes::new(self.format);
        file.header(self.tensors.len() as u64, self.entries.len() as u64 + 1);
        let mut entries = vec![file.len()];
        // An architecture of which no keys and tensors are known to be required.
        file.entry(b"general.architecture", &"gptj".into());
        for (key, value) in &self.entries {
            entries.push(file.len());
            file.entry(key, value);
        }
        let mut tensors = Vec::new();
        for (name, dimensions, ggml_type, offset) in &self.tensors {
            tensors.push(file.len());
            file.tensor(name, dimensions, ggml_type.0, *offset);
        }
        let alignment = gguf_format::parse(file.as_bytes()).unwrap().alignment();
        if !self.tensors.is_empty() {
            file.pad_to(alignment);
        }
        file.bytes(&vec![0; self.data]);
        (file.into_bytes(), entries, tensors)
    }

    #[track_caller]
    pub fn assert_no_findings(&self) {
        assert_eq!(validate_file(&self.encode().0), []);
    }

    /// Asserts that there is exactly one finding, of this check.
    #[track_caller]
    pub fn assert_only(&self, check: Check) -> (Finding, Vec<u8>, Vec<u64>, Vec<u64>) {
        let (file, entries, tensors) = self.encode();
        let findings = validate_file(&file);
        assert_eq!(findings.iter().map(|finding| finding.check).collect::<Vec<_>>(), [check], "{findings:?}");
        (findings.into_iter().next().unwrap(), file, entries, tensors)
    }

    /// Asserts that there is exactly one finding, about the last entry. `offset` counts from the start of the entry.
    #[track_caller]
    pub fn assert_only_in_last_entry(&self, check: Check, message: &str, offset: u64) {
        let (finding, _, entries, _) = self.assert_only(check);
        assert_eq!(finding.subject, Some(Subject::Entry(entries.len() - 1)));
        assert_eq!(finding.message, message);
        assert_eq!(finding.offset, Some(entries[entries.len() - 1] + offset));
    }

    /// Asserts that there is exactly one finding, about this tensor. `offset` counts from the start of its info.
    #[track_caller]
    pub fn assert_only_in_tensor(&self, check: Check, message: &str, index: usize, offset: u64) {
        let (finding, _, _, tensors) = self.assert_only(check);
        assert_eq!(finding.subject, Some(Subject::Tensor(index)));
        assert_eq!(finding.message, message);
        assert_eq!(finding.offset, Some(tensors[index] + offset));
    }

    /// Asserts that there is exactly one finding, with an offset in the file.
    #[track_caller]
    pub fn assert_only_in_file(&self, check: Check, message: &str, offset: Option<u64>) {
        let (finding, ..) = self.assert_only(check);
        assert_eq!(finding.message, message);
        assert_eq!(finding.offset, offset);
    }

    /// Asserts that a check has a finding. Other checks may have findings, too.
    #[track_caller]
    pub fn assert_found(&self, check: Check) {
        let findings = validate_file(&self.encode().0);
        assert!(findings.iter().any(|finding| finding.check == check), "{findings:?}");
    }
}

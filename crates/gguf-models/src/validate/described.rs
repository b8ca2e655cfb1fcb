//! Findings with the names of what they are about, and with their changes as plain data.

use alloc::{borrow::Cow, string::String, string::ToString, sync::Arc, vec::Vec};

use super::all_checks::{validate, validate_named};
use super::check::Severity;
use super::findings::{Finding, Subject};
use super::fix::{self, Fix};
use crate::architectures::key_of;
use gguf_declare::{given_as, result};
use gguf_format::edit::{Change, ChangeKind, Edit};
use gguf_format::format::header::Header;
use gguf_format::format::value::Str;
use gguf_format::write::checks::lossy;
use gguf_format::write::new_value::NewValue;

result! {
    /// A problem of a file, or a fact about it that is worth knowing. The file can be read all the same.
    #[derive(Clone, Debug)]
    #[typescript("Finding")]
    pub struct DescribedFinding {
        /// Stable, for programs; `message` is for people.
        #[typescript("FindingCode")]
        pub code: &'static str,
        /// `error`: llama.cpp refuses the file, or readers get wrong data from it. `warning`: llama.cpp loads the file, but
        /// something is probably wrong. `info`: nothing is wrong, but it is worth knowing.
        pub severity: Severity,
        /// What was found, what was expected, and what to do about it.
        pub message: String,
        /// The key of the metadata entry that the finding is about. The file may lack the entry.
        pub key: Option<String>,
        /// The name of the tensor that the finding is about. The file may lack the tensor.
        pub tensor: Option<String>,
        /// The position of that entry in `entries`, or of that tensor in `tensors`. Not present if the file lacks it.
        pub index: Option<usize>,
        /// The position of the problem, in bytes from the start of the file.
        pub offset: Option<u64>,
        /// The changes that remove the finding. Not present if only a person can know them. `gguf-wasm/full` makes them: the other entries
        /// do not change what they check.
        pub fix: Option<DescribedFix>,
        /// Of a set of shards: the number of the shard that the finding is about, from 1.
        pub shard: Option<u32>,
    }
}

impl DescribedFinding {
    /// A finding about the whole file.
    pub fn new(code: &'static str, severity: Severity, message: String) -> Self {
        Self { code, severity, message, key: None, tensor: None, index: None, offset: None, fix: None, shard: None }
    }
}

result! {
    /// The changes that remove a finding. `Editor.apply` makes them.
    #[derive(Clone, Debug)]
    #[typescript("Fix")]
    pub struct DescribedFix {
        /// What the changes do, as the label of a button: `Convert to UINT32`.
        pub title: String,
        /// Whether nobody needs to decide anything: the changed file means the same, or what the rest of the file says.
        pub is_safe: bool,
        /// The changes, one after the other.
        pub changes: Vec<FixChange>,
    }
}

result! {
    /// A change of a fix.
    #[derive(Clone, Debug)]
    pub struct FixChange {
        /// What the change does.
        #[typescript("FixKind")]
        pub kind: ChangeKind,
        /// The position of the entry or tensor directly before the change.
        pub index: Option<usize>,
        /// The key of the changed entry before the change, or the key of the added entry.
        pub key: Option<String>,
        /// The name of the changed tensor before the change.
        pub tensor: Option<String>,
        /// Whether an entry before the changed one has the same key, or a tensor before it the same name.
        pub is_repeated: Option<bool>,
        /// The value, key, name, version or byte order after the change. A changed element stands in an array.
        pub to: Option<ChangedTo>,
        /// The type of the value after the change.
        pub to_type: Option<String>,
        /// The index of the changed element, or of the first removed element.
        pub start: Option<u64>,
        /// The index after the last removed element.
        pub end: Option<u64>,
    }
}

/// A value, key, name, version or byte order after a change.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it")]
pub enum ChangedTo {
    Version(u32),
    Text(String),
    Value(NewValue),
}

// The elements of an array are given as a plain array, so that a fix can be copied to a worker.
given_as!(ChangedTo, "MetadataValue | readonly MetadataValue[]", |changed, serializer| match changed {
    ChangedTo::Version(version) => serializer.serialize_u32(*version),
    ChangedTo::Text(text) => serializer.serialize_str(text),
    ChangedTo::Value(value) => value.value().give(serializer),
});

impl Finding {
    /// The finding with the names of what it is about. `header` is the header that was checked.
    pub fn described(self, header: &Arc<Header>) -> DescribedFinding {
        let (key, tensor, index) = match self.subject {
            Some(Subject::Entry(index)) => (Some(shown(header.keys().get(index))), None, Some(index)),
            Some(Subject::Tensor(index)) => (None, Some(shown(header.tensor_names().get(index))), Some(index)),
            Some(Subject::MissingEntry(pattern)) => {
                let architecture = header.architecture().map(|name| name.to_bytes()).unwrap_or_default();
                (Some(lossy(&key_of(pattern, &architecture)).into_owned()), None, None)
            }
            Some(Subject::MissingTensor(tensor)) => (None, Some(tensor.to_string()), None),
            None => (None, None, None),
        };
        let (code, severity) = (self.check.code(), self.check.severity());
        let fix = self.fix.filter(|_| fix::ARE_MADE).map(|fix| fix.described(header));
        DescribedFinding {
            code,
            severity,
            message: self.message,
            key,
            tensor,
            index,
            offset: self.offset,
            fix,
            shard: None,
        }
    }
}

/// The findings about a header, about the whole file if its size is known, and about its name if that is given.
pub fn described_findings(
    header: &Arc<Header>,
    file_size: Option<u64>,
    file_name: Option<&str>,
) -> Vec<DescribedFinding> {
    let found = match file_name {
        Some(name) => validate_named(header, file_size, name),
        None => validate(header, file_size),
    };
    found.into_iter().map(|finding| finding.described(header)).collect()
}

/// The text of a key or a name. Empty if there is no memory for it: joining its pieces would stop the program.
fn shown(stored: Str<'_>) -> String {
    let has_memory = Vec::<u8>::new().try_reserve_exact(3 * stored.byte_length() as usize).is_ok();
    if has_memory { stored.to_string_lossy().into_owned() } else { String::new() }
}

impl Fix {
    fn described(self, header: &Arc<Header>) -> DescribedFix {
        // A change selects entries by their positions after the changes before it.
        let mut edit = (self.changes.len() > 1).then(|| Edit::new(header.clone()));
        let mut changes = Vec::new();
        for change in &self.changes {
            changes.push(FixChange::new(header, edit.as_ref(), change));
            // A change that is refused here is refused by `Edit::apply`, which says why.
            let _ = edit.as_mut().map(|edit| edit.apply(core::slice::from_ref(change)));
        }
        DescribedFix { title: self.title, is_safe: self.is_safe, changes }
    }
}

impl FixChange {
    /// A change of a header, or of an edit of it that has made the changes before.
    fn new(header: &Header, edit: Option<&Edit>, change: &Change) -> Self {
        let kind = change.kind();
        let mut made = Self {
            kind,
            index: change.entry().or(change.tensor()),
            key: None,
            tensor: None,
            is_repeated: None,
            to: None,
            to_type: None,
            start: None,
            end: None,
        };
        if let Some(index) = change.entry() {
            let (key, first) = of_entry(header, edit, index);
            made.key = Some(lossy(&key).into_owned());
            made.is_repeated = first.is_some_and(|first| first < index).then_some(true);
        }
        if let Some(index) = change.tensor() {
            let (name, first) = of_tensor(header, edit, index);
            made.tensor = Some(lossy(&name).into_owned());
            made.is_repeated = first.is_some_and(|first| first < index).then_some(true);
        }
        match change {
            Change::Set { value, .. } => made.set_value(value),
            Change::Add { position, key, value } => {
                (made.index, made.key) = (Some(*position), Some(lossy(key).into_owned()));
                made.set_value(value);
            }
            Change::Retype { value, .. } => made.to_type = Some(value.value().type_name()),
            Change::Rename { key: name, .. } | Change::RenameTensor { name, .. } => {
                made.to = Some(ChangedTo::Text(lossy(name).into_owned()));
            }
            Change::Version(version) => made.to = Some(ChangedTo::Version(*version)),
            Change::ByteOrder(endian) => made.to = Some(ChangedTo::Text(endian.name().into())),
            Change::Splice { elements, inserted, .. } => {
                made.start = Some(elements.start);
                match inserted {
                    // `to` is an array with the one element that a fix replaces.
                    Some(inserted) => made.set_value(inserted),
                    None => made.end = Some(elements.end),
                }
            }
            Change::Remove { .. } | Change::Move { .. } | Change::RemoveTensor { .. } | Change::Repack => {}
        }
        made
    }

    fn set_value(&mut self, value: &NewValue) {
        (self.to, self.to_type) = (Some(ChangedTo::Value(value.clone())), Some(value.value().type_name()));
    }
}

/// The key of the entry at a position, and the first position that has it.
fn of_entry<'a>(header: &'a Header, edit: Option<&'a Edit>, index: usize) -> (Cow<'a, [u8]>, Option<usize>) {
    let Some(edit) = edit else {
        let key = header.metadata_at(index).map(|entry| entry.key().to_bytes()).unwrap_or_default();
        let first = header.get(&*key).map(|entry| entry.index());
        return (key, first);
    };
    let key = edit.entry(index).map(|entry| entry.key()).unwrap_or_default();
    let first = edit.entries().position(|entry| *entry.key() == *key);
    (key, first)
}

/// The name of the tensor at a position, and the first position that has it.
fn of_tensor<'a>(header: &'a Header, edit: Option<&'a Edit>, index: usize) -> (Cow<'a, [u8]>, Option<usize>) {
    let Some(edit) = edit else {
        let name = header.tensor_at(index).map(|tensor| tensor.name().to_bytes()).unwrap_or_default();
        let first = header.tensor(&*name).map(|tensor| tensor.index());
        return (name, first);
    };
    let name = edit.tensor_name(index).unwrap_or_default();
    let first = edit.tensors().position(|tensor| *tensor.name() == *name);
    (name, first)
}

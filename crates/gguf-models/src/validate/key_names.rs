//! Names of keys: those that another key replaced, those that are misspelt, and those of another architecture.

use alloc::{borrow::Cow, vec::Vec};

use super::check::Check;
use super::findings::{Findings, Subject};
use super::fix::{self, Fix};
use super::known_keys::type_and_number;
use super::similar_keys::{Intended, has_same_letters, intended};
use super::spelling::is_within;
use crate::architectures::architecture_info;
use crate::keys::{KeyInfo, KeySource, key_info, keys};
use crate::kind::ollama_mark;
use gguf_format::edit::Change;
use gguf_format::error::shown::Shown;
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::Value;

/// The placeholder of the architecture in patterns.
const ARCHITECTURE: &str = "{arch}";

/// A draft name whose value has another meaning than the value of its replacement: a multiple, not a length.
const OTHER_MEANING: &str = "{arch}.num_mult";

/// The most unknown keys that are compared with the table.
const MOST_COMPARED: usize = 100;

/// The most bytes of an architecture's name, and of a key that is compared with the table.
const LONGEST_COMPARED: u64 = 100;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    let architecture = architecture(header);
    let is_loaded = architecture.as_deref().and_then(architecture_info).is_some_and(|info| info.is_loaded);
    let names = Names { header, architecture, is_loaded };
    let is_of_ollama = ollama_mark(header).is_some();
    let mut compared = 0;
    // All keys that the file can have. Most files have no unknown key, and do not need the list.
    let mut known_keys = None;
    for entry in header.metadata() {
        let key = entry.key().to_bytes();
        match key_info(&key) {
            Some(info) if info.deprecated_for.is_some() => names.check_deprecated(&entry, &key, &info, findings),
            Some(info) => names.check_architecture(&entry, &key, &info, findings),
            // Ollama's converter has keys of its own.
            None if !is_of_ollama
                && compared < MOST_COMPARED
                && key.len() as u64 <= LONGEST_COMPARED
                && header.is_complete() =>
            {
                compared += 1;
                let known_keys = known_keys.get_or_insert_with(|| names.known_keys());
                names.check_spelling(&entry, &key, known_keys, findings);
            }
            None => {}
        }
    }
}

/// The value of `general.architecture`, if it can be the name of an architecture.
fn architecture(header: &Header) -> Option<Cow<'_, [u8]>> {
    match header.get("general.architecture")?.value() {
        Value::String(name) if name.byte_length() <= LONGEST_COMPARED => Some(name.to_bytes()),
        _ => None,
    }
}

struct Names<'a> {
    header: &'a Header,
    architecture: Option<Cow<'a, [u8]>>,
    /// Whether llama.cpp loads models of the architecture.
    is_loaded: bool,
}

impl Names<'_> {
    /// The key of a pattern in this file. `None` if the pattern needs an architecture, and the file has none, or if it has
    /// another placeholder.
    fn key(&self, pattern: &str) -> Option<Vec<u8>> {
        match pattern.strip_prefix(ARCHITECTURE) {
            Some(rest) => Some([self.architecture.as_deref()?, rest.as_bytes()].concat()),
            None if pattern.contains('{') => None,
            None => Some(pattern.into()),
        }
    }

    /// The fix that renames an entry. `None` if the file has the new key, if the new key is not
    /// UTF-8, or if the value has a type that the key cannot have.
    fn rename(&self, entry: &MetadataKv<'_>, key: &[u8], info: &KeyInfo, is_safe: bool) -> Option<Fix> {
        let (found, _) = type_and_number(entry);
        let is_text = core::str::from_utf8(key).is_ok();
        let change = fix::rename(self.header, entry.index(), key).filter(|_| is_text && info.types.accept(found))?;
        let title = format!("Rename to {}", Shown(key));
        Some(if is_safe { Fix::safe(title, change) } else { Fix::to_confirm(title, change) })
    }

    /// Reports a key that another one replaced.
    fn check_deprecated(&self, entry: &MetadataKv<'_>, key: &[u8], info: &KeyInfo, findings: &mut Findings) {
        let Some(new_info) = info.deprecated_for.and_then(|pattern| key_info(pattern.as_bytes())) else { return };
        let (Some(own_key), Some(new_key)) = (self.key(info.pattern), self.key(new_info.pattern)) else { return };
        // A key of another architecture is not a key of this file.
        if own_key != key {
            return;
        }
        let (subject, offset) = (Some(Subject::Entry(entry.index())), Some(entry.range().start));
        let new_name = Shown(&new_key);
        let is_read = |info: &KeyInfo| info.sources.contains(&KeySource::LlamaCpp);
        let has_same_types = info.types.iter().any(|own| new_info.types.accept(own));
        if self.header.get(&new_key).is_some() {
            return findings.report_with_fix(
                Check::DeprecatedKey,
                subject,
                offset,
                format_args!("{new_name} replaced this key, and the file has both. Remove one of them."),
                &|| Some(Fix::to_confirm("Remove the old key", Change::Remove { entry: entry.index() })),
            );
        }
        // The value means the same if llama.cpp reads both keys, or if it is the id of a token.
        let is_safe = is_read(info) || info.is_token_id;
        let fix = || self.rename(entry, &new_key, &new_info, is_safe).filter(|_| info.pattern != OTHER_MEANING);
        let is_of_loaded = self.is_loaded || !new_info.pattern.starts_with(ARCHITECTURE);
        if is_of_loaded && is_read(&new_info) && !is_read(info) && has_same_types {
            findings.report_with_fix(
                Check::UnreadKey,
                subject,
                offset,
                format_args!(
                    "llama.cpp does not read this key. It reads {new_name}, which the file does not have. Rename the entry."
                ),
                &fix,
            );
        } else {
            let still = if is_read(info) { ", but llama.cpp still reads this one" } else { "" };
            findings.report_with_fix(
                Check::DeprecatedKey,
                subject,
                offset,
                format_args!("{new_name} replaced this key{still}. Write the new key in new files."),
                &fix,
            );
        }
    }

    /// Reports a key of another architecture in the place of one of the file's own architecture.
    fn check_architecture(&self, entry: &MetadataKv<'_>, key: &[u8], info: &KeyInfo, findings: &mut Findings) {
        if !info.pattern.starts_with(ARCHITECTURE) || !info.sources.contains(&KeySource::LlamaCpp) {
            return;
        }
        // llama.cpp reads no key of an architecture that it does not load. The name of the architecture may be wrong.
        if !self.is_loaded {
            return;
        }
        let (Some(own_key), Some(architecture)) = (self.key(info.pattern), self.architecture.as_deref()) else {
            return;
        };
        if own_key == key || !self.header.is_complete() {
            return;
        }
        let name = key.split(|byte| *byte == b'.').next().unwrap_or_default();
        if self.header.get(&own_key).is_some() {
            // A file may have the keys of a second architecture. But a misspelt name is no second architecture.
            let is_misspelt = has_same_letters(name, architecture) || is_within(1, name, architecture);
            if is_misspelt && architecture_info(name).is_none() {
                self.report_misspelt(entry, &own_key, info, findings);
            }
            return;
        }
        let found = Shown(name);
        let own = Shown(&own_key);
        findings.report_with_fix(
            Check::OtherArchitectureKey,
            Some(Subject::Entry(entry.index())),
            Some(entry.range().start),
            format_args!(
                "the key is one of the architecture \"{found}\", but the file has another one, and llama.cpp reads {own}. \
                 Rename the entry."
            ),
            &|| self.rename(entry, &own_key, info, false),
        );
    }

    /// Reports an unknown key that looks like a known one.
    fn check_spelling(&self, entry: &MetadataKv<'_>, key: &[u8], known_keys: &[Vec<u8>], findings: &mut Findings) {
        let Some(Intended { key: known, is_likely }) = intended(key, known_keys) else { return };
        let Some(info) = key_info(known).filter(|info| info.deprecated_for.is_none()) else { return };
        // A plural can be a key of its own.
        let is_plural = || key.strip_suffix(b"s") == Some(known) || known.strip_suffix(b"s") == Some(key);
        if self.header.get(known).is_none() || is_likely && !is_plural() {
            self.report_misspelt(entry, known, &info, findings);
        }
    }

    fn report_misspelt(&self, entry: &MetadataKv<'_>, known: &[u8], info: &KeyInfo, findings: &mut Findings) {
        let name = Shown(known);
        let is_taken = self.header.get(known).is_some();
        let (has, advice) = if is_taken { ("has, too", "Remove") } else { ("does not have", "Rename") };
        findings.report_with_fix(
            Check::MisspeltKey,
            Some(Subject::Entry(entry.index())),
            Some(entry.range().start),
            format_args!(
                "nobody knows this key. It looks like {name}, which the file {has}. {advice} the entry if it is a mistake."
            ),
            &|| match is_taken {
                true => Some(Fix::to_confirm("Remove the entry", Change::Remove { entry: entry.index() })),
                false => self.rename(entry, known, info, false),
            },
        );
    }

    /// The known keys of the file's architecture and of all files.
    fn known_keys(&self) -> Vec<Vec<u8>> {
        keys().filter_map(|info| self.key(info.pattern)).collect()
    }
}

//! The small files of a model's folder: configuration, tokenizer, and model card.

use alloc::{collections::BTreeMap, rc::Rc, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::session::{Session, Sessions};
use crate::budget::Budget;
use crate::safetensors::INDEX;
use gguf_format::error::{Result, error};

/// The most bytes of a file with settings or a text. The largest known ones have about 1 MB.
const SETTINGS: u64 = 4 << 20;

/// The most bytes of a file with a list of all tokens or of all tensors. The longest known ones have about 35 MB.
const LISTS: u64 = 64 << 20;

/// The most bytes of all small files of a folder together.
const ALL_FILES: u64 = 128 << 20;

/// The most small files of a folder. The most that is known is 30.
const MOST_FILES: usize = 1000;

/// The values of a JSON file may take this many times the most bytes of a file of its name.
const VALUES_PER_BYTE: u64 = 8;

/// The small files that a conversion reads, except those in folders, with their most bytes.
const FILES: &[(&str, u64)] = &[
    ("README.md", SETTINGS),
    ("added_tokens.json", LISTS),
    ("chat_template.jinja", SETTINGS),
    ("chat_template.json", SETTINGS),
    ("config.json", SETTINGS),
    ("embedding_config.json", SETTINGS),
    ("generation_config.json", SETTINGS),
    ("hf_quant_config.json", SETTINGS),
    ("hy.tiktoken", LISTS),
    ("merges.txt", LISTS),
    ("modules.json", SETTINGS),
    ("preprocessor_config.json", SETTINGS),
    ("processor_config.json", SETTINGS),
    ("rwkv_vocab_v20230424.txt", LISTS),
    ("sentencepiece.bpe.model", LISTS),
    ("special_tokens_map.json", LISTS),
    ("spiece.model", LISTS),
    ("tekken.json", LISTS),
    ("tokenizer.json", LISTS),
    ("tokenizer.model", LISTS),
    ("tokenizer_config.json", LISTS),
    ("vocab.json", LISTS),
    ("vocab.txt", LISTS),
];

/// The folder of templates beside `chat_template.jinja`, and how their names end.
const TEMPLATES: (&str, &str) = ("additional_chat_templates/", ".jinja");

/// The small files of a model's folder, read whole.
///
/// # Examples
///
/// ```
/// use gguf_convert::model::files::SmallFiles;
///
/// let mut files = SmallFiles::default();
/// assert!(SmallFiles::is_wanted("config.json") && !SmallFiles::is_wanted("model.safetensors"));
/// files.insert("config.json", br#"{"vocab_size": 8}"#.to_vec());
/// assert_eq!(files.get("config.json"), Some(&br#"{"vocab_size": 8}"#[..]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SmallFiles {
    files: BTreeMap<String, Vec<u8>>,
    sessions: Sessions,
}

impl SmallFiles {
    /// The names of the files that a conversion reads if they exist, except those in folders.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// Whether a conversion reads the file with a path in the model's folder. Such a file should be inserted if it exists.
    pub fn is_wanted(path: &str) -> bool {
        Self::is_read_always(path)
            // The configuration of the pooling: `modules.json` names its folder.
            || path.strip_suffix("/config.json").is_some_and(|folder| !folder.contains('/'))
    }

    /// Whether a conversion reads a file whatever the other files say.
    pub(crate) fn is_read_always(path: &str) -> bool {
        Self::names().any(|name| name == path) || is_template(path)
    }

    /// The most bytes of a file that is read whole: one of [`names`](Self::names), the index of the parts, a template, or the
    /// configuration of an adapter or of the pooling.
    pub fn most_bytes(path: &str) -> u64 {
        let known = FILES.iter().find(|(name, _)| *name == path);
        known.map_or(if path == INDEX { LISTS } else { SETTINGS }, |(_, most)| *most)
    }

    /// Adds a file, or replaces it.
    pub fn insert(&mut self, path: impl Into<String>, bytes: Vec<u8>) {
        self.files.insert(path.into(), bytes);
    }

    /// Adds a file of a folder that may be hostile.
    ///
    /// # Errors
    ///
    /// `too-large` if there are too many files, or if all together have too many bytes.
    pub(crate) fn add(&mut self, path: &str, bytes: Vec<u8>) -> Result<()> {
        let size = self.files.values().fold(bytes.len() as u64, |sum, file| sum + file.len() as u64);
        if size > ALL_FILES || self.files.len() >= MOST_FILES {
            return Err(error!(TooLarge:
                "the folder has more small files than a model has: expected at most {MOST_FILES} with {} MiB together, and {path} exceeds \
                 this. Remove the files that the model does not need", ALL_FILES >> 20));
        }
        self.insert(path, bytes);
        Ok(())
    }

    /// The bytes of a file. `None` if the folder does not have it.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// The paths of the files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether the folder has a file.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Begins a use of the files. Until it ends, all that is made from them counts in one [`budget`](Self::budget), and JSON files are
    /// parsed once.
    pub(crate) fn session(&self) -> Session<'_> {
        self.sessions.begin()
    }

    /// The budget of the session.
    pub(crate) fn budget(&self) -> Rc<Budget> {
        self.sessions.budget()
    }

    /// The value of a JSON file. `None` if the folder does not have it.
    #[doc(hidden)]
    pub fn json(&self, path: &str) -> Result<Option<Rc<Value>>> {
        Ok(self.parsed(path)?.map(|(value, _)| value))
    }

    /// The members of a JSON file, which must be an object. `None` if the folder does not have it.
    pub(crate) fn object(&self, path: &str) -> Result<Option<Map<String, Value>>> {
        let _session = self.session();
        let Some((value, bytes)) = self.parsed(path)? else { return Ok(None) };
        let Value::Object(members) = &*value else {
            return Err(error!(BadVocabulary: "{path} is no JSON object. Download the file again.").at(0));
        };
        self.budget().take(bytes)?;
        Ok(Some(members.clone()))
    }

    fn parsed(&self, path: &str) -> Result<Option<(Rc<Value>, u64)>> {
        let most = Self::most_bytes(path) * VALUES_PER_BYTE;
        self.get(path).map(|text| self.sessions.parsed(path, text, most)).transpose()
    }

    /// The text of a file. `None` if the folder does not have it.
    pub(crate) fn text(&self, path: &str) -> Result<Option<&str>> {
        let Some(bytes) = self.get(path) else { return Ok(None) };
        core::str::from_utf8(bytes).map(Some).map_err(|cause| {
            error!(BadVocabulary: "{path} is not valid UTF-8. Download the file again.").at(cause.valid_up_to() as u64)
        })
    }

    /// The names and texts of the templates beside `chat_template.jinja`, sorted by name.
    pub(crate) fn templates(&self) -> Result<Vec<(&str, &str)>> {
        let paths = self.files.keys().filter(|path| is_template(path));
        let template = |path| Ok((template_name(path).unwrap_or_default(), self.text(path)?.unwrap_or_default()));
        paths.map(|path| template(path.as_str())).collect()
    }
}

fn template_name(path: &str) -> Option<&str> {
    path.strip_prefix(TEMPLATES.0)?.strip_suffix(TEMPLATES.1).filter(|name| !name.contains('/'))
}

fn is_template(path: &str) -> bool {
    template_name(path).is_some()
}

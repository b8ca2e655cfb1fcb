//! Opening the folder of a model.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::future::Future;

use futures_util::stream::{self, StreamExt};

use super::config::{self, CONFIG};
use super::file::ConvertedFile;
use super::files::SmallFiles;
use super::options::ModelOptions;
use super::plan::{HubModel, ModelPlan};
use super::pooling::pooling_file;
use super::projectors::{ProjectorSummary, projector_of};
use super::summary::{DataTypeSummary, PartSummary, Summary, TensorSummary, VocabularySummary, byte_length};
use super::view::stored_file;
use crate::safetensors::{INDEX, SafetensorsFile, SafetensorsModel, part_names, wanted_parts};
use crate::web_page::is_web_page;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, ErrorCode, Result, error};
use gguf_format::io::memory::zeros;
use gguf_format::io::{Buffer, Source};
use gguf_format::order::set_of;

/// The most files that are read at once: the number of connections that browsers open to one host.
const AT_ONCE: usize = 6;

/// The number of missing files with tensors after which no more are asked for. A hostile index can name any number.
const MOST_MISSING: usize = 16;

/// The files of a model, wherever they are.
pub trait ModelFolder {
    /// What files with tensors are read from.
    type Source: Source;

    /// The paths of all files in the folder. `None` if the folder cannot be listed. Then files are asked for by their names, and
    /// templates beside `chat_template.jinja` are not found.
    fn paths(&self) -> Option<Vec<&str>>;

    /// Reads a small file whole: [`read_whole`] does it for sources. `None` if it does not exist.
    fn read(&self, path: &str) -> impl Future<Output = Result<Option<Vec<u8>>>>;

    /// Opens a file with tensors. If it does not exist, this or reading it fails with the status 404 or 410.
    fn open(&self, path: &str) -> impl Future<Output = Result<Self::Source>>;
}

/// An opened model, which may be incomplete or of an unknown class.
pub struct OpenedModel<S: Source> {
    model: HubModel<S>,
    /// Why the tensors are not those of a whole model.
    incomplete: Vec<Error>,
    /// Made when a caller first asks for it.
    summary: OnceCell<Summary>,
}

impl<S: Source> OpenedModel<S> {
    /// Opens a folder: reads its small files, and the headers of the files with tensors. `name` is the name of the folder.
    ///
    /// A file that is missing is no error here: see [`obstacles`](Self::obstacles).
    ///
    /// # Errors
    ///
    /// `bad-json` if the index of the parts cannot be read; `bad-response` if a server sends a web page in place of `config.json`. Errors
    /// of [`SafetensorsFile::open`] and of the files are passed on.
    pub async fn open<F: ModelFolder<Source = S>>(name: impl Into<String>, folder: &F) -> Result<Self> {
        let listed = folder.paths();
        let mut files = SmallFiles::default();
        let wanted: Vec<&str> = match &listed {
            Some(paths) => paths.iter().copied().filter(|path| SmallFiles::is_read_always(path)).collect(),
            None => SmallFiles::names().collect(),
        };
        read_all(folder, wanted, CONFIG, &mut files).await?;
        if let Ok(Some(path)) = pooling_file(&files)
            && listed.as_ref().is_none_or(|paths| paths.contains(&path.as_str()))
        {
            read_all(folder, vec![path.as_str()], CONFIG, &mut files).await?;
        }
        let has_index = listed.as_ref().is_none_or(|paths| paths.contains(&INDEX));
        let index = if has_index { folder.read(INDEX).await? } else { None };
        let index = unless_page(folder, INDEX, index, false)?;
        let names = wanted_parts(listed.as_deref(), index.as_deref())?;
        let Parts { names, parts, missing, not_asked } = open_parts(folder, listed.as_deref(), names).await?;

        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let is_complete = match not_asked {
            0 => part_names(&names, index.as_deref()).map(|_| ()),
            _ => Err(error!(IncompleteModel:
                "at least {} of the files that {INDEX} names are missing: {}; {not_asked} others were not asked for after that. Download \
                 all into the same folder", missing.len(), Shown(missing.join(", ").as_bytes()))),
        };
        let mut incomplete: Vec<Error> = is_complete.err().into_iter().collect();
        let index = index.as_deref().filter(|_| incomplete.is_empty());
        let tensors = match SafetensorsModel::new(parts.clone(), index) {
            Err(error) if error.code() == ErrorCode::IncompleteModel => {
                incomplete.push(error);
                SafetensorsModel::new(parts, None)?
            }
            tensors => tensors?,
        };
        let model = HubModel { folder: name.into(), files, tensors };
        Ok(Self { model, incomplete, summary: OnceCell::new() })
    }

    /// The model.
    pub fn model(&self) -> &HubModel<S> {
        &self.model
    }

    /// The name of the class in `config.json`: `Qwen3ForCausalLM`.
    pub fn class_name(&self) -> Option<&str> {
        self.summary().class_name.as_deref()
    }

    /// The architecture of the new file: `qwen3`. `None` if the class is not supported.
    pub fn architecture(&self) -> Option<&'static str> {
        self.summary().architecture
    }

    /// The vocabulary. `None` if it is missing or cannot be read.
    pub fn vocabulary(&self) -> Option<&VocabularySummary> {
        self.summary().vocabulary.as_ref()
    }

    /// The projector that can be made from the model, in a file of its own: see [`ModelOptions::projector`]. `None` if the model has no
    /// encoders, or unknown ones. Whether all their tensors are there shows when it is planned.
    pub fn projector(&self) -> Option<ProjectorSummary> {
        projector_of(&*config::parse(&self.model.files).ok()?)
    }

    /// Why the model cannot be converted: what is missing, and what is unknown. Empty if nothing is known to prevent it. Whether all
    /// tensors are there, and in the right shapes, shows when it is planned. A pre-tokenizer that is unknown is no obstacle.
    pub fn obstacles(&self) -> &[Error] {
        &self.summary().obstacles
    }

    fn summary(&self) -> &Summary {
        self.summary.get_or_init(|| Summary::of(&self.model, &self.incomplete))
    }

    /// The files with tensors.
    pub fn parts(&self) -> Vec<PartSummary> {
        self.model.tensors.parts().iter().map(PartSummary::of).collect()
    }

    /// The stored tensors, in the order of the files.
    pub fn tensors(&self) -> Vec<TensorSummary> {
        self.model.tensors.tensors().map(|(part, tensor)| TensorSummary::of(part, tensor)).collect()
    }

    /// The types of the stored tensors, sorted by their names.
    pub fn data_types(&self) -> Vec<DataTypeSummary> {
        DataTypeSummary::of(self.model.tensors.tensors().map(|(_, tensor)| tensor))
    }

    /// The size of all stored tensors in bytes.
    pub fn byte_length(&self) -> u64 {
        self.model.tensors.tensors().map(|(_, tensor)| byte_length(tensor)).sum()
    }

    /// The stored tensors as a GGUF file that is computed when it is read, under their own names. Its only entry is `general.name`.
    ///
    /// Types that GGUF does not have become F32, which has the same values: 8-bit floats, without their scales, truth values and
    /// unsigned bytes. Tensors of other types, and tensors without elements, are left out.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn stored_file(&self) -> Result<ConvertedFile<S>> {
        stored_file(&self.model)
    }

    /// Plans the conversion.
    ///
    /// # Errors
    ///
    /// As [`ModelPlan::new`]. If there are several [`obstacles`](Self::obstacles), the message has all of them.
    pub async fn plan(&self, options: &ModelOptions) -> Result<ModelPlan<S>> {
        let refused = match self.incomplete.is_empty() {
            true => match ModelPlan::new(&self.model, options).await {
                Ok(plan) => return Ok(plan),
                Err(error) => error,
            },
            false => self.incomplete[0].clone(),
        };
        // The other obstacles are those of the model of the text.
        if options.projector {
            return Err(refused);
        }
        let obstacles = self.obstacles();
        if obstacles.len() < 2 || !obstacles.iter().any(|obstacle| obstacle.code() == refused.code()) {
            return Err(refused);
        }
        let all: Vec<String> = obstacles.iter().map(|obstacle| format!("{obstacle}")).collect();
        Err(Error::new(refused.code(), all.join(". ")))
    }
}

/// Reads small files. Missing files are left out. The file `required` must not be a web page.
pub(crate) async fn read_all<F: ModelFolder>(
    folder: &F,
    paths: Vec<&str>,
    required: &str,
    files: &mut SmallFiles,
) -> Result<()> {
    let reads = paths.into_iter().map(|path| async move { (path, folder.read(path).await) });
    let mut reads = stream::iter(reads).buffer_unordered(AT_ONCE);
    while let Some((path, bytes)) = reads.next().await {
        if let Some(bytes) = unless_page(folder, path, bytes?, path == required)? {
            files.add(path, bytes)?;
        }
    }
    Ok(())
}

/// The bytes of a small file, unless they are a web page. Some servers send a page for each file that they do not have. A folder without a
/// list may be on such a server.
fn unless_page<F: ModelFolder>(
    folder: &F,
    path: &str,
    bytes: Option<Vec<u8>>,
    is_required: bool,
) -> Result<Option<Vec<u8>>> {
    match folder.paths().is_none() && bytes.as_deref().is_some_and(is_web_page) {
        false => Ok(bytes),
        true if !is_required => Ok(None),
        true => Err(error!(BadResponse:
            "the server sent a web page in place of the file {path}. Check the address, and whether it needs a login")),
    }
}

/// The files with tensors.
struct Parts<S: Source> {
    /// The names of those that exist.
    names: Vec<String>,
    parts: Vec<SafetensorsFile<S>>,
    /// The names of those that were asked for in vain.
    missing: Vec<String>,
    /// The number of those that were not asked for, because too many others are missing.
    not_asked: usize,
}

/// Opens the files with tensors that exist.
async fn open_parts<F: ModelFolder>(
    folder: &F,
    listed: Option<&[&str]>,
    names: Vec<String>,
) -> Result<Parts<F::Source>> {
    let listed: Option<BTreeSet<&str>> = listed.map(|paths| set_of(paths.iter().copied()));
    let exists = |name: &String| listed.as_ref().is_none_or(|paths| paths.contains(name.as_str()));
    let names: Vec<String> = names.into_iter().filter(exists).collect();
    let opened = names.iter().map(|name| async move {
        let opened = match folder.open(name).await {
            Ok(source) => SafetensorsFile::open(name.as_str(), source).await,
            Err(error) => Err(error),
        };
        match opened {
            Err(error) if matches!(error.status(), Some(404 | 410)) => Ok((name, None)),
            Err(error) => Err(error),
            Ok(part) => Ok((name, Some(part))),
        }
    });
    let mut opened = stream::iter(opened).buffered(AT_ONCE);
    let mut found = Parts { names: Vec::new(), parts: Vec::new(), missing: Vec::new(), not_asked: 0 };
    while found.missing.len() < MOST_MISSING
        && let Some(part) = opened.next().await
    {
        let part: Result<_> = part;
        match part? {
            (name, Some(part)) => {
                found.names.push(name.clone());
                found.parts.push(part);
            }
            (name, None) => found.missing.push(name.clone()),
        }
    }
    found.not_asked = names.len() - found.names.len() - found.missing.len();
    Ok(found)
}

/// Reads all bytes of a small file.
///
/// # Errors
///
/// `limit-exceeded` if it has more bytes than files of this name may have. Errors of the source are passed on.
pub async fn read_whole<S: Source>(path: &str, source: &S) -> Result<Vec<u8>> {
    let most = SmallFiles::most_bytes(path);
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        let start = bytes.len() as u64;
        let end = source.size().unwrap_or(start + source.bytes_at_once());
        if source.size().is_some_and(|size| size > most) || start > most {
            return Err(too_long(path));
        }
        if end <= start {
            return Ok(bytes);
        }
        let read = source.read(start..end).await?;
        let mut piece = zeros(read.len())?;
        read.copy_to(&mut piece)?;
        bytes.append(&mut piece);
        if read.len() < end - start {
            return if bytes.len() as u64 > most { Err(too_long(path)) } else { Ok(bytes) };
        }
    }
}

/// The error of a small file that has more bytes than files of this name may have.
#[cold]
fn too_long(path: &str) -> Error {
    let most = SmallFiles::most_bytes(path);
    error!(LimitExceeded:
        "the file {path} has more than {most} bytes ({} MiB), the limit for files of this name; check that it belongs to the model, and \
         download it again", most >> 20)
}

//! Reading the folder of a model.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::given_folder::{GivenFiles, GivenFolder};
use crate::interop::Options;
use crate::source::gguf_source::Source;
use crate::source::http::documents;
use gguf_convert::model::ModelFolder;
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::open::read_whole;
use gguf_files::repository::address::{encode_address_path, is_revision};
use gguf_files::repository::refusals::refusal;
use gguf_format::error::{Result, error};

/// A folder, and how its files are requested.
pub(super) struct WebFolder {
    pub given: GivenFolder,
    pub options: Options,
}

impl WebFolder {
    /// The source of a file. `None` if there is none.
    fn given(&self, path: &str) -> Option<JsValue> {
        match &self.given.files {
            GivenFiles::Listed(files) => files.get(path).cloned(),
            // A file of the model can name another one: it stays in the folder.
            GivenFiles::At { start, end } => {
                is_revision(path).then(|| format!("{start}{}{end}", encode_address_path(path)).into())
            }
        }
    }

    async fn opened(&self, path: &str, given: JsValue) -> Result<Source> {
        let opened = Source::new(given, &self.options).await?;
        match opened {
            Source::Stream(_) => Err(error!(NoRanges:
                "the file {path} is a stream, a pipe or a device, which is read once only: expected a regular file, a File, a URL, bytes, or \
                 an object with read()")),
            opened => Ok(opened),
        }
    }

    /// Reads a document of a server. `None` if it does not exist.
    async fn document(&self, path: &str, url: &str) -> Result<Option<Vec<u8>>> {
        let documents = documents(url.into(), &self.options, None)?;
        let document = documents.get_within(url, SmallFiles::most_bytes(path)).await?;
        match (document.status, &self.given.place) {
            (200..300, _) => Ok(Some(document.body)),
            (404 | 410, _) => Ok(None),
            (_, Some(place)) => Err(refusal(place, &document, documents.has_headers())),
            (status, None) => Err(error!(Http:
                "the file {path} cannot be read: the server responded with status {status}, expected 200. Check the address, and \
                 whether the files need an access token")
            .of_url(&document.url, Some(status))),
        }
    }
}

impl ModelFolder for WebFolder {
    type Source = Source;

    fn paths(&self) -> Option<Vec<&str>> {
        match &self.given.files {
            GivenFiles::Listed(files) => Some(files.keys().map(|path| &**path).collect()),
            GivenFiles::At { .. } => None,
        }
    }

    async fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        let Some(given) = self.given(path) else { return Ok(None) };
        match self.opened(path, given).await? {
            Source::Remote(file) => self.document(path, &file.given_url).await,
            source => Ok(Some(read_whole(path, &source).await?)),
        }
    }

    async fn open(&self, path: &str) -> Result<Source> {
        let missing = || error!(IncompleteModel: "the folder has no file {path}");
        let source = self.opened(path, self.given(path).ok_or_else(missing)?).await?;
        // A server that sends the whole file in place of a range is refused at once.
        source.set_has_header();
        Ok(source)
    }
}

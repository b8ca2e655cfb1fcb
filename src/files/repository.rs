//! Repositories of the Hugging Face Hub: `listRepository`.

use wasm_bindgen::prelude::*;

use crate::hub::json::JsonValue;
use crate::hub::place_options::{PlaceOptions, place};
use crate::interop::{Options, Promise, TextArgument, abortable, declare_types, options, short_text, to_js};
use crate::source::http::{Fetch, RequestOptions, documents};
use gguf_files::repository::hub::list_repository as list;
use gguf_files::repository::listing::{Repository, RepositoryFile, RepositoryPart, RepositoryShards};
use gguf_files::repository::role::RepositoryRole;

options! {
    /// Where and how `listRepository` asks. `responseTimeout` limits all answers together, also if requests are repeated; it is
    /// 180,000 by default.
    pub interface ListOptions extends PlaceOptions as place, RequestOptions {
    }
}

declare_types!(RepositoryRole, Repository, RepositoryFile, RepositoryShards, RepositoryPart);

/// Lists the GGUF files of a repository of the Hugging Face Hub. The shards of a model are one file. Files are not opened.
///
/// The address of a folder lists the files in it and in its folders. The address of a file lists the folder of the file.
///
/// @param repository - `owner/name`, or another name that `parseRepository` reads, or an address of `options.hub`.
/// @throws {GgufError} `repository-not-found` if it is missing or private: the Hub does not tell which; `repository-denied` if it
/// is gated, or the token has no access; `revision-not-found`; `no-gguf-files`; `rate-limited`; `bad-response`; `limit-exceeded`
/// for more than 100,000 files and folders; `invalid-argument`; `http`, `network`, `cors` and `timeout` as `Gguf.open`.
/// @example
/// const { files } = await listRepository("ggml-org/gemma-3-1b-it-GGUF");
/// for (const { name, size, encoding } of files) console.log(name, size, encoding);
/// const gguf = await Gguf.open(files[0].url);
#[wasm_bindgen(js_name = listRepository, unchecked_return_type = "Promise<Repository>")]
pub fn list_repository(repository: &TextArgument, options: Option<ListOptions>) -> Promise {
    let (text, options) = (short_text("repository", repository), Options::new(options));
    abortable(options.clone(), async move {
        let place = place(&text?, ListOptions::read(&options)?.place)?;
        let asked = documents(place.hub.clone(), &options, None)?;
        let once = documents(place.hub.clone(), &options, Some(0))?;
        Ok(to_js(&list::<Fetch, JsonValue>(&place, &asked, &once).await?))
    })
}

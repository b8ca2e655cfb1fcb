//! Repositories of the Hugging Face Hub: `listRepository` and `parseRepository`.

use wasm_bindgen::prelude::*;

use crate::hub::json::JsonValue;
use crate::hub::place_options::{PlaceOptions, place};
use crate::interop::thrown::Thrown;
use crate::interop::{Options, Promise, TextArgument, abortable, declare_types, options, short_text, to_js};
use crate::source::http::{Fetch, RequestOptions, documents};
use gguf_files::repository::address::RepositoryAddress as Address;
use gguf_files::repository::hub::list_repository as list;
use gguf_files::repository::listing::{Repository, RepositoryFile, RepositoryPart, RepositoryShards};
use gguf_files::repository::place::RepositoryPlace as Place;
use gguf_files::repository::role::RepositoryRole;

options! {
    /// Where and how `listRepository` asks. `responseTimeout` limits all answers together, also if requests are repeated; it is
    /// 180,000 by default.
    pub interface ListOptions extends PlaceOptions as place, RequestOptions {
    }
}

declare_types!(Place, RepositoryRole, Repository, RepositoryFile, RepositoryShards, RepositoryPart);

/// Reads the name or the address of a repository: `owner/name`, `hub:owner/name@revision/path`, or an address of
/// huggingface.co or of `options.hub`. Nothing is requested. A name that ends in `.gguf` is a path, unless `hub:` stands before it.
///
/// @returns `undefined` if the text names no repository, or if its revision or path could lead out of the repository: with parts
/// that are empty, `.` or `..`, or that contain a backslash, `?` or `#`.
/// @throws {GgufError} `invalid-argument` if the argument is not a string, has more than 65,535 characters, or an option is unusable.
/// @example
/// parseRepository("https://huggingface.co/ggml-org/models/tree/main/tinyllamas");
/// // { id: "ggml-org/models", revision: "main", path: "tinyllamas", url: "https://huggingface.co/ggml-org/models/tree/main/tinyllamas" }
#[wasm_bindgen(js_name = parseRepository, unchecked_return_type = "RepositoryAddress | undefined")]
pub fn parse_repository(text: &TextArgument, options: Option<PlaceOptions>) -> Result<JsValue, Thrown> {
    let (text, options) = (short_text("text", text)?, PlaceOptions::take(options)?);
    let Some(address) = Address::parse(&text, &options.hub) else { return Ok(JsValue::UNDEFINED) };
    Ok(to_js(&Place::new(options.hub, address, options.revision)))
}

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

//! `listRepository` and `parseRepository`.

use alloc::{string::String, string::ToString};

use wasm_bindgen::prelude::*;

use crate::files::repository::address::{HUB, RepositoryAddress as Address, is_revision};
use crate::files::repository::hub::list_repository as list;
use crate::files::repository::listing::{Repository, RepositoryFile, RepositoryPart, RepositoryShards};
use crate::files::repository::place::RepositoryPlace as Place;
use crate::files::repository::role::RepositoryRole;
use crate::web::interop::{
    Options, Promise, TextArgument, Values, abortable, declare_types, failure, options, refused_option, short_text,
    to_js,
};
use crate::web::source::http::{Fetch, RequestOptions, documents};

options! {
    /// Where a repository is.
    pub interface PlaceOptions {
        /// A branch, a tag or a commit. Default: that of the address, else `"main"`.
        revision?: "string" => String, by revision;
        /// The address of the hub. Default: `"https://huggingface.co"`.
        hub?: "string" => String = HUB.to_string(), by hub;
    }
}

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
pub fn parse_repository(text: &TextArgument, options: Option<PlaceOptions>) -> Result<JsValue, JsValue> {
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
        Ok(to_js(&list::<Fetch, JsValue>(&place, &asked, &once).await?))
    })
}

/// The place that the argument and the options name.
fn place(text: &str, options: Values<PlaceOptions>) -> Result<Place, JsValue> {
    let hub = options.hub;
    let Some(address) = Address::parse(text, &hub) else {
        return Err(failure!(InvalidArgument:
            "the argument repository is \"{text}\", expected owner/name, or the address of a repository of {hub}, \
             without .. and other parts that lead out of it"));
    };
    Ok(Place::new(hub, address, options.revision))
}

/// An option that is the address of a hub, without a slash at its end.
fn hub(options: &Options, name: &str) -> Result<Option<String>, JsValue> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let hub = given.as_string().and_then(|hub| Url::new(&hub).ok());
    if hub.as_ref().is_some_and(|hub| !hub.username().is_empty() || !hub.password().is_empty()) {
        // The address is not quoted, because it contains a secret.
        return Err(failure!(InvalidArgument:
            "options.{name} contains a user name or a password. Remove them, and give options.headers, for example with \
             Authorization"));
    }
    let hub = hub.filter(|hub| hub.href().starts_with("http"));
    let hub = hub.ok_or_else(|| refused_option(name, &given, "the address of a hub, with http or https"))?;
    Ok(Some(format!("{}{}", hub.origin(), hub.pathname().trim_end_matches('/'))))
}

/// An option that is a revision.
fn revision(options: &Options, name: &str) -> Result<Option<String>, JsValue> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    match given.as_string().filter(|revision| is_revision(revision)) {
        None => Err(refused_option(name, &given, "the name of a branch, a tag or a commit")),
        revision => Ok(revision),
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = URL)]
    type Url;
    #[wasm_bindgen(constructor, catch, js_class = "URL")]
    fn new(url: &str) -> Result<Url, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn href(this: &Url) -> String;
    #[wasm_bindgen(method, getter)]
    fn origin(this: &Url) -> String;
    #[wasm_bindgen(method, getter)]
    fn pathname(this: &Url) -> String;
    #[wasm_bindgen(method, getter)]
    fn username(this: &Url) -> String;
    #[wasm_bindgen(method, getter)]
    fn password(this: &Url) -> String;
}

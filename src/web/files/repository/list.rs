//! `listRepository` and `parseRepository`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::hub::{Listing, list};
use super::place::Place;
use crate::error::ErrorCode;
use crate::files::repository::address::{HUB, RepositoryAddress as Address, is_revision};
use crate::files::repository::listing::{ListedFile, RepositoryFile as File, repository_files};
use crate::files::repository::role::RepositoryRole;
use crate::web::interop::abort::abortable;
use crate::web::interop::arguments::{TextArgument, short_text};
use crate::web::interop::error::{failure, http_failure};
use crate::web::interop::options::{Options, options};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::typescript::declare_string_union;
use crate::web::source::http::Documents;
use crate::web::source::http::RequestOptions;

options! {
    /// Where a repository is.
    pub interface PlaceOptions {
        /// A branch, a tag or a commit. Default: that of the address, else `"main"`.
        revision?: "string";
        /// The address of the hub. Default: `"https://huggingface.co"`.
        hub?: "string";
    }
}

options! {
    /// Where and how `listRepository` asks. `responseTimeout` limits all answers together, also if requests are repeated; it is
    /// 180,000 by default.
    pub interface ListOptions extends PlaceOptions, RequestOptions {
    }
}

declare_string_union!(
    "What a file of a repository is, by its name. `draft`: a small model that makes another one faster. `imatrix`: an importance \
     matrix for quantising. Every other file is a `model`. `Gguf.kind` tells it from the header.",
    "RepositoryRole",
    RepositoryRole::NAMES
);

plain_object! {
    /// A repository, and a place in it.
    struct RepositoryAddress {
        /// `"owner/name"`, or `"datasets/owner/name"`, or `"spaces/owner/name"`.
        pub id: String,
        /// The branch, tag or commit, if the text names one.
        pub revision: Option<String>,
        /// The path of a folder or of a file, if the text names one.
        pub path: Option<String>,
        /// The URL of the GGUF file for `Gguf.open`, if the path names one. Otherwise the page of the repository or the folder.
        pub url: String,
    }
}

plain_object! {
    /// The GGUF files of a repository.
    struct Repository {
        /// `"owner/name"`.
        pub id: String,
        /// The branch, tag or commit.
        pub revision: String,
        /// The page of the repository, or of the folder, for people.
        pub url: String,
        /// The folder whose files are listed, with those of the folders in it; `""` for the whole repository.
        pub folder: String,
        /// The number of parameters of the model, if the hub tells it.
        pub parameter_count: Option<f64>,
        /// The architecture of the model, if the hub tells it: `"llama"`.
        pub architecture: Option<String>,
        /// Whether its files can be read only after its conditions were accepted. False if the hub does not tell it.
        pub is_gated: bool,
        /// The files: models first, then what belongs to them; in both by their names.
        #[typescript("readonly RepositoryFile[]")]
        pub files: Vec<RepositoryFile>,
    }
}

plain_object! {
    /// A file of a repository, or the shards of a model together.
    struct RepositoryFile {
        /// The path in the repository. Of shards, that of the first one.
        pub name: String,
        /// The URL for `Gguf.open`, or of shards for `GgufSet.open`.
        pub url: String,
        /// Bytes of the file, or of all shards together.
        pub size: f64,
        #[typescript("RepositoryRole")]
        pub role: &'static str,
        /// The encoding in the name: `"Q4_K_M"`.
        pub encoding: Option<String>,
        /// Bits of the file for each parameter. Only of a whole model, if the hub tells the number of parameters.
        pub bits_per_weight: Option<f64>,
        /// The number of shards, if the file is a set.
        #[typescript("RepositoryShards")]
        pub shards: Option<RepositoryShards>,
        /// The file, or the shards in their order. There is at least one.
        #[typescript("readonly RepositoryPart[]")]
        pub parts: Vec<RepositoryPart>,
    }
}

plain_object! {
    /// How many shards a set has.
    struct RepositoryShards {
        /// The number of shards of the whole set.
        pub count: u32,
        /// The number of shards in the repository.
        pub present: u32,
    }
}

plain_object! {
    /// A file of a repository.
    struct RepositoryPart {
        /// The path in the repository.
        pub name: String,
        pub url: String,
        /// Bytes.
        pub size: f64,
        /// SHA-256 of the file as 64 hexadecimal digits, if the hub tells it: compare with `Hashes.fileSha256`.
        pub sha256: Option<String>,
    }
}

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
    let (text, options) = (short_text("text", text)?, Options::new(options));
    let hub = hub(&options)?;
    let Some(address) = Address::parse(&text, &hub) else { return Ok(JsValue::UNDEFINED) };
    let place = Place::new(hub, address, revision(&options)?);
    let (url, Address { id, revision, path }) = (place.url(), place.address);
    Ok(to_js(&RepositoryAddress { id, revision, path, url }))
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
    abortable(options.clone(), move |_| {
        Box::pin(async move {
            let place = place(&text?, &options)?;
            let documents = Documents::new(place.hub.clone(), &options)?;
            let once = Documents::new(place.hub.clone(), &options)?.without_retries();
            let listing = list(&place, &documents, &once).await?;
            Ok(to_js(&Repository::new(&place, listing)?))
        })
    })
}

/// The place that the argument and the options name.
fn place(text: &str, options: &Options) -> Result<Place, JsValue> {
    let (hub, revision) = (hub(options)?, revision(options)?);
    let Some(address) = Address::parse(text, &hub) else {
        let message = format!(
            "the argument repository is \"{text}\", expected owner/name, or the address of a repository of {hub}, without .. \
             and other parts that lead out of it"
        );
        return Err(failure(ErrorCode::InvalidArgument, &message));
    };
    Ok(Place::new(hub, address, revision))
}

/// The address of the hub, without a slash at its end.
fn hub(options: &Options) -> Result<String, JsValue> {
    let Some(given) = options.get("hub")? else { return Ok(HUB.to_string()) };
    let hub = given.as_string().and_then(|hub| Url::new(&hub).ok());
    if hub.as_ref().is_some_and(|hub| !hub.username().is_empty() || !hub.password().is_empty()) {
        // The address is not quoted, because it contains a secret.
        let message = "options.hub contains a user name or a password. Remove them, and give options.headers, for example with \
                       Authorization";
        return Err(failure(ErrorCode::InvalidArgument, message));
    }
    let hub = hub.filter(|hub| hub.href().starts_with("http"));
    let hub = hub.ok_or_else(|| options.refused("hub", &given, "the address of a hub, with http or https"))?;
    Ok(format!("{}{}", hub.origin(), hub.pathname().trim_end_matches('/')))
}

/// The revision that the options name.
fn revision(options: &Options) -> Result<Option<String>, JsValue> {
    let Some(given) = options.get("revision")? else { return Ok(None) };
    match given.as_string().filter(|revision| is_revision(revision)) {
        None => Err(options.refused("revision", &given, "the name of a branch, a tag or a commit")),
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

impl Repository {
    fn new(place: &Place, listing: Listing) -> Result<Self, JsValue> {
        let Listing { files, file_count, facts } = listing;
        let files = repository_files(files);
        if files.is_empty() {
            return Err(no_files(place, file_count));
        }
        let file = |file: File| RepositoryFile::new(place, file, facts.parameter_count);
        Ok(Self {
            id: place.address.id.clone(),
            revision: place.revision.clone(),
            url: place.page(),
            folder: place.address.folder().to_string(),
            parameter_count: facts.parameter_count,
            architecture: facts.architecture,
            is_gated: facts.is_gated,
            files: files.into_iter().map(file).collect(),
        })
    }
}

impl RepositoryFile {
    fn new(place: &Place, file: File, parameter_count: Option<f64>) -> Self {
        let part = |ListedFile { path, size, sha256 }: ListedFile| RepositoryPart {
            url: place.file(&path),
            name: path,
            size: size as f64,
            sha256,
        };
        Self {
            name: file.name().to_string(),
            url: place.file(file.name()),
            size: file.size() as f64,
            role: file.role.name(),
            bits_per_weight: parameter_count.and_then(|count| file.bits_per_weight(count)),
            shards: file.shard_count.map(|count| RepositoryShards { count, present: file.parts.len() as u32 }),
            encoding: file.encoding,
            parts: file.parts.into_iter().map(part).collect(),
        }
    }
}

/// The error of a place without GGUF files.
fn no_files(place: &Place, file_count: u32) -> JsValue {
    let folder = place.address.folder();
    let of_folder = if folder.is_empty() { String::new() } else { format!(" in the folder \"{folder}\"") };
    let message = format!(
        "the repository {} has no GGUF files{of_folder}: none of its {file_count} files has a name that ends in .gguf. Look for a \
         repository of the same model whose name ends in GGUF",
        place.address.id
    );
    http_failure(ErrorCode::NoGgufFiles, &message, &place.page(), None)
}

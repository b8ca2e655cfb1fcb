//! Where a repository is, as callers say it.

use alloc::{string::String, string::ToString};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Options, Values, failure, options, refused_option};
use gguf_files::repository::address::{HUB, RepositoryAddress as Address, is_revision};
use gguf_files::repository::place::RepositoryPlace as Place;

options! {
    /// Where a repository is.
    pub interface PlaceOptions {
        /// A branch, a tag or a commit. Default: that of the address, else `"main"`.
        revision?: "string" => String, by revision;
        /// The address of the hub. Default: `"https://huggingface.co"`.
        hub?: "string" => String = HUB.to_string(), by hub;
    }
}

/// The place that the argument and the options name.
pub(crate) fn place(text: &str, options: Values<PlaceOptions>) -> Result<Place, Thrown> {
    let hub = options.hub;
    let Some(address) = Address::parse(text, &hub) else {
        return Err(failure!(InvalidArgument:
            "the repository is \"{text}\", expected owner/name, or the address of a repository of {hub}, \
             without .. and other parts that lead out of it"));
    };
    Ok(Place::new(hub, address, options.revision))
}

/// An option that is the address of a hub, without a slash at its end.
fn hub(options: &Options, name: &str) -> Result<Option<String>, Thrown> {
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
fn revision(options: &Options, name: &str) -> Result<Option<String>, Thrown> {
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
    fn new(url: &str) -> Result<Url, Thrown>;
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

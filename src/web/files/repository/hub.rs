//! The requests to the interface of the Hugging Face Hub (`https://huggingface.co/docs/hub/api`).
//!
//! - `GET /api/models/ID/tree/REVISION/FOLDER?recursive=true` lists files, in pages that the header `Link` connects.
//! - `GET /api/models/ID?expand[]=gguf&expand[]=gated` tells facts about the model.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::pin::pin;

use futures_util::future::{self, Either};
use wasm_bindgen::prelude::*;

use super::answers::{ModelFacts, Page, model_facts};
use super::place::Place;
use super::refusals::refusal;
use crate::error::ErrorCode;
use crate::files::repository::listing::ListedFile;
use crate::web::interop::error::http_failure;
use crate::web::interop::timer::Timer;
use crate::web::source::http::Documents;

/// The most pages of a listing. The Hub puts a thousand files on a page.
const MOST_PAGES: u32 = 100;

/// The most files and folders of a listing. A server can put any number of them on a page.
const MOST_ENTRIES: u32 = 100_000;

/// How long the facts about a model are waited for when the files are known, in milliseconds.
const FACTS_TIME: f64 = 3000.0;

/// What a hub tells about a repository.
pub(super) struct Listing {
    pub files: Vec<ListedFile>,
    /// The number of files of any kind.
    pub file_count: u32,
    pub facts: ModelFacts,
}

/// Lists a place. The facts are asked for at the same time: they are optional, so that their failure does not hide the files.
///
/// Spaces have no such facts.
pub(super) async fn list(place: &Place, documents: &Documents, once: &Documents) -> Result<Listing, JsValue> {
    let files = pin!(files(place, documents));
    let facts = pin!(facts(place, once));
    let ((files, file_count), facts) = match future::select(files, facts).await {
        Either::Left((files, facts)) => (files?, Timer::new(FACTS_TIME).limit(facts).await.unwrap_or_default()),
        Either::Right((facts, files)) => (files.await?, facts),
    };
    Ok(Listing { files, file_count, facts })
}

/// The files of all pages, and the number of files of any kind.
async fn files(place: &Place, documents: &Documents) -> Result<(Vec<ListedFile>, u32), JsValue> {
    let (mut files, mut file_count, mut entry_count) = (Vec::new(), 0, 0);
    let mut requested = BTreeSet::<String>::new();
    let mut url = place.first_page();
    for _ in 0..MOST_PAGES {
        let document = documents.get(&url).await?;
        if !(200..300).contains(&document.status) {
            return Err(refusal(place, &document, documents.has_headers()));
        }
        let page = Page::of(&document)?;
        entry_count += page.entry_count();
        if entry_count > MOST_ENTRIES {
            return Err(too_long(place, &format!("{MOST_ENTRIES} files and folders"), document.url()));
        }
        file_count += page.add_files(&mut files)?;
        let Some(next) = document.next_page() else { return Ok((files, file_count)) };
        let unusable = |why: &str| {
            let message = format!("the files of {} cannot be listed: {why}", place.address.id);
            http_failure(ErrorCode::BadResponse, &message, document.url(), Some(document.status))
        };
        let next_url = place.next_page(&next, document.url()).ok_or_else(|| {
            unusable(&format!(
                "the next page of the list is not at the hub's list of this repository, but at {next}. Check the address of \
                 the hub"
            ))
        })?;
        requested.insert(core::mem::replace(&mut url, next_url));
        if requested.contains(&url) {
            return Err(unusable(&format!(
                "the next page of the list is one that was read already, {url}, so that the list has no end. Check the \
                 address of the hub"
            )));
        }
    }
    Err(too_long(place, &format!("{MOST_PAGES} pages"), &url))
}

fn too_long(place: &Place, limit: &str, url: &str) -> JsValue {
    let message = format!(
        "the files of {} cannot be listed: the list has more than {limit}. Give the address of a folder of the repository",
        place.address.id
    );
    http_failure(ErrorCode::LimitExceeded, &message, url, None)
}

async fn facts(place: &Place, documents: &Documents) -> ModelFacts {
    let wanted = match place.address.kind() {
        "models" => "expand%5B%5D=gguf&expand%5B%5D=gated",
        "datasets" => "expand%5B%5D=gated",
        _ => return ModelFacts::default(),
    };
    match documents.get(&format!("{}?{wanted}", place.interface())).await {
        Ok(document) if document.status == 200 => model_facts(&document).unwrap_or_default(),
        _ => ModelFacts::default(),
    }
}

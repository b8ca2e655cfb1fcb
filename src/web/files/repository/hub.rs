//! The requests to the interface of the Hugging Face Hub (`https://huggingface.co/docs/hub/api`).
//!
//! - `GET /api/models/ID/tree/REVISION/FOLDER?recursive=true` lists files, in pages that the header `Link` connects.
//! - `GET /api/models/ID?expand[]=gguf&expand[]=gated` tells facts about the model.

use alloc::format;
use alloc::vec::Vec;
use core::pin::pin;

use futures_util::future::{self, Either};
use wasm_bindgen::prelude::*;

use super::answers::{ModelFacts, add_files, model_facts};
use super::place::Place;
use super::refusals::refusal;
use crate::error::ErrorCode;
use crate::files::repository::listing::ListedFile;
use crate::web::interop::error::http_failure;
use crate::web::interop::timer::Timer;
use crate::web::source::http::Documents;

/// The most pages of a listing. The Hub puts a thousand files on a page.
const MOST_PAGES: u32 = 100;

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
    let (mut files, mut file_count) = (Vec::new(), 0);
    let mut url = place.first_page();
    for _ in 0..MOST_PAGES {
        let document = documents.get(&url).await?;
        if !(200..300).contains(&document.status) {
            return Err(refusal(place, &document, documents.has_headers()));
        }
        file_count += add_files(&document, &mut files)?;
        let Some(next) = document.next_page() else { return Ok((files, file_count)) };
        url = place.own_page(&next).ok_or_else(|| {
            let message = format!(
                "the files of {} cannot be listed: the next page of the list is not at the hub, but at {next}",
                place.address.id
            );
            http_failure(ErrorCode::BadResponse, &message, document.url(), Some(document.status))
        })?;
    }
    let message = format!(
        "the files of {} cannot be listed: the list has more than {MOST_PAGES} pages. Give the address of a folder of the \
         repository",
        place.address.id
    );
    Err(http_failure(ErrorCode::LimitExceeded, &message, &url, None))
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

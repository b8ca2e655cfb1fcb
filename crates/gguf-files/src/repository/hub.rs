//! The requests to the interface of the Hugging Face Hub (`https://huggingface.co/docs/hub/api`).
//!
//! - `GET /api/models/ID/tree/REVISION/FOLDER?recursive=true` lists files, in pages that the header `Link` connects.
//! - `GET /api/models/ID?expand[]=gguf&expand[]=gated` tells facts about the model.

use alloc::{string::String, vec::Vec};
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::Poll;

use super::answers::{ModelFacts, Page, model_facts};
use super::json::Json;
use super::listing::{ListedFile, Repository, is_gguf, repository_files};
use super::place::RepositoryPlace;
use super::refusals::refusal;
use gguf_format::distinct_names::DistinctNames;
use gguf_format::error::{Error, Result, error};
use gguf_format::io::http::{Client, Documents, limit};

/// The most pages of a listing. The Hub puts a thousand files on a page.
const MOST_PAGES: u32 = 100;

/// The most files and folders of a listing. A server can put any number of them on a page.
const MOST_ENTRIES: u32 = 100_000;

/// How long the facts about a model are waited for when the files are known, in milliseconds.
const FACTS_TIME: f64 = 3000.0;

/// Lists the GGUF files of a place. `once` asks for the facts about the model at the same time: they are optional, so that their
/// failure does not hide the files.
///
/// # Errors
///
/// `repository-not-found`, `repository-denied`, `revision-not-found` and `rate-limited` if the hub refuses; `no-gguf-files`;
/// `limit-exceeded` for more than 100,000 files and folders; `bad-response`. Errors of [`Documents::get`] are passed on.
///
/// # Examples
///
/// The client of a program sends the requests, and its JSON parser reads the responses.
///
/// ```
/// use gguf_format::{Result, io::http::{Client, Documents, HttpOptions}};
/// use gguf_files::repository::{HUB, Json, RepositoryAddress, RepositoryPlace, list_repository};
///
/// async fn names<C: Client + Clone, J: Json>(client: C, address: RepositoryAddress) -> Result<Vec<String>> {
///     let place = RepositoryPlace::new(HUB.into(), address, None);
///     let documents = |milliseconds| Documents::new(HUB.into(), client.clone(), HttpOptions::default(), milliseconds);
///     let repository = list_repository::<C, J>(&place, &documents(60_000.0), &documents(5_000.0)).await?;
///     Ok(repository.files.into_iter().map(|file| file.name).collect())
/// }
///
/// let address = RepositoryAddress::parse("ggml-org/gemma-3-1b-it-GGUF", HUB);
/// assert!(address.is_some());
/// ```
pub async fn list_repository<C: Client, J: Json>(
    place: &RepositoryPlace,
    documents: &Documents<C>,
    once: &Documents<C>,
) -> Result<Repository> {
    let mut files = pin!(list_files::<C, J>(place, documents));
    let (mut facts, mut found) = (pin!(facts::<C, J>(place, once)), None);
    let (files, file_count) = poll_fn(|context| {
        let files = files.as_mut().poll(context);
        if found.is_none()
            && let Poll::Ready(facts) = facts.as_mut().poll(context)
        {
            found = Some(facts);
        }
        files
    })
    .await?;
    if !files.iter().any(|file| is_gguf(&file.path)) {
        return Err(no_files(place, file_count));
    }
    let facts = match found {
        Some(facts) => facts,
        None => limit(&mut once.client().timer(FACTS_TIME, false), facts).await.unwrap_or_default(),
    };
    let files = repository_files(files, place, facts.parameter_count.map(|count| count as f64));
    Ok(Repository {
        id: place.address.id.clone(),
        revision: place.revision.clone(),
        url: place.page(),
        folder: place.address.folder().into(),
        parameter_count: facts.parameter_count,
        architecture: facts.architecture,
        is_gated: facts.is_gated,
        files,
    })
}

/// Lists all files of a place whose sizes are known, in the order of the hub's pages. Returns also the number of all files.
///
/// # Errors
///
/// As [`list_repository`], but not `no-gguf-files`.
pub async fn list_files<C: Client, J: Json>(
    place: &RepositoryPlace,
    documents: &Documents<C>,
) -> Result<(Vec<ListedFile>, u32)> {
    let (mut files, mut file_count, mut entry_count) = (Vec::new(), 0, 0);
    let mut requested = DistinctNames::default();
    let mut url = place.first_page();
    for _ in 0..MOST_PAGES {
        let document = documents.get(&url).await?;
        if !(200..300).contains(&document.status) {
            return Err(refusal(place, &document, documents.has_headers()));
        }
        let page = Page::<J>::of(&document)?;
        entry_count += page.entry_count;
        if entry_count > MOST_ENTRIES {
            return Err(too_long(place, &format!("{MOST_ENTRIES} files and folders"), &document.url));
        }
        file_count += page.add_files(&mut files);
        let Some(next) = &document.next_page else { return Ok((files, file_count)) };
        let unusable = |why: &str| {
            error!(BadResponse: "the files of {} cannot be listed: {why}", place.address.id)
                .of_url(&document.url, Some(document.status))
        };
        let next_url = place.next_page(next, &document.url).ok_or_else(|| {
            unusable(&format!(
                "the next page of the list is not at the hub's list of this repository, but at {next}. Check the address of \
                 the hub"
            ))
        })?;
        requested.position(core::mem::replace(&mut url, next_url).as_bytes());
        if requested.find(url.as_bytes()).is_some() {
            return Err(unusable(&format!(
                "the next page of the list is one that was read already, {url}, so that the list has no end. Check the \
                 address of the hub"
            )));
        }
    }
    Err(too_long(place, &format!("{MOST_PAGES} pages"), &url))
}

fn too_long(place: &RepositoryPlace, limit: &str, url: &str) -> Error {
    error!(LimitExceeded:
        "the files of {} cannot be listed: the list has more than {limit}. Give the address of a folder of the \
         repository", place.address.id)
    .of_url(url, None)
}

/// The facts about a model. Spaces have none.
async fn facts<C: Client, J: Json>(place: &RepositoryPlace, documents: &Documents<C>) -> ModelFacts {
    let wanted = match place.address.kind() {
        "models" => "expand%5B%5D=gguf&expand%5B%5D=gated",
        "datasets" => "expand%5B%5D=gated",
        _ => return ModelFacts::default(),
    };
    match documents.get(&format!("{}?{wanted}", place.interface())).await {
        Ok(document) if document.status == 200 => model_facts::<J>(&document).unwrap_or_default(),
        _ => ModelFacts::default(),
    }
}

/// The error of a place without GGUF files.
fn no_files(place: &RepositoryPlace, file_count: u32) -> Error {
    let folder = place.address.folder();
    let of_folder = if folder.is_empty() { String::new() } else { format!(" in the folder \"{folder}\"") };
    error!(NoGgufFiles:
        "the repository {} has no GGUF files{of_folder}: none of its {file_count} files has a name that ends in .gguf. \
         Look for a repository of the same model whose name ends in GGUF", place.address.id)
    .of_url(&place.page(), None)
}

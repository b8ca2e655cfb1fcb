//! What the refusals of a hub mean.
//!
//! The Hub tells its reason in the header `X-Error-Code`, as the Python package `huggingface_hub` reads it. It answers 401 for
//! a repository that is missing, and for one that is private, so that nobody learns which private repositories there are.

use alloc::string::{String, ToString};

use super::place::RepositoryPlace;
use gguf_format::error::{Error, ErrorCode};
use gguf_format::io::http::Document;

/// The error of an answer with a status that is no success. `has_headers` says that the caller gave headers, so probably a token.
#[doc(hidden)]
pub fn refusal(place: &RepositoryPlace, document: &Document, has_headers: bool) -> Error {
    let status = document.status;
    let id = &place.address.id;
    let reason = document.error_code.as_deref().unwrap_or_default();
    let (code, message) = match (reason, status) {
        ("RevisionNotFound", _) => (
            ErrorCode::RevisionNotFound,
            format!(
                "the repository {id} has no revision \"{}\". Check the name of the branch, tag or commit",
                place.revision
            ),
        ),
        ("GatedRepo", _) => (
            ErrorCode::RepositoryDenied,
            format!(
                "access to the repository {id} is not granted: it is gated. Accept its conditions on its page, {}, and give an \
                 access token of the same account",
                place.page()
            ),
        ),
        ("RepoNotFound", _) | (_, 401) => (ErrorCode::RepositoryNotFound, not_found(place, status, has_headers)),
        ("EntryNotFound", _) | (_, 404) if !place.address.folder().is_empty() => (
            ErrorCode::RevisionNotFound,
            format!(
                "the repository {id} has no folder \"{}\" in the revision \"{}\". Check the path",
                place.address.folder(),
                place.revision
            ),
        ),
        (_, 404) => (ErrorCode::RepositoryNotFound, not_found(place, status, has_headers)),
        (_, 403) => (
            ErrorCode::RepositoryDenied,
            format!(
                "access to the repository {id} is denied (status 403). Check that the access token may read repositories, and \
                 that its account may read this one"
            ),
        ),
        (_, 429) => (ErrorCode::RateLimited, rate_limited(place, document)),
        _ => (
            ErrorCode::Http,
            format!(
                "the files of {id} cannot be listed: {} responded with status {status}, expected 200. Try again later",
                place.hub_name()
            ),
        ),
    };
    Error::new(code, message).of_url(&document.url, Some(status))
}

fn not_found(place: &RepositoryPlace, status: u16, has_headers: bool) -> String {
    let advice = if has_headers {
        "Check the name, and that the access token is valid and may read the repository"
    } else {
        "Check the name. If the repository is private, give an access token that may read it"
    };
    format!(
        "there is no repository {}, or it is private: {} answers both in the same way (status {status}). {advice}",
        place.address.id,
        place.hub_name()
    )
}

fn rate_limited(place: &RepositoryPlace, document: &Document) -> String {
    let when = match document.retry_after {
        Some(wait) => {
            let seconds = (wait as u64).div_ceil(1000);
            match seconds {
                1 => "in 1 second".to_string(),
                _ if seconds < 120 => format!("in {seconds} seconds"),
                _ => format!("in {} minutes", seconds.div_ceil(60)),
            }
        }
        None => "in some minutes".to_string(),
    };
    format!(
        "{} has received too many requests from this network or account (status 429). Try again {when}. With an access \
         token, more requests are allowed",
        place.hub_name()
    )
}

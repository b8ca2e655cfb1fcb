//! Documents of a server, and the list of a repository.

use gguf_files::repository::{Json, RepositoryAddress, RepositoryPlace, list_repository};
use gguf_format::ErrorCode;
use gguf_format::io::http::{Documents, HttpOptions};
use serde_json::Value;

use super::server::{Answer, End, Reply, Server, status, whole};
use super::with_headers;

const HUB: &str = "https://hub";

fn documents(server: &Server, options: HttpOptions) -> Documents<Server> {
    Documents::new(HUB.into(), server.clone(), options, 180_000.0)
}

/// JSON of the crate `serde_json`.
#[derive(Clone)]
struct Parsed(Value);

impl Json for Parsed {
    fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map(Self).map_err(|error| error.to_string())
    }

    fn member(&self, name: &str) -> Option<Self> {
        self.0.get(name).filter(|member| !member.is_null()).cloned().map(Self)
    }

    fn length(&self) -> Option<u32> {
        self.0.as_array().map(|array| array.len() as u32)
    }

    fn element(&self, index: u32) -> Option<Self> {
        self.0.get(index as usize).cloned().map(Self)
    }

    fn text(&self) -> Option<String> {
        self.0.as_str().map(str::to_string)
    }

    fn count(&self) -> Option<u64> {
        self.0.as_u64()
    }

    fn is_truthy(&self) -> bool {
        !matches!(&self.0, Value::Null | Value::Bool(false))
    }
}

#[test]
fn a_document_is_read_whole_and_its_redirects_are_followed() {
    let server = Server::new(|request| match request.url.as_str() {
        "https://hub/old" => status(307, &[("location", "/new")]).into(),
        "https://hub/new" => status(307, &[("location", "https://other/new")]).into(),
        _ => Reply { body: [b"to".to_vec(), b"get\xff".to_vec()].into(), ..status(200, &[("link", "</2>;rel=next")]) }
            .into(),
    });
    let document = server.run(documents(&server, with_headers()).get("https://hub/old")).unwrap();
    assert_eq!((&*document.text(), document.url.as_str()), ("toget\u{fffd}", "https://other/new"));
    assert_eq!(document.next_page.as_deref(), Some("https://other/2"));
    let keys: Vec<_> = server.requests().iter().map(|request| request.header("x-key").is_some()).collect();
    assert_eq!(keys, [true, true, false]);
}

#[test]
fn documents_are_retried_as_files_are() {
    let server = Server::new(|request| match request.at {
        0.0 => Answer::Failure("no route"),
        200.0 => status(503, &[("retry-after", "1")]).into(),
        1200.0 => Reply { end: End::Break, ..whole(b"[") }.into(),
        2000.0 => Answer::Silence,
        _ => whole(b"[]").into(),
    });
    let document = server.run(documents(&server, HttpOptions::default()).get("https://hub/x")).unwrap();
    assert_eq!(document.text(), "[]");
    assert_eq!(server.times(), [0.0, 200.0, 1200.0, 2000.0, 33_600.0]);
    // The last response is returned if there are no retries left, and at once if the server asks for a long wait.
    for (retry_after, count) in [("0", 5), ("61", 1)] {
        let server = Server::new(move |_| status(429, &[("retry-after", retry_after)]).into());
        let document = server.run(documents(&server, HttpOptions::default()).get("https://hub/x")).unwrap();
        assert_eq!((document.status, server.requests().len()), (429, count));
    }
}

#[test]
fn all_documents_together_have_a_limited_time_and_each_has_a_limited_length() {
    let busy = Server::new(|_| status(503, &[("retry-after", "50")]).into());
    let documents_of = |server: &Server| documents(server, HttpOptions { retries: 9, ..HttpOptions::default() });
    let error = busy.run(documents_of(&busy).get("https://hub/x")).unwrap_err();
    assert_eq!((error.code(), busy.now()), (ErrorCode::Timeout, 180_000.0));
    let long = Server::new(|_| Reply { body: [vec![b' '; 33 << 20]].into(), ..status(200, &[]) }.into());
    let error = long.run(documents_of(&long).get("https://hub/x")).unwrap_err();
    assert_eq!((error.code(), error.status()), (ErrorCode::BadResponse, Some(200)));
    let endless = Server::new(|_| status(302, &[("location", "/x")]).into());
    let error = endless.run(documents(&endless, with_headers()).get("https://hub/x")).unwrap_err();
    assert!(error.to_string().contains("redirected 5 times"), "{error}");
    assert_eq!((error.code(), endless.requests().len()), (ErrorCode::BadResponse, 6));
}

fn place() -> RepositoryPlace {
    RepositoryPlace::new(HUB.into(), RepositoryAddress::parse("owner/name", HUB).unwrap(), None)
}

#[test]
fn a_repository_is_listed_page_by_page_with_the_facts_about_its_model() {
    let server = Server::new(|request| match &request.url[HUB.len()..] {
        "/api/models/owner/name/tree/main?recursive=true" => {
            let link = ("link", "</api/models/owner/name/tree/main?cursor=1>; rel=\"next\"".to_string());
            let list = br#"[{"type":"file","path":"README.md","size":1},{"path":"b.gguf","size":5}]"#;
            Reply { headers: vec![link], ..whole(list) }.into()
        }
        "/api/models/owner/name/tree/main?cursor=1" => {
            whole(br#"[{"type":"directory","path":"x.gguf","size":0},{"path":"a.gguf","lfs":{"size":7}},5,null]"#)
                .into()
        }
        _ => whole(br#"{"gguf":{"total":1000,"architecture":"llama"},"gated":"auto"}"#).into(),
    });
    let asked = documents(&server, with_headers());
    let listing = server.run(list_repository::<_, Parsed>(&place(), &asked, &asked)).unwrap();
    let files: Vec<_> = listing.files.iter().map(|file| (file.name.as_str(), file.size)).collect();
    assert_eq!(files, [("a.gguf", 7), ("b.gguf", 5)]);
    assert_eq!(
        (listing.parameter_count, listing.architecture.as_deref(), listing.is_gated),
        (Some(1000), Some("llama"), true)
    );
    assert!(server.requests().iter().all(|request| request.header("x-key").is_some()));
}

#[test]
fn refusals_have_their_own_codes_and_a_missing_fact_hides_no_file() {
    for (refusal, code) in [
        (status(401, &[]), ErrorCode::RepositoryNotFound),
        (status(403, &[("x-error-code", "GatedRepo")]), ErrorCode::RepositoryDenied),
        (status(404, &[("x-error-code", "RevisionNotFound")]), ErrorCode::RevisionNotFound),
        (status(429, &[("retry-after", "300")]), ErrorCode::RateLimited),
        (whole(b"<!doctype html>"), ErrorCode::BadResponse),
        (whole(b"[]"), ErrorCode::NoGgufFiles),
    ] {
        let server = Server::new(move |_| refusal.clone().into());
        let asked = documents(&server, HttpOptions::default());
        let error = server.run(list_repository::<_, Parsed>(&place(), &asked, &asked)).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    let server = Server::new(|request| match request.url.contains("/tree/") {
        true => whole(br#"[{"path":"a.gguf","size":7}]"#).into(),
        false => Answer::Silence,
    });
    let asked = documents(&server, HttpOptions::default());
    let listing = server.run(list_repository::<_, Parsed>(&place(), &asked, &asked)).unwrap();
    assert_eq!((listing.files.len(), listing.architecture, server.now()), (1, None, 3000.0));
}

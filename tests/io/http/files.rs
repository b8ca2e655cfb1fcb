//! Files that are read by ranges.

use std::cell::Cell;
use std::future::Future;

use gguf_format::io::http::{Client, FIRST_RANGE, HttpOptions, RemoteFile, Request, RequestLimits, end_of_given};
use gguf_format::io::{HeaderReader, Source};
use gguf_format::write::encode::Encoder;
use gguf_format::{ErrorCode, Format, Header, Limits, Result};

use super::server::{Answer, End, Received, Reply, Server, partial, status, whole};
use super::with_headers;

const URL: &str = "https://home/model.gguf";

/// The data of the tensor: no two parts of it are equal.
const DATA_SIZE: usize = 2 << 20;

/// The bytes of a file with one tensor, and the offset of its data.
fn model() -> (Vec<u8>, usize) {
    let mut file = Encoder::new(Format::default());
    file.header(1, 1).kv(b"general.architecture", &"llama".into());
    file.tensor_info(b"t", &[DATA_SIZE as u64 / 4], 0, 0).pad_to(32);
    let mut bytes = file.as_bytes().to_vec();
    let start = bytes.len();
    bytes.extend((0..DATA_SIZE as u32 / 4).flat_map(u32::to_le_bytes));
    (bytes, start)
}

fn open(server: &Server, options: HttpOptions) -> RemoteFile<Server> {
    RemoteFile::new(URL.into(), server.clone(), options, RequestLimits::of_file())
}

async fn header(file: &RemoteFile<Server>) -> Result<Header> {
    let mut reader = HeaderReader::new(Limits::default(), None);
    file.read_header(&mut reader).await?;
    reader.into_header()
}

/// Reads the header and all data. Returns whether the data is that of the file.
async fn read_all(file: &RemoteFile<Server>) -> Result<()> {
    assert_eq!(header(file).await?.tensors().len(), 1);
    let (bytes, start) = model();
    let read = file.read(start as u64..bytes.len() as u64).await?;
    assert!(read.as_slice() == &bytes[start..]);
    Ok(())
}

/// A server that answers requests for ranges, and whose answers `change` may change.
fn serve(change: impl Fn(&Received, Reply) -> Answer + 'static) -> Server {
    let (bytes, _) = model();
    Server::new(move |request| change(request, partial(&bytes, request.range())))
}

#[test]
fn the_header_is_read_from_the_first_range_and_the_data_with_one_request() {
    let server = serve(|_, reply| reply.into());
    let file = open(&server, HttpOptions::default());
    server.run(read_all(&file)).unwrap();
    let (bytes, start) = model();
    assert_eq!(server.ranges(), [(0, FIRST_RANGE as usize), (start, bytes.len())]);
    assert_eq!(file.size(), Some(bytes.len() as u64));
    // The rest of the first range is not received.
    assert_eq!(server.cancelled(), 1);
}

#[test]
fn a_response_that_breaks_is_resumed_where_it_stopped() {
    let server = serve(|request, mut reply| {
        if request.at == 0.0 && request.range().0 > 0 {
            reply.body.truncate(100);
            reply.end = End::Break;
        }
        reply.into()
    });
    server.run(read_all(&open(&server, HttpOptions::default()))).unwrap();
    let (bytes, start) = model();
    assert_eq!(server.ranges()[1..], [(start, bytes.len()), (start + 100_000, bytes.len())]);
    assert_eq!(server.times()[1..], [0.0, 200.0]);
}

#[test]
fn a_silent_response_is_resumed_after_the_timeout() {
    let server = serve(|request, mut reply| {
        if request.at == 0.0 && request.range().0 > 0 {
            reply.body.truncate(1);
            reply.end = End::Silence;
        }
        reply.into()
    });
    server.run(read_all(&open(&server, HttpOptions { timeout: 5000.0, ..HttpOptions::default() }))).unwrap();
    assert_eq!(server.times(), [0.0, 0.0, 5200.0]);
    let silent = Server::new(|_| Answer::Silence);
    let options = HttpOptions { retries: 1, timeout: 5000.0, ..HttpOptions::default() };
    let error = silent.run(header(&open(&silent, options))).unwrap_err();
    assert_eq!((error.code(), silent.now()), (ErrorCode::Timeout, 10_200.0));
    assert_eq!(silent.cancelled(), 2);
}

#[test]
fn a_response_that_takes_too_long_is_an_error() {
    let server = serve(|_, mut reply| {
        reply.body.truncate(0);
        reply.end = End::Silence;
        reply.into()
    });
    let options = HttpOptions { response_timeout: 1000.0, ..HttpOptions::default() };
    let error = server.run(header(&open(&server, options))).unwrap_err();
    assert!(error.to_string().contains("not complete after 1000 ms"), "{error}");
    assert_eq!((error.code(), server.requests().len()), (ErrorCode::Timeout, 1));
}

#[test]
fn a_server_without_ranges_sends_the_header_but_not_the_data() {
    let (bytes, start) = model();
    let server = Server::new(move |_| whole(&bytes).into());
    let file = open(&server, HttpOptions::default());
    // The file comes in one chunk, so that all of it has come with the header.
    server.run(read_all(&file)).unwrap();
    assert_eq!(server.requests().len(), 1);
    let (bytes, _) = model();
    let in_chunks = Server::new(move |_| {
        let body = bytes.chunks(1000).map(<[u8]>::to_vec).collect();
        Reply { body, ..whole(&bytes) }.into()
    });
    let file = open(&in_chunks, HttpOptions::default());
    assert!(in_chunks.run(header(&file)).is_ok());
    let error = in_chunks.run(file.read(start as u64..start as u64 + 4)).unwrap_err();
    assert_eq!((error.code(), error.status(), error.url()), (ErrorCode::NoRanges, Some(200), Some(URL)));
}

#[test]
fn a_file_that_changes_is_noticed() {
    let changes: [fn(&mut Reply); 2] = [
        |reply| reply.headers.push(("etag", "\"new\"".into())),
        |reply| {
            let longer = reply.headers[0].1.clone() + "0";
            reply.headers[0].1 = longer;
        },
    ];
    for change in changes {
        let server = serve(move |request, mut reply| {
            match request.range().0 {
                0 => reply.headers.push(("etag", "\"old\"".into())),
                _ => change(&mut reply),
            }
            reply.into()
        });
        let error = server.run(read_all(&open(&server, HttpOptions::default()))).unwrap_err();
        assert_eq!((error.code(), server.requests().len()), (ErrorCode::Changed, 2));
    }
}

#[test]
fn failures_are_retried_after_growing_waits() {
    let server = Server::new(|_| Answer::Failure("no route"));
    let error = server.run(header(&open(&server, HttpOptions::default()))).unwrap_err();
    assert_eq!((error.code(), error.url()), (ErrorCode::Network, Some(URL)));
    assert!(error.to_string().contains("no route"), "{error}");
    assert_eq!(error.cause().and_then(|cause| cause.downcast_ref::<String>()).unwrap(), "no route");
    assert_eq!(server.times(), [0.0, 200.0, 600.0, 1400.0, 3000.0]);
}

#[test]
fn a_server_that_is_busy_is_asked_again_when_it_says() {
    for (name, value, next) in [
        ("retry-after", "7", Some(7000.0)),
        ("retry-after", "at 9000", Some(9000.0)),
        ("ratelimit", "\"api\";r=0;t=55", Some(55_000.0)),
        ("retry-after", "61", None),
    ] {
        let (bytes, _) = model();
        let server = Server::new(move |request| match request.at {
            0.0 => status(429, &[(name, value)]).into(),
            _ => partial(&bytes, request.range()).into(),
        });
        let found = server.run(header(&open(&server, HttpOptions::default())));
        assert_eq!(server.times()[1..], Vec::from_iter(next), "{value}");
        assert_eq!(found.err().map(|error| error.status()), next.is_none().then_some(Some(429)));
    }
}

#[test]
fn redirects_are_followed_and_only_the_home_gets_headers() {
    let (bytes, _) = model();
    let server = Server::new(move |request| match request.url.as_str() {
        URL => status(302, &[("location", "/here")]).into(),
        "https://home/here" => status(307, &[("location", "https://other/signed")]).into(),
        _ => partial(&bytes, request.range()).into(),
    });
    server.run(read_all(&open(&server, with_headers()))).unwrap();
    let requests = server.requests();
    let sent = requests.iter().map(|request| (&request.url[8..], request.header("x-key"), request.follows_redirects));
    let secret = Some("a secret");
    let expected = [
        ("home/model.gguf", secret, false),
        ("home/here", secret, false),
        ("other/signed", None, false),
        // The data is requested from there at once.
        ("other/signed", None, false),
    ];
    assert!(sent.eq(expected), "{requests:?}");
    assert!(requests[2..].iter().all(|request| request.headers.len() == 1));
}

#[test]
fn a_redirect_that_the_host_hides_is_followed_by_the_host_with_authorization_only() {
    let (bytes, _) = model();
    let server = Server::new(move |request| match request.follows_redirects {
        false => status(0, &[]).into(),
        true => Reply { redirected_url: Some("https://other/x".into()), ..partial(&bytes, request.range()) }.into(),
    });
    assert!(server.run(header(&open(&server, with_headers()))).is_ok());
    let [first, second] = &server.requests()[..] else { panic!("two requests") };
    assert_eq!((first.header("authorization"), first.header("x-key")), (Some("Bearer token"), Some("a secret")));
    assert_eq!((second.header("authorization"), second.header("x-key")), (Some("Bearer token"), None));
    // The other server refuses the request, which lacks a header of the caller.
    let refusing = Server::new(|request| match request.follows_redirects {
        false => status(0, &[]).into(),
        true => Reply { redirected_url: Some("https://other/x".into()), ..status(403, &[]) }.into(),
    });
    let error = refusing.run(header(&open(&refusing, with_headers()))).unwrap_err();
    assert_eq!((error.code(), error.status()), (ErrorCode::HeadersWithheld, Some(403)));
    assert!(error.to_string().contains("x-key") && !error.to_string().contains("authorization"), "{error}");
}

#[test]
fn redirects_without_an_end_and_to_other_schemes_are_errors() {
    let endless = Server::new(|_| status(302, &[("location", URL)]).into());
    let error = endless.run(header(&open(&endless, with_headers()))).unwrap_err();
    assert_eq!((error.code(), error.status(), endless.requests().len()), (ErrorCode::Http, Some(302), 6));
    let local = Server::new(|_| status(302, &[("location", "file:///etc/hosts")]).into());
    let error = local.run(header(&open(&local, with_headers()))).unwrap_err();
    assert_eq!((error.code(), error.status(), local.requests().len()), (ErrorCode::Http, Some(302), 1));
}

#[test]
fn an_expired_target_is_asked_for_again_at_the_given_url() {
    let (bytes, _) = model();
    let server = Server::new(move |request| match (request.url.as_str(), request.range().0) {
        (URL, 0) => status(302, &[("location", "/signed?1")]).into(),
        (URL, _) => status(302, &[("location", "/signed?2")]).into(),
        ("https://home/signed?1", 1..) => status(403, &[]).into(),
        _ => partial(&bytes, request.range()).into(),
    });
    server.run(read_all(&open(&server, with_headers()))).unwrap();
    let paths: Vec<_> = server.requests().iter().map(|request| request.url[12..].to_string()).collect();
    assert_eq!(paths, ["/model.gguf", "/signed?1", "/signed?1", "/model.gguf", "/signed?2"]);
}

#[test]
fn capped_responses_are_requested_several_at_once() {
    const CAP: usize = 64 << 10;
    let (bytes, _) = model();
    let server = Server::new(move |request| {
        let (start, end) = request.range();
        partial(&bytes, (start, end.min(start + CAP))).into()
    });
    server.run(read_all(&open(&server, HttpOptions::default()))).unwrap();
    let most = server.requests().len();
    assert!((DATA_SIZE.div_ceil(CAP)..DATA_SIZE.div_ceil(CAP) + 12).contains(&most), "{most} requests");
}

#[test]
fn cors_is_the_reason_if_a_request_without_it_reaches_the_server() {
    for is_reachable in [true, false] {
        let server = Server::with_probe(is_reachable, |_| Answer::Failure("no reason"));
        let error = server.run(header(&open(&server, HttpOptions::default()))).unwrap_err();
        let expected = if is_reachable { (ErrorCode::Cors, 2) } else { (ErrorCode::Network, 5) };
        assert_eq!((error.code(), server.requests().len()), expected);
        assert_eq!(server.probes(), 1);
    }
}

#[test]
fn cors_is_found_with_any_number_of_retries() {
    for is_reachable in [true, false] {
        for (retries, requests) in [(0, 1), (1, 2)] {
            let server = Server::with_probe(is_reachable, |_| Answer::Failure("no reason"));
            let error =
                server.run(header(&open(&server, HttpOptions { retries, ..HttpOptions::default() }))).unwrap_err();
            let expected = if is_reachable { ErrorCode::Cors } else { ErrorCode::Network };
            assert_eq!((error.code(), server.requests().len(), server.probes()), (expected, requests, 1));
        }
    }
}

#[test]
fn the_last_failure_is_tested_for_cors_although_the_first_one_was_another() {
    let is_first = Cell::new(true);
    let server = Server::with_probe(true, move |_| match is_first.replace(false) {
        true => Answer::Silence,
        false => Answer::Failure("no reason"),
    });
    let error = server.run(header(&open(&server, HttpOptions { retries: 1, ..HttpOptions::default() }))).unwrap_err();
    assert_eq!((error.code(), server.requests().len(), server.probes()), (ErrorCode::Cors, 2, 1));
}

#[test]
fn an_error_that_quotes_a_header_is_not_passed_on() {
    let server = Server::new(|_| Answer::Failure("invalid value: Bearer token"));
    let error = server.run(header(&open(&server, HttpOptions { retries: 0, ..with_headers() }))).unwrap_err();
    assert!(error.to_string().contains("the error quotes options.headers"), "{error}");
    assert!(error.cause().is_none());
}

#[test]
fn hidden_content_ranges_are_trusted_and_others_are_not() {
    let (bytes, _) = model();
    for hides_headers in [true, false] {
        let bytes = bytes.clone();
        let server = Server::new(move |request| {
            Reply { headers: Vec::new(), hides_headers, ..partial(&bytes, request.range()) }.into()
        });
        let found = server.run(read_all(&open(&server, HttpOptions::default())));
        assert_eq!(found.err().map(|error| error.code()), (!hides_headers).then_some(ErrorCode::BadRange));
    }
}

#[test]
fn dropping_a_read_cancels_its_request() {
    let server = serve(|_, reply| reply.into());
    let file = open(&server, HttpOptions::default());
    server.run(header(&file)).unwrap();
    let before = server.cancelled();
    let server_of_read = server.clone();
    server.run(async move {
        let mut read = Box::pin(file.read(100..200));
        let waker = std::task::Waker::noop();
        assert!(read.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
        drop(read);
        assert_eq!(server_of_read.cancelled(), before + 1);
    });
}

#[test]
fn a_response_of_the_caller_is_read_first_and_the_rest_is_requested() {
    let (bytes, start) = model();
    let server = serve(|_, reply| reply.into());
    let given = Server::new({
        let bytes = bytes.clone();
        move |_| partial(&bytes, (0, 1000)).into()
    });
    let request = Request { url: URL, headers: &[], follows_redirects: true };
    let response = given.run(given.send(&request)).ok().unwrap();
    let end = end_of_given(&response).unwrap();
    assert_eq!(end, 1000);
    let file = open(&server, HttpOptions::default());
    file.take_response(response, end);
    server.run(read_all(&file)).unwrap();
    assert_eq!(server.ranges(), [(start, bytes.len())]);
    for (reply, text) in [(status(0, &[]), "status 0"), (partial(&bytes, (5, 9)), "first bytes")] {
        let other = Server::new(move |_| reply.clone().into());
        let response = other.run(other.send(&request)).ok().unwrap();
        let error = end_of_given(&response).unwrap_err();
        assert!(error.code() == ErrorCode::InvalidSource && error.to_string().contains(text), "{error}");
    }
}

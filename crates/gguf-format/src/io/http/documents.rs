//! Small documents that are read whole: the answers of a hub's interface, and the small files of a model.

use alloc::{borrow::Cow, boxed::Box, string::String, string::ToString, vec::Vec};
use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::Poll;

use super::client::{Client, Response};
use super::exchange::{Exchange, MOST_REDIRECTS, lost};
use super::fault::Fault;
use super::options::HttpOptions;
use super::retries::{Retries, may_retry, retry_after};
use crate::error::{Error, ErrorCode, error};
use crate::io::buffer::Buffer;

/// The most bytes of an answer. A page of a listing has a thousand files, so a few hundred kilobytes.
const MOST_BYTES: u64 = 32 << 20;

/// The headers with which a server allows pages of other origins to read its documents.
const CORS_HEADERS: &str = "Access-Control-Allow-Origin: * and \
                            Access-Control-Expose-Headers: Link, Retry-After, RateLimit, X-Error-Code";

/// Fetches the documents of one server. All requests together have a limited time, with retries and the waits between them.
pub struct Documents<C: Client> {
    exchange: Exchange<C>,
    whole_time: f64,
    deadline: RefCell<C::Timer>,
}

/// A response with its body. The status can be any.
#[derive(Clone, Debug)]
pub struct Document {
    /// The URL that the document is from.
    pub url: String,
    /// The status of the response.
    pub status: u16,
    /// The body. Empty unless the status is a success.
    pub body: Vec<u8>,
    /// The header `X-Error-Code`, in which the Hub tells why it refuses a request.
    pub error_code: Option<String>,
    /// The wait in milliseconds that the server asks for.
    pub retry_after: Option<f64>,
    /// The URL of the next page of a list, if there is one: the header `Link`.
    pub next_page: Option<String>,
}

impl Document {
    /// The body as a text. Bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

impl<C: Client> Documents<C> {
    /// `home` is an absolute URL of the server: its origin gets the caller's headers. `whole_time` is the time for all documents
    /// together, in milliseconds.
    pub fn new(home: String, client: C, options: HttpOptions, whole_time: f64) -> Self {
        let deadline = RefCell::new(client.timer(whole_time, true));
        Self { exchange: Exchange::new(client, options, home, CORS_HEADERS), whole_time, deadline }
    }

    /// Whether the caller gave headers.
    pub fn has_headers(&self) -> bool {
        self.exchange.options.headers.is_some()
    }

    /// The client of the requests.
    pub fn client(&self) -> &C {
        &self.exchange.client
    }

    /// Fetches a document of at most 32 MiB. Responses with a temporary status are requested again, as often as the options allow: the last one
    /// is returned. A server that asks for a long wait is not asked again.
    ///
    /// # Errors
    ///
    /// `network`, `timeout` or `cors` if no response comes, or not the whole; `bad-response` if the body is too long.
    pub async fn get(&self, url: &str) -> Result<Document, Error> {
        self.get_within(url, MOST_BYTES).await
    }

    /// Fetches a document as [`get`](Self::get), of at most this number of bytes.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub async fn get_within(&self, url: &str, most_bytes: u64) -> Result<Document, Error> {
        // Boxed: each caller would contain a copy of the state machine otherwise.
        let mut work: Pin<Box<dyn Future<Output = _>>> = Box::pin(get(&self.exchange, url, most_bytes));
        poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(document) => Poll::Ready(document),
            Poll::Pending => {
                let is_over = Pin::new(&mut *self.deadline.borrow_mut()).poll(context);
                is_over.map(|()| Err(too_slow(self.whole_time, url)))
            }
        })
        .await
    }
}

async fn get<C: Client>(exchange: &Exchange<C>, url: &str, most_bytes: u64) -> Result<Document, Error> {
    let mut retries = Retries::new(exchange.options.retries);
    loop {
        match read_document(exchange, url, most_bytes).await {
            Ok(document) => {
                let may_retry = may_retry(document.status, document.retry_after);
                if !may_retry || !retries.wait(&exchange.client, document.retry_after).await {
                    return Ok(document);
                }
            }
            Err(Fault::Retry(failure)) => exchange.wait_for_retry(url, &mut retries, failure).await?,
            Err(Fault::Final(error)) => return Err(error),
            Err(Fault::End) => return Err(lost(ErrorCode::Network, url, "it ended")),
        }
    }
}

/// Sends one request, follows its redirects, and reads the body.
async fn read_document<C: Client>(exchange: &Exchange<C>, url: &str, most_bytes: u64) -> Result<Document, Fault> {
    let answer = exchange.respond(exchange.send(url.to_string(), None)).await?;
    let (response, status) = (&answer.response, answer.response.status());
    if answer.is_endless {
        return Err(error!(BadResponse:
            "the answer cannot be read: the server redirected {MOST_REDIRECTS} times, and the last address redirects \
             again. Check the address of the server: two of its addresses may redirect to each other")
        .of_url(&answer.url, Some(status))
        .into());
    }
    let next_page = response.header("Link").and_then(|link| exchange.client.resolve(next_link(&link)?, &answer.url));
    let mut document = Document {
        url: answer.url.clone(),
        status,
        body: Vec::new(),
        error_code: response.header("X-Error-Code"),
        retry_after: retry_after(&exchange.client, response),
        next_page,
    };
    if (200..300).contains(&status) {
        let mut body = Vec::new();
        let mut take = |chunk: &C::Buffer| {
            let start = body.len();
            if start as u64 + chunk.len() > most_bytes {
                return Err(error!(BadResponse:
                    "the answer cannot be read: it is longer than {most_bytes} bytes. Check the address of the server")
                .of_url(&document.url, Some(status))
                .into());
            }
            body.resize(start + chunk.len() as usize, 0);
            chunk.copy_to(&mut body[start..])?;
            Ok(false)
        };
        exchange.receive(answer, &mut take).await?;
        document.body = body;
    }
    Ok(document)
}

fn too_slow(whole_time: f64, url: &str) -> Error {
    let limit = whole_time as u64;
    error!(Timeout:
        "the answers were not complete after {limit} ms. Try again, or set options.responseTimeout to allow more time")
    .of_url(url, None)
}

/// The target of the link with the relation `next` in a header `Link`: `<https://host/page?cursor=x>; rel="next"`.
fn next_link(header: &str) -> Option<&str> {
    let mut rest = header;
    loop {
        let (target, after) = rest.split_once('<')?.1.split_once('>')?;
        let parameters = after.split_once('<').map_or(after, |(parameters, _)| parameters);
        let is_next = parameters.split([';', ',']).any(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or_default();
            name.trim().eq_ignore_ascii_case("rel") && value.trim().trim_matches('"').eq_ignore_ascii_case("next")
        });
        if is_next {
            return Some(target);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page() {
        let next = r#"<https://hub/api/x?cursor=a%3D&limit=5>; rel="next""#;
        assert_eq!(next_link(next), Some("https://hub/api/x?cursor=a%3D&limit=5"));
        assert_eq!(next_link(r#"</first>; rel="first", </second>;rel=next;title="x""#), Some("/second"));
        for other in ["", "<", "<x>", r#"<x>; rel="prev""#, r#"<x; rel="next""#, r#"x>; rel="next""#] {
            assert_eq!(next_link(other), None, "{other}");
        }
    }
}

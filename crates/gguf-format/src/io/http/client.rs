//! What a host does for the engine: it sends requests and has timers.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::future::Future;
use core::pin::Pin;

use crate::error::Cause;
use crate::io::buffer::Buffer;
use crate::io::host::Host;

/// A response that is awaited.
pub type Sending<R> = Pin<Box<dyn Future<Output = Result<R, Failure>>>>;

/// A request that is in flight to find out whether a server can be reached: true if it can.
pub type Probe = Pin<Box<dyn Future<Output = bool>>>;

/// A host that sends requests.
pub trait Client: 'static {
    /// Where the bytes of bodies are kept.
    type Buffer: Buffer;
    /// A response.
    type Response: Response<Buffer = Self::Buffer>;
    /// The host of the work.
    type Host: Host;
    /// Is ready when its time is over. Dropping it cancels it.
    type Timer: Future<Output = ()> + Unpin;

    /// Sends a request at once, before the future is polled. Dropping the future, or the response, cancels the request.
    fn send(&self, request: &Request<'_>) -> Sending<Self::Response>;

    /// If CORS can forbid to read the responses of a server: sends a request that succeeds if only CORS is the reason why others
    /// fail.
    fn probe(&self, url: &str) -> Option<Probe> {
        let _ = url;
        None
    }

    /// A timer of this number of milliseconds. A timer in the background does not keep a program running.
    fn timer(&self, milliseconds: f64, in_background: bool) -> Self::Timer;

    /// A random number from 0 to 1.
    fn random(&self) -> f64;

    /// The milliseconds from now to a date of HTTP: `Wed, 21 Oct 2026 07:28:00 GMT`. They are negative if it is over.
    fn milliseconds_until(&self, date: &str) -> Option<f64>;

    /// The absolute form of a URL that is relative to another.
    fn resolve(&self, url: &str, base: &str) -> Option<String>;
}

/// A `GET` request.
#[derive(Debug)]
pub struct Request<'a> {
    /// The URL.
    pub url: &'a str,
    /// The names of headers and their values.
    pub headers: &'a [(String, String)],
    /// Whether the host follows redirects. Otherwise it returns the redirect itself, or a response of status 0 if it must not
    /// show where redirects lead.
    pub follows_redirects: bool,
}

/// The head of a response, and its body, which is received as it is read. Dropping it cancels the rest.
pub trait Response: 'static {
    /// Where the bytes of the body are kept.
    type Buffer: Buffer;

    /// The status: 206.
    fn status(&self) -> u16;

    /// The value of a header; `None` if it is absent or hidden. Names are compared without case.
    fn header(&self, name: &str) -> Option<String>;

    /// The URL that the response is from, if the host has followed redirects.
    fn redirected_url(&self) -> Option<String>;

    /// Whether the host may hide headers that the server has sent: CORS demands it.
    fn hides_headers(&self) -> bool;

    /// The next bytes of the body; `None` at its end.
    fn chunk(&mut self) -> impl Future<Output = Result<Option<Self::Buffer>, Failure>>;
}

/// Why a host has no response, or only a part of it.
#[derive(Debug)]
pub struct Failure {
    /// The reason, for people.
    pub reason: String,
    /// The error of the host.
    pub cause: Option<Cause>,
    /// All texts of the cause. A cause that quotes the value of a header is not passed on.
    pub texts: Vec<String>,
}

impl Failure {
    /// A failure without a cause.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), cause: None, texts: Vec::new() }
    }
}

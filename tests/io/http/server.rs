//! A server in memory, and a clock that the test controls.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use gguf_format::io::http::{Client, Failure, Probe, Request, Response, Sending, origin};
use gguf_format::io::{Blocking, MemoryBuffer};

/// A request that the server has received.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub follows_redirects: bool,
    /// The time in milliseconds.
    pub at: f64,
}

impl Received {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The range that is requested.
    pub fn range(&self) -> (usize, usize) {
        let range = self.header("range").unwrap().strip_prefix("bytes=").unwrap();
        let (first, last) = range.split_once('-').unwrap();
        (first.parse().unwrap(), last.parse::<usize>().unwrap() + 1)
    }
}

/// What the server answers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A response, or its beginning.
    Response(Reply),
    /// The connection fails, with this reason.
    Failure(&'static str),
    Silence,
}

#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: VecDeque<Vec<u8>>,
    pub end: End,
    pub redirected_url: Option<String>,
    pub hides_headers: bool,
}

/// What comes after the body.
#[derive(Clone, Copy, Debug, Default)]
pub enum End {
    #[default]
    Complete,
    Break,
    Silence,
}

/// A response of a status with headers, without a body.
pub fn status(status: u16, headers: &[(&'static str, &str)]) -> Reply {
    let headers = headers.iter().map(|(name, value)| (*name, value.to_string())).collect();
    Reply { status, headers, ..Reply::default() }
}

/// A response with a whole body.
pub fn whole(bytes: &[u8]) -> Reply {
    Reply { body: [bytes.to_vec()].into(), ..status(200, &[("content-length", &bytes.len().to_string())]) }
}

/// A response with the requested range of a file, in chunks of 1000 bytes.
pub fn partial(file: &[u8], (start, end): (usize, usize)) -> Reply {
    let end = end.min(file.len());
    let content_range = format!("bytes {start}-{}/{}", end - 1, file.len());
    let body = file[start..end].chunks(1000).map(<[u8]>::to_vec).collect();
    Reply { body, ..status(206, &[("content-range", &content_range)]) }
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        Self::Response(reply)
    }
}

type Answers = dyn Fn(&Received) -> Answer;

/// The host of the tests. Clones are the same host.
#[derive(Clone)]
pub struct Server(Rc<State>);

struct State {
    answers: Box<Answers>,
    requests: RefCell<Vec<Received>>,
    /// Requests and responses that were dropped before they had ended.
    cancelled: Cell<u32>,
    probes: Cell<u32>,
    is_reachable_without_cors: bool,
    now: Cell<f64>,
    /// When the timers end that something waits for.
    timers: RefCell<Vec<f64>>,
    /// How often something has arrived.
    arrivals: Cell<u32>,
}

impl Server {
    pub fn new(answers: impl Fn(&Received) -> Answer + 'static) -> Self {
        Self::with_probe(false, answers)
    }

    /// A server that a request without CORS reaches, or not.
    pub fn with_probe(is_reachable_without_cors: bool, answers: impl Fn(&Received) -> Answer + 'static) -> Self {
        Self(Rc::new(State {
            answers: Box::new(answers),
            requests: RefCell::default(),
            cancelled: Cell::default(),
            probes: Cell::default(),
            is_reachable_without_cors,
            now: Cell::default(),
            timers: RefCell::default(),
            arrivals: Cell::default(),
        }))
    }

    pub fn requests(&self) -> Vec<Received> {
        self.0.requests.borrow().clone()
    }

    /// The ranges that were requested.
    pub fn ranges(&self) -> Vec<(usize, usize)> {
        self.0.requests.borrow().iter().map(Received::range).collect()
    }

    /// The times of the requests, in milliseconds.
    pub fn times(&self) -> Vec<f64> {
        self.0.requests.borrow().iter().map(|request| request.at).collect()
    }

    pub fn cancelled(&self) -> u32 {
        self.0.cancelled.get()
    }

    pub fn probes(&self) -> u32 {
        self.0.probes.get()
    }

    pub fn now(&self) -> f64 {
        self.0.now.get()
    }

    /// Runs work. Whenever nothing more arrives, the clock goes on to the end of the next timer.
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            let State { timers, arrivals, now, .. } = &*self.0;
            timers.borrow_mut().clear();
            let before = arrivals.get();
            if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return done;
            }
            if arrivals.get() == before {
                let next = timers.borrow().iter().copied().fold(f64::INFINITY, f64::min);
                assert!(next.is_finite(), "the work waits for nothing");
                now.set(next);
            }
        }
    }

    /// Waits for one arrival.
    async fn arrive(&self) {
        let mut has_waited = false;
        poll_fn(|_| {
            if std::mem::replace(&mut has_waited, true) {
                return Poll::Ready(());
            }
            self.0.arrivals.set(self.0.arrivals.get() + 1);
            Poll::Pending
        })
        .await;
    }
}

/// A request or a body, and whether it has ended. Counts what is dropped before its end.
struct InFlight(Server, bool);

impl InFlight {
    fn end(mut self) {
        self.1 = true;
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.0.cancelled.set(self.0.0.cancelled.get() + u32::from(!self.1));
    }
}

pub struct Body {
    reply: Reply,
    in_flight: InFlight,
}

fn broken(reason: &str) -> Failure {
    Failure { reason: reason.into(), cause: Some(Arc::new(reason.to_string())), texts: vec![reason.into()] }
}

impl Response for Body {
    type Buffer = MemoryBuffer;

    fn status(&self) -> u16 {
        self.reply.status
    }

    fn header(&self, name: &str) -> Option<String> {
        let mut headers = self.reply.headers.iter();
        headers.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
    }

    fn redirected_url(&self) -> Option<String> {
        self.reply.redirected_url.clone()
    }

    fn hides_headers(&self) -> bool {
        self.reply.hides_headers
    }

    async fn chunk(&mut self) -> Result<Option<MemoryBuffer>, Failure> {
        self.in_flight.0.arrive().await;
        if let Some(chunk) = self.reply.body.pop_front() {
            return Ok(Some(chunk.into()));
        }
        if matches!(self.reply.end, End::Silence) {
            std::future::pending::<()>().await;
        }
        self.in_flight.1 = true;
        if matches!(self.reply.end, End::Break) { Err(broken("the connection broke")) } else { Ok(None) }
    }
}

/// Ends at a time of the server's clock.
pub struct Timer(Server, f64);

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0.now() >= self.1 {
            return Poll::Ready(());
        }
        self.0.0.timers.borrow_mut().push(self.1);
        Poll::Pending
    }
}

impl Client for Server {
    type Buffer = MemoryBuffer;
    type Response = Body;
    type Host = Blocking;
    type Timer = Timer;

    fn send(&self, request: &Request<'_>) -> Sending<Body> {
        let received = Received {
            url: request.url.into(),
            headers: request.headers.to_vec(),
            follows_redirects: request.follows_redirects,
            at: self.now(),
        };
        self.0.requests.borrow_mut().push(received.clone());
        let in_flight = InFlight(self.clone(), false);
        Box::pin(async move {
            in_flight.0.arrive().await;
            match (in_flight.0.0.answers)(&received) {
                Answer::Response(reply) => Ok(Body { reply, in_flight }),
                Answer::Failure(reason) => {
                    in_flight.end();
                    Err(broken(reason))
                }
                Answer::Silence => std::future::pending().await,
            }
        })
    }

    fn probe(&self, _: &str) -> Option<Probe> {
        self.0.probes.set(self.probes() + 1);
        Some(Box::pin(std::future::ready(self.0.is_reachable_without_cors)))
    }

    fn timer(&self, milliseconds: f64, _: bool) -> Timer {
        Timer(self.clone(), self.now() + milliseconds)
    }

    fn random(&self) -> f64 {
        0.0
    }

    /// Dates of the tests are milliseconds of the server's clock: `at 500`.
    fn milliseconds_until(&self, date: &str) -> Option<f64> {
        Some(date.strip_prefix("at ")?.parse::<f64>().ok()? - self.now())
    }

    fn resolve(&self, url: &str, base: &str) -> Option<String> {
        match url {
            _ if url.starts_with('/') => Some(format!("{}{url}", origin(base))),
            _ => url.contains(':').then(|| url.to_string()),
        }
    }
}

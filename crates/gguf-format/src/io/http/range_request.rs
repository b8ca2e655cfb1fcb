//! Requesting one range, and receiving its bytes.

use alloc::string::String;
use core::ops::Range;

use super::client::{Client, Response};
use super::evaluate::BodyLength;
use super::exchange::{Answer, lost};
use super::fault::Fault;
use super::remote_file::{RangeRequest, RemoteFile};
use super::retries::is_temporary;
use crate::error::{Error, ErrorCode, error};
use crate::io::buffer::Buffer;

impl<C: Client> RemoteFile<C> {
    /// Requests a range.
    pub(super) fn request(&self, range: Range<u64>, url: String) -> RangeRequest<C> {
        let sent = self.exchange.send(url, Some(header_of(&range)));
        RangeRequest { range, sent }
    }

    /// Takes a response of the file's URL for its [first bytes](super::end_of_given). It is read up to the end of the header, and
    /// then cancelled.
    pub fn take_response(&self, response: C::Response, end: u64) {
        let sent = self.exchange.given(self.given_url.clone(), Some(header_of(&(0..end))), response);
        self.given_response.set(Some(RangeRequest { range: 0..end, sent }));
        self.is_given.set(true);
    }

    /// Waits for the head of the response, and checks whether the response brings the range.
    pub(super) async fn respond(&self, request: RangeRequest<C>) -> Result<(Answer<C>, BodyLength), Fault> {
        let RangeRequest { range, mut sent } = request;
        let answer = loop {
            let is_known_redirect = sent.url != self.given_url;
            let answer = self.exchange.respond(sent).await?;
            // Signed URLs expire, and the given URL leads to a new one.
            if !is_known_redirect || !matches!(answer.response.status(), 401 | 403 | 404 | 410) {
                break answer;
            }
            sent = self.request(range.clone(), self.given_url.clone()).sent;
        };
        let status = answer.response.status();
        if answer.lacks_headers && status >= 400 && status != 416 && !is_temporary(status) {
            self.check_withheld(&answer)?;
        }
        let length = self.evaluate(&range, &answer)?;
        self.redirected_url.replace(Some(answer.url.clone()).filter(|url| *url != self.given_url));
        Ok((answer, length))
    }

    /// Waits for the response to a request, and passes its bytes to `take` as they arrive.
    ///
    /// Returns true if `take` has returned true, which ends the response, and false if all bytes have arrived.
    pub(super) async fn receive(
        &self,
        request: RangeRequest<C>,
        take: &mut dyn FnMut(&C::Buffer) -> Result<bool, Error>,
    ) -> Result<bool, Fault> {
        let (answer, length) = self.respond(request).await?;
        let (url, mut received) = (answer.url.clone(), 0);
        let mut take = |chunk: &C::Buffer| {
            received += chunk.len();
            if received > length.most {
                let message = format!(
                    "the range cannot be used: the response is longer than the {} bytes that its headers announce",
                    length.most
                );
                return Err(self.bad_range(&message).into());
            }
            Ok(take(chunk)?)
        };
        let is_taken = self.exchange.receive(answer, &mut take).await?;
        if !is_taken && length.is_exact && received < length.most {
            let why = format!("{received} of {} bytes arrived", length.most);
            return Err(Fault::retry(lost(ErrorCode::Network, &url, &why)));
        }
        Ok(is_taken)
    }

    /// Fails if the server refuses a request that lacks headers of the caller.
    fn check_withheld(&self, answer: &Answer<C>) -> Result<(), Error> {
        let headers = self.exchange.options.headers.as_ref();
        let Some(names) = headers.and_then(|headers| headers.withheld()) else { return Ok(()) };
        let status = answer.response.status();
        Err(error!(HeadersWithheld:
            "the file cannot be read: the server responded with status {status} after a redirect to another origin. \
             These headers were not sent there, because they are meant for the origin of the given URL: {names}")
        .of_url(&answer.url, Some(status)))
    }
}

/// The header that requests a range.
fn header_of(range: &Range<u64>) -> (&'static str, String) {
    ("range", format!("bytes={}-{}", range.start, range.end - 1))
}

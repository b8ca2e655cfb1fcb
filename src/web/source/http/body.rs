//! Receiving the bytes of a response.

use alloc::format;

use wasm_bindgen::prelude::*;

use super::exchange::Request;
use super::fault::Fault;
use super::remote_file::RemoteFile;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::objects::as_object;
use crate::web::interop::streams::{Stream, StreamReader};
use crate::web::interop::timer::{ChunkCounter, Timer};

/// Bytes that have to arrive within `options.timeout`. A response with fewer counts as silent.
const LEAST_ARRIVAL: f64 = 1024.0;

impl RemoteFile {
    /// Waits for the response to a request, and passes its bytes to `take` as they arrive.
    ///
    /// Returns true if `take` has returned true, which ends the response, and false if all bytes have arrived.
    pub(super) async fn receive(
        &self,
        request: Request,
        take: &mut dyn FnMut(&Bytes) -> Result<bool, JsValue>,
    ) -> Result<bool, Fault> {
        let body = self.respond(request).await?;
        let mut received = 0;
        if let Some(stream) = as_object(&body.stream) {
            let lost = |error: JsValue| self.lost(&self.options.reason(&error)).because_of(self.options.cause(&error));
            let stream = StreamReader::new(stream.unchecked_ref::<Stream>()).map_err(lost)?;
            let (mut silence, mut arrived) = (Timer::new(self.options.timeout), 0.0);
            let mut chunks = ChunkCounter::default();
            loop {
                let chunk = match body.deadline.limit(silence.limit(stream.read())).await {
                    Some(Some(Ok(Some(chunk)))) => chunk,
                    Some(Some(Ok(None))) => break,
                    Some(Some(Err(error))) => return Err(lost(error)),
                    Some(None) => return Err(self.silent("it sent nothing, or less than 1 KiB,")),
                    None => return Err(self.too_slow().into()),
                };
                let chunk = Bytes::of(&chunk).ok_or_else(|| self.lost("its body has a chunk that is not bytes"))?;
                received += chunk.byte_length() as u64;
                if received > body.length.most {
                    let message = format!(
                        "the range cannot be used: the response is longer than the {} bytes that its headers announce",
                        body.length.most
                    );
                    return Err(self.bad_range(&message).into());
                }
                if take(&chunk)? {
                    return Ok(true);
                }
                arrived += chunk.byte_length();
                if arrived >= LEAST_ARRIVAL {
                    (silence, arrived) = (Timer::new(self.options.timeout), 0.0);
                }
                chunks.count().await;
            }
        }
        if body.length.is_exact && received < body.length.most {
            return Err(self.lost(&format!("{received} of {} bytes arrived", body.length.most)));
        }
        Ok(false)
    }
}

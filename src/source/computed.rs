//! A source that is computed from other sources: a planned file, a converted file, the parts of a file as one.

use alloc::boxed::Box;
use core::future::Future;
use core::ops::Range;
use core::pin::Pin;

use crate::interop::{Bytes, EventLoop};
use gguf_format::error::Result;
use gguf_format::io::Source;

/// A source that is computed from other sources, whatever its type: so no module contains the code of types that it does not make.
pub(crate) struct Computed(Box<dyn BoxedReads>);

impl Computed {
    pub fn new(source: impl Source<Buffer = Bytes> + 'static) -> Self {
        Self(Box::new(source))
    }
}

impl Source for Computed {
    type Buffer = Bytes;
    type Host = EventLoop;

    fn size(&self) -> Option<u64> {
        self.0.size()
    }

    async fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.0.read(range).await
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        self.0.origin(range)
    }

    fn bytes_at_once(&self) -> u64 {
        self.0.bytes_at_once()
    }
}

/// The methods of [`Source`]. The other sources can be computed, too, so the size of a future must not depend on itself: it is boxed.
trait BoxedReads {
    fn size(&self) -> Option<u64>;
    fn read(&self, range: Range<u64>) -> Pin<Box<dyn Future<Output = Result<Bytes>> + '_>>;
    fn origin(&self, range: Range<u64>) -> (usize, u64);
    fn bytes_at_once(&self) -> u64;
}

impl<S: Source<Buffer = Bytes>> BoxedReads for S {
    fn size(&self) -> Option<u64> {
        Source::size(self)
    }

    fn read(&self, range: Range<u64>) -> Pin<Box<dyn Future<Output = Result<Bytes>> + '_>> {
        Box::pin(Source::read(self, range))
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        Source::origin(self, range)
    }

    fn bytes_at_once(&self) -> u64 {
        Source::bytes_at_once(self)
    }
}

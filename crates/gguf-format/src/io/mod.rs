//! Reading files piece by piece, from any place that has their bytes.
//!
//! A [`Source`] has the bytes of a file, and a [`RangeReader`] reads ranges of it on behalf of several callers. Bytes stay in
//! [`Buffer`]s, where the host keeps them. What a host can do besides is a [`Host`].
//!
//! Everything is asynchronous, and knows no executor. Dropping a future is how work is aborted: it withdraws its requests,
//! and a read that nobody waits for any more is dropped, too.
//!
//! Examples: [`OpenedFile`](crate::OpenedFile), [`MemoryBuffer`].

#[cfg(feature = "std")]
mod blocking;
mod buffer;
mod chunks;
mod header_reader;
mod host;
pub mod http;
#[doc(hidden)]
pub mod memory;
mod progress;
mod range_reader;
mod source;
#[doc(hidden)]
pub mod turns;
mod window;

#[cfg(feature = "std")]
pub use blocking::{Blocking, FileSource, block_on};
pub use buffer::{Buffer, BufferBuilder};
pub use chunks::{Chunks, SourceChunks};
pub use header_reader::{HeaderProgress, HeaderReader, OnHeaderProgress};
pub use host::Host;
pub use memory::MemoryBuffer;
pub use progress::{OnProgress, ReadProgress};
pub use range_reader::{Merge, RangeReader, RequestedRange};
pub use source::Source;
#[doc(hidden)]
pub use turns::Turns;
#[doc(hidden)]
pub use window::{Window, WindowLimits};

//! Files of the file system, read on the calling thread.

use alloc::{boxed::Box, collections::VecDeque, sync::Arc, vec::Vec};
use core::cell::RefCell;
use core::future::Future;
use core::ops::Range;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};
use std::fs::File;
use std::path::Path;

use super::host::Host;
use super::memory::{MemoryBuffer, zeros};
use super::source::Source;
use crate::error::{Error, ErrorCode, Result};

type Task = Pin<Box<dyn Future<Output = ()>>>;

std::thread_local! {
    static TASKS: RefCell<VecDeque<Task>> = const { RefCell::new(VecDeque::new()) };
}

/// Runs asynchronous work on the calling thread until it is done, with all tasks that it starts.
///
/// It is for sources whose reads wait for nothing but other reads, as [`FileSource`]: it asks again and again, and never
/// sleeps.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return done;
        }
        for mut task in TASKS.take() {
            if task.as_mut().poll(&mut context).is_pending() {
                TASKS.with_borrow_mut(|tasks| tasks.push_back(task));
            }
        }
    }
}

/// The calling thread as a [`Host`]: see [`block_on`].
pub struct Blocking;

impl Host for Blocking {
    fn spawn(task: impl Future<Output = ()> + 'static) {
        TASKS.with_borrow_mut(|tasks| tasks.push_back(Box::pin(task)));
    }

    async fn end_of_turn() {}

    async fn next_turn() {}
}

/// A file of the file system.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    size: u64,
}

impl FileSource {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// `read-failed` if the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |cause| read_failed(&format!(" {}", path.display()), cause);
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        Ok(Self { file, size })
    }

    /// The bytes of a range, up to the end of the file.
    pub(crate) fn read_at(&self, range: Range<u64>) -> Result<Vec<u8>> {
        let mut bytes = zeros(range.end.min(self.size).saturating_sub(range.start))?;
        read_exact_at(&self.file, &mut bytes, range.start).map_err(|cause| read_failed("", cause))?;
        Ok(bytes)
    }
}

impl Source for FileSource {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        Ok(self.read_at(range)?.into())
    }
}

/// A file that several readers share.
impl Source for Arc<FileSource> {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        Ok(self.read_at(range)?.into())
    }
}

/// Reads at a position. Threads that share the file do not disturb each other.
#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], position: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, position)
}

/// Reads at a position. Threads that share the file take turns, because the position belongs to the file.
#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], position: u64) -> std::io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    file.seek(SeekFrom::Start(position))?;
    file.read_exact(bytes)
}

fn read_failed(path: &str, cause: std::io::Error) -> Error {
    let message =
        format!("the file{path} could not be read: {cause}. Check that it is there and that you may read it.");
    Error::new(ErrorCode::ReadFailed, message).caused_by(Arc::new(cause))
}

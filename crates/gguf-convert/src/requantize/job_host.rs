//! Who runs jobs: the calling thread, threads, or workers of a page.

use alloc::rc::Rc;
use core::cell::RefCell;
use core::future::{Future, ready};

use super::job::{ConversionJob, JobOutcome, Quantizers};
use gguf_format::error::Result;
use gguf_format::io::Buffer;

/// Runs jobs. Several can be in flight, and they can end in any order.
pub trait JobHost<B: Buffer>: 'static {
    /// Starts a job. Dropping the future withdraws it.
    ///
    /// # Errors
    ///
    /// As [`ConversionJob::run`], or if a worker fails.
    fn run(&self, job: ConversionJob<B>) -> impl Future<Output = Result<JobOutcome<B>>> + 'static;

    /// The number of jobs that can run at the same time.
    fn jobs_at_once(&self) -> usize;
}

/// Runs jobs on the calling thread.
#[derive(Clone, Debug, Default)]
pub struct CallingThread {
    quantizers: Rc<RefCell<Quantizers>>,
}

impl<B: Buffer> JobHost<B> for CallingThread {
    fn run(&self, job: ConversionJob<B>) -> impl Future<Output = Result<JobOutcome<B>>> + 'static {
        ready(job.run(&mut self.quantizers.borrow_mut()))
    }

    fn jobs_at_once(&self) -> usize {
        1
    }
}

//! Threads that convert rows.

use alloc::sync::Arc;
use core::future::{Future, poll_fn};
use core::task::Poll;
use core::time::Duration;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use super::job_host::JobHost;
use crate::requantize::job::{ConversionJob, JobOutcome, Quantizers};
use gguf_format::error::{Result, error};
use gguf_format::io::MemoryBuffer;

type Outcome = Result<JobOutcome<MemoryBuffer>>;
type Order = (ConversionJob<MemoryBuffer>, Sender<Outcome>);

/// How long the calling thread waits for one job before it looks after the others.
const PATIENCE: Duration = Duration::from_millis(1);

/// Runs jobs on threads. They end when it is dropped.
#[derive(Debug)]
pub struct Threads {
    orders: Sender<Order>,
    count: usize,
}

impl Threads {
    /// Starts `count` threads, at least one.
    pub fn new(count: usize) -> Self {
        let (orders, receiver) = channel::<Order>();
        let receiver = Arc::new(Mutex::new(receiver));
        let count = count.max(1);
        for _ in 0..count {
            let receiver = receiver.clone();
            thread::spawn(move || work(&receiver));
        }
        Self { orders, count }
    }
}

/// Does jobs until no more can arrive.
fn work(orders: &Mutex<Receiver<Order>>) {
    let mut quantizers = Quantizers::default();
    loop {
        let order = match orders.lock() {
            Ok(orders) => orders.recv(),
            Err(_) => return,
        };
        let Ok((job, answer)) = order else { return };
        // The caller may have dropped its future.
        let _ = answer.send(job.run(&mut quantizers));
    }
}

impl JobHost<MemoryBuffer> for Threads {
    fn run(&self, job: ConversionJob<MemoryBuffer>) -> impl Future<Output = Outcome> + 'static {
        let (sender, receiver) = channel();
        let failed = || Err(error!(Internal: "a thread that converts rows has ended"));
        let is_ordered = self.orders.send((job, sender)).is_ok();
        poll_fn(move |context| match receiver.recv_timeout(PATIENCE) {
            Ok(outcome) => Poll::Ready(outcome),
            Err(RecvTimeoutError::Timeout) if is_ordered => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Err(_) => Poll::Ready(failed()),
        })
    }

    fn jobs_at_once(&self) -> usize {
        self.count
    }
}

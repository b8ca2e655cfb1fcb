//! What a host can do besides reading.

use core::future::Future;

/// The host of asynchronous work: an event loop with tasks and timers.
pub trait Host: 'static {
    /// Starts a task of its own.
    fn spawn(task: impl Future<Output = ()> + 'static);

    /// Waits until the code that runs in this turn of the event loop has run. Requests that it makes can then join.
    fn end_of_turn() -> impl Future<Output = ()>;

    /// Lets the event loop handle its timers and events.
    fn next_turn() -> impl Future<Output = ()>;
}

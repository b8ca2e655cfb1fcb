//! What a host can do besides reading.

use core::future::{Future, ready};

use crate::error::{Result, error};

/// The host of asynchronous work: an event loop with tasks and timers.
pub trait Host: 'static {
    /// Starts a task of its own.
    fn spawn(task: impl Future<Output = ()> + 'static);

    /// Waits until the code that runs in this turn of the event loop has run. Requests that it makes can then join.
    fn end_of_turn() -> impl Future<Output = ()>;

    /// Lets the event loop handle its timers and events.
    fn next_turn() -> impl Future<Output = ()>;

    /// Loads what [`convert_foreign`](Self::convert_foreign) needs. It is called before each use of it.
    ///
    /// # Errors
    ///
    /// What loading fails with.
    fn load_foreign() -> impl Future<Output = Result<()>> {
        ready(Ok(()))
    }

    /// Converts rows of a tensor type of another program than ggml: a row of [`FORK_TYPES`](crate::format::FORK_TYPES), by its
    /// name. `rows` are whole groups of rows of `columns` elements, which become as many numbers as `elements` has. It is called
    /// only if this crate was built without the kernels of these types, its feature `fork-kernels`.
    ///
    /// # Errors
    ///
    /// `unknown-type` if the host cannot convert the type.
    fn convert_foreign(type_name: &str, columns: usize, rows: &[u8], elements: &mut [f32]) -> Result<()> {
        let _ = (columns, rows, elements);
        Err(error!(UnknownType: "elements of type {type_name} cannot be read: no kernel converts it"))
    }
}

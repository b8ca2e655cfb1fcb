//! A planned file: new bytes, and ranges that are copied from other files.
//!
//! An edit changes few bytes of a file. A [`WritePlan`] holds only the new bytes in memory. All other bytes are ranges of the
//! original file, which are read when the planned file is written. So a plan takes little memory, however large the file is.

mod builder;
mod segment;
mod write_plan;

#[doc(hidden)]
pub use builder::{MAX_PADDING, PlanBuilder};
pub use segment::{Part, Segment};
pub use write_plan::{Parts, WritePlan};

//! The JavaScript API of conversions to other tensor types: `requantize`, `ConversionPlan` and `Imatrix`, and the jobs that workers do for
//! them.

mod error_estimate;
mod given_models;
mod imatrix;
mod job_message;
mod options;
mod plan;
mod plan_model;
mod stream;
mod workers;

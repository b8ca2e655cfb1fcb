//! The JavaScript API of conversions: `requantize`, `ConversionPlan` and `Imatrix`, and the jobs that workers do for them; `openLegacy`,
//! `LegacyModel` and `MigrationPlan`.

mod imatrix;
mod job_message;
mod legacy;
mod models;
mod plan;
mod requantize;
mod requantize_options;
mod stream;
mod workers;

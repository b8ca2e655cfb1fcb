//! Jobs and their outcomes as messages between threads. `rows` and `bytes` are transferred.

use core::cell::RefCell;

use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AnyObject, Bytes, JsArray, Record, as_object, failure};
use gguf_convert::requantize::{ConversionJob, ConvertedRows, InvalidRow, JobOutcome, QuantizationError, Quantizers};
use gguf_format::format::ggml_type::GgmlType;

std::thread_local! {
    /// The quantizers of a worker. The tables of some of them take a tenth of a second to compute.
    static QUANTIZERS: RefCell<Quantizers> = RefCell::default();
}

/// A job as a message.
pub(super) fn to_message(job: &ConversionJob<Bytes>) -> Result<JsValue, Thrown> {
    let importance =
        job.importance.as_ref().map_or(JsValue::UNDEFINED, |values| Float32Array::from(&values[..]).into());
    // Memory that is transferred is gone. So memory that others use, such as that of the caller, is copied.
    let rows = match job.owns_rows && job.rows.is_whole_buffer() {
        true => job.rows.clone(),
        false => job.rows.slice(0.0, job.rows.byte_length())?,
    };
    Ok(Record::new()
        .value("rows", &rows)
        .number("sourceType", f64::from(job.source_type.0))
        .number("targetType", f64::from(job.target_type.0))
        .number("rowLength", job.row_length as f64)
        .value("isBigEndian", &job.is_big_endian.into())
        .value("measuresError", &job.measures_error.into())
        .value("importance", &importance)
        .done())
}

/// The outcome of a job that a worker has returned.
pub(super) fn outcome_of(message: &JsValue) -> Result<JobOutcome<Bytes>, Thrown> {
    let members = as_object(message).ok_or_else(broken)?;
    if let Some(block) = members.get("invalidBlock")?.as_f64() {
        let is_source = members.get("isSource")?.is_truthy();
        return Ok(JobOutcome::Invalid(InvalidRow { block: block as u64, is_source }));
    }
    let error = members.present("error")?.map(|sums| {
        let sums: JsArray = sums.unchecked_into();
        let sum = |at| sums.get(at).as_f64().unwrap_or_default();
        QuantizationError::new(sum(0), sum(1))
    });
    let bytes = Bytes::of(&members.get("bytes")?).ok_or_else(broken)?;
    Ok(JobOutcome::Converted(ConvertedRows::new(Some(bytes), error)))
}

/// Does a job in a worker. Only `worker.js` and `worker.node.js` call it.
#[wasm_bindgen(js_name = runJob, skip_typescript)]
pub fn run_job(message: &JsValue) -> Result<JsValue, Thrown> {
    let members = as_object(message).ok_or_else(broken)?;
    let rows = Bytes::of(&members.get("rows")?).ok_or_else(broken)?;
    let type_of = |name: &str| Ok::<_, Thrown>(GgmlType(number(members, name)? as u32));
    let importance = members.present("importance")?;
    let length = number(members, "rowLength")? as usize;
    let mut job = ConversionJob::new(rows.clone(), length, type_of("sourceType")?, type_of("targetType")?);
    job.is_big_endian = members.get("isBigEndian")?.is_truthy();
    job.measures_error = members.get("measuresError")?.is_truthy();
    job.ignores_importance = members.get("ignoresImportance")?.is_truthy();
    job.importance = importance.map(|values| values.unchecked_into::<Float32Array>().to_vec().into());
    let outcome = QUANTIZERS.with_borrow_mut(|quantizers| job.run(quantizers))?;
    Ok(match outcome {
        JobOutcome::Invalid(InvalidRow { block, is_source }) => {
            Record::new().number("invalidBlock", block as f64).value("isSource", &is_source.into()).done()
        }
        JobOutcome::Converted(converted) => {
            let message = Record::new().value("bytes", &converted.bytes.unwrap_or(rows));
            match converted.error {
                // `tensor-trial.js` names the sums.
                Some(error) => {
                    let sums = JsArray::new();
                    let weighted = [error.weighted_difference, error.weighted_sum];
                    for sum in [error.squared_difference, error.squared_sum, weighted[0], weighted[1]] {
                        sums.push(&sum.into());
                    }
                    message.value("error", &sums).done()
                }
                None => message.done(),
            }
        }
    })
}

fn number(members: &AnyObject, name: &str) -> Result<f64, Thrown> {
    members.get(name)?.as_f64().ok_or_else(broken)
}

#[cold]
fn broken() -> Thrown {
    failure!(Internal: "a message between a worker and its page has another form than expected")
}

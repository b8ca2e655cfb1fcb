//! Conversions give the bytes that `llama-quantize` wrote in the recorded runs.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::rc::Rc;

use gguf_convert::requantize::{ConversionJob, JobHost, JobOutcome, Plan, PlannedTensor, Quantizers};
use gguf_format::io::{Chunks, FileSource, MemoryBuffer, block_on};
use gguf_format::{GgmlType, Result};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::runs::{self, Matrices, Run};
use crate::long::in_long;

/// A host that runs equal jobs once: the runs convert the same tensors again and again.
#[derive(Clone, Default)]
struct Remembering(Rc<Remembered>);

#[derive(Default)]
struct Remembered {
    quantizers: RefCell<Quantizers>,
    outcomes: RefCell<HashMap<Key, JobOutcome<MemoryBuffer>>>,
}

type Key = ([u8; 32], GgmlType, GgmlType, usize);

impl JobHost<MemoryBuffer> for Remembering {
    fn run(
        &self,
        job: ConversionJob<MemoryBuffer>,
    ) -> impl Future<Output = Result<JobOutcome<MemoryBuffer>>> + 'static {
        let mut hash = Sha256::new();
        hash.update(job.rows.as_slice());
        hash.update([u8::from(job.importance.is_some())]);
        job.importance.iter().flat_map(|values| values.iter()).for_each(|value| hash.update(value.to_le_bytes()));
        let key = (hash.finalize().into(), job.source_type, job.target_type, job.row_length);
        if let Some(outcome) = self.0.outcomes.borrow().get(&key) {
            return ready(Ok(outcome.clone()));
        }
        let outcome = job.run(&mut self.0.quantizers.borrow_mut());
        if let Ok(outcome) = &outcome {
            self.0.outcomes.borrow_mut().insert(key, outcome.clone());
        }
        ready(outcome)
    }

    fn jobs_at_once(&self) -> usize {
        2
    }
}

/// Converts a file of a plan.
pub fn convert<H: JobHost<MemoryBuffer>>(
    plan: &Plan<FileSource>,
    file: usize,
    from: Option<usize>,
    host: &Rc<H>,
) -> Result<Vec<u8>> {
    let mut conversion = plan.conversion(file, from, host.clone())?;
    let mut bytes = Vec::new();
    while let Some(chunk) = block_on(conversion.next_chunk())? {
        bytes.extend_from_slice(chunk.as_slice());
        assert_eq!(conversion.progress().bytes_written, bytes.len() as u64);
    }
    let progress = conversion.progress();
    assert_eq!((progress.bytes_written, progress.tensors_done), (progress.total_bytes, progress.tensor_count));
    Ok(bytes)
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares a converted file with the recorded one.
fn compare(
    run: &Run,
    output: &Json,
    plan: &Plan<FileSource>,
    bytes: &[u8],
    tensors: &[PlannedTensor],
    lines: &mut Vec<String>,
) {
    let mut check = |what: &str, found: &str, expected: &Json| {
        if Some(found) != expected.as_str() {
            lines.push(format!("{}: {what} is {found}, expected {expected}", run.id()));
        }
    };
    let recorded = output["tensors"].as_array().unwrap();
    assert_eq!(recorded.len(), tensors.len(), "{}", run.id());
    for (tensor, recorded) in tensors.iter().zip(recorded) {
        let row = &plan.recipe().rows()[tensor.row];
        check("a tensor", &row.name, &recorded[0]);
        check(&row.name, &row.new_type.to_string(), &recorded[1]);
        let data = &bytes[tensor.position as usize..][..tensor.byte_length as usize];
        let hash = run.hash_of(recorded);
        if !hash.is_null() {
            check(&row.name, &sha256(data), hash);
        }
    }
    let header = gguf_format::parse(bytes).unwrap();
    for (tensor, info) in tensors.iter().zip(header.tensors()) {
        let place = (info.file_offset(), info.byte_length());
        assert_eq!(place, (Some(tensor.position), Some(tensor.byte_length)), "{}: {}", run.id(), info.name());
        assert!(info.offset().is_multiple_of(header.alignment()), "{}: {}", run.id(), info.name());
    }
    if run.is_different_on_purpose() {
        return;
    }
    check("the file", &sha256(bytes), &output["sha256"]);
    assert_eq!(output["size"].as_u64(), Some(bytes.len() as u64), "{}", run.id());
    let Some(key_list) = output["kv_order"].as_u64() else { return };
    let keys: Vec<_> = header.metadata().map(|entry| entry.key().to_string()).collect();
    let expected = run.index["key_lists"][key_list as usize].as_array().unwrap();
    assert!(
        keys.iter().map(String::as_str).eq(expected.iter().map(|key| key.as_str().unwrap())),
        "{}: {keys:?}",
        run.id()
    );
}

/// Whether a run is part of a short test: a few of each model, without the types whose quantizers are slow.
fn is_quick(number: usize, run: &Run) -> bool {
    let name = run.target().to_lowercase();
    let is_slow = ["iq1", "iq2", "iq3", "q2_k_s"].iter().any(|slow| name.starts_with(slow));
    run.source().starts_with("tiny") || ((number.is_multiple_of(4) || run.is_later) && !is_slow)
}

#[test]
fn files_are_those_of_the_recorded_runs() {
    let Some((folder, runs)) = runs::all() else { return };
    let (mut matrices, mut models, mut lines) = (Matrices::default(), BTreeMap::new(), Vec::new());
    let host = Rc::new(Remembering::default());
    let (mut compared, mut refused) = (0, 0);
    for (_, run) in runs.iter().enumerate().filter(|(number, run)| in_long(true, is_quick(*number, run))) {
        let is_refused = !run.has_succeeded();
        if run.has_option("--dry-run") || run.has("changed_2026_08") {
            continue;
        }
        let files = models.entry(run.source().to_string()).or_insert_with(|| runs::model(&folder, run.source()));
        let plan = run.options(&folder, &mut matrices).and_then(|options| Plan::new(files.clone(), options));
        let converted = plan.and_then(|plan| {
            let files = 0..plan.recipe().files().len();
            let bytes = files.map(|file| convert(&plan, file, None, &host)).collect::<Result<Vec<_>>>()?;
            Ok((plan, bytes))
        });
        match converted {
            Err(error) if is_refused => {
                let is_known = [
                    "invalid-argument",
                    "needs-imatrix",
                    "bad-imatrix",
                    "incomplete-set",
                    "invalid-data",
                    "read-failed",
                ];
                assert!(is_known.contains(&error.code().name()), "{}: {error}", run.id());
                refused += 1;
            }
            Err(error) => lines.push(format!("{}: {error}", run.id())),
            Ok(_) if is_refused => lines.push(format!("{}: was refused: {}", run.id(), run.json["message"])),
            Ok((plan, files)) => {
                for (number, (bytes, output)) in files.iter().zip(run.outputs()).enumerate() {
                    assert_eq!(bytes.len() as u64, plan.recipe().files()[number].size, "{}", run.id());
                    compare(run, output, &plan, bytes, &plan.tensors(number), &mut lines);
                }
                compared += 1;
            }
        }
    }
    let count = lines.len();
    lines.truncate(40);
    assert!(lines.is_empty(), "{count} differences:\n{}", lines.join("\n"));
    assert!(compared > in_long(250, 60) && refused > 20, "{compared} runs were compared, {refused} were refused");
}

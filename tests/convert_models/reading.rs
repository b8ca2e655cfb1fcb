//! A converted model can be read in any pieces, and converted to other types without writing it.

use std::rc::Rc;

use gguf_convert::model::ModelPlan;
use gguf_convert::requantize::{CallingThread, Options, Plan, Target};
use gguf_format::io::{Chunks, FileSource, MemoryBuffer, Source, block_on};
use gguf_format::{Limits, OpenedFile};
use serde_json::Value as Json;

use super::bytes::Bytes;
use super::folder::{index, plan};

/// The runs of some models.
fn runs_of<'a>(index: &'a Json, folders: &'a [&str]) -> impl Iterator<Item = (&'a Json, &'a Json)> {
    let models = index["models"].as_array().unwrap().iter();
    let wanted = models.filter(|model| folders.iter().any(|name| model["folder"].as_str().unwrap().ends_with(name)));
    wanted.flat_map(|model| {
        let runs = model["runs"].as_array().unwrap().iter().filter(|run| run["exit"] == 0);
        runs.map(move |run| (model, run))
    })
}

/// Checks that the file is the same in pieces of any size.
pub fn assert_any_range(plan: &ModelPlan<FileSource>, id: &Json) {
    let whole = block_on(plan.file().read(0..plan.size())).unwrap();
    let whole = whole.as_slice();
    for length in [997, 64 << 10] {
        let mut start = 0;
        while start < plan.size() {
            let part = block_on(plan.file().read(start..start + length)).unwrap();
            let end = (start + length).min(plan.size());
            assert_eq!(part.as_slice(), &whole[start as usize..end as usize], "{} at {start}", id);
            start = end;
        }
    }
    for start in [0, 12_345] {
        let (mut chunks, mut read) = (plan.file().chunks(start), Vec::new());
        while let Some(chunk) = block_on(chunks.next_chunk()).unwrap() {
            read.extend_from_slice(chunk.as_slice());
        }
        assert_eq!(read, &whole[start as usize..], "{} from {start} on", id);
    }
    let planned = plan.planned_file().unwrap();
    let (mut chunks, mut read) = (planned.chunks(0), Vec::new());
    while let Some(chunk) = block_on(chunks.next_chunk()).unwrap() {
        read.extend_from_slice(chunk.as_slice());
    }
    assert_eq!(read, whole, "{} as a planned file", id);
}

#[test]
fn any_range_of_the_file_is_that_of_the_whole_file() {
    let Some((folder, index)) = index() else { return };
    // Transposed, repacked, interleaved, regrouped, stacked and scaled tensors.
    let models = [
        "gpt2-odd-rows",
        "gpt-oss-tiny",
        "gpt-oss-bf16",
        "DeepSeek-V3-tiny",
        "falcon-new-decoder",
        "pythia-tiny",
        "qwen3-fp8",
    ];
    let mut count = 0;
    for (model, run) in runs_of(&index, &models) {
        let plan = plan(&folder, model, run).unwrap();
        assert_any_range(&plan, &run["id"]);
        count += 1;
    }
    assert!(count > 15, "the corpus is not whole: {count} runs");
}

/// The file in another type.
fn requantized<S: Source<Buffer = MemoryBuffer>>(file: OpenedFile<S>) -> Vec<u8> {
    let plan = Plan::new(vec![Rc::new(file)], Options::new(Target::parse("Q4_K_M").unwrap())).unwrap();
    let mut conversion = plan.conversion(0, None, Rc::new(CallingThread::default())).unwrap();
    let mut written = Vec::new();
    while let Some(chunk) = block_on(conversion.next_chunk()).unwrap() {
        written.extend_from_slice(chunk.as_slice());
    }
    written
}

#[test]
fn a_converted_model_is_requantized_as_the_written_file_is() {
    let Some((folder, index)) = index() else { return };
    let has_type =
        |run: &Json| run["args"].as_array().unwrap().iter().any(|argument| argument == "f32" || argument == "f16");
    let mut count = 0;
    for (model, run) in runs_of(&index, &["ternary-llama", "llama3-style"]).filter(|(_, run)| has_type(run)) {
        let plan = plan(&folder, model, run).unwrap();
        let written = block_on(plan.file().read(0..plan.size())).unwrap().as_slice().to_vec();
        let written = block_on(OpenedFile::open(Bytes(Rc::new(written)), Limits::default())).unwrap();
        assert!(requantized(plan.opened().unwrap()) == requantized(written), "{}", run["id"]);
        count += 1;
    }
    assert!(count > 2, "the corpus is not whole: {count} runs");
}

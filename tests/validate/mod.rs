//! The findings of `validate`: for the corpus, for files with exactly one fault, and for hostile files.

mod architectures;
mod corpus_files;
mod entries;
mod file_names;
mod file_size;
mod file_types;
mod fixes;
mod fixes_of_broken_files;
mod image_models;
mod key_names;
mod key_types;
mod llama_cpp_loader;
mod loads;
mod many;
mod model_tensors;
mod models;
mod producers;
mod shards;
mod table;
mod tensors;
mod test_file;
mod text;
mod tokenizer;
mod versions;
mod work;

use std::collections::BTreeSet;

use gguf_models::validate::{Finding, Subject, validate};

fn codes(findings: &[Finding]) -> BTreeSet<&'static str> {
    findings.iter().map(|finding| finding.check.code()).collect()
}

/// The findings of a file. Their fixes are applied, and checked too.
fn validate_file(file: &[u8]) -> Vec<Finding> {
    let header = gguf_format::parse(file).unwrap();
    let findings = validate(&header, Some(file.len() as u64));
    fixes::check_fixes(header, Some(file.len() as u64), &findings);
    findings
}

/// The position of the tensor that a finding is about.
fn tensor_of(finding: &Finding) -> usize {
    match finding.subject {
        Some(Subject::Tensor(index)) => index,
        _ => panic!("{finding:?} is not about a tensor"),
    }
}

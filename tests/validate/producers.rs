//! Files as twenty programs write them: what each is, which programs take it, and that no advice would break it.

use std::collections::BTreeSet;
use std::fmt::Write;

use gguf_models::kind::classify;
use gguf_models::programs::programs;
use gguf_models::validate::{CHECKS, DescribedFinding, LoadAnswer, Severity, described_findings};
use regex_lite::Regex;
use serde_json::Value as Json;

use crate::corpus;

/// Rows about types of forks, about containers and about files that are not GGUF: what reads those is tested elsewhere.
const NOT_HERE: &[&str] = &[
    "bert.llamafile",
    "bitnet-b1.58-2B-4T-i2_s.gguf",
    "bitnet-large-tl2-id39.gguf",
    "ik-all-types.gguf",
    "ik-tiny-llama-IQ2_KT.gguf",
    "ik-tiny-llama-IQ4_K.gguf",
    "prismml-q2_0-g128.gguf",
    "turboquant-TQ4_1S.gguf",
    "whisper.cpp-ggml-tiny.bin",
    "whisper.cpp-parakeet-ggml.bin",
];

/// The names of kinds in the index, and the names of this crate.
const KINDS: &[(&str, &str)] = &[
    ("text-model", "model"),
    ("type-sample", "model"),
    ("diffusion", "image-diffusion"),
    ("projector", "mmproj"),
    ("tts", "text-to-speech"),
    ("lora", "adapter"),
];

/// Rows that are smaller than the rule by which a program knows the model: the program and its answer are those of a whole one.
const SMALLER_THAN_A_RULE: &[(&str, &str)] = &[("sdcpp-v1-5-pruned-emaonly.q8_0.gguf", "ComfyUI-GGUF")];

fn strings<'a>(row: &'a Json, member: &str) -> impl Iterator<Item = &'a str> {
    row[member].as_array().into_iter().flatten().filter_map(Json::as_str)
}

#[test]
fn every_file_is_what_its_row_says() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("producers");
    let index = corpus::json(&folder.join("index.json"));
    let rows = index["files"].as_array().unwrap();
    let mut wrong = String::new();
    for row in rows {
        let file = row["file"].as_str().unwrap();
        if NOT_HERE.contains(&file) {
            continue;
        }
        let bytes = corpus::read(&folder.join(file));
        let size = Some(bytes.len() as u64);
        let header = std::sync::Arc::new(gguf_format::parse(&bytes).unwrap());
        let found = classify(&header);
        let mut fault = |what: &str, is: &dyn std::fmt::Debug, expected: &dyn std::fmt::Debug| {
            writeln!(wrong, "{file}: {what} is {is:?}, expected {expected:?}").unwrap();
        };

        let kind = row["kind"].as_str().unwrap();
        let kind = KINDS.iter().find(|(own, _)| *own == kind).map_or(kind, |(_, name)| name);
        if found.kind.name() != kind {
            fault("kind", &found.kind.name(), &kind);
        }
        if found.family.as_deref() != row["family"].as_str() {
            fault("family", &found.family, &row["family"]);
        }
        if found.blocks != row["blocks"].as_u64() {
            fault("blocks", &found.blocks, &row["blocks"]);
        }
        if Some(header.parameter_count()) != row["parameters"].as_u64() {
            fault("parameters", &header.parameter_count(), &row["parameters"]);
        }

        let programs = programs(&header, size);
        let loads = |name: &str| programs.programs.iter().any(|p| p.program == name && p.answer == LoadAnswer::Yes);
        for program in strings(row, "loadedBy") {
            let name = program.split(" (compat").next().unwrap();
            let is_smaller = SMALLER_THAN_A_RULE.contains(&(file, name));
            if loads(name) == is_smaller {
                fault("a program that loads it", &programs.programs, &name);
            }
        }

        let findings = described_findings(&header, size, Some(file));
        let advice = |code: &str| CHECKS.iter().find(|info| info.code == code).unwrap().advice;
        let text = |finding: &DescribedFinding| format!("{} {}", finding.message, advice(finding.code));
        let texts: Vec<String> = findings.iter().map(text).collect();
        for pattern in strings(row, "mustNotSay") {
            for (finding, text) in findings.iter().zip(&texts) {
                let (severity, code) = (finding.severity, finding.code);
                let is_said = match pattern.split_once(' ') {
                    Some(("error", "*")) => severity == Severity::Error,
                    Some((own, own_code)) if own == severity.name() => code == own_code,
                    Some(("error" | "warning", _)) => false,
                    _ => Regex::new(pattern).unwrap().is_match(text),
                };
                if is_said {
                    fault("a finding", &(code, text), &format!("not {pattern}"));
                }
            }
        }
        let mut said = vec![found.title.to_owned(), found.description.to_owned(), programs.sentence.clone()];
        said.extend(found.evidence);
        said.extend(programs.programs.iter().filter_map(|program| program.reason.clone()));
        said.extend(texts);
        said.extend(findings.iter().filter_map(|finding| finding.key.clone().or_else(|| finding.tensor.clone())));
        for pattern in strings(row, "mustSay") {
            let pattern = Regex::new(pattern).unwrap();
            if !said.iter().any(|text| pattern.is_match(text)) {
                fault("what is said", &said, &pattern.as_str());
            }
        }
        if std::env::var_os("SHOW_PRODUCERS").is_some() {
            println!(
                "{file}: {} [{}]",
                programs.sentence,
                found.parts.iter().map(|part| part.name()).collect::<Vec<_>>().join(" ")
            );
            for finding in &findings {
                println!("    {:?} {} {:?} {}", finding.severity, finding.code, finding.key, finding.message);
            }
        }
    }
    let names: BTreeSet<_> = rows.iter().filter_map(|row| row["file"].as_str()).collect();
    assert!(NOT_HERE.iter().all(|name| names.contains(name)), "a name that is not in the index");
    assert!(wrong.is_empty(), "\n{wrong}");
}

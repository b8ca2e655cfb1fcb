//! The name of the file, compared with its header.

use gguf_format::{GgmlType, Header};
use gguf_models::file_name::{FileNameRule, parse_file_name, suggested_file_name};
use gguf_models::validate::{Check, Finding, Severity, validate_named};

use crate::corpus;
use crate::validate::test_file::TestFile;

fn header(file: &TestFile<'_>) -> Header {
    gguf_format::parse(&file.encode().0).unwrap()
}

/// A model with 131,072 parameters as Q8_0.
fn model() -> TestFile<'static> {
    TestFile::with(b"general.file_type", 7u32)
        .entry(b"general.quantization_version", 2u32)
        .tensor(b"blk.0.ffn_up.weight", &[1024, 128], GgmlType::Q8_0, 0)
        .data(139_264)
}

fn findings(file: &TestFile<'_>, name: &str) -> Vec<Finding> {
    validate_named(&header(file), None, name)
}

#[track_caller]
fn assert_only(file: &TestFile<'_>, name: &str, check: Check, message: &str) {
    let [finding] = &findings(file, name)[..] else { panic!("{name}: {:?}", findings(file, name)) };
    assert_eq!((finding.check, &*finding.message), (check, message), "{name}");
    assert_eq!((finding.subject, finding.offset, &finding.fix), (None, None, &None));
}

#[test]
fn a_name_that_says_what_the_file_is_has_no_findings() {
    for name in [
        "Tiny-0.1M-v1.0-Q8_0.gguf",
        "Tiny-0.1M-Q8_0.gguf",
        "Tiny-0.2M-Chat-v1.0.gguf",
        "Tiny-4k-v1.0-Q8_0.gguf",
        // The parts that no file type is named after.
        "Tiny-0.1M-v1.0-MXFP4.gguf",
    ] {
        assert_eq!(findings(&model(), name), [], "{name}");
    }
    let suggested = suggested_file_name(&header(&model()));
    assert_eq!(findings(&model(), &suggested), [], "{suggested}");
}

#[test]
fn a_name_without_the_convention_has_one_remark() {
    // Without a version the name of the metadata is not conventional.
    let of_metadata = " The metadata gives the name \"ggml-model-131K-Q8_0.gguf\".";
    for name in ["model.gguf", "ggml-model-q8_0.gguf", "Tiny.Q8_0.gguf", "x", ""] {
        let problems = parse_file_name(name).problems;
        let rule = problems.iter().find(|problem| problem.rule != FileNameRule::VersionMissing).unwrap();
        let message = format!("the name does not follow the naming convention. {}{of_metadata}", rule.message);
        assert_only(&model(), name, Check::UnconventionalFileName, &message);
    }
    let message = "the name does not follow the naming convention. There is no size label. Add the number of parameters after \
         the base name, such as 7B or 8x7B. The metadata gives the name \"Tiny-131K-v1.0-Q8_0.gguf\".";
    let versioned = || model().entry(b"general.basename", "Tiny").entry(b"general.version", "v1.0");
    assert_only(&versioned(), "model.gguf", Check::UnconventionalFileName, message);
    assert_eq!(Check::UnconventionalFileName.severity(), Severity::Info);
    let long = "long".repeat(50);
    let message = "the name does not follow the naming convention. There is no size label. Add the number of parameters after \
         the base name, such as 7B or 8x7B.";
    assert_only(&model().entry(b"general.name", &*long), "model.gguf", Check::UnconventionalFileName, message);
}

#[test]
fn an_encoding_that_the_tensors_contradict_is_found() {
    let message =
        |name| format!("the name says that the encoding is {name}, but the tensors have other types. Rename the file.");
    for (name, encoding) in [
        ("Tiny-0.1M-v1.0-Q4_K_M.gguf", "Q4_K_M"),
        ("tiny.q4_k_m.gguf", "Q4_K_M"),
        ("Tiny-0.1M-v1.0-F16.gguf", "F16"),
        ("tiny-fp16.gguf", "F16"),
        ("ggml-model-q4_0.gguf", "Q4_0"),
    ] {
        assert_only(&model(), name, Check::FileNameContradiction, &message(encoding));
    }
    assert_eq!(Check::FileNameContradiction.severity(), Severity::Warning);
    // Mixtures of a publisher have no file type.
    assert_eq!(findings(&model(), "Tiny-0.1M-v1.0-Q4_K_XL.gguf"), []);
}

#[test]
fn a_size_that_the_tensors_contradict_is_found() {
    for size in ["7B", "1.5M", "8x7B", "30B-A3B"] {
        let message =
            format!("the name says that the size is {size}, but the tensors have 131K parameters. Rename the file.");
        assert_only(&model(), &format!("Tiny-{size}-v1.0-Q8_0.gguf"), Check::FileNameContradiction, &message);
    }
    for size in ["0.1M", "0.2M", "8x0.1M", "4x0.2M", "128k", "7K"] {
        assert_eq!(findings(&model(), &format!("Tiny-{size}-v1.0-Q8_0.gguf")), [], "{size}");
    }
    let digits = "9".repeat(10_000);
    assert_eq!(findings(&model(), &format!("Tiny-{digits}B-v1.0-Q8_0.gguf")), []);
}

/// `17B-16E` counts the parameters that are used at once, and the experts. `1B-7B` counts those used at once, and all.
#[test]
fn sizes_with_active_parameters_and_experts_are_understood() {
    let experts = || {
        TestFile::with(b"general.quantization_version", 2u32)
            .tensor(b"blk.0.ffn_up_exps.weight", &[1024, 64, 16], GgmlType::Q8_0, 0)
            .data(1 << 20)
    };
    for size in ["0.1M-16E", "0.2M-1.0M", "0.1M-1.0M", "16x0.1M", "1.0M-A0.1M"] {
        for version in ["", "v1.0-", "Instruct-", "Instruct-v1.0-"] {
            let findings = findings(&experts(), &format!("Tiny-{size}-{version}Q8_0.gguf"));
            assert!(findings.iter().all(|finding| finding.check == Check::UnconventionalFileName), "{findings:?}");
        }
    }
    for size in ["0.1M-2E", "7B-16E", "7B-70B", "1B-A0.1M"] {
        let message =
            format!("the name says that the size is {size}, but the tensors have 1.0M parameters. Rename the file.");
        assert_only(&experts(), &format!("Tiny-{size}-Q8_0.gguf"), Check::FileNameContradiction, &message);
    }
}

#[test]
fn a_kind_that_the_file_is_not_is_found() {
    for (name, kind) in [
        ("mmproj-Tiny-0.1M-v1.0-Q8_0.gguf", "Multimodal projector"),
        ("Tiny-mmproj-Q8_0.gguf", "Multimodal projector"),
        ("Tiny-0.1M-v1.0-Q8_0-LoRA.gguf", "Adapter"),
        ("Tiny-0.1M-v1.0-vocab.gguf", "Vocabulary"),
    ] {
        let message =
            format!("the name says that the file is of the kind \"{kind}\", but it is \"Model\". Rename the file.");
        assert_only(&model(), name, Check::FileNameContradiction, &message);
    }
    let adapter =
        TestFile::with(b"general.type", "adapter").entry(b"adapter.type", "lora").entry(b"adapter.lora.alpha", 16.0f32);
    assert_eq!(findings(&adapter, "Tiny-0.1M-v1.0-F16-LoRA.gguf"), []);
}

#[test]
fn a_shard_that_the_metadata_does_not_say_is_found() {
    let message = "the name says shard 1 of 2, but the metadata says no shards. llama.cpp takes the file as a whole. \
         Rename the file, or add the split entries.";
    assert_only(&model(), "Tiny-0.1M-v1.0-Q8_0-00001-of-00002.gguf", Check::FileNameContradiction, message);
    let shard = || model().entry(b"split.no", 0u16).entry(b"split.count", 2u16).entry(b"split.tensors.count", 9i32);
    assert_eq!(findings(&shard(), "Tiny-0.1M-v1.0-Q8_0-00001-of-00002.gguf"), []);
    let message = "the name says shard 2 of 2, but the metadata says shard 1 of 2. \
         llama.cpp finds shards by their names, and refuses the set. Rename the file.";
    assert_only(&shard(), "Tiny-0.1M-v1.0-Q8_0-00002-of-00002.gguf", Check::FileNameShard, message);
    assert_eq!(Check::FileNameShard.severity(), Severity::Error);
    let message = "the file is one of 2 shards, but its name does not say it. llama.cpp finds shards by their names, \
         such as NAME-00001-of-00002.gguf, and refuses the set. Rename the file.";
    assert_only(&shard(), "model.gguf", Check::FileNameShard, message);
}

/// The names that the files of the corpus have: no contradictions, and at most one remark.
#[test]
fn the_names_of_the_corpus_are_right() {
    let Some(folder) = corpus::folder() else { return };
    for (path, file) in corpus::every_file(&folder) {
        let Ok(header) = gguf_format::parse(&file) else { continue };
        let name = path.rsplit('/').next().unwrap();
        let size = Some(file.len() as u64);
        let before = gguf_models::validate::validate(&header, size).len();
        let of_name = validate_named(&header, size, name).split_off(before);
        assert!(of_name.len() <= 1, "{path}: {of_name:?}");
        assert!(of_name.iter().all(|finding| finding.check.severity() == Severity::Info), "{path}: {of_name:?}");
        assert!(of_name.iter().all(|finding| finding.message.len() < 300), "{path}: {of_name:?}");
        assert!(
            !of_name.is_empty() || parse_file_name(name).problems.len() < 2 || name == suggested_file_name(&header)
        );
    }
}

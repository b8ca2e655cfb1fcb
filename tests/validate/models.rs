//! Complete models: nothing is found, and one change causes exactly one finding.

use std::collections::BTreeSet;

use gguf_format::edit::Edit;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, GgmlType, Header, ValueType};
use gguf_models::validate::{Check, Finding, Severity, Subject, validate};

use crate::corpus;
use crate::gguf_bytes::GgufBytes;
use crate::validate::codes;
use crate::validate::fixes::check_fixes;

/// A model with two blocks of Llama, whose lengths are 64 (embedding), 96 (feed-forward network) and 4 (vocabulary). Tests
/// change its entries and tensors.
pub struct LlamaModel {
    architecture: &'static str,
    entries: Vec<(String, OwnedValue)>,
    tensors: Vec<(String, Vec<u64>)>,
}

impl LlamaModel {
    pub fn new() -> Self {
        Self::of("llama")
    }

    /// A model of another architecture that has the keys and tensors of Llama.
    pub fn of(architecture: &'static str) -> Self {
        let numbers = [
            ("context_length", 512u32),
            ("embedding_length", 64),
            ("block_count", 2),
            ("feed_forward_length", 96),
            ("attention.head_count", 4),
            ("attention.head_count_kv", 2),
            ("rope.dimension_count", 16),
        ];
        let mut entries: Vec<_> =
            numbers.into_iter().map(|(key, value)| (format!("{architecture}.{key}"), value.into())).collect();
        entries.push((format!("{architecture}.attention.layer_norm_rms_epsilon"), 1e-5f32.into()));
        let tokens = OwnedValue::array(ValueType::String, ["<unk>", "<s>", "</s>", "a"]);
        entries.push(("tokenizer.ggml.model".into(), "llama".into()));
        entries.push(("tokenizer.ggml.tokens".into(), tokens));
        entries.push(("tokenizer.ggml.scores".into(), OwnedValue::array(ValueType::Float32, [0.0f32; 4])));
        entries.push(("tokenizer.ggml.token_type".into(), OwnedValue::array(ValueType::Int32, [2i32, 3, 3, 1])));
        for (role, id) in [("bos", 1u32), ("eos", 2), ("unknown", 0)] {
            entries.push((format!("tokenizer.ggml.{role}_token_id"), id.into()));
        }
        let mut tensors = vec![("token_embd.weight".to_owned(), vec![64, 4]), ("output_norm.weight".into(), vec![64])];
        for block in 0..2 {
            for (name, dimensions) in [
                ("attn_norm", vec![64]),
                ("attn_q", vec![64, 64]),
                ("attn_k", vec![64, 32]),
                ("attn_v", vec![64, 32]),
                ("attn_output", vec![64, 64]),
                ("ffn_norm", vec![64]),
                ("ffn_gate", vec![64, 96]),
                ("ffn_up", vec![64, 96]),
                ("ffn_down", vec![96, 64]),
            ] {
                tensors.push((format!("blk.{block}.{name}.weight"), dimensions));
            }
        }
        Self { architecture, entries, tensors }
    }

    /// Gives the architecture another name. The keys stay as they are.
    pub fn named(self, architecture: &'static str) -> Self {
        Self { architecture, ..self }
    }

    /// Sets the value of a key of the architecture, or adds it.
    pub fn number(self, key: &str, value: impl Into<OwnedValue>) -> Self {
        let key = format!("{}.{key}", self.architecture);
        self.entry(&key, value)
    }

    /// Sets the value of a key, or adds it.
    pub fn entry(mut self, key: &str, value: impl Into<OwnedValue>) -> Self {
        self.entries.retain(|(own, _)| own != key);
        self.entries.push((key.into(), value.into()));
        self
    }

    pub fn without_entry(mut self, key: &str) -> Self {
        let before = self.entries.len();
        self.entries.retain(|(own, _)| own != key);
        assert_eq!(self.entries.len() + 1, before, "{key}");
        self
    }

    pub fn without_tensor(mut self, name: &str) -> Self {
        let before = self.tensors.len();
        self.tensors.retain(|(own, _)| own != name);
        assert_eq!(self.tensors.len() + 1, before, "{name}");
        self
    }

    pub fn tensor(mut self, name: &str, dimensions: &[u64]) -> Self {
        self.tensors.retain(|(own, _)| own != name);
        self.tensors.push((name.into(), dimensions.into()));
        self
    }

    pub fn header(&self) -> Header {
        let mut file = GgufBytes::new(Format::default());
        file.header(self.tensors.len() as u64, self.entries.len() as u64 + 1);
        file.entry(b"general.architecture", &self.architecture.into());
        for (key, value) in &self.entries {
            file.entry(key.as_bytes(), value);
        }
        let mut offset = 0;
        for (name, dimensions) in &self.tensors {
            file.tensor(name.as_bytes(), dimensions, GgmlType::F32.0, offset);
            offset += (dimensions.iter().product::<u64>() * 4).next_multiple_of(32);
        }
        gguf_format::parse(file.as_bytes()).unwrap()
    }

    pub fn findings(&self) -> Vec<Finding> {
        let header = self.header();
        let findings = validate(&header, None);
        check_fixes(header, None, &findings);
        findings
    }

    #[track_caller]
    pub fn assert_no_findings(&self) {
        assert_eq!(self.findings(), []);
    }

    /// Asserts that there is exactly one finding, with this message. Returns it.
    #[track_caller]
    pub fn assert_only(&self, check: Check, message: &str) -> Finding {
        let [finding] = &self.findings()[..] else { panic!("{:?}", self.findings()) };
        assert_eq!((finding.check, &*finding.message), (check, message));
        finding.clone()
    }
}

#[track_caller]
pub fn assert_fix(finding: &Finding, title: &str, is_safe: bool) {
    let fix = finding.fix.as_ref().unwrap_or_else(|| panic!("{finding:?} has no fix"));
    assert_eq!((&*fix.title, fix.is_safe), (title, is_safe));
}

#[test]
fn a_complete_model_has_no_findings() {
    LlamaModel::new().assert_no_findings();
    LlamaModel::new().tensor("output.weight", &[64, 4]).assert_no_findings();
    LlamaModel::new().without_entry("llama.rope.dimension_count").assert_no_findings();
    LlamaModel::of("qwen2").assert_no_findings();
}

#[test]
fn missing_keys_are_found_and_added_if_the_tensors_tell_the_value() {
    let missing = |key: &str| {
        let message = format!("the entry {key} is missing. Add it, or convert the model again.");
        LlamaModel::new().without_entry(key).assert_only(Check::MissingKey, &message)
    };
    assert_eq!(missing("llama.context_length").fix, None);
    assert_eq!(missing("llama.context_length").subject, Some(Subject::MissingEntry("{arch}.context_length")));
    assert_eq!(missing("llama.attention.layer_norm_rms_epsilon").fix, None);
    assert_fix(&missing("llama.block_count"), "Add the entry with the value 2", true);
    assert_fix(&missing("llama.embedding_length"), "Add the entry with the value 64", true);
    assert_fix(&missing("llama.feed_forward_length"), "Add the entry with the value 96", true);
}

/// A value that the tensors give is added only if the model has no further errors with it.
#[test]
fn missing_keys_are_not_added_if_the_tensors_contradict() {
    let fix_of = |model: &LlamaModel, key: &str| {
        let findings = model.findings();
        let mut found = findings.iter().filter(|finding| finding.check == Check::MissingKey);
        let finding = found.next().unwrap_or_else(|| panic!("{key}: {findings:?}"));
        assert!(finding.message.contains(key) && found.next().is_none(), "{findings:?}");
        finding.fix.clone()
    };
    let without = |key| LlamaModel::new().without_entry(key);
    // The blocks have different lengths, or one tensor of a block has another one.
    let key = "llama.feed_forward_length";
    let other = without(key).tensor("blk.1.ffn_down.weight", &[128, 64]);
    assert_eq!(fix_of(&other, key), None);
    assert_eq!(fix_of(&without(key).tensor("blk.1.ffn_up.weight", &[64, 128]), key), None);
    // The length of a head would be 32, and the number of rotary dimensions is 16.
    let key = "llama.embedding_length";
    let model = without(key).tensor("token_embd.weight", &[128, 4]);
    assert_eq!(fix_of(&model, key), None);
    // Tensors of a block are missing.
    let key = "llama.block_count";
    assert_eq!(fix_of(&without(key).without_tensor("blk.1.attn_q.weight"), key), None);
    assert_eq!(fix_of(&without(key).tensor("blk.7.attn_q.weight", &[64, 64]), key), None);
    // The number of experts that a token uses is missing, too.
    let model = LlamaModel::of("qwen2moe");
    let model = model.tensor("blk.0.ffn_gate_inp.weight", &[64, 8]).tensor("blk.1.ffn_gate_inp.weight", &[64, 8]);
    let findings = model.findings();
    let missing = findings.iter().find(|finding| finding.message.contains("qwen2moe.expert_count "));
    assert_eq!(missing.map(|finding| &finding.fix), Some(&None), "{findings:?}");
}

#[test]
fn missing_tensors_are_found() {
    for name in ["token_embd.weight", "output_norm.weight", "blk.0.attn_q.weight", "blk.1.ffn_down.weight"] {
        let message = format!(
            "the tensor {name} is missing. \
             Download the file again, or convert the model again."
        );
        let finding = LlamaModel::new().without_tensor(name).assert_only(Check::MissingTensor, &message);
        let Some(Subject::MissingTensor(tensor)) = finding.subject else { panic!("{finding:?}") };
        assert_eq!(tensor.to_string(), name);
    }
    // Without a number of blocks, the blocks that have tensors need all of them.
    let model = LlamaModel::new().without_entry("llama.block_count").without_tensor("blk.1.ffn_down.weight");
    let found = model.findings().into_iter().map(|finding| finding.check).collect::<Vec<_>>();
    assert_eq!(found, [Check::MissingKey, Check::MissingTensor]);
    // Files of other kinds lack tensors by design.
    let vocabulary = LlamaModel { tensors: Vec::new(), ..LlamaModel::new() };
    vocabulary.assert_no_findings();
    let adapter = LlamaModel { tensors: Vec::new(), ..LlamaModel::new() }
        .entry("general.type", "adapter")
        .entry("adapter.type", "lora")
        .tensor("blk.0.attn_q.weight.lora_a", &[64, 8])
        .tensor("blk.0.attn_q.weight.lora_b", &[8, 64]);
    assert!(adapter.findings().iter().all(|finding| finding.check != Check::MissingTensor), "{:?}", adapter.findings());
}

#[test]
fn a_wrong_number_of_blocks_is_found() {
    let message = "the entry announces 3 blocks, but the last tensors are those of blk.1, so there are 2. \
                   Correct the number, or download the file again.";
    let finding = LlamaModel::new().number("block_count", 3u32).assert_only(Check::BlockCount, message);
    assert_fix(&finding, "Set the number of blocks to 2", false);
    let message = "the entry announces 1 block, but the last tensors are those of blk.1, so there are 2. \
                   Correct the number, or download the file again.";
    LlamaModel::new().number("block_count", 1u32).assert_only(Check::BlockCount, message);
    for count in [0u32, 513, u32::MAX] {
        let findings = LlamaModel::new().number("block_count", count).findings();
        let message = format!(
            "the number of blocks is {count}, and llama.cpp refuses a model with fewer than 1 or more than 512 blocks. \
             Set it to the number of blocks that the file has."
        );
        assert!(findings.iter().any(|finding| finding.message == message), "{findings:?}");
    }
    // The last block, which predicts a further token, may be left out.
    let model = LlamaModel::of("gptj").number("block_count", 3u32).number("nextn_predict_layers", 1u32);
    assert!(model.findings().iter().all(|finding| finding.check != Check::BlockCount));
}

#[test]
fn numbers_of_heads_that_do_not_fit_are_found() {
    let message = "block 0 has 4 attention heads and 3 heads for keys and values, expected a divisor of 4. \
                   llama.cpp cannot run the model. Correct the numbers.";
    let model = LlamaModel::new().number("attention.head_count_kv", 3u32);
    assert!(model.findings().iter().any(|finding| finding.message == message), "{:?}", model.findings());
    let of_blocks = |counts: [i32; 2]| {
        let model =
            LlamaModel::of("gptj").number("attention.head_count_kv", OwnedValue::array(ValueType::Int32, counts));
        model.findings().into_iter().filter(|finding| finding.check == Check::UnevenHeads).count()
    };
    assert_eq!([of_blocks([2, 4]), of_blocks([0, 1]), of_blocks([2, 3]), of_blocks([8, 3])], [0, 0, 1, 1]);
}

#[test]
fn a_model_with_attention_has_heads() {
    let message = "the number of attention heads is 0, but every block has attention, expected at least 1. \
                   The tensors do not fit. Set it to the number of heads that the model was trained with.";
    let finding = LlamaModel::new().number("attention.head_count", 0u32).assert_only(Check::HeadCount, message);
    assert_eq!((finding.check.severity(), finding.fix), (Severity::Error, None));
    let is_found = |architecture, value: OwnedValue| {
        let findings = LlamaModel::of(architecture).number("attention.head_count", value).findings();
        findings.iter().any(|finding| finding.message == message)
    };
    let with_zeros = || OwnedValue::array(ValueType::Uint32, [0u32, 4]);
    assert!(is_found("llama", with_zeros()) && is_found("qwen2", 0u32.into()) && is_found("bert", 0u32.into()));
    assert!(is_found("deepseek2", 0u32.into()) && is_found("phi2", 0u32.into()));
    // Each block has attention and a recurrent layer.
    assert!(is_found("falcon-h1", 0u32.into()));
    // Some or all blocks of these are recurrent.
    for architecture in ["mamba", "mamba2", "rwkv6", "rwkv7", "qwen3next"] {
        assert!(!is_found(architecture, with_zeros()) && !is_found(architecture, 0u32.into()), "{architecture}");
    }
}

#[test]
fn rotary_dimensions_must_cover_the_key_in_some_architectures() {
    let message = "the number of rotary dimensions is 8, expected 16, the length of a key. Correct the number.";
    let finding = LlamaModel::new().number("rope.dimension_count", 8u32).assert_only(Check::RopeDimensions, message);
    assert_fix(&finding, "Set it to 16", false);
    LlamaModel::of("qwen2").number("rope.dimension_count", 8u32).assert_no_findings();
}

#[test]
fn numbers_of_experts_that_do_not_fit_are_found() {
    let of = |count: u32, used: u32| {
        let model = LlamaModel::of("gptj").number("expert_count", count).number("expert_used_count", used);
        let findings = model.findings().into_iter().filter(|finding| finding.check == Check::ExpertCount);
        findings.map(|finding| finding.message).collect::<Vec<_>>()
    };
    assert_eq!(of(8, 2), [""; 0]);
    assert_eq!(of(1024, 8), [""; 0]);
    assert_eq!(of(0, 0), [""; 0]);
    let message = "the model has 1025 experts, and llama.cpp refuses more than 1024. Correct the number, or use the program \
                   that the model was made for.";
    assert_eq!(of(1025, 8), [message]);
    let message = "each token uses 9 experts, but the model has 8. Correct the numbers.";
    assert_eq!(of(8, 9), [message]);
    let message = "the model has 8 experts, but no token uses any. \
                   Set expert_used_count to the number that the model was trained with.";
    assert_eq!(of(8, 0), [message]);
}

#[test]
fn groups_of_experts_that_do_not_fit_are_found() {
    let of = |count: u32, groups: u32, used_groups: u32| {
        let model = LlamaModel::of("gptj").number("expert_count", count).number("expert_used_count", count.min(2));
        let model = model.number("expert_group_count", groups).number("expert_group_used_count", used_groups);
        let findings = model.findings().into_iter().filter(|finding| finding.check == Check::ExpertCount);
        findings.map(|finding| finding.message).collect::<Vec<_>>()
    };
    for (count, groups, used_groups) in [(8, 4, 2), (8, 4, 3), (8, 1, 0), (8, 1, 5), (8, 0, 0), (0, 0, 0)] {
        assert_eq!(of(count, groups, used_groups), [""; 0], "{count} {groups} {used_groups}");
    }
    for (count, groups) in [(8, 8), (8, 9), (8, 3), (0, 1), (0, 4), (1, 1)] {
        let message = format!(
            "the experts have {groups} groups, but the model has {count} experts, expected a smaller divisor of {count}. \
             Correct the numbers."
        );
        assert_eq!(of(count, groups, 1), [message]);
    }
    for used in [0, 4, 5] {
        let message =
            format!("each token uses {used} groups of experts, but there are 4, expected 1 to 3. Correct the numbers.");
        assert_eq!(of(8, 4, used), [message]);
    }
    // For this architecture, one expert counts as no experts.
    let model = LlamaModel::of("hunyuan-dense").number("expert_count", 1u32).number("expert_used_count", 5u32);
    assert!(model.findings().iter().all(|finding| finding.check != Check::ExpertCount), "{:?}", model.findings());
}

#[test]
fn experts_that_are_chosen_by_no_function_are_found() {
    let of = |architecture: &'static str, function: Option<u32>| {
        let model = LlamaModel::of(architecture).number("expert_count", 8u32).number("expert_used_count", 2u32);
        let model = match function {
            Some(function) => model.number("expert_gating_func", function),
            None => model,
        };
        let findings = model.findings().into_iter().filter(|finding| finding.check == Check::NoGatingFunction);
        findings.map(|finding| finding.fix.map(|fix| fix.title)).collect::<Vec<_>>()
    };
    let sigmoid = vec![Some("Set it to 2, sigmoid".to_owned())];
    for architecture in ["dots1", "hy_v4", "minimax-m2"] {
        for function in [None, Some(0)] {
            assert_eq!(of(architecture, function), sigmoid, "{architecture} {function:?}");
        }
        assert_eq!(of(architecture, Some(1)), [], "{architecture}");
    }
    // Its models have either function.
    assert_eq!(of("smallthinker", None), [None]);
    // The key is required: its absence is another finding.
    assert_eq!(of("bailingmoe2", None), []);
    assert_eq!(of("bailingmoe2", Some(0)), sigmoid);
    // llama.cpp has a default.
    assert_eq!(of("glm4moe", None), []);
    // Models without experts need no function.
    let findings = LlamaModel::of("minimax-m2").findings();
    assert!(findings.iter().all(|finding| finding.check != Check::NoGatingFunction), "{findings:?}");
}

#[test]
fn a_scaling_of_the_rotary_embedding_that_llama_cpp_does_not_know_is_found() {
    for name in ["none", "linear", "yarn", "longrope"] {
        LlamaModel::new().number("rope.scaling.type", name).assert_no_findings();
    }
    for name in ["dynamic", "", "YaRN", "su"] {
        let message = format!(
            "the scaling is \"{name}\", expected none, linear, yarn or longrope. \
             Correct the name, or remove the entry if the model has no scaling."
        );
        LlamaModel::new().number("rope.scaling.type", name).assert_only(Check::RopeScaling, &message);
    }
    assert_eq!(Check::RopeScaling.severity(), Severity::Error);
}

#[test]
fn arrays_have_one_element_for_each_block() {
    let numbers = |count: usize, value: u32| OwnedValue::array(ValueType::Uint32, vec![value; count]);
    for (key, value) in [("attention.head_count", 4), ("attention.head_count_kv", 2), ("feed_forward_length", 96)] {
        LlamaModel::new().number(key, numbers(2, value)).assert_no_findings();
        for (count, elements) in [(1, "1 element"), (3, "3 elements")] {
            let message = format!(
                "the array has {elements}, but the model has 2 blocks. \
                 Give it one element for each block, or correct block_count."
            );
            let findings = LlamaModel::new().number(key, numbers(count, value)).findings();
            let found = findings.iter().find(|finding| finding.check == Check::BlockArrayLength);
            assert_eq!(found.map(|finding| &*finding.message), Some(&*message), "{key}: {findings:?}");
        }
    }
    assert_eq!(Check::BlockArrayLength.severity(), Severity::Error);
}

#[test]
fn further_dimensions_are_1() {
    let message = "dimension 1 is 2, but the tensor has 1 dimension, so it must be 1. \
                   Convert the model again.";
    LlamaModel::new().tensor("output_norm.weight", &[64, 2]).assert_only(Check::TensorShape, message);
    let message = "dimension 3 is 3, but the tensor has 2 dimensions, so it must be 1. \
                   Convert the model again.";
    LlamaModel::new().tensor("blk.0.attn_q.weight", &[64, 64, 1, 3]).assert_only(Check::TensorShape, message);
    LlamaModel::new().tensor("output_norm.weight", &[64, 1, 1]).assert_no_findings();
}

#[test]
fn tensors_whose_dimensions_do_not_fit_are_found() {
    let message = |found, expected| format!("{found}, expected {expected}. Convert the model again.");
    let heads = "(embedding_length (64) / attention.head_count (4))";
    let keys = format!("32: {heads} × attention.head_count_kv (2)");
    let queries = format!("64: {heads} × attention.head_count (4)");
    for (name, dimensions, found, expected) in [
        ("token_embd.weight", vec![64u64, 5], "dimension 1 is 5", "4: the number of tokens (4)"),
        ("output_norm.weight", vec![32], "the tensor has 32 elements", "64: embedding_length (64)"),
        ("blk.0.attn_q.weight", vec![64, 32], "dimension 1 is 32", &queries),
        ("blk.0.attn_k.weight", vec![64, 64], "dimension 1 is 64", &keys),
        ("blk.1.attn_v.weight", vec![64, 16], "dimension 1 is 16", &keys),
        ("blk.1.attn_output.weight", vec![32, 64], "dimension 0 is 32", &queries),
        ("blk.0.ffn_up.weight", vec![64, 64], "dimension 1 is 64", "96: feed_forward_length (96)"),
        ("blk.0.ffn_down.weight", vec![96], "dimension 1 is 1", "64: embedding_length (64)"),
    ] {
        let finding =
            LlamaModel::new().tensor(name, &dimensions).assert_only(Check::TensorShape, &message(found, expected));
        assert!(finding.subject.is_some() && finding.offset.is_some());
    }
    LlamaModel::of("gptj").tensor("blk.0.attn_q.weight", &[64, 32]).assert_no_findings();
}

#[test]
fn tensors_that_no_architecture_has_are_found() {
    let message = "no model of llama has a tensor of this name, so llama.cpp counts too many tensors. \
                   Rename the tensor if its name is misspelt, or remove it.";
    for name in ["rubbish", "blk.0.foo.weight", "blk.0.attn_q.wieght"] {
        let finding = LlamaModel::new().tensor(name, &[64]).assert_only(Check::UnknownTensor, message);
        assert!(finding.subject.is_some() && finding.offset.is_some());
    }
    LlamaModel::new().tensor("rope_freqs.weight", &[8]).assert_no_findings();
    LlamaModel::of("gptj").tensor("rubbish", &[64]).assert_no_findings();
}

#[test]
fn an_architecture_that_nobody_knows_is_no_error() {
    let message = "the architecture is \"my-own\", which is unknown, perhaps newer than llama.cpp b11549 (October 2026). \
                   What it requires was not checked. Use the program that the model was made for, or a newer version.";
    let finding = LlamaModel::of("my-own").assert_only(Check::UnknownArchitecture, message);
    assert_eq!(finding.check.severity(), Severity::Warning);
    let message = "the architecture is \"kimi-k31\" of llama.cpp of November 2026. What it requires was not checked. \
                   Use this version or a newer one.";
    LlamaModel::of("kimi-k31").assert_only(Check::UnknownArchitecture, message);
}

#[test]
fn an_architecture_is_shown_escaped_and_bounded() {
    let long: &'static str = Box::leak(format!("\u{1b}[31m\u{202e}{}", "a".repeat(60_000)).into_boxed_str());
    let findings = LlamaModel::of(long).findings();
    let found = findings.iter().find(|finding| finding.check == Check::UnknownArchitecture).unwrap();
    let message = "the architecture is \"\\u{1b}[31m\\u{202e}aaaaa";
    assert!(found.message.starts_with(message) && found.message.len() < 300, "{found:?}");
    let architecture = "\u{1b}\u{202e}my";
    let findings = LlamaModel::of(architecture).entry("llama.block_count", 2u32).findings();
    assert!(findings.iter().any(|finding| finding.check == Check::UnknownArchitecture), "{findings:?}");
    for finding in findings.iter().filter(|finding| finding.check != Check::HiddenCharacters) {
        let title = finding.fix.as_ref().map_or("", |fix| &*fix.title);
        let is_hidden = |character: char| character.is_control() || character == '\u{202e}';
        assert!(!finding.message.contains(is_hidden) && !title.contains(is_hidden), "{finding:?}");
    }
}

/// The headers with the shapes of published models in `corpus/llama-cpp-2026-08/memory`, without their tensor data.
#[test]
fn headers_of_real_models_have_no_errors_and_lack_what_is_removed() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("llama-cpp-2026-08/memory");
    let index = corpus::json(&folder.join("index.json"));
    let mut architectures = BTreeSet::new();
    for model in index["models"].as_array().unwrap().iter().filter(|model| model["kind"] != "tiny") {
        let name = model["file"].as_str().unwrap();
        let header = gguf_format::parse(&corpus::read(&folder.join(name))).unwrap();
        let errors = |header: &Header| -> Vec<Finding> {
            let findings = validate(header, None).into_iter();
            findings.filter(|finding| finding.check.severity() == Severity::Error).collect()
        };
        assert_eq!(errors(&header), [], "{name}");
        // A converter wrote the entries, so none of them is a mistake.
        let mut findings = validate(&header, None);
        findings.retain(|finding| finding.check.severity() != Severity::Info);
        assert_eq!(findings, [], "{name}");
        let architecture = String::from_utf8(header.architecture().unwrap().to_bytes().into_owned()).unwrap();
        architectures.insert(architecture.clone());

        let mut edit = Edit::new(header);
        edit.remove(format!("{architecture}.context_length").as_str()).unwrap();
        edit.remove_tensor("token_embd.weight").unwrap();
        let plan = edit.plan_header(None).unwrap();
        let bytes: Vec<u8> = plan.header_pieces(0..plan.header_size()).flatten().copied().collect();
        let found: BTreeSet<_> =
            errors(&gguf_format::parse(&bytes).unwrap()).iter().map(|finding| finding.check.code()).collect();
        let expected = ["missing-key", "missing-tensor"];
        assert_eq!(Vec::from_iter(found), expected, "{name}");
    }
    assert!(architectures.len() >= 20, "{architectures:?}");
}

/// Numbers that do not fit each other, and a division that llama.cpp cannot do.
#[test]
fn conditions_of_the_architecture_are_checked() {
    let checks = |model: LlamaModel| codes(&model.findings());
    let mamba = LlamaModel::of("mamba").number("ssm.inner_size", 100u32);
    assert!(checks(mamba).contains("unmet-condition"));
    let hybrid = LlamaModel::of("qwen35").number("full_attention_interval", 0u32);
    assert!(checks(hybrid).contains("undecided"));
}

//! Tensors that llama.cpp does not look for, and the embedding length that they have.

use gguf_format::edit::Edit;
use gguf_models::validate::{Check, Finding, Subject, validate};

use crate::corpus;
use crate::validate::models::{LlamaModel, assert_fix};

fn unknown(model: &LlamaModel) -> Vec<Finding> {
    model.findings().into_iter().filter(|finding| finding.check == Check::UnknownTensor).collect()
}

#[test]
fn tensors_of_other_architectures_and_of_other_kinds_of_files_are_found() {
    let message = "no model of llama has a tensor of this name, so llama.cpp counts too many tensors. \
                   Rename the tensor if its name is misspelt, or remove it.";
    for name in [
        "blk.0.ssm_a",
        "enc.blk.0.attn_q.weight",
        "position_embd.weight",
        "blk.0.attn_sinks.weight",
        "blk.0.nextn.enorm.weight",
        "blk.0.ssm_in.scale",
        "output.scale",
        "blk.0.attn_norm.bias",
    ] {
        LlamaModel::new().tensor(name, &[64]).assert_only(Check::UnknownTensor, message);
    }
    let message = "this is Ollama's layout: llama.cpp does not look for 1 tensor. It reads encoders from a second file. Use Ollama.";
    for name in ["mm.0.weight", "v.blk.0.attn_q.weight", "a.blk.0.attn_q.weight"] {
        LlamaModel::new().tensor(name, &[64]).assert_only(Check::OllamaLayout, message);
    }
    for name in [
        "rope_freqs.weight",
        "blk.0.attn_q.bias",
        "blk.1.attn_output.bias",
        "blk.0.ffn_up.scale",
        "blk.0.ffn_up.input_scale",
    ] {
        assert_eq!(unknown(&LlamaModel::new().tensor(name, &[1])), [], "{name}");
    }
    // Only blocks that predict further tokens have these tensors. This block is not one of them.
    let of_next_token = unknown(&LlamaModel::of("exaone4").tensor("blk.1.nextn.enorm.weight", &[64]));
    assert!(of_next_token.iter().any(|finding| finding.message.contains("with these keys")), "{of_next_token:?}");
    // Old files have a tensor for each expert.
    assert_eq!(unknown(&LlamaModel::new().tensor("blk.0.ffn_up.3.weight", &[64, 96])), []);
}

/// Experts that are separate tensors are the reason why a tensor of all experts is missing, also if one of them is missing.
#[test]
fn separate_experts_are_named() {
    let model = |experts: &[&str]| {
        let model = LlamaModel::new().number("expert_count", 2u32).number("expert_used_count", 1u32);
        let names = experts.iter().map(|expert| format!("blk.0.ffn_up.{expert}.weight"));
        names.fold(model, |model, name| model.tensor(&name, &[64, 96])).findings()
    };
    let separate = |experts: &[&str]| {
        let findings = model(experts);
        let found = findings.iter().filter(|finding| finding.check == Check::SeparateExperts);
        found.map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let message = "the tensor blk.0.ffn_up_exps.weight is missing, because the experts are separate tensors, as llama.cpp wrote them before \
                   April 2024. Today's tensor is all of them one after the other. Join them with `npx gguf-wasm merge --experts`.";
    for experts in [&["0", "1"][..], &["0"], &["1"]] {
        assert_eq!(separate(experts), [message], "{experts:?}");
    }
    assert_eq!(separate(&[]), [""; 0]);
    let missing = |finding: &&Finding| finding.check == Check::MissingTensor && finding.message.contains("ffn_up_exps");
    assert!(model(&[]).iter().any(|finding| missing(&finding)));
}

/// The header of a real model that keeps the tensors of its last block, and loses the key that announces it.
#[test]
fn a_real_model_without_the_number_of_these_blocks_has_too_many_tensors() {
    let Some(folder) = corpus::folder() else { return };
    let header = gguf_format::parse(&corpus::read(&folder.join("llama-cpp-2026-08/memory/glm-4.5-air.gguf"))).unwrap();
    let mut edit = Edit::new(header);
    edit.remove("glm4moe.nextn_predict_layers").unwrap();
    let plan = edit.plan_header(None).unwrap();
    let bytes: Vec<u8> = plan.header_pieces(0..plan.header_size()).flatten().copied().collect();
    let findings = validate(&gguf_format::parse(&bytes).unwrap(), None);
    assert!(findings.len() >= 3, "{findings:?}");
    assert!(findings.iter().all(|finding| finding.check == Check::UnknownTensor), "{findings:?}");
}

#[test]
fn a_wrong_embedding_length_has_one_finding() {
    let message = "the value is 63, but 20 tensors fit 64. Set it to 64.";
    let finding = LlamaModel::new().number("embedding_length", 63u32).assert_only(Check::TensorShape, message);
    assert!(matches!(finding.subject, Some(Subject::Entry(_))) && finding.offset.is_some());
    assert_fix(&finding, "Set it to 64", false);
    // Another number is wrong, too, and is compared with the length of the tensors.
    let findings = LlamaModel::new().number("embedding_length", 63u32).number("rope.dimension_count", 8u32).findings();
    let rope = findings.iter().find(|finding| finding.check == Check::RopeDimensions).unwrap();
    assert_fix(rope, "Set it to 16", false);
}

#[test]
fn a_token_embedding_of_another_length_than_the_other_tensors_is_wrong_itself() {
    let message = "dimension 0 is 32, expected 64: embedding_length (64). \
                   Convert the model again.";
    let finding = LlamaModel::new().tensor("token_embd.weight", &[32, 4]).assert_only(Check::TensorShape, message);
    assert!(matches!(finding.subject, Some(Subject::Tensor(_))));
}

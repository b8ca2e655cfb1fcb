//! Names of keys: replaced, misspelt, and of another architecture.

use gguf_format::Format;
use gguf_format::write::encode::OwnedValue;
use gguf_models::validate::{Check, Severity, validate};

use crate::gguf_bytes::GgufBytes;
use crate::validate::codes;
use crate::validate::models::{LlamaModel, assert_fix};
use crate::validate::test_file::TestFile;

#[test]
fn keys_that_llama_cpp_still_reads_are_deprecated() {
    let message = "tokenizer.ggml.fim_pre_token_id replaced this key, but llama.cpp still reads this one. \
         Write the new key in new files.";
    let finding =
        LlamaModel::new().entry("tokenizer.ggml.prefix_token_id", 3u32).assert_only(Check::DeprecatedKey, message);
    assert_eq!(finding.check.severity(), Severity::Info);
    assert_fix(&finding, "Rename to tokenizer.ggml.fim_pre_token_id", true);
    let finding = LlamaModel::new().number("rope.scale_linear", 2.0f32).findings().remove(0);
    assert_fix(&finding, "Rename to llama.rope.scaling.factor", true);

    let message = "tokenizer.ggml.fim_pre_token_id replaced this key, and the file has both. Remove one of them.";
    let finding = LlamaModel::new()
        .entry("tokenizer.ggml.prefix_token_id", 3u32)
        .entry("tokenizer.ggml.fim_pre_token_id", 3u32)
        .assert_only(Check::DeprecatedKey, message);
    assert_fix(&finding, "Remove the old key", false);

    // No program of llama.cpp reads either of them. The types differ, so there is nothing to rename.
    let finding = TestFile::with(b"clip.has_llava_projector", true).assert_only(Check::DeprecatedKey).0;
    assert_eq!(
        (finding.fix, &*finding.message),
        (None, "clip.projector_type replaced this key. Write the new key in new files.",)
    );
}

#[test]
fn keys_that_llama_cpp_reads_by_another_name_are_found() {
    let message = "llama.cpp does not read this key. It reads tokenizer.ggml.seperator_token_id, which the file does not \
         have. Rename the entry.";
    let finding =
        LlamaModel::new().entry("tokenizer.ggml.separator_token_id", 3u32).assert_only(Check::UnreadKey, message);
    assert_eq!(finding.check.severity(), Severity::Warning);
    assert_fix(&finding, "Rename to tokenizer.ggml.seperator_token_id", true);
    LlamaModel::new().entry("tokenizer.ggml.seperator_token_id", 3u32).assert_no_findings();

    for (key, new) in [
        ("attention.alibi_bias_max", "attention.max_alibi_bias"),
        ("attention.clip_kqv", "attention.clamp_kqv"),
        ("rope.scale", "rope.scaling.factor"),
    ] {
        let finding = LlamaModel::new().number(key, 8.0f32).findings().remove(0);
        assert_eq!(finding.check, Check::UnreadKey);
        assert_fix(&finding, &format!("Rename to llama.{new}"), false);
        LlamaModel::new().number(new, 8.0f32).assert_no_findings();
    }
    let findings = LlamaModel::new().without_entry("llama.context_length").number("max_seq_len", 512u32).findings();
    let found = findings.iter().find(|finding| finding.check == Check::UnreadKey).unwrap();
    assert_fix(found, "Rename to llama.context_length", false);
    // The value has a type that the new key cannot have, or another meaning.
    let findings = LlamaModel::new().without_entry("llama.context_length").number("max_seq_len", "512").findings();
    assert!(findings.iter().any(|finding| finding.check == Check::UnreadKey && finding.fix.is_none()), "{findings:?}");
    let findings = LlamaModel::new().without_entry("llama.feed_forward_length").number("num_mult", 32u32).findings();
    assert!(findings.iter().any(|finding| finding.check == Check::UnreadKey && finding.fix.is_none()), "{findings:?}");
    // A key of another architecture says nothing about this file.
    TestFile::with(b"mytool.num_layers", 8u32).assert_no_findings();
}

#[test]
fn misspelt_keys_are_found() {
    let message = |key: &str| {
        format!(
            "nobody knows this key. It looks like {key}, which the file does not have. \
             Rename the entry if it is a mistake."
        )
    };
    for (misspelt, key) in [
        ("llama.rope.freq_bsae", "llama.rope.freq_base"),
        ("llama.rope.freq_bas", "llama.rope.freq_base"),
        ("llama.rope.freqbase", "llama.rope.freq_base"),
        ("llama.rope.freq__base", "llama.rope.freq_base"),
        ("llama.roep.freq_base", "llama.rope.freq_base"),
        ("llama.rope.scaling.orignal_contex_length", "llama.rope.scaling.original_context_length"),
    ] {
        let value: OwnedValue = if key.ends_with("length") { 1u32.into() } else { 1e4f32.into() };
        let finding = LlamaModel::new().entry(misspelt, value.clone()).assert_only(Check::MisspeltKey, &message(key));
        assert_fix(&finding, &format!("Rename to {key}"), false);
        // The file has the key.
        let finding = LlamaModel::new()
            .entry(misspelt, value.clone())
            .entry(key, value)
            .assert_only(Check::MisspeltKey, &message_beside(key));
        assert_fix(&finding, "Remove the entry", false);
    }
    let finding = TestFile::with(b"general.autor", "x").assert_only(Check::MisspeltKey).0;
    assert_eq!(finding.message, message("general.author"));
    assert_eq!(finding.check.severity(), Severity::Warning);
    // The known key cannot have this type.
    let finding = TestFile::with(b"general.autor", 1u8).assert_only(Check::MisspeltKey).0;
    assert_eq!(finding.fix, None);
    TestFile::with(b"tokenizer.gmgl.pre", "x").assert_only(Check::MisspeltKey);
}

/// The message about an unknown key if the file has the key that it looks like.
fn message_beside(key: &str) -> String {
    format!("nobody knows this key. It looks like {key}, which the file has, too. Remove the entry if it is a mistake.")
}

/// What an unknown key of a LLaMA model looks like, also if the model has that key.
#[track_caller]
fn assert_looks_like(key: &str, known: &str) {
    let findings = LlamaModel::new().entry(key, 1u32).findings();
    let found = findings.iter().find(|finding| finding.check == Check::MisspeltKey);
    let message = found.map(|finding| &*finding.message).unwrap_or_default();
    assert!(message.contains(&format!("It looks like {known}, which")), "{key}: {findings:?}");
}

#[test]
fn keys_without_their_prefix_are_found() {
    for (key, known) in [
        ("chat_template", "tokenizer.chat_template"),
        ("chat_tempalte", "tokenizer.chat_template"),
        ("name", "general.name"),
        ("license", "general.license"),
        ("context_length", "llama.context_length"),
        ("attention.head_count", "llama.attention.head_count"),
        ("eos_token_id", "tokenizer.ggml.eos_token_id"),
        ("ggml.add_bos_token", "tokenizer.ggml.add_bos_token"),
        ("rope.scaling.type", "llama.rope.scaling.type"),
    ] {
        assert_looks_like(key, known);
    }
}

#[test]
fn keys_with_a_wrong_prefix_are_found() {
    for (key, known) in [
        ("general.chat_template", "tokenizer.chat_template"),
        ("tokenizer.ggml.chat_template", "tokenizer.chat_template"),
        ("tokenizer.bos_token_id", "tokenizer.ggml.bos_token_id"),
        ("llama.freq_base", "llama.rope.freq_base"),
        ("llama.license", "general.license"),
    ] {
        assert_looks_like(key, known);
    }
    // If the file has the known key, the other one is probably no mistake.
    LlamaModel::new().entry("llama.license", "MIT").entry("general.license", "MIT").assert_no_findings();
}

#[test]
fn short_keys_and_short_forms_are_found() {
    for (key, known) in [
        ("general.nmae", "general.name"),
        ("general.naem", "general.name"),
        ("general.nam", "general.name"),
        ("general.typ", "general.type"),
        ("general.arch", "general.architecture"),
        ("llama.attention.head_cnt", "llama.attention.head_count"),
        ("llama.attn.head_count_kv", "llama.attention.head_count_kv"),
        ("llama.ctx_len", "llama.context_length"),
        ("llama.embd_length", "llama.embedding_length"),
        ("llama.blk_count", "llama.block_count"),
    ] {
        assert_looks_like(key, known);
    }
}

#[test]
fn keys_that_differ_in_form_are_found() {
    for (key, known) in [
        ("General.Name", "general.name"),
        ("general.fileType", "general.file_type"),
        ("general.file-type", "general.file_type"),
        ("tokenizer.chat.template", "tokenizer.chat_template"),
        ("tokenizer_chat_template", "tokenizer.chat_template"),
        ("llama.contextLength", "llama.context_length"),
    ] {
        assert_looks_like(key, known);
    }
}

#[test]
fn misspelt_architectures_are_found() {
    for key in ["lama.context_length", "Llama.context_length", "llamma.context_length"] {
        let findings = LlamaModel::new().entry(key, 4096u32).findings();
        let found = findings.iter().find(|finding| finding.check == Check::MisspeltKey).expect(key);
        assert_eq!(found.message, message_beside("llama.context_length"));
    }
}

#[test]
fn names_with_other_numbers_and_plurals_are_keys_of_their_own() {
    for key in ["llama.rope.freq_base_2", "llama.rope.freq_base2", "general.names", "general.urls"] {
        let model = LlamaModel::new().number("rope.freq_base", 1e4f32).entry("general.name", "x");
        model.entry("general.url", "x").entry(key, 1u32).assert_no_findings();
    }
}

#[test]
fn other_unknown_keys_are_not_misspelt() {
    for key in [
        // Tokens of tools: one character from several known ones, or a role of its own.
        "tokenizer.ggml.eog_token_id",
        "tokenizer.ggml.boi_token_id",
        "tokenizer.ggml.eod_token_id",
        "tokenizer.ggml.img_token_id",
        "tokenizer.ggml.bos_token",
        "general.names",
        "general.my_own_name",
        "llama.rope.freq_scale",
        "llama.rope.freq_base_2_and_more",
        "llama.dense_4_feat_in",
        "my.own.key",
        "key",
        "a",
        "x.pre",
    ] {
        // `general.names` is a mistake only if the file has no name.
        LlamaModel::new().entry("general.name", "Name").entry(key, 1u32).assert_no_findings();
    }
}

#[test]
fn keys_of_another_architecture_are_found() {
    let message = "the key is one of the architecture \"qwen3\", but the file has another one, and llama.cpp reads \
         llama.rope.freq_base. Rename the entry.";
    let finding =
        LlamaModel::new().entry("qwen3.rope.freq_base", 1e6f32).assert_only(Check::OtherArchitectureKey, message);
    assert_eq!(finding.check.severity(), Severity::Warning);
    assert_fix(&finding, "Rename to llama.rope.freq_base", false);
    LlamaModel::new().entry("qwen3.rope.freq_base", 1e6f32).number("rope.freq_base", 1e4f32).assert_no_findings();
    // Only known keys are those of an architecture.
    LlamaModel::new().entry("qwen3.my_own", 1u32).assert_no_findings();
}

/// Comparing a key with all known ones takes long, so a file with very many unknown keys must not have all of them compared.
#[test]
fn the_number_of_compared_keys_is_limited() {
    let misspelt = |unknown: u64| {
        let mut file = GgufBytes::new(Format::default());
        file.header(0, unknown + 2).entry(b"general.architecture", &"llama".into());
        for index in 0..unknown {
            file.entry(format!("unlike.any.known.key.{index}").as_bytes(), &1u32.into());
        }
        file.entry(b"llama.attention.head_cuont", &1u32.into());
        let header = gguf_format::parse(file.as_bytes()).unwrap();
        codes(&validate(&header, None)).contains("misspelt-key")
    };
    assert!(misspelt(99));
    assert!(!misspelt(100));
    assert!(!misspelt(16_000));
}

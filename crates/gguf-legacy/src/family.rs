//! The families of models that programs wrote before GGUF: the fields of their headers, and the names of their tensors.
//!
//! Sources: llama.cpp, ggml's examples, bloomz.cpp, ggllm.cpp, whisper.cpp, rwkv.cpp and rustformers of 2023.

use super::container::Container;
use gguf_declare::names;

names! {
    /// A family of models that programs wrote before GGUF.
    #[typescript("LegacyFamily")]
    pub enum Family {
        /// LLaMA and its derivatives.
        Llama = "llama",
        /// BLOOM, of bloomz.cpp.
        Bloom = "bloom",
        /// Falcon, of ggllm.cpp.
        Falcon = "falcon",
        /// GPT-2, Cerebras-GPT.
        Gpt2 = "gpt2",
        /// StarCoder. Its files have the structure of GPT-2.
        Starcoder = "starcoder",
        /// GPT-J.
        Gptj = "gptj",
        /// GPT-NeoX, Pythia.
        Gptneox = "gptneox",
        /// Dolly 2. Its files have the structure of GPT-NeoX.
        DollyV2 = "dolly-v2",
        /// StableLM. Its files have the structure of GPT-NeoX.
        Stablelm = "stablelm",
        /// RedPajama-INCITE. Its files have the structure of GPT-NeoX.
        Redpajama = "redpajama",
        /// MPT.
        Mpt = "mpt",
        /// Replit Code.
        Replit = "replit",
        /// Whisper, of whisper.cpp, which still uses this format.
        Whisper = "whisper",
        /// Segment Anything, of sam.cpp.
        Sam = "sam",
        /// RWKV 4, of rwkv.cpp.
        Rwkv = "rwkv",
        /// A LoRA adapter for a LLaMA model.
        Lora = "lora",
    }
}

/// How a family stores its vocabulary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VocabularyRule {
    /// No vocabulary.
    Absent,
    /// As many tokens as `n_vocab` says.
    Uncounted,
    /// `n_vocab` is repeated before the tokens.
    Repeated,
    /// A count of its own, at most `n_vocab`, before the tokens.
    Counted,
}

/// How programs numbered tensor types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeNumbers {
    Ggml,
    Rwkv,
}

/// The layout of a header: what must be known to read it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// The number of fields, four bytes each.
    pub field_count: usize,
    /// The position of the number of tokens among the fields. `None` if there is no vocabulary.
    pub vocabulary_size: Option<usize>,
    /// The position of the file type among the fields. `None` if the block rules do not depend on it.
    pub file_type: Option<usize>,
    pub vocabulary: VocabularyRule,
    pub has_scores: bool,
    /// Whether mel filters stand before the vocabulary.
    pub has_mel_filters: bool,
    pub max_dimensions: u32,
    pub type_numbers: TypeNumbers,
}

/// A form of the header of a family.
pub(super) struct FamilyForm {
    pub family: Family,
    /// The names of the fields, in file order. Those of `FLOAT_FIELDS` are f32s, the others u32s.
    pub fields: &'static [&'static str],
    /// What the form lacks.
    pub variant: Option<&'static str>,
    containers: &'static [Container],
    vocabulary: VocabularyRule,
    always_has_scores: bool,
    max_dimensions: u32,
    /// The names of tensors. `#` stands for a number, `*` at the end for anything.
    names: &'static [&'static str],
}

/// Fields that are f32s.
pub(super) const FLOAT_FIELDS: &[&str] = &["alibi_bias_max", "clip_qkv"];

const ALL: &[Container] = &[Container::Ggml, Container::Ggmf, Container::Ggjt];
/// ggml's examples wrote `ggml`, rustformers also `ggjt`.
const GGML_AND_GGJT: &[Container] = &[Container::Ggml, Container::Ggjt];

const LLAMA_NAMES: &[&str] = &[
    "tok_embeddings.weight",
    "norm.weight",
    "output.weight",
    "rope.freqs",
    "layers.#.attention.wq.weight",
    "layers.#.attention.wk.weight",
    "layers.#.attention.wv.weight",
    "layers.#.attention.wo.weight",
    "layers.#.attention_norm.weight",
    "layers.#.ffn_norm.weight",
    "layers.#.feed_forward.w1.weight",
    "layers.#.feed_forward.w2.weight",
    "layers.#.feed_forward.w3.weight",
    "layers.#.attention.inner_attention.rope.freqs",
];

const BLOOM_NAMES: &[&str] = &[
    "tok_embeddings.weight",
    "norm.*",
    "output_norm.*",
    "output.weight",
    "layers.#.attention_norm.*",
    "layers.#.attention.query_key_value.*",
    "layers.#.attention.wo.*",
    "layers.#.ffn_norm.*",
    "layers.#.feed_forward.w1.*",
    "layers.#.feed_forward.w2.*",
];

const FALCON_NAMES: &[&str] = &[
    "transformer.word_embeddings.*",
    "transformer.h.#.input_layernorm.*",
    "transformer.h.#.ln_attn.*",
    "transformer.h.#.ln_mlp.*",
    "transformer.h.#.self_attention.*",
    "transformer.h.#.mlp.*",
    "transformer.ln_f.*",
    "lm_head.*",
];

const GPT_J_NAMES: &[&str] = &[
    "transformer.wte.*",
    "transformer.h.#.attn.*",
    "transformer.h.#.ln_1.*",
    "transformer.h.#.mlp.*",
    "transformer.ln_f.*",
    "lm_head.*",
];
const GPT_NEOX_NAMES: &[&str] = &["gpt_neox.*", "embed_out.*"];
const MPT_NAMES: &[&str] =
    &["transformer.wte.*", "transformer.blocks.#.*", "transformer.norm_f.*", "transformer.ln_f.*", "lm_head.*"];
const GPT_2_FIELDS: &[&str] = &["n_vocab", "n_ctx", "n_embd", "n_head", "n_layer", "ftype"];
const GPT_NEOX_FIELDS: &[&str] = &["n_vocab", "n_ctx", "n_embd", "n_head", "n_layer", "n_rot", "par_res", "ftype"];

macro_rules! forms {
    ($($family:ident $fields:expr, $containers:expr, $vocabulary:ident, $names:expr
        $(, variant $variant:literal)? $(, scores $scores:literal)? $(, dimensions $dimensions:literal)?;)*) => {
        &[$(FamilyForm {
            family: Family::$family,
            fields: $fields,
            variant: forms!(@or None $(, Some($variant))?),
            containers: $containers,
            vocabulary: VocabularyRule::$vocabulary,
            always_has_scores: forms!(@or false $(, $scores)?),
            max_dimensions: forms!(@or 2 $(, $dimensions)?),
            names: $names,
        }),*]
    };
    (@or $default:expr) => { $default };
    (@or $default:expr, $given:expr) => { $given };
}

/// Every form. If several fit a file equally well, the first of them is taken.
const FORMS: &[FamilyForm] = forms! {
    Llama &["n_vocab", "n_embd", "n_mult", "n_head", "n_layer", "n_rot", "ftype"], ALL, Uncounted, LLAMA_NAMES;
    Bloom &["n_vocab", "n_embd", "n_mult", "n_head", "n_layer", "n_rot", "ftype"], GGML_AND_GGJT, Uncounted, BLOOM_NAMES;
    Bloom &["n_vocab", "n_embd", "n_mult", "n_head", "n_layer", "ftype"], GGML_AND_GGJT, Uncounted, BLOOM_NAMES,
        variant "without the n_rot field";
    Falcon &["n_vocab", "n_embd", "n_head", "n_head_kv", "n_layer", "n_falcon_type", "ftype"], ALL, Uncounted, FALCON_NAMES;
    Falcon &["n_vocab", "n_embd", "n_head", "n_head_kv", "n_layer", "ftype"], ALL, Uncounted, FALCON_NAMES,
        variant "without the n_falcon_type field";
    Gpt2 GPT_2_FIELDS, GGML_AND_GGJT, Repeated, &["model/*"];
    Starcoder GPT_2_FIELDS, GGML_AND_GGJT, Repeated, &["model/*"];
    Gptj &["n_vocab", "n_ctx", "n_embd", "n_head", "n_layer", "n_rot", "ftype"], GGML_AND_GGJT, Repeated, GPT_J_NAMES;
    Gptneox GPT_NEOX_FIELDS, GGML_AND_GGJT, Uncounted, GPT_NEOX_NAMES;
    DollyV2 GPT_NEOX_FIELDS, GGML_AND_GGJT, Uncounted, GPT_NEOX_NAMES;
    Stablelm GPT_NEOX_FIELDS, GGML_AND_GGJT, Uncounted, GPT_NEOX_NAMES;
    Redpajama GPT_NEOX_FIELDS, GGML_AND_GGJT, Uncounted, GPT_NEOX_NAMES;
    Mpt &["d_model", "max_seq_len", "n_heads", "n_layers", "n_vocab", "alibi_bias_max", "clip_qkv", "ftype"],
        GGML_AND_GGJT, Uncounted, MPT_NAMES;
    Replit &["d_model", "max_seq_len", "n_heads", "n_layers", "n_vocab", "ftype"], GGML_AND_GGJT, Uncounted, MPT_NAMES,
        scores true;
    Whisper &["n_vocab", "n_audio_ctx", "n_audio_state", "n_audio_head", "n_audio_layer", "n_text_ctx", "n_text_state",
        "n_text_head", "n_text_layer", "n_mels", "ftype"], &[Container::Ggml], Counted, &["encoder.*", "decoder.*"],
        dimensions 4;
    Sam &["n_enc_state", "n_enc_layer", "n_enc_head", "n_enc_out_chans", "n_pt_embd", "ftype"], &[Container::Ggml], Absent,
        &["image_encoder.*", "prompt_encoder.*", "mask_decoder.*"], dimensions 4;
};

/// The form of rwkv.cpp's files: GGMF with version 100 or 101.
static RWKV: FamilyForm = FamilyForm {
    family: Family::Rwkv,
    fields: &["n_vocab", "n_embed", "n_layer", "data_type"],
    variant: None,
    containers: &[],
    vocabulary: VocabularyRule::Absent,
    always_has_scores: false,
    max_dimensions: 3,
    names: &["emb.weight", "blocks.#.*", "ln_out.*", "head.weight"],
};

/// The form of adapters.
static LORA: FamilyForm = FamilyForm {
    family: Family::Lora,
    fields: &["r", "lora_alpha"],
    variant: None,
    containers: &[],
    vocabulary: VocabularyRule::Absent,
    always_has_scores: false,
    max_dimensions: 2,
    names: &["*"],
};

impl FamilyForm {
    /// The forms that a container can have.
    pub fn of(container: Container, version: u32) -> impl Iterator<Item = &'static Self> {
        let only = match container {
            Container::Ggmf if version >= 100 => Some(&RWKV),
            Container::Ggla => Some(&LORA),
            _ => None,
        };
        let forms = FORMS.iter().filter(move |form| only.is_none() && form.containers.contains(&container));
        only.into_iter().chain(forms)
    }

    /// The layout of the header in a container.
    pub fn layout(&self, container: Container) -> Layout {
        let has_vocabulary = self.vocabulary != VocabularyRule::Absent;
        let field = |name: &str| self.fields.iter().position(|field| *field == name);
        Layout {
            field_count: self.fields.len(),
            vocabulary_size: field("n_vocab").filter(|_| has_vocabulary),
            file_type: field("ftype").filter(|_| container == Container::Ggml),
            vocabulary: self.vocabulary,
            has_scores: has_vocabulary && (self.always_has_scores || container.has_scores()),
            has_mel_filters: self.family == Family::Whisper,
            max_dimensions: self.max_dimensions,
            type_numbers: if self.family == Family::Rwkv { TypeNumbers::Rwkv } else { TypeNumbers::Ggml },
        }
    }

    /// Whether tensors of the family have this name.
    pub fn has_name(&self, name: &[u8]) -> bool {
        self.names.iter().any(|pattern| matches(pattern.as_bytes(), name))
    }

    /// Whether these values of the fields can be those of a model of the family.
    pub fn is_plausible(&self, values: &[u32]) -> bool {
        let field = |name: &str| {
            let position = self.fields.iter().position(|field| *field == name)?;
            values.get(position).copied()
        };
        let width = field("n_embd").or(field("d_model"));
        let heads = field("n_head").or(field("n_heads"));
        let divides = match (width, heads) {
            (Some(width), Some(heads)) => width.checked_rem(heads) == Some(0) && width > 0,
            _ => true,
        };
        divides && field("n_falcon_type").is_none_or(|value| matches!(value, 7 | 40))
    }
}

/// Whether a name fits a pattern: `#` is a number, `*` at the end anything.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', [])) => true,
        Some((b'#', rest)) => {
            let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && matches(rest, &name[digits..])
        }
        Some((letter, rest)) => name.split_first().is_some_and(|(first, name)| first == letter && matches(rest, name)),
    }
}

/// The number in a name that fits a pattern with one `#`. `None` if the name does not fit, or if the number has a leading zero
/// or more than 32 bits.
pub(super) fn number_in(pattern: &str, name: &[u8]) -> Option<u32> {
    let (before, after) = pattern.split_once('#')?;
    let digits = name.strip_prefix(before.as_bytes())?.strip_suffix(after.as_bytes())?;
    let number: u32 = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (digits[0] != b'+' && (digits.len() == 1 || digits[0] != b'0')).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{matches, number_in};

    #[test]
    fn patterns_have_numbers_and_an_open_end() {
        assert!(matches(b"layers.#.attention.wq.weight", b"layers.12.attention.wq.weight"));
        assert!(!matches(b"layers.#.attention.wq.weight", b"layers..attention.wq.weight"));
        assert!(!matches(b"norm.weight", b"norm.weights"));
        assert!(matches(b"norm.*", b"norm.bias"));
        assert!(!matches(b"norm.*", b"norm"));
    }

    #[test]
    fn a_number_is_written_in_one_way() {
        assert_eq!(number_in("layers.#.w", b"layers.12.w"), Some(12));
        for name in [&b"layers.012.w"[..], b"layers.+1.w", b"layers..w", b"layers.4294967296.w", b"layers.1.v"] {
            assert_eq!(number_in("layers.#.w", name), None);
        }
    }
}

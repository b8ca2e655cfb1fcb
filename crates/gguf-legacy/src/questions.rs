//! The questions that a file before GGUF leaves open.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::conversion::{Conversion, Relation};
use super::family::Family;
use super::model::LegacyModel;
use super::type_numbers::type_in_gguf;
use gguf_declare::{names, result};
use gguf_format::io::Source;
use gguf_format::tensor::block_types::{Q4_2, Q4_3};

names! {
    /// What a question asks for.
    #[typescript("LegacyQuestionId")]
    pub enum QuestionId {
        /// `general.name`: text.
        Name = "name",
        /// `llama.context_length`: an integer.
        ContextLength = "contextLength",
        /// `llama.attention.layer_norm_rms_epsilon`: a number.
        RmsEpsilon = "rmsEpsilon",
        /// `llama.rope.freq_base`: a number.
        RopeBase = "ropeBase",
        /// `llama.rope.scaling.factor`: a number; 1 for none.
        RopeScale = "ropeScale",
        /// `tokenizer.ggml.bos_token_id`: the id of a token.
        BosToken = "bosToken",
        /// `tokenizer.ggml.eos_token_id`: the id of a token.
        EosToken = "eosToken",
        /// `tokenizer.ggml.unknown_token_id`: the id of a token.
        UnknownToken = "unknownToken",
        /// What becomes of Q4_0, Q4_1 and Q8_0 with f32 scales.
        RoundedScales = "roundedScales",
        /// The type that Q4_2 and Q4_3 tensors become.
        RemovedTypes = "removedTypes",
    }
}

result! {
    /// A question that the file does not answer.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("LegacyQuestion")]
    pub struct Question {
        /// What is asked for.
        pub id: QuestionId,
        /// The question, a few words.
        pub title: &'static str,
        /// Why the default is taken: one or two sentences.
        pub reason: Cow<'static, str>,
        /// The answer if the caller gives none.
        pub default: String,
        /// The answers that are possible, or examples if any are. Empty if there is nothing to choose from.
        pub choices: &'static [Choice],
        /// Whether only the choices are possible.
        pub is_closed: bool,
    }
}

result! {
    /// An answer to a question.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[typescript("LegacyChoice")]
    pub struct Choice {
        /// The answer.
        pub value: &'static str,
        /// What it means.
        pub title: &'static str,
    }
}

const fn choice(value: &'static str, title: &'static str) -> Choice {
    Choice { value, title }
}

pub(super) static REMOVED_TYPE_CHOICES: [Choice; 7] = [
    choice("F16", "16-bit floats: values beyond 65504 are lost, others are rounded to 11 bits"),
    choice("F32", "32-bit floats: exact, and the largest file"),
    choice("Q8_0", "8-bit blocks: about half of F16"),
    choice("Q5_1", "5-bit blocks with a minimum"),
    choice("Q5_0", "5-bit blocks"),
    choice("Q4_1", "4-bit blocks with a minimum"),
    choice("Q4_0", "4-bit blocks: about the size of the old file"),
];

pub(super) static SCALE_CHOICES: [Choice; 2] = [
    choice("f16", "Round the scales of blocks to 16 bits: the size stays, values change by at most one part in 2000"),
    choice("f32", "Keep all values exactly, as F32: a file up to eight times as large"),
];

impl<S: Source> LegacyModel<S> {
    /// Whether a tensor is of a type that GGUF does not have.
    fn has_removed_types(&self) -> bool {
        self.tensors().iter().any(|tensor| matches!(tensor.ggml_type, Q4_2 | Q4_3))
    }

    fn has_wide_scales(&self) -> bool {
        self.tensors().iter().any(|tensor| {
            let conversion = type_in_gguf(tensor.ggml_type).and_then(|to| Conversion::new(tensor.ggml_type, to).ok());
            conversion.is_some_and(|conversion| conversion.relation() == Relation::ScalesRounded)
        })
    }

    /// The questions that the file leaves open. A model that is not of the LLaMA family has only those about types, an adapter
    /// has none.
    pub fn questions(&self) -> Vec<Question> {
        let mut questions = Vec::new();
        let mut ask = |id, title, reason: Cow<'static, str>, default: String, choices: &'static [Choice], is_closed| {
            add(&mut questions, Question { id, title, reason, default, choices, is_closed });
        };
        if self.header().family == Family::Llama {
            let defaults = self.defaults();
            let name = self.default_name().unwrap_or_default();
            ask(
                QuestionId::Name,
                "Name of the model",
                "The file does not name the model. The default is the name of the file.".into(),
                name.into(),
                &[],
                false,
            );
            ask(
                QuestionId::ContextLength,
                "Context length",
                defaults.reason.into(),
                format!("{}", defaults.context_length),
                const { &[choice("2048", "LLaMA 1"), choice("4096", "Llama 2"), choice("16384", "CodeLlama")] },
                false,
            );
            ask(
                QuestionId::RmsEpsilon,
                "Epsilon of the normalisation",
                defaults.reason.into(),
                defaults.rms_epsilon.0.into(),
                const { &[choice("1e-6", "LLaMA 1, OpenLLaMA"), choice("1e-5", "Llama 2"), choice("5e-6", "in between")] },
                false,
            );
            ask(
                QuestionId::RopeBase,
                "Base of the rotary positions",
                defaults.reason.into(),
                format!("{}", defaults.rope_base),
                const { &[choice("10000", "LLaMA 1, Llama 2"), choice("1000000", "CodeLlama")] },
                false,
            );
            ask(
                QuestionId::RopeScale,
                "Factor of the context extension",
                "Only models that were trained for a longer context, as SuperHOT, have a factor other than 1.".into(),
                "1".into(),
                const { &[choice("1", "none"), choice("4", "SuperHOT 8K")] },
                false,
            );
            let ids = [
                (QuestionId::UnknownToken, "Id of the unknown token", "0"),
                (QuestionId::BosToken, "Id of the token that begins a text", "1"),
                (QuestionId::EosToken, "Id of the token that ends a text", "2"),
            ];
            for (id, title, default) in ids {
                ask(id, title, "llama.cpp used this id for all models of the time.".into(), default.into(), &[], false);
            }
        }
        if self.has_wide_scales() {
            ask(
                QuestionId::RoundedScales,
                "Scales of quantized blocks",
                "The scales have 32 bits in this file, and 16 bits in GGUF.".into(),
                "f16".into(),
                &SCALE_CHOICES,
                true,
            );
        }
        if self.has_removed_types() {
            ask(
                QuestionId::RemovedTypes,
                "Type for Q4_2 and Q4_3",
                "llama.cpp removed these types in 2023, so the values must be stored in another type.".into(),
                "F16".into(),
                &REMOVED_TYPE_CHOICES,
                true,
            );
        }
        questions
    }
}

/// Adds a question. There are a dozen of them, so that a copy of this at each of them would be a kilobyte.
#[inline(never)]
fn add(questions: &mut Vec<Question>, question: Question) {
    questions.push(question);
}

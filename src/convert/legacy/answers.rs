//! The questions that a file before GGUF leaves open, and their answers.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::block_types::{Q4_2, Q4_3, type_in_gguf};
use super::conversion::{Conversion, Relation};
use super::family::Family;
use super::llama;
use super::model::LegacyModel;
use crate::declare::{names, result};
use crate::error::{Error, Result, error};
use crate::format::ggml_type::GgmlType;
use crate::io::Source;

names! {
    /// What a question asks for.
    #[typescript("LegacyQuestionId")]
    pub enum QuestionId {
        /// `general.name`: text.
        Name = "name",
        /// `llama.context_length`: an integer.
        ContextLength = "context-length",
        /// `llama.attention.layer_norm_rms_epsilon`: a number.
        RmsEpsilon = "rms-epsilon",
        /// `llama.rope.freq_base`: a number.
        RopeBase = "rope-base",
        /// `llama.rope.scaling.factor`: a number; 1 for none.
        RopeScale = "rope-scale",
        /// `tokenizer.ggml.bos_token_id`: the id of a token.
        BosToken = "bos-token",
        /// `tokenizer.ggml.eos_token_id`: the id of a token.
        EosToken = "eos-token",
        /// `tokenizer.ggml.unknown_token_id`: the id of a token.
        UnknownToken = "unknown-token",
        /// What becomes of Q4_0, Q4_1 and Q8_0 with f32 scales.
        RoundedScales = "rounded-scales",
        /// The type that Q4_2 and Q4_3 tensors become.
        RemovedTypes = "removed-types",
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
        pub choices: Vec<Choice>,
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

/// Answers to the [questions](LegacyModel::questions). Those that are `None` are the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Answers {
    /// [`QuestionId::Name`].
    pub name: Option<String>,
    /// [`QuestionId::ContextLength`].
    pub context_length: Option<u32>,
    /// [`QuestionId::RmsEpsilon`].
    pub rms_epsilon: Option<f32>,
    /// [`QuestionId::RopeBase`].
    pub rope_base: Option<f32>,
    /// [`QuestionId::RopeScale`].
    pub rope_scale: Option<f32>,
    /// [`QuestionId::BosToken`].
    pub bos_token: Option<u32>,
    /// [`QuestionId::EosToken`].
    pub eos_token: Option<u32>,
    /// [`QuestionId::UnknownToken`].
    pub unknown_token: Option<u32>,
    /// [`QuestionId::RoundedScales`]: keep the values as F32 instead of rounding the scales.
    pub exact_scales: Option<bool>,
    /// [`QuestionId::RemovedTypes`].
    pub removed_types: Option<GgmlType>,
    /// Export the model only for inspection: llama.cpp cannot run it.
    pub for_inspection: bool,
}

/// The types that Q4_2 and Q4_3 tensors can become, with the file type of a model whose matrices have it.
pub(super) const REPLACEMENTS: [(GgmlType, u32); 7] = [
    (GgmlType::F16, 1),
    (GgmlType::F32, 0),
    (GgmlType::Q8_0, 7),
    (GgmlType::Q5_1, 9),
    (GgmlType::Q5_0, 8),
    (GgmlType::Q4_1, 3),
    (GgmlType::Q4_0, 2),
];

const fn choice(value: &'static str, title: &'static str) -> Choice {
    Choice { value, title }
}

const REMOVED_TYPE_CHOICES: [Choice; 7] = [
    choice("F16", "16-bit floats: values beyond 65504 are lost, others are rounded to 11 bits"),
    choice("F32", "32-bit floats: exact, and the largest file"),
    choice("Q8_0", "8-bit blocks: about half of F16"),
    choice("Q5_1", "5-bit blocks with a minimum"),
    choice("Q5_0", "5-bit blocks"),
    choice("Q4_1", "4-bit blocks with a minimum"),
    choice("Q4_0", "4-bit blocks: about the size of the old file"),
];

const SCALE_CHOICES: [Choice; 2] = [
    choice("f16", "Round the scales of blocks to 16 bits: the size stays, values change by at most one part in 2000"),
    choice("f32", "Keep all values exactly, as F32: a file up to eight times as large"),
];

/// The number of tokens of CodeLlama, which has 16 more than LLaMA.
const CODE_LLAMA_TOKENS: u32 = 32016;

impl Answers {
    /// Sets the answer to a question from its text.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the text is no answer to the question.
    pub fn set(&mut self, id: QuestionId, text: &str) -> Result<()> {
        fn parsed<T: core::str::FromStr>(id: QuestionId, text: &str, expected: &str) -> Result<Option<T>> {
            text.trim().parse().map(Some).map_err(|_| invalid(id, text, expected))
        }
        const INTEGER: &str = "an integer from 0 to 4294967295";
        match id {
            QuestionId::Name => self.name = Some(text.into()),
            QuestionId::ContextLength => self.context_length = parsed(id, text, INTEGER)?,
            QuestionId::RmsEpsilon => self.rms_epsilon = parsed(id, text, "a number")?,
            QuestionId::RopeBase => self.rope_base = parsed(id, text, "a number")?,
            QuestionId::RopeScale => self.rope_scale = parsed(id, text, "a number")?,
            QuestionId::BosToken => self.bos_token = parsed(id, text, INTEGER)?,
            QuestionId::EosToken => self.eos_token = parsed(id, text, INTEGER)?,
            QuestionId::UnknownToken => self.unknown_token = parsed(id, text, INTEGER)?,
            QuestionId::RoundedScales => {
                let value = SCALE_CHOICES.iter().position(|choice| choice.value == text);
                self.exact_scales = Some(value.ok_or_else(|| invalid(id, text, "f16 or f32"))? == 1);
            }
            QuestionId::RemovedTypes => {
                let value = REMOVED_TYPE_CHOICES.iter().position(|choice| choice.value == text);
                let value = value.ok_or_else(|| invalid(id, text, "F16, F32, Q8_0, Q5_1, Q5_0, Q4_1 or Q4_0"))?;
                self.removed_types = Some(REPLACEMENTS[value].0);
            }
        }
        Ok(())
    }
}

#[cold]
fn invalid(id: QuestionId, text: &str, expected: &str) -> Error {
    error!(InvalidArgument: "the answer to {} is \"{text}\", expected {expected}", id.name())
}

/// The answers of the caller, and the defaults of those that are missing.
#[derive(Clone, Debug)]
pub(super) struct CompleteAnswers {
    pub name: Option<String>,
    pub context_length: u32,
    pub rms_epsilon: f32,
    pub rope_base: f32,
    pub rope_scale: f32,
    pub bos_token: u32,
    pub eos_token: u32,
    pub unknown_token: u32,
    pub exact_scales: bool,
    pub removed_types: GgmlType,
}

/// Defaults that depend on the model: context length, epsilon and rope base, with the reason for all.
struct Defaults {
    context_length: u32,
    rms_epsilon: &'static str,
    rope_base: u32,
    reason: &'static str,
}

impl<S: Source> LegacyModel<S> {
    fn defaults(&self) -> Defaults {
        let header = self.header();
        let sizes = llama::sizes(header, self.tensors());
        if header.integer("n_vocab") == CODE_LLAMA_TOKENS {
            let reason = "The vocabulary has 32016 tokens, as that of CodeLlama.";
            Defaults { context_length: 16384, rms_epsilon: "1e-5", rope_base: 1_000_000, reason }
        } else if sizes.is_ok_and(|sizes| sizes.key_value_heads < sizes.heads) {
            let reason = "The heads share keys and values, as in Llama 2 70B.";
            Defaults { context_length: 4096, rms_epsilon: "1e-5", rope_base: 10_000, reason }
        } else if header.container_name() == "GGJTv3" {
            let reason = "The file can be of LLaMA 1 or Llama 2. The default is between both, as in llama.cpp's migration script.";
            Defaults { context_length: 2048, rms_epsilon: "5e-6", rope_base: 10_000, reason }
        } else {
            let reason = "The container was used before July 2023, so the model is a LLaMA 1.";
            Defaults { context_length: 2048, rms_epsilon: "1e-6", rope_base: 10_000, reason }
        }
    }

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
        let mut ask = |id, title, reason: Cow<'static, str>, default: String, choices: &[Choice], is_closed| {
            questions.push(Question { id, title, reason, default, choices: choices.to_vec(), is_closed });
        };
        if self.header().family == Family::Llama {
            let defaults = self.defaults();
            let name = self.file_name().unwrap_or_default();
            ask(
                QuestionId::Name,
                "Name of the model",
                "The file has no name of its own.".into(),
                name.into(),
                &[],
                false,
            );
            ask(
                QuestionId::ContextLength,
                "Context length",
                defaults.reason.into(),
                format!("{}", defaults.context_length),
                &[choice("2048", "LLaMA 1"), choice("4096", "Llama 2"), choice("16384", "CodeLlama")],
                false,
            );
            ask(
                QuestionId::RmsEpsilon,
                "Epsilon of the normalisation",
                defaults.reason.into(),
                defaults.rms_epsilon.into(),
                &[choice("1e-6", "LLaMA 1, OpenLLaMA"), choice("1e-5", "Llama 2"), choice("5e-6", "in between")],
                false,
            );
            ask(
                QuestionId::RopeBase,
                "Base of the rotary positions",
                defaults.reason.into(),
                format!("{}", defaults.rope_base),
                &[choice("10000", "LLaMA 1, Llama 2"), choice("1000000", "CodeLlama")],
                false,
            );
            ask(
                QuestionId::RopeScale,
                "Factor of the context extension",
                "Only models that were trained for a longer context, as SuperHOT, have a factor other than 1.".into(),
                "1".into(),
                &[choice("1", "none"), choice("4", "SuperHOT 8K")],
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
                "Scales of quantised blocks",
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

    /// The answers with the defaults of those that are missing.
    pub(super) fn complete(&self, answers: &Answers) -> Result<CompleteAnswers> {
        let defaults = self.defaults();
        let tokens = self.header().vocabulary.as_ref().map_or(0, |vocabulary| vocabulary.len());
        let complete = CompleteAnswers {
            name: answers.name.clone().or_else(|| self.file_name().map(Into::into)),
            context_length: answers.context_length.unwrap_or(defaults.context_length),
            rms_epsilon: answers.rms_epsilon.or_else(|| defaults.rms_epsilon.parse().ok()).unwrap_or_default(),
            rope_base: answers.rope_base.unwrap_or(defaults.rope_base as f32),
            rope_scale: answers.rope_scale.unwrap_or(1.0),
            bos_token: answers.bos_token.unwrap_or(1),
            eos_token: answers.eos_token.unwrap_or(2),
            unknown_token: answers.unknown_token.unwrap_or(0),
            exact_scales: answers.exact_scales.unwrap_or(false),
            removed_types: answers.removed_types.unwrap_or(GgmlType::F16),
        };
        let is_positive = |value: f32| value > 0.0 && value.is_finite();
        let numbers = [
            (QuestionId::RmsEpsilon, complete.rms_epsilon),
            (QuestionId::RopeBase, complete.rope_base),
            (QuestionId::RopeScale, complete.rope_scale),
        ];
        if let Some((id, value)) = numbers.into_iter().find(|(_, value)| !is_positive(*value)) {
            return Err(invalid(id, &format!("{value}"), "a number greater than 0"));
        }
        if complete.context_length == 0 {
            return Err(invalid(QuestionId::ContextLength, "0", "1 or more"));
        }
        if !REPLACEMENTS.iter().any(|(replacement, _)| *replacement == complete.removed_types) {
            return Err(invalid(
                QuestionId::RemovedTypes,
                &format!("{}", complete.removed_types),
                "F16, F32, Q8_0, Q5_1, Q5_0, Q4_1 or Q4_0",
            ));
        }
        let given = [
            (QuestionId::BosToken, answers.bos_token),
            (QuestionId::EosToken, answers.eos_token),
            (QuestionId::UnknownToken, answers.unknown_token),
        ];
        match given.into_iter().find_map(|(id, token)| Some((id, token.filter(|token| *token as usize >= tokens)?))) {
            Some((id, token)) => Err(invalid(id, &format!("{token}"), &format!("the id of one of {tokens} tokens"))),
            None => Ok(complete),
        }
    }
}

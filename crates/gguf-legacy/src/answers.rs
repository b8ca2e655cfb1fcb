//! The answers to the questions that a file before GGUF leaves open.

use alloc::string::String;
use core::num::NonZeroU32;

use super::model::LegacyModel;
use super::questions::{QuestionId, REMOVED_TYPE_CHOICES, SCALE_CHOICES};
use gguf_format::decimal::{float64, plain};
use gguf_format::error::{Error, Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::io::Source;

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

/// What answers are expected to be. A float of 32 bits holds the numbers from 1e-45 to 3.4e38.
const NUMBER: &str = "a number from 1e-45 to 3.4e38";
const LENGTH: &str = "an integer from 1 to 4294967295";
const INTEGER: &str = "an integer from 0 to 4294967295";

fn is_positive(value: f32) -> bool {
    value > 0.0 && value.is_finite()
}

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
        // As llama.cpp's migration script, which reads a double and stores a float.
        let number = |id, text: &str| {
            let number = float64(text.trim()).map(|number| number as f32);
            number.filter(|number| is_positive(*number)).map(Some).ok_or_else(|| invalid(id, text, NUMBER))
        };
        match id {
            QuestionId::Name => self.name = Some(text.into()),
            QuestionId::ContextLength => {
                self.context_length = parsed::<NonZeroU32>(id, text, LENGTH)?.map(NonZeroU32::get)
            }
            QuestionId::RmsEpsilon => self.rms_epsilon = number(id, text)?,
            QuestionId::RopeBase => self.rope_base = number(id, text)?,
            QuestionId::RopeScale => self.rope_scale = number(id, text)?,
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

impl<S: Source> LegacyModel<S> {
    /// The answers with the defaults of those that are missing.
    pub(super) fn complete(&self, answers: &Answers) -> Result<CompleteAnswers> {
        let defaults = self.defaults();
        let tokens = self.header().vocabulary.as_ref().map_or(0, |vocabulary| vocabulary.len());
        let complete = CompleteAnswers {
            name: answers.name.clone().or_else(|| self.default_name().map(Into::into)),
            context_length: answers.context_length.unwrap_or(defaults.context_length),
            rms_epsilon: answers.rms_epsilon.unwrap_or(defaults.rms_epsilon.1),
            rope_base: answers.rope_base.unwrap_or(defaults.rope_base as f32),
            rope_scale: answers.rope_scale.unwrap_or(1.0),
            bos_token: answers.bos_token.unwrap_or(1),
            eos_token: answers.eos_token.unwrap_or(2),
            unknown_token: answers.unknown_token.unwrap_or(0),
            exact_scales: answers.exact_scales.unwrap_or(false),
            removed_types: answers.removed_types.unwrap_or(GgmlType::F16),
        };
        let numbers = [
            (QuestionId::RmsEpsilon, complete.rms_epsilon),
            (QuestionId::RopeBase, complete.rope_base),
            (QuestionId::RopeScale, complete.rope_scale),
        ];
        if let Some((id, value)) = numbers.into_iter().find(|(_, value)| !is_positive(*value)) {
            return Err(invalid(id, &plain(value.into()), NUMBER));
        }
        if complete.context_length == 0 {
            return Err(invalid(QuestionId::ContextLength, "0", LENGTH));
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

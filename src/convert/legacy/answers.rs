//! The answers of a caller to the questions of a model.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Options, options, refused_option, shown_number};
use gguf_legacy::{Answers, QuestionId};

options! {
    /// Answers to the questions of a `LegacyModel`. A question without an answer takes its default. A number can also be a text, as
    /// defaults are.
    pub interface LegacyAnswers {
        /// The name of the model.
        name?: "string" => JsValue;
        /// The number of tokens that the model was trained for.
        context_length?: "number | string" => JsValue;
        /// The epsilon of the normalisation.
        rms_epsilon?: "number | string" => JsValue;
        /// The base of the rotary positions.
        rope_base?: "number | string" => JsValue;
        /// The factor of the context extension; 1 for none.
        rope_scale?: "number | string" => JsValue;
        /// The id of the token that begins a text.
        bos_token?: "number | string" => JsValue;
        /// The id of the token that ends a text.
        eos_token?: "number | string" => JsValue;
        /// The id of the unknown token.
        unknown_token?: "number | string" => JsValue;
        /// Whether scales of 32 bits are rounded to 16 bits, or the values kept as F32.
        rounded_scales?: "\"f16\" | \"f32\"" => JsValue;
        /// The type that Q4_2 and Q4_3 tensors become: one of the choices of the question.
        removed_types?: "string" => JsValue;
        /// Whether a model that llama.cpp cannot run is exported, for inspection only. Default: false.
        for_inspection?: "boolean" => bool = false;
    }
}

/// The answers as the core takes them.
pub(super) fn answers(given: Option<LegacyAnswers>) -> Result<Answers, Thrown> {
    let options = Options::new(given);
    let given = LegacyAnswers::read(&options)?;
    let mut answers = Answers::default();
    answers.for_inspection = given.for_inspection;
    let given = [
        (QuestionId::Name, given.name),
        (QuestionId::ContextLength, given.context_length),
        (QuestionId::RmsEpsilon, given.rms_epsilon),
        (QuestionId::RopeBase, given.rope_base),
        (QuestionId::RopeScale, given.rope_scale),
        (QuestionId::BosToken, given.bos_token),
        (QuestionId::EosToken, given.eos_token),
        (QuestionId::UnknownToken, given.unknown_token),
        (QuestionId::RoundedScales, given.rounded_scales),
        (QuestionId::RemovedTypes, given.removed_types),
    ];
    for (id, answer) in given {
        let Some(answer) = answer else { continue };
        let text: Option<String> = answer.as_string().or_else(|| answer.as_f64().map(shown_number));
        let text = text.ok_or_else(|| refused_option(id.name(), &answer, "a text or a number"))?;
        answers.set(id, &text)?;
    }
    Ok(answers)
}

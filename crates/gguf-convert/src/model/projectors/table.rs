//! All projectors, and the classes that have them.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::reading::Audio;
use super::row::Projector;
use super::{gemma3, gemma4, glm4v, internvl, kimi, lfm2, llama4, pixtral, qwen2_vl, qwen3_vl, smolvlm, whisper};
use crate::model::config::CONFIG;
use gguf_declare::result;
use gguf_format::error::{Result, error};
use gguf_format::order::sorted;

/// All projectors.
const TABLE: &[&[Projector]] = &[
    qwen3_vl::PROJECTORS,
    gemma4::PROJECTORS,
    gemma3::PROJECTORS,
    qwen2_vl::PROJECTORS,
    pixtral::PROJECTORS,
    smolvlm::PROJECTORS,
    internvl::PROJECTORS,
    llama4::PROJECTORS,
    whisper::PROJECTORS,
    glm4v::PROJECTORS,
    lfm2::PROJECTORS,
    kimi::PROJECTORS,
];

result! {
    /// The projector that can be made from a model.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("HubModelProjector")]
    pub struct ProjectorSummary {
        /// The name of its class: `Qwen3VLForConditionalGeneration`.
        pub class_name: String,
        /// Whether it has an encoder of images.
        pub has_vision: bool,
        /// Whether it has an encoder of sound.
        pub has_audio: bool,
    }
}

/// The name of the class whose encoders a model has.
///
/// # Errors
///
/// `unsupported-model` if `config.json` names none.
pub(super) fn class_of(config: &Value) -> Result<&str> {
    let classes = |config: &'_ Value| config.get("architectures").is_some_and(|classes| !classes.is_null());
    let vision = config.get("vision_config").filter(|vision| classes(vision));
    let class = vision.unwrap_or(config).get("architectures").and_then(|list| list.get(0)?.as_str());
    class.ok_or_else(|| {
        error!(UnsupportedModel:
            "{CONFIG} does not name the class of the model: expected a member \"architectures\" with a list of texts")
    })
}

pub(super) fn projector_of_class(class: &str) -> Option<&'static Projector> {
    TABLE.iter().copied().flatten().find(|projector| projector.classes.contains(&class))
}

/// The projector that can be made from a model, by its `config.json`. `None` if the model has no encoders, or unknown ones.
///
/// # Examples
///
/// ```
/// use gguf_convert::model::projector_of;
///
/// let config = serde_json::json!({ "architectures": ["Gemma3ForConditionalGeneration"], "vision_config": {} });
/// assert!(projector_of(&config).is_some_and(|projector| projector.has_vision && !projector.has_audio));
/// let config = serde_json::json!({ "architectures": ["LlamaForCausalLM"] });
/// assert_eq!(projector_of(&config), None);
/// ```
pub fn projector_of(config: &Value) -> Option<ProjectorSummary> {
    let class = class_of(config).ok()?;
    let projector = projector_of_class(class)?;
    let has = |name| config.get(name).and_then(Value::as_object).is_some();
    let is_filled = |name| config.get(name).and_then(Value::as_object).is_some_and(|members| !members.is_empty());
    let has_vision = projector.has_vision && has("vision_config");
    let has_audio = match projector.has_audio {
        Audio::No => false,
        Audio::Yes => has("audio_config"),
        Audio::Maybe => is_filled("audio_config"),
    };
    (has_vision || has_audio).then(|| ProjectorSummary { class_name: class.into(), has_vision, has_audio })
}

/// The names of all classes from which a projector can be made, sorted.
pub fn projector_classes() -> Vec<&'static str> {
    let classes = TABLE.iter().copied().flatten().flat_map(|projector| projector.classes).copied();
    sorted(&classes.collect::<Vec<&str>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::model::families::rule::Rule;
    use crate::model::families::rule_text::Rules;

    #[test]
    fn a_class_belongs_to_one_projector() {
        let mut classes = projector_classes();
        let count = classes.len();
        classes.dedup();
        assert_eq!(classes.len(), count);
    }

    #[test]
    fn the_first_rule_for_a_name_is_the_only_one() {
        for projector in TABLE.iter().copied().flatten() {
            let rules: Vec<Rule> = projector.family.rules.iter().copied().flat_map(Rules::iter).collect();
            for (position, rule) in rules.iter().enumerate() {
                let is_same = |other: &Rule| other.source == rule.source && other.suffix == rule.suffix;
                assert!(!rules[..position].iter().any(is_same), "{:?}: {}", projector.classes, rule.source);
            }
        }
    }

    #[test]
    fn defaults_are_objects() {
        for reading in TABLE.iter().copied().flatten().flat_map(|projector| projector.reads) {
            for defaults in reading.class.iter().flat_map(|class| [class.vision, class.audio, class.global]) {
                assert!(
                    json::parse("the defaults", defaults.as_bytes()).unwrap().is_object(),
                    "{}",
                    reading.model_type
                );
            }
        }
    }
}

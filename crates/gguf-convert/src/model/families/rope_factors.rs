//! The tensors with the factors of the rotary position embedding: those of Llama 3, and those of long and short texts.

use alloc::vec::Vec;

use serde_json::Value;

use super::row::Generated;
use crate::model::config::{CONFIG, Config, float, wrong_type};
use crate::model::json_members::elements;
use crate::model::keys::rope_type;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

/// The tensor `rope_freqs`, if the configuration has the type `llama3`. `default_factor` is the factor if there is none.
///
/// The numbers are rounded to `f32` after each operation, as torch computes them; powers are computed in `f64`.
pub(super) fn llama3(config: &Config, default_factor: f64) -> Result<Generated> {
    let rope = config.full_rope();
    if !rope_type(rope)?.is_some_and(|name| name.eq_ignore_ascii_case("llama3")) {
        return Ok(Generated::default());
    }
    let number = |name: &str, default: f64| match rope.get(name) {
        None => Ok(default),
        Some(value) => float(name, value),
    };
    let base = number("rope_theta", 10_000.0)?;
    let factor = number("factor", default_factor)? as f32;
    let (low, high) = (number("low_freq_factor", 1.0)?, number("high_freq_factor", 4.0)?);
    let context = number("original_max_position_embeddings", 8192.0)?;
    let (long, short) = ((context / low) as f32, (context / high) as f32);
    let dimension = head_dimension(config)?;
    if dimension > 1 << 20 {
        return Err(error!(BadJson: "the configuration says that a head has {dimension} elements, which is too many"));
    }
    let factors: Vec<f32> = (0..dimension.div_ceil(2))
        .map(|i| {
            let exponent = (2 * i) as f32 / dimension as f32;
            let frequency = 1.0 / libm::pow(base, f64::from(exponent)) as f32;
            let length = 1.0 / frequency * core::f32::consts::TAU;
            if length < short {
                1.0
            } else if length > long {
                factor
            } else {
                let smooth = (1.0 / length * context as f32 - low as f32) / (high - low) as f32;
                1.0 / ((1.0 - smooth) / factor + smooth)
            }
        })
        .collect();
    Ok(Generated { tensors: vec![("rope_freqs.weight", factors)], floats: Vec::new() })
}

/// Refuses the type `llama3`, for which the reference has no tensor in some families.
pub(super) fn no_llama3(config: &Config) -> Result<Generated> {
    match llama3(config, 8.0)?.tensors.is_empty() {
        true => Ok(Generated::default()),
        false => Err(error!(UnsupportedModel:
            "the rotary position embedding in {CONFIG} has the type llama3, which cannot be converted for the class {}",
            Shown(config.class().as_bytes()))),
    }
}

/// The size of a head.
///
/// # Errors
///
/// `bad-json` if the configuration does not say it.
pub(super) fn head_dimension(config: &Config) -> Result<u32> {
    match config.unsigned(&["head_dim"])? {
        Some(dimension) => Ok(dimension),
        None => Ok(config.required(&["hidden_size"])? / config.heads()?),
    }
}

/// The factors of the positions of long and of short texts: a number for each pair of `rotated` elements.
pub(super) fn long_factors(config: &Config, rotated: u32) -> Result<Vec<(&'static str, Vec<f32>)>> {
    const NAMES: [(&str, &str); 2] =
        [("rope_factors_long.weight", "long_factor"), ("rope_factors_short.weight", "short_factor")];
    let list = |name: &str| elements(config.rope().get(name).unwrap_or(&Value::Null));
    if NAMES.iter().all(|(_, name)| list(name).is_empty()) {
        return Ok(Vec::new());
    }
    let factors = NAMES.iter().map(|(target, name)| {
        if 2 * list(name).len() != rotated as usize {
            let found = config.rope().get(*name).unwrap_or(&Value::Null);
            return Err(wrong_type(name, found, &format!("{} numbers", rotated / 2)));
        }
        let factors: Result<Vec<f32>> = list(name).iter().map(|factor| Ok(float(name, factor)? as f32)).collect();
        Ok((*target, factors?))
    });
    factors.collect()
}

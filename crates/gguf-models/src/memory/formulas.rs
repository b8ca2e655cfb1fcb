//! How the parts of an estimate are computed, in words and numbers.

use alloc::{string::String, string::ToString, vec::Vec};

use super::caches::Cache;
use super::estimate::{Formula, MemoryEstimate};
use super::model::Model;
use super::options::MemoryOptions;
use gguf_format::format::ggml_type::GgmlType;

/// The formulas of the known parts.
pub(super) fn formulas(model: &Model<'_>, estimate: &MemoryEstimate, options: &MemoryOptions) -> Vec<Formula> {
    let mut formulas = Vec::new();
    let mut add = |part: String, formula: String, bytes| formulas.push(Formula { part, formula, bytes });
    if let Some(weights) = &estimate.weights {
        let formula = "the tensors before, in and after the layers, each rounded up to a multiple of 32 bytes";
        add("Weights".to_string(), formula.to_string(), weights.total);
        if weights.tied_output > 0 {
            let formula = "token_embd.weight once more, if input and output are on different devices";
            add("Tied output".to_string(), formula.to_string(), weights.tied_output);
        }
    }
    for cache in estimate.caches.iter().flatten() {
        let name = cache.kind.name();
        add(format!("Keys of the {name} cache"), rows(cache, cache.key_bytes, options.key_type), cache.key_bytes);
        if cache.value_bytes > 0 {
            add(
                format!("Values of the {name} cache"),
                rows(cache, cache.value_bytes, options.value_type),
                cache.value_bytes,
            );
        }
    }
    if let Some(state) = &estimate.state {
        let layers = state.layer_indices.len();
        let numbers = state.bytes() / (4 * layers as u64 * state.cells).max(1);
        let formula = format!(
            "{} × {} × {numbers} numbers × 4 bytes",
            counted(layers as u64, "layer"),
            counted(state.cells, "sequence")
        );
        add("Recurrent state".to_string(), formula, state.bytes());
    }
    if let (Some(bytes), Ok(tokens)) = (estimate.output_bytes, model.token_count()) {
        add(
            "Output buffer".to_string(),
            format!("{tokens} tokens × {} × 4 bytes", counted(options.sequences.into(), "sequence")),
            bytes,
        );
    }
    if let Some(range) = estimate.compute {
        let formula = "the results of a micro-batch that exist at the same time, as ggml places them on a CPU, and 5 %";
        add("Compute buffers, at most".to_string(), formula.to_string(), range.high);
    }
    formulas
}

/// The rows of a cache: of equal width in all layers, or of the mean width.
fn rows(cache: &Cache, bytes: u64, element_type: GgmlType) -> String {
    let layers = cache.layer_indices.len() as u64;
    let row_count = layers.saturating_mul(cache.cells).saturating_mul(cache.streams);
    let row = bytes / row_count.max(1);
    let mean = if row.saturating_mul(row_count) == bytes { "" } else { " on average" };
    let (layers, streams) = (counted(layers, "layer"), counted(cache.streams, "stream"));
    format!("{layers} × {} cells × {streams} × {row} bytes of {element_type}{mean}", cache.cells)
}

/// A number of things, with a plural `s` if the number is not 1.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

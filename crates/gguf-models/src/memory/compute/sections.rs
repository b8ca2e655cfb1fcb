//! The texts of the graphs, and the sections that hold for an architecture.

use alloc::vec::Vec;

/// The texts. A section for some architectures stands before the section of the same name for all, also in one text.
///
/// What they describe, in llama.cpp of August 2026 (`src/llama-graph.cpp` unless another file is named):
///
/// | section | function |
/// | --- | --- |
/// | `start`, `first` | `build_inp_embd` and the other inputs; what the graph of the architecture does before its loop |
/// | `block`, `last`, `finish` | the loop and the end of the graph of the architecture (`src/models`) |
/// | `qkv`, `attention`, `turn` | `build_qkv`, `build_attn`, `llama_mul_mat_hadamard` |
/// | `cached_scores`, `own_scores` | `build_attn_mha`, for keys of a cache and of the batch |
/// | `dense`, `moe` | `build_ffn`, `build_moe_ffn` |
/// | `mla`, `indexer`, `chosen` | `src/models/deepseek2.cpp`, `deepseek32.cpp`; `build_attn` for chosen cells |
/// | `stream` | the loop over streams in `src/models/minimax-m3.cpp` |
/// | `biased` | `build_pos_bias` (`src/models/t5.cpp`) |
/// | `delta`, `kda` | `src/models/delta-net-base.cpp`, `kimi-linear.cpp` |
/// | `mamba`, `mamba2` | `src/models/mamba-base.cpp`, `plamo2.cpp` |
/// | `shortconv` | `src/models/lfm2.cpp` |
/// | `time_mix`, `channel_mix` | `src/models/rwkv6-base.cpp`, `rwkv7-base.cpp` |
/// | `lightning` | `src/models/minimax-01.cpp` |
const TEXTS: [&str; 4] = [
    include_str!("graphs/other.graph"),
    include_str!("graphs/latent.graph"),
    include_str!("graphs/recurrent.graph"),
    include_str!("graphs/common.graph"),
];

/// A named value, in the order of its definition. A later one hides an earlier one.
pub(in crate::memory) type Named<T> = Vec<(&'static str, T)>;

/// The names of the sections that hold for an architecture, and their statements.
pub(in crate::memory) type Sections = Named<&'static str>;

/// The value with a name.
pub(super) fn find<T: Copy>(values: &Named<T>, name: &str) -> Option<T> {
    values.iter().rev().find(|(own, _)| *own == name).map(|(_, value)| *value)
}

/// Names a value.
pub(super) fn set<T>(values: &mut Named<T>, name: &'static str, value: T) {
    match values.iter_mut().find(|(own, _)| *own == name) {
        Some((_, own)) => *own = value,
        None => values.push((name, value)),
    }
}

/// The parts of a text before and after the first of a byte. Nothing is after it if the text does not have it.
#[inline(never)]
pub(super) fn cut(text: &str, at: u8) -> (&str, &str) {
    let place = text.bytes().position(|byte| byte == at).unwrap_or(text.len());
    (&text[..place], text.get(place + 1..).unwrap_or(""))
}

/// The sections that hold for an architecture.
pub(in crate::memory) fn sections_of(architecture: &str) -> Sections {
    let mut sections = Vec::new();
    for text in TEXTS {
        let mut rest = text;
        while !rest.is_empty() {
            let (title, after) = cut(rest, b'\n');
            // The statements end before the next title.
            let mut end = 0;
            while end < after.len() && !after[end..].starts_with("==") {
                end += cut(&after[end..], b'\n').0.len() + 1;
            }
            let body = after.get(..end).unwrap_or(after);
            rest = after.get(end..).unwrap_or("");
            let (name, mut architectures) = cut(title.get(3..).unwrap_or(""), b' ');
            let mut holds = architectures.is_empty();
            while !architectures.is_empty() {
                let (own, next) = cut(architectures, b' ');
                holds |= own == architecture;
                architectures = next;
            }
            if holds && find(&sections, name).is_none() {
                sections.push((name, body));
            }
        }
    }
    sections
}

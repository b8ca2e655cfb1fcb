//! Kernels of tensor types that other programs than ggml write: ik_llama.cpp, PrismML's llama.cpp and llama-cpp-turboquant.
//!
//! The unit is not a block, as for ggml's types, but a group of rows: rows can have heads, and the blocks of several rows can be
//! interleaved (`rows`). Kernels compute the bits that the programs compute, without FMA contraction; a NaN may be any NaN. They are
//! written with 16 bytes at a time (`lanes`), which is an array or a vector: the one place where the target chooses. Types that are
//! forms of ggml's types have their elements.
//!
//! Types of the same programs without a kernel: those that they use only in memory, and those whose elements do not follow from the
//! file alone (IQ6_K, TL1, TL2, I2_S).

mod codebooks;
mod interleaved_iq;
mod interleaved_k;
mod lanes;
mod rows;
mod simple;
mod ternary;
mod trellis;
mod turboquant;

pub use rows::{ForkKernel, RowGroup};

macro_rules! fork_kernels {
    ($($name:literal $family:ident::$kernel:ident;)*) => {
        /// The types that have kernels, by the names of `format::FORK_TYPES`.
        pub static FORK_KERNELS: &[(&str, ForkKernel)] = &[$(($name, $family::$kernel)),*];
    };
}

fork_kernels! {
    "Q6_0" simple::q6_0;
    "IQ1_BN" ternary::iq1_bn;
    "IQ2_BN" ternary::iq2_bn;
    "IQ2_K" codebooks::iq2_k;
    "IQ3_K" codebooks::iq3_k;
    "IQ4_K" codebooks::iq4_k;
    "IQ5_K" codebooks::iq5_k;
    "IQ4_KS" codebooks::iq4_ks;
    "IQ2_KS" codebooks::iq2_ks;
    "IQ4_KSS" codebooks::iq4_kss;
    "Q8_KV" simple::q8_kv;
    "IQ5_KS" codebooks::iq5_ks;
    "IQ2_KT" trellis::iq2_kt;
    "IQ3_KT" trellis::iq3_kt;
    "IQ4_KT" trellis::iq4_kt;
    "IQ3_KS" codebooks::iq3_ks;
    "IQ2_KL" codebooks::iq2_kl;
    "IQ1_KT" trellis::iq1_kt;
    "Q4_0_R8" simple::q4_0_r8;
    "Q5_0_R4" simple::q5_0_r4;
    "Q8_0_R8" simple::q8_0_r8;
    "Q2_K_R4" interleaved_k::q2_k_r4;
    "Q3_K_R4" interleaved_k::q3_k_r4;
    "Q4_K_R4" interleaved_k::q4_k_r4;
    "Q5_K_R4" interleaved_k::q5_k_r4;
    "Q6_K_R4" interleaved_k::q6_k_r4;
    "IQ2_XXS_R4" interleaved_iq::iq2_xxs_r4;
    "IQ2_XS_R4" interleaved_iq::iq2_xs_r4;
    "IQ3_XXS_R4" interleaved_iq::iq3_xxs_r4;
    "IQ1_S_R4" interleaved_iq::iq1_s_r4;
    "IQ4_NL_R4" simple::iq4_nl_r4;
    "IQ3_S_R4" interleaved_iq::iq3_s_r4;
    "IQ2_S_R4" interleaved_iq::iq2_s_r4;
    "IQ4_XS_R8" interleaved_k::iq4_xs_r8;
    "IQ1_M_R4" interleaved_iq::iq1_m_r4;
    "BF16_R16" simple::bf16_r16;
    "Q6_0_R4" simple::q6_0_r4;
    "IQ2_BN_R4" ternary::iq2_bn_r4;
    "IQ2_K_R4" interleaved_k::iq2_k_r4;
    "IQ3_K_R4" interleaved_k::iq3_k_r4;
    "IQ4_K_R4" interleaved_k::iq4_k_r4;
    "IQ5_K_R4" interleaved_k::iq5_k_r4;
    "IQ4_KS_R4" interleaved_k::iq4_ks_r4;
    "IQ5_KS_R4" interleaved_k::iq5_ks_r4;
    "MXFP4_R8" simple::mxfp4_r8;
    "Q8_K_R16" simple::q8_k_r16;
    "Q8_KV_R8" simple::q8_kv_r8;
    "Q8_K_R8" simple::q8_k_r8;
    "Q2_0_G128" ternary::q2_0_g128;
    "PQ2_0" ternary::q2_0_g128;
    "TQ3_1S" turboquant::tq3_1s;
    "TQ4_1S" turboquant::tq4_1s;
}

/// The kernel of a type of another program, by its name in `format::FORK_TYPES`; `None` if its elements are not known exactly.
///
/// # Examples
///
/// ```
/// use gguf_format::tensor::fork_kernel;
///
/// // A row of 32 columns: the scale 0.5, the sum of the row, and 32 integers.
/// let mut row = vec![0; 40];
/// row[..4].copy_from_slice(&0.5f32.to_le_bytes());
/// row[8..].fill(3);
/// let mut elements = [0.0; 32];
/// fork_kernel("Q8_KV").unwrap()(32, &row, &mut elements);
/// assert_eq!(elements, [1.5; 32]);
/// ```
pub fn fork_kernel(name: &str) -> Option<ForkKernel> {
    FORK_KERNELS.iter().find(|(known, _)| *known == name).map(|(_, kernel)| *kernel)
}

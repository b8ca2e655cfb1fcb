//! The tensors: names, dimensions and types as llama.cpp expects them, and the source of their values.

use super::quantize::*;
use super::shape::{BLOCKS, EMBEDDING, FEED_FORWARD, HEAD, KV_HEADS};
use super::vocabulary;
use super::weights::Weights;

pub struct Tensor {
    pub name: String,
    /// The dimensions, fastest first.
    pub dimensions: Vec<u64>,
    pub encoding: Encoding,
    pub weights: Weights,
}

/// The matrices of a block: name, row length, number of rows.
const MATRICES: [(&str, u32, u32); 7] = [
    ("ffn_down", FEED_FORWARD, EMBEDDING),
    ("ffn_gate", EMBEDDING, FEED_FORWARD),
    ("ffn_up", EMBEDDING, FEED_FORWARD),
    ("attn_k", EMBEDDING, KV_HEADS * HEAD),
    ("attn_output", EMBEDDING, EMBEDDING),
    ("attn_q", EMBEDDING, EMBEDDING),
    ("attn_v", EMBEDDING, KV_HEADS * HEAD),
];

/// The types of the matrices of each block: one family of types for each block, so that the sample has nearly all types.
const ENCODINGS: [[Encoding; 7]; BLOCKS as usize] = [
    [Q6_K, Q4_K, Q4_K, Q5_K, Q5_K, Q4_K, Q6_K],
    [Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_0, Q8_0],
    [Q3_K, Q2_K, Q3_K, BF16, Q2_K, F16, F32],
    [IQ4_XS, MXFP4, NVFP4, IQ4_NL, IQ4_XS, MXFP4, IQ4_NL],
    [TQ2_0, TQ1_0, Q1_0, TQ2_0, Q1_0, TQ1_0, BF16],
];

/// All tensors in file order.
pub fn all() -> Vec<Tensor> {
    let mut tensors = vec![
        tensor("rope_freqs.weight".to_owned(), &[HEAD / 2], F32, Weights::RopeFactors),
        tensor("token_embd.weight".to_owned(), &[EMBEDDING, vocabulary::SIZE as u32], Q3_K, Weights::Embedding),
    ];
    for (block, encodings) in ENCODINGS.iter().enumerate() {
        let name = |part: &str| format!("blk.{block}.{part}.weight");
        // Trained norms grow from about 0.6 in the first block to above 1 in the last.
        let norm = Weights::Norm { mean: 0.6 + 0.12 * block as f32 };
        let mut matrices = MATRICES.iter().zip(encodings).map(|(&(part, columns, rows), &encoding)| {
            let weights = Weights::Matrix { writes_back: matches!(part, "ffn_down" | "attn_output") };
            tensor(name(part), &[columns, rows], encoding, weights)
        });
        tensors.push(tensor(name("attn_norm"), &[EMBEDDING], F32, norm));
        tensors.extend(matrices.by_ref().take(3));
        tensors.push(tensor(name("ffn_norm"), &[EMBEDDING], F32, norm));
        tensors.extend(matrices);
    }
    tensors.push(tensor("output_norm.weight".to_owned(), &[EMBEDDING], F32, Weights::Norm { mean: 1.4 }));
    tensors
}

fn tensor(name: String, dimensions: &[u32], encoding: Encoding, weights: Weights) -> Tensor {
    Tensor { name, dimensions: dimensions.iter().copied().map(u64::from).collect(), encoding, weights }
}

impl Tensor {
    pub fn parameters(&self) -> usize {
        self.dimensions.iter().product::<u64>() as usize
    }

    /// The stored values. Each tensor of a model has another `seed`.
    pub fn data(&self, seed: u64) -> Vec<u8> {
        let columns = self.dimensions[0] as usize;
        let rows = self.parameters() / columns;
        let block_size = self.encoding.block_size();
        let source = self.weights.source(seed, columns);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        // The values of a row depend only on its number, so the rows can be divided among threads in any way.
        let share = rows.div_ceil(threads);
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..rows.div_ceil(share))
                .map(|part| part * share..rows.min((part + 1) * share))
                .map(|range| {
                    let source = &source;
                    scope.spawn(move || {
                        let mut bytes = Vec::new();
                        let mut values = vec![0.0; columns];
                        for row in range {
                            source.fill(row, &mut values);
                            for block in values.chunks_exact(block_size) {
                                (self.encoding.encode)(block, &mut bytes);
                            }
                        }
                        bytes
                    })
                })
                .collect();
            parts.into_iter().flat_map(|part| part.join().expect("a row that cannot be made")).collect()
        })
    }
}

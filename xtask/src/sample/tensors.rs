//! The tensors: names, dimensions and types as llama.cpp expects them, and the source of their values.

use gguf_format::tensor::quantizer;
use gguf_format::{Error, GgmlType};

use super::shape::{BLOCKS, EMBEDDING, FEED_FORWARD, HEAD, KV_HEADS};
use super::vocabulary;
use super::weights::Weights;

pub struct Tensor {
    pub name: String,
    /// The dimensions, fastest first.
    pub dimensions: Vec<u64>,
    pub ggml_type: GgmlType,
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
const TYPES: [[GgmlType; 7]; BLOCKS as usize] = [
    [GgmlType::Q6_K, GgmlType::Q4_K, GgmlType::Q4_K, GgmlType::Q5_K, GgmlType::Q5_K, GgmlType::Q4_K, GgmlType::Q6_K],
    [GgmlType::Q8_0, GgmlType::Q4_0, GgmlType::Q4_1, GgmlType::Q5_0, GgmlType::Q5_1, GgmlType::Q4_0, GgmlType::Q8_0],
    [GgmlType::Q3_K, GgmlType::Q2_K, GgmlType::Q3_K, GgmlType::BF16, GgmlType::Q2_K, GgmlType::F16, GgmlType::F32],
    [
        GgmlType::IQ4_XS,
        GgmlType::MXFP4,
        GgmlType::NVFP4,
        GgmlType::IQ4_NL,
        GgmlType::IQ4_XS,
        GgmlType::MXFP4,
        GgmlType::IQ4_NL,
    ],
    [
        GgmlType::TQ2_0,
        GgmlType::TQ1_0,
        GgmlType::Q1_0,
        GgmlType::TQ2_0,
        GgmlType::Q1_0,
        GgmlType::TQ1_0,
        GgmlType::BF16,
    ],
];

/// All tensors in file order.
pub fn all() -> Vec<Tensor> {
    let mut tensors = vec![
        tensor("rope_freqs.weight".to_owned(), &[HEAD / 2], GgmlType::F32, Weights::RopeFactors),
        tensor(
            "token_embd.weight".to_owned(),
            &[EMBEDDING, vocabulary::SIZE as u32],
            GgmlType::Q3_K,
            Weights::Embedding,
        ),
    ];
    for (block, types) in TYPES.iter().enumerate() {
        let name = |part: &str| format!("blk.{block}.{part}.weight");
        // Trained norms grow from about 0.6 in the first block to above 1 in the last.
        let norm = Weights::Norm { mean: 0.6 + 0.12 * block as f32 };
        let mut matrices = MATRICES.iter().zip(types).map(|(&(part, columns, rows), &ggml_type)| {
            let weights = Weights::Matrix { writes_back: matches!(part, "ffn_down" | "attn_output") };
            tensor(name(part), &[columns, rows], ggml_type, weights)
        });
        tensors.push(tensor(name("attn_norm"), &[EMBEDDING], GgmlType::F32, norm));
        tensors.extend(matrices.by_ref().take(3));
        tensors.push(tensor(name("ffn_norm"), &[EMBEDDING], GgmlType::F32, norm));
        tensors.extend(matrices);
    }
    tensors.push(tensor("output_norm.weight".to_owned(), &[EMBEDDING], GgmlType::F32, Weights::Norm { mean: 1.4 }));
    tensors
}

fn tensor(name: String, dimensions: &[u32], ggml_type: GgmlType, weights: Weights) -> Tensor {
    Tensor { name, dimensions: dimensions.iter().copied().map(u64::from).collect(), ggml_type, weights }
}

impl Tensor {
    pub fn parameters(&self) -> usize {
        self.dimensions.iter().product::<u64>() as usize
    }

    /// The stored values. Each tensor of a model has another `seed`.
    pub fn data(&self, seed: u64) -> Result<Vec<u8>, Error> {
        let quantizer = quantizer(self.ggml_type).expect("the sample only has types with a quantizer");
        let info = self.ggml_type.info().expect("a type with a quantizer is known");
        let columns = self.dimensions[0] as usize;
        let row_bytes = columns / info.block_size as usize * info.type_size as usize;
        let rows = self.parameters() / columns;
        let mut bytes = vec![0; rows * row_bytes];
        let source = self.weights.source(seed, columns);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        // The values of a row depend only on its number, so the rows can be divided among threads in any way.
        let share = rows.div_ceil(threads);
        std::thread::scope(|scope| {
            let parts: Vec<_> = bytes
                .chunks_mut(share * row_bytes)
                .enumerate()
                .map(|(part, bytes)| {
                    let (source, quantizer) = (&source, &quantizer);
                    scope.spawn(move || {
                        let mut values = vec![0.0; columns];
                        for (row, bytes) in bytes.chunks_mut(row_bytes).enumerate() {
                            source.fill(part * share + row, &mut values);
                            quantizer.quantize(&values, columns, None, bytes)?;
                        }
                        Ok::<_, Error>(())
                    })
                })
                .collect();
            parts.into_iter().try_for_each(|part| part.join().expect("a row that cannot be made"))
        })?;
        Ok(bytes)
    }
}

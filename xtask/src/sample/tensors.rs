//! The tensors: names, dimensions and types as llama.cpp expects them, and the source of their values.

use gguf_format::tensor::quantizer;
use gguf_format::{Error, GgmlType};

use super::circuits::Part;
use super::shape::{BLOCKS, EMBEDDING, FEED_FORWARD, HEAD, KV_HEADS};
use super::vocabulary;
use super::weights::Weights;

pub struct Tensor<'a> {
    pub name: String,
    /// The dimensions, fastest first.
    pub dimensions: Vec<u64>,
    pub ggml_type: GgmlType,
    pub weights: Weights<'a>,
}

/// The matrices of a block: name, what it is, row length, number of rows.
const MATRICES: [(&str, Part, u32, u32); 7] = [
    ("ffn_down", Part::Down, FEED_FORWARD, EMBEDDING),
    ("ffn_gate", Part::Gate, EMBEDDING, FEED_FORWARD),
    ("ffn_up", Part::Up, EMBEDDING, FEED_FORWARD),
    ("attn_k", Part::Key, EMBEDDING, KV_HEADS * HEAD),
    ("attn_output", Part::Output, EMBEDDING, EMBEDDING),
    ("attn_q", Part::Query, EMBEDDING, EMBEDDING),
    ("attn_v", Part::Value, EMBEDDING, KV_HEADS * HEAD),
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
pub fn all(tokens: &[String]) -> Vec<Tensor<'_>> {
    let mut tensors = vec![
        tensor("rope_freqs.weight".to_owned(), &[HEAD / 2], GgmlType::F32, Weights::RopeFactors),
        tensor(
            "token_embd.weight".to_owned(),
            &[EMBEDDING, vocabulary::SIZE as u32],
            GgmlType::Q3_K,
            Weights::Embedding { tokens },
        ),
    ];
    for (block, types) in TYPES.iter().enumerate() {
        let name = |part: &str| format!("blk.{block}.{part}.weight");
        let norm = Weights::Norm { is_output: false };
        let mut matrices = MATRICES.iter().zip(types).map(|(&(of_part, part, columns, rows), &ggml_type)| {
            tensor(name(of_part), &[columns, rows], ggml_type, Weights::Matrix { block, part })
        });
        tensors.push(tensor(name("attn_norm"), &[EMBEDDING], GgmlType::F32, norm));
        tensors.extend(matrices.by_ref().take(3));
        tensors.push(tensor(name("ffn_norm"), &[EMBEDDING], GgmlType::F32, norm));
        tensors.extend(matrices);
    }
    tensors.push(tensor(
        "output_norm.weight".to_owned(),
        &[EMBEDDING],
        GgmlType::F32,
        Weights::Norm { is_output: true },
    ));
    tensors
}

fn tensor<'a>(name: String, dimensions: &[u32], ggml_type: GgmlType, weights: Weights<'a>) -> Tensor<'a> {
    Tensor { name, dimensions: dimensions.iter().copied().map(u64::from).collect(), ggml_type, weights }
}

impl Tensor<'_> {
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
        let source = self.weights.source(seed);
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

//! Runs the sample as llama.cpp runs a model of the Llama family, to test what it computes.

use std::collections::HashMap;

use gguf_format::tensor::kernels;
use gguf_format::{Header, parse};

use super::shape::{BLOCKS, EMBEDDING, HEAD, HEADS, KV_HEADS};
use super::vocabulary::{self, Vocabulary};

const HEAD_LENGTH: usize = HEAD as usize;
const GROUP: usize = (HEADS / KV_HEADS) as usize;

/// The file, with the values of its tensors.
struct Model {
    tensors: HashMap<String, Vec<f32>>,
}

impl Model {
    fn new(file: &[u8]) -> Self {
        let header: Header = parse(file).unwrap();
        let tensors = header.tensors().map(|tensor| {
            let info = tensor.type_info().unwrap();
            let start = (header.data_offset() + tensor.offset()) as usize;
            let stored = &file[start..start + tensor.byte_length().unwrap() as usize];
            let mut values = vec![0.0; stored.len() / info.type_size as usize * info.block_size as usize];
            (kernels(tensor.ggml_type()).unwrap().to_f32)(stored, &mut values);
            (tensor.name().to_string(), values)
        });
        Self { tensors: tensors.collect() }
    }

    /// Multiplies a matrix by each vector.
    fn times(&self, name: &str, vectors: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let matrix = &self.tensors[name];
        let row_times = |row: &[f32], vector: &[f32]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        vectors.iter().map(|vector| matrix.chunks(vector.len()).map(|row| row_times(row, vector)).collect()).collect()
    }

    fn normalized(&self, name: &str, vectors: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let one = |vector: &Vec<f32>| {
            let square = vector.iter().map(|value| value * value).sum::<f32>() / vector.len() as f32;
            let scales = self.tensors[name].iter();
            vector.iter().zip(scales).map(|(value, scale)| value / (square + 1e-5).sqrt() * scale).collect()
        };
        vectors.iter().map(one).collect()
    }

    /// Turns the pairs of each head by the position.
    fn rotate(&self, vectors: &mut [Vec<f32>]) {
        for (position, vector) in vectors.iter_mut().enumerate() {
            for (index, pair) in vector.chunks_mut(2).enumerate() {
                let pair_in_head = index % (HEAD_LENGTH / 2);
                let frequency = 500_000_f32.powf(-(pair_in_head as f32) * 2.0 / HEAD_LENGTH as f32);
                let (sine, cosine) =
                    (position as f32 * frequency / self.tensors["rope_freqs.weight"][pair_in_head]).sin_cos();
                let [a, b] = [pair[0], pair[1]];
                (pair[0], pair[1]) = (a * cosine - b * sine, a * sine + b * cosine);
            }
        }
    }

    fn attention(&self, block: usize, input: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let of = |part: &str| self.times(&format!("blk.{block}.{part}.weight"), input);
        let (mut queries, mut keys, values) = (of("attn_q"), of("attn_k"), of("attn_v"));
        self.rotate(&mut queries);
        self.rotate(&mut keys);
        let mut output = vec![vec![0.0; EMBEDDING as usize]; input.len()];
        for (position, output) in output.iter_mut().enumerate() {
            for (head, output) in output.chunks_mut(HEAD_LENGTH).enumerate() {
                let of_head = |vectors: &'_ [Vec<f32>], token: usize, head: usize| {
                    vectors[token][head * HEAD_LENGTH..(head + 1) * HEAD_LENGTH].to_vec()
                };
                let query = of_head(&queries, position, head);
                let score = |token| {
                    let key = of_head(&keys, token, head / GROUP);
                    query.iter().zip(&key).map(|(a, b)| a * b).sum::<f32>() / (HEAD_LENGTH as f32).sqrt()
                };
                let scores: Vec<f32> = (0..=position).map(score).collect();
                let most = scores.iter().copied().fold(f32::MIN, f32::max);
                let weights: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
                let sum: f32 = weights.iter().sum();
                for (token, weight) in weights.iter().enumerate() {
                    let value = of_head(&values, token, head / GROUP);
                    output.iter_mut().zip(value).for_each(|(output, value)| *output += weight / sum * value);
                }
            }
        }
        self.times(&format!("blk.{block}.attn_output.weight"), &output)
    }

    fn feed_forward(&self, block: usize, input: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let of = |part: &str, input: &[Vec<f32>]| self.times(&format!("blk.{block}.{part}.weight"), input);
        let (gates, ups) = (of("ffn_gate", input), of("ffn_up", input));
        let units = gates.iter().zip(&ups).map(|(gates, ups)| {
            gates.iter().zip(ups).map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect::<Vec<f32>>()
        });
        of("ffn_down", &units.collect::<Vec<_>>())
    }

    /// The token that most likely comes next.
    fn next(&self, tokens: &[usize]) -> usize {
        let width = EMBEDDING as usize;
        let embedding = &self.tensors["token_embd.weight"];
        let mut state: Vec<_> =
            tokens.iter().map(|token| embedding[token * width..(token + 1) * width].to_vec()).collect();
        let add = |state: &mut Vec<Vec<f32>>, change: Vec<Vec<f32>>| {
            for (state, change) in state.iter_mut().flatten().zip(change.into_iter().flatten()) {
                *state += change;
            }
        };
        for block in 0..BLOCKS as usize {
            let change = self.attention(block, &self.normalized(&format!("blk.{block}.attn_norm.weight"), &state));
            add(&mut state, change);
            let change = self.feed_forward(block, &self.normalized(&format!("blk.{block}.ffn_norm.weight"), &state));
            add(&mut state, change);
        }
        let last = self.normalized("output_norm.weight", &state[state.len() - 1..]);
        let logits = self.times("token_embd.weight", &last).remove(0);
        (0..logits.len()).max_by(|a, b| logits[*a].total_cmp(&logits[*b])).unwrap()
    }
}

#[test]
fn the_sample_continues_a_text_that_repeats_itself() {
    let tokens = Vocabulary::generate().tokens;
    let model = Model::new(&super::bytes().unwrap());
    let words = "river north bridge window south letter music garden river north bridge window south letter";
    let id = |word: &str| tokens.iter().position(|token| token.trim_start_matches('\u{2581}') == word).unwrap();
    let text: Vec<usize> = [vocabulary::BEGIN as usize].into_iter().chain(words.split(' ').map(id)).collect();
    // From the second `river` on, the next word is known.
    for end in [10, 12, 14] {
        let next = model.next(&text[..end]);
        assert_eq!(tokens[next], tokens[text[end]], "after {end} tokens");
    }
}

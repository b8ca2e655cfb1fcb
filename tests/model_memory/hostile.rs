//! Files with missing keys and absurd values: parts are unknown then, and no number is wrong.

use std::collections::BTreeMap;

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, GgmlType, Header, ValueType};
use gguf_models::memory::{self, MemoryEstimate, MemoryOptions, MemoryRefusal, largest_context};

use crate::gguf_bytes::GgufBytes;

/// The bytes of the tensors of a small model.
const WEIGHTS: u64 = 25_600 + 2 * 256;

/// A model of two layers.
#[derive(Clone)]
struct SmallModel(BTreeMap<&'static str, OwnedValue>);

impl SmallModel {
    fn new() -> Self {
        Self(BTreeMap::from([
            ("general.architecture", "llama".into()),
            ("llama.context_length", 4096u32.into()),
            ("llama.block_count", 2u32.into()),
            ("llama.embedding_length", 64u32.into()),
            ("llama.feed_forward_length", 96u32.into()),
            ("llama.attention.head_count", 4u32.into()),
            ("llama.attention.head_count_kv", 2u32.into()),
            ("llama.vocab_size", 100u32.into()),
        ]))
    }

    fn with(mut self, key: &'static str, value: impl Into<OwnedValue>) -> Self {
        self.0.insert(key, value.into());
        self
    }

    fn without(mut self, key: &str) -> Self {
        assert!(self.0.remove(key).is_some(), "{key}");
        self
    }

    /// The model with another architecture.
    fn of_architecture(self, name: &'static str) -> Self {
        let renamed = self.0.into_iter().map(|(key, value)| match key.strip_prefix("llama.") {
            Some(rest) => (&*format!("{name}.{rest}").leak(), value),
            None => (key, name.into()),
        });
        Self(renamed.collect())
    }

    fn header(&self) -> Header {
        let mut file = GgufBytes::new(Format::default());
        file.header(3, self.0.len() as u64);
        for (key, value) in &self.0 {
            file.entry(key.as_bytes(), value);
        }
        file.tensor(b"token_embd.weight", &[64, 100], 0, 0);
        for layer in 0..2 {
            file.tensor(format!("blk.{layer}.attn_norm.weight").as_bytes(), &[64], 0, 25_600 + 256 * layer);
        }
        gguf_format::parse(file.as_bytes()).unwrap()
    }

    fn estimate(&self) -> MemoryEstimate {
        memory::estimate(&self.header(), &MemoryOptions::default()).unwrap()
    }

    /// Asserts that the context is not known, that the note says why, and that the weights are known all the same.
    fn assert_unknown(&self, reason: &str) {
        let estimate = self.estimate();
        assert_eq!(
            (estimate.caches.as_ref(), estimate.state.as_ref(), estimate.compute),
            (None, None, None),
            "{reason}"
        );
        assert!(estimate.notes.iter().any(|note| note.contains(reason)), "{reason}: {:?}", estimate.notes);
        assert_eq!(estimate.weights.unwrap().total, WEIGHTS);
        let largest = largest_context(&self.header(), &MemoryOptions::default(), u64::MAX);
        // The largest context does not depend on the one that the model was trained for.
        assert_eq!(largest.unwrap().is_some(), reason.contains("context_length"), "{reason}");
    }
}

#[test]
fn a_small_model_is_known_in_full() {
    let estimate = SmallModel::new().estimate();
    let cache = &estimate.caches.unwrap()[0];
    // Two layers, 4096 cells, two heads of 16 elements, two bytes each.
    assert_eq!((cache.key_bytes, cache.value_bytes), (524_288, 524_288));
    assert_eq!((estimate.context_length, estimate.output_bytes), (Some(4096), Some(400)));
    assert_eq!(estimate.notes, [] as [&str; 0]);
}

#[test]
fn without_a_key_that_the_context_depends_on_it_is_unknown() {
    for key in ["llama.context_length", "llama.block_count", "llama.embedding_length", "llama.attention.head_count"] {
        SmallModel::new().without(key).assert_unknown(&format!("the entry {key} is missing."));
    }
    // If a context is given, the model's context is not needed.
    let mut options = MemoryOptions::default();
    options.context_length = Some(512);
    let header = SmallModel::new().without("llama.context_length").header();
    assert!(memory::estimate(&header, &options).unwrap().caches.is_some());
}

#[test]
fn without_a_vocabulary_the_buffers_are_unknown() {
    let model = SmallModel::new();
    let cases = [
        (model.clone().without("llama.vocab_size"), "the entry tokenizer.ggml.tokens is missing."),
        (model.with("llama.vocab_size", u64::MAX), "llama.cpp cannot use the value of llama.vocab_size."),
    ];
    for (model, reason) in cases {
        let estimate = model.estimate();
        assert!(estimate.caches.is_some());
        assert_eq!((estimate.output_bytes, estimate.compute), (None, None));
        assert_eq!(
            estimate.notes,
            [format!("The compute buffer is not known: {reason}"), format!("The output buffer is not known: {reason}")]
        );
        assert_eq!(largest_context(&model.header(), &MemoryOptions::default(), u64::MAX), Ok(None));
    }
}

#[test]
fn layers_are_placed_although_the_size_of_a_tensor_is_not_known() {
    let mut file = GgufBytes::new(Format::default());
    let entries = SmallModel::new().0;
    file.header(1, entries.len() as u64);
    for (key, value) in &entries {
        file.entry(key.as_bytes(), value);
    }
    file.tensor(b"blk.1.attn_norm.weight", &[64], 999, 0);
    let header = gguf_format::parse(file.as_bytes()).unwrap();
    // The cache of a layer takes 524,288 bytes.
    for (gpu_layers, on_gpu) in [(0, 0), (1, 0), (2, 524_288), (3, 1_048_576)] {
        let mut options = MemoryOptions::default();
        options.gpu_layers = Some(gpu_layers);
        let estimate = memory::estimate(&header, &options).unwrap();
        assert_eq!(estimate.weights, None);
        assert_eq!(
            estimate.notes,
            ["The size of the tensors is not known: the size of the tensor blk.1.attn_norm.weight is not known."]
        );
        let caches: Vec<_> = estimate.devices.iter().map(|device| device.cache).collect();
        assert_eq!(caches, [Some(on_gpu), Some(1_048_576 - on_gpu)], "{gpu_layers}");
        // Without the weights, there is no sum.
        assert!(estimate.devices.iter().all(|device| device.weights.is_none() && device.total().is_none()));
    }
}

#[test]
fn a_recurrent_model_needs_the_keys_of_its_state() {
    let keys = ["ssm.conv_kernel", "ssm.inner_size", "ssm.state_size"];
    let mut model = SmallModel::new().of_architecture("mamba");
    for key in keys {
        model = model.with(format!("mamba.{key}").leak(), 4u32);
    }
    assert_eq!(model.estimate().state.unwrap().state_bytes, 2 * 4 * 4 * 4);
    for key in keys {
        let key = format!("mamba.{key}");
        model.clone().without(&key).assert_unknown(&format!("the entry {key} is missing."));
    }
}

#[test]
fn the_blocks_of_the_tensors_are_compared_with_those_that_the_file_states() {
    let estimate = SmallModel::new().with("llama.block_count", 1u32).estimate();
    assert_eq!(estimate.weights, None);
    assert_eq!(
        estimate.notes,
        ["The size of the tensors is not known: block_count is 1, but the file has tensors of block 1."]
    );
    let estimate = SmallModel::new().with("llama.block_count", 9u32).estimate();
    assert_eq!(estimate.notes, ["block_count is 9, but the last block with tensors is block 1."]);
}

#[test]
fn values_that_llama_cpp_cannot_use_make_the_context_unknown() {
    let huge = || OwnedValue::from(1_u64 << 63);
    let array = |elements: &[u32]| OwnedValue::array(ValueType::Uint32, elements.iter().copied());
    let cases = [
        ("llama.block_count", OwnedValue::from(0u32)),
        ("llama.block_count", 513u32.into()),
        ("llama.block_count", huge()),
        ("llama.block_count", (-1i32).into()),
        ("llama.block_count", "two".into()),
        ("llama.embedding_length", huge()),
        ("llama.embedding_length", 0u32.into()),
        ("llama.attention.head_count", 0u32.into()),
        // A head has no elements.
        ("llama.attention.head_count", u32::MAX.into()),
        ("llama.attention.key_length", 0u32.into()),
        ("llama.context_length", 0u32.into()),
        // Rounded up, it has 33 bits.
        ("llama.context_length", u32::MAX.into()),
        ("llama.attention.head_count", huge()),
        ("llama.attention.head_count", array(&[4])),
        ("llama.attention.head_count", array(&[4, 4, 4])),
        ("llama.attention.head_count_kv", array(&[])),
        ("llama.attention.head_count_kv", OwnedValue::array(ValueType::String, ["2", "2"])),
        ("llama.attention.key_length", huge()),
        ("llama.context_length", huge()),
    ];
    for (key, value) in cases {
        SmallModel::new().with(key, value).assert_unknown(&format!("llama.cpp cannot use the value of {key}."));
    }
}

#[test]
fn sizes_beyond_64_bits_are_unknown() {
    let model = SmallModel::new()
        .with("llama.attention.head_count_kv", u32::MAX)
        .with("llama.attention.key_length", u32::MAX)
        .with("llama.context_length", u32::MAX - 255);
    model.assert_unknown("the sizes are too large for the numbers of a computer.");
}

#[test]
fn a_window_longer_than_the_context_is_as_long_as_the_context() {
    let model = SmallModel::new().of_architecture("gemma3").with("gemma3.attention.sliding_window", u32::MAX);
    let caches = model.estimate().caches.unwrap();
    assert_eq!(caches.iter().map(|cache| cache.cells).collect::<Vec<_>>(), [4096, 4096]);
    let model = model.with("gemma3.attention.sliding_window_pattern", 0u32);
    assert_eq!(model.estimate().caches.unwrap()[1].layer_indices, [0, 1]);
}

#[test]
fn layers_with_a_window_are_unknown_without_the_key_that_names_them() {
    for (name, key) in
        [("granite_swa", "granite_swa.attention.sliding_window"), ("mimo2", "mimo2.attention.sliding_window")]
    {
        let model = SmallModel::new().of_architecture(name);
        assert_eq!(model.estimate().caches.unwrap().len(), 1);
        model.with(key, 64u32).assert_unknown(&format!("the entry {key}_pattern is missing"));
    }
}

#[test]
fn architectures_that_are_not_known_here_have_unknown_contexts() {
    let reason = |name| format!("how llama.cpp keeps the context of {name} is not known here.");
    for name in ["no-such-architecture", "gptj-like"] {
        SmallModel::new().of_architecture(name).assert_unknown(&reason(name));
    }
    // Without an architecture, the file is not known to be a model.
    let estimate = SmallModel::new().with("general.architecture", 7u32).estimate();
    assert_eq!(estimate.notes, ["Nothing in the file says that it is a model. Only the size of its tensors is known."]);
    assert_eq!((estimate.caches, estimate.weights.unwrap().total), (None, WEIGHTS));
}

#[test]
fn settings_that_llama_cpp_refuses_are_refused() {
    let header = SmallModel::new().header();
    let refused = |change: &dyn Fn(&mut MemoryOptions)| {
        let mut options = MemoryOptions::default();
        change(&mut options);
        memory::estimate(&header, &options).unwrap_err()
    };
    assert_eq!(refused(&|options| options.sequences = 0), MemoryRefusal::Counts);
    assert_eq!(refused(&|options| options.sequences = 257), MemoryRefusal::Counts);
    assert_eq!(refused(&|options| options.batch = 0), MemoryRefusal::Counts);
    assert_eq!(refused(&|options| options.micro_batch = 0), MemoryRefusal::Counts);
    // llama.cpp gives each sequence a token of the batch. A batch is no longer than the context.
    assert_eq!(refused(&|options| (options.batch, options.sequences) = (3, 4)), MemoryRefusal::Batch);
    assert_eq!(refused(&|options| options.context_length = Some(1 << 32)), MemoryRefusal::ContextLength);
    assert_eq!(refused(&|options| options.context_length = Some(u64::MAX)), MemoryRefusal::ContextLength);
    // Rounded up for each sequence, it has 33 bits.
    let rounded = |options: &mut MemoryOptions| {
        (options.context_length, options.sequences) = (Some(u64::from(u32::MAX) - 255), 256);
    };
    assert_eq!(refused(&rounded), MemoryRefusal::ContextLength);
    assert_eq!(refused(&|options| options.key_type = GgmlType::Q6_K), MemoryRefusal::CacheType(GgmlType::Q6_K));
    assert_eq!(refused(&|options| options.value_type = GgmlType(999)), MemoryRefusal::CacheType(GgmlType(999)));
    // A head has 16 elements, a block of Q8_0 has 32.
    assert_eq!(refused(&|options| options.key_type = GgmlType::Q8_0), MemoryRefusal::BlockSize(GgmlType::Q8_0));
    let without_flash_attention = refused(&|options| {
        (options.flash_attention, options.value_type) = (false, GgmlType::Q4_0);
    });
    assert_eq!(without_flash_attention, MemoryRefusal::QuantizedValues);
    // Also if nothing is known about the model.
    let mut options = MemoryOptions::default();
    (options.flash_attention, options.value_type) = (false, GgmlType::Q4_0);
    let unknown = SmallModel::new().of_architecture("no-such-architecture").header();
    assert_eq!(memory::estimate(&unknown, &options), Err(MemoryRefusal::QuantizedValues));
}

//! An unknown part has no number, and neither has a sum that contains it.

use gguf_format::write::encode::Encoder;
use gguf_format::{Format, Header};
use gguf_models::memory::{self, FitOptions, MemoryEstimate, MemoryOptions, fit};

use super::fit::experts;

/// A file with one tensor of 256 bytes.
fn file(keys: &[(&str, &str)], numbers: &[(&str, u32)]) -> Header {
    let mut file = Encoder::new(Format::default());
    file.header(1, (keys.len() + numbers.len()) as u64);
    for (key, value) in keys {
        file.kv(key.as_bytes(), &(*value).into());
    }
    for (key, value) in numbers {
        file.kv(key.as_bytes(), &(*value).into());
    }
    file.tensor_info(b"blk.0.attn_norm.weight", &[64], 0, 0);
    gguf_format::parse(file.as_bytes()).unwrap()
}

fn estimate(header: &Header) -> MemoryEstimate {
    memory::estimate(header, &MemoryOptions::default()).unwrap()
}

#[test]
fn parts_of_devices_are_absent_if_they_are_not_known() {
    // The architecture is not known, a key of the context is missing, and nothing is known.
    let unknown = file(&[("general.architecture", "no-such")], &[]);
    let no_heads = file(
        &[("general.architecture", "llama")],
        &[("llama.block_count", 1), ("llama.embedding_length", 64), ("llama.context_length", 512)],
    );
    for header in [&unknown, &no_heads, &file(&[], &[])] {
        let estimate = estimate(header);
        assert_eq!(estimate.caches, None);
        let [gpu, cpu] = &estimate.devices[..] else { panic!() };
        assert_eq!(gpu.weights.unwrap() + cpu.weights.unwrap(), 256);
        for device in [gpu, cpu] {
            assert_eq!((device.cache, device.state, device.compute, device.total()), (None, None, None, None));
        }
        // The output is in the memory of the CPU, whatever its size is.
        assert_eq!((gpu.output, cpu.output), (Some(0), None));
    }
}

#[test]
fn the_output_of_a_gpu_is_known_and_so_is_its_total() {
    // Without a vocabulary, the output buffer is not known. Encoders have no output to compute.
    let header = file(
        &[("general.architecture", "bert")],
        &[
            ("bert.block_count", 1),
            ("bert.embedding_length", 64),
            ("bert.context_length", 512),
            ("bert.attention.head_count", 4),
        ],
    );
    let estimate = estimate(&header);
    assert_eq!(estimate.output_bytes, None);
    let [gpu, cpu] = &estimate.devices[..] else { panic!() };
    assert_eq!((gpu.total().is_some(), cpu.total().is_some()), (true, false));
}

#[test]
fn a_file_that_is_no_model_has_no_context() {
    let adapter =
        file(&[("general.type", "adapter"), ("general.architecture", "llama"), ("adapter.type", "lora")], &[]);
    let estimate = estimate(&adapter);
    assert_eq!((estimate.caches.as_deref(), estimate.output_bytes), (Some(&[][..]), Some(0)));
    let [gpu, cpu] = &estimate.devices[..] else { panic!() };
    assert_eq!((gpu.weights, gpu.cache, cpu.output, gpu.compute), (Some(256), Some(0), Some(0), None));
}

#[test]
fn a_sum_with_an_unknown_part_is_not_known() {
    let header = experts().header();
    let mut whole = estimate(&header);
    assert!(whole.devices.iter().all(|device| device.total().is_some()));
    let unknown: [_; 2] = estimate(&file(&[("general.architecture", "no-such")], &[])).devices.try_into().unwrap();
    let weights = whole.devices[0].weights.unwrap();
    whole.add_beside(&unknown);
    let gpu = &whole.devices[0];
    assert_eq!((gpu.weights, gpu.cache, gpu.total()), (Some(weights + 256), None, None));
    let mut found = fit(&header, &FitOptions::new(1 << 40)).unwrap();
    found.add_beside(&unknown);
    assert_eq!((found.choices[0].devices[0].total(), found.notes.len()), (None, 1));
}

#[test]
fn a_context_beyond_that_of_the_training_is_called_so() {
    let header = experts().header();
    let notes = |tokens, sequences| {
        let mut options = MemoryOptions::default();
        (options.context_length, options.sequences) = (Some(tokens), sequences);
        let estimate = memory::estimate(&header, &options).unwrap();
        assert_eq!(estimate.trained_context_length, Some(16_384));
        estimate.notes
    };
    assert_eq!(notes(16_384, 1), [""; 0]);
    // Each sequence has its own context.
    assert_eq!(notes(32_768, 2), [""; 0]);
    let [note] = &notes(16_385, 1)[..] else { panic!() };
    assert!(note.starts_with("The model was trained with 16384 tokens, fewer than the 16640 of a sequence."), "{note}");
    assert!(note.contains("--rope-scaling"), "{note}");
}

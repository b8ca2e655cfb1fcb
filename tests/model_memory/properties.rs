//! What must hold for every model and every setting.

use gguf_format::{GgmlType, Header};
use gguf_models::memory::{
    self, ByteRange, ContextRoom, Device, MemoryEstimate, MemoryOptions, MemoryRefusal, largest_context,
    largest_context_with_overrides,
};
use proptest::prelude::*;

use crate::corpus;

const CACHE_TYPES: [GgmlType; 4] = [GgmlType::F32, GgmlType::F16, GgmlType::Q8_0, GgmlType::Q4_0];

/// Headers of `corpus/llama-cpp-2026-08/memory` with the shapes of published models.
fn headers() -> Vec<(String, Header)> {
    let Some(folder) = corpus::folder() else { return Vec::new() };
    let folder = folder.join("llama-cpp-2026-08/memory");
    let index = corpus::json(&folder.join("index.json"));
    let models = index["models"].as_array().unwrap().iter().filter(|model| model["kind"] == "june");
    let names = models.map(|model| model["file"].as_str().unwrap());
    names.map(|name| (name.to_owned(), gguf_format::parse(&corpus::read(&folder.join(name))).unwrap())).collect()
}

fn options() -> impl Strategy<Value = MemoryOptions> {
    let numbers = (1..200_000_u64, 1..9_u32, any::<bool>(), 1..5000_u32, 1..3000_u32);
    let types = (0..CACHE_TYPES.len(), 0..CACHE_TYPES.len(), any::<bool>(), any::<bool>());
    let placement = (prop::option::of(0..90_u32), 0..70_u32);
    (numbers, types, placement).prop_map(|(numbers, types, placement)| {
        let mut options = MemoryOptions::default();
        (options.context_length, options.sequences, options.unified) = (Some(numbers.0), numbers.1, numbers.2);
        (options.batch, options.micro_batch) = (numbers.3, numbers.4);
        (options.key_type, options.value_type) = (CACHE_TYPES[types.0], CACHE_TYPES[types.1]);
        (options.full_window_cache, options.flash_attention) = (types.2, types.3);
        (options.gpu_layers, options.cpu_experts) = placement;
        if !options.flash_attention {
            options.value_type = GgmlType::F16;
        }
        // A model with one vector for keys and values refuses different types.
        if types.3 && numbers.2 {
            options.value_type = options.key_type;
        }
        options
    })
}

fn sum(range: ByteRange, other: ByteRange) -> ByteRange {
    let mut sum = range;
    (sum.low, sum.high) = (range.low + other.low, range.high + other.high);
    sum
}

/// The sizes that never fall when there is more to compute: those that do not depend on the places of results.
fn sizes(estimate: &MemoryEstimate) -> [u64; 5] {
    let caches = estimate.caches.iter().flatten().map(|cache| cache.key_bytes + cache.value_bytes).sum();
    let state = estimate.state.as_ref().map_or(0, |state| state.bytes());
    let compute = estimate.compute.unwrap();
    let total = estimate.devices.iter().map(|device| device.total().unwrap().low).sum();
    [caches, state, estimate.output_bytes.unwrap(), compute.low, total]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_devices_have_the_whole(options in options()) {
        for (name, header) in headers() {
            let Ok(estimate) = memory::estimate(&header, &options) else { continue };
            let [gpu, cpu] = &estimate.devices[..] else { panic!() };
            let both = |part: fn(&Device) -> Option<u64>| part(gpu).unwrap() + part(cpu).unwrap();
            let weights = estimate.weights.as_ref().unwrap();
            // The input is on the CPU. If the output is on the GPU, a tied output is there once more.
            let tied = if options.gpu_layers == Some(0) { 0 } else { weights.tied_output };
            prop_assert_eq!(both(|device| device.weights), weights.total + tied, "{}", name);
            prop_assert_eq!(weights.total, weights.input + weights.layer_bytes.iter().sum::<u64>() + weights.output);
            let caches: u64 = estimate.caches.iter().flatten().map(|cache| cache.key_bytes + cache.value_bytes).sum();
            prop_assert_eq!(both(|device| device.cache), caches, "{}", name);
            prop_assert_eq!(both(|device| device.state), estimate.state.as_ref().map_or(0, |state| state.bytes()), "{}", name);
            prop_assert_eq!(both(|device| device.output), estimate.output_bytes.unwrap(), "{}", name);
            prop_assert_eq!(sum(gpu.compute.unwrap(), cpu.compute.unwrap()), estimate.compute.unwrap(), "{}", name);
            // A GPU with layers has the whole buffer, and so has a CPU with layers.
            let mut on_cpu = options;
            (on_cpu.gpu_layers, on_cpu.cpu_experts) = (Some(0), 0);
            let whole = memory::estimate(&header, &on_cpu).unwrap().compute.unwrap();
            let has_gpu = options.gpu_layers != Some(0);
            // It may copy a tensor from the CPU.
            let compute = gpu.compute.unwrap();
            let expected = if has_gpu { whole } else { ByteRange::default() };
            prop_assert_eq!(compute.low, expected.low, "{}", name);
            let most = if has_gpu { cpu.weights.unwrap() / 20 * 21 + 21 } else { 0 };
            prop_assert!((expected.high..=expected.high + most).contains(&compute.high), "{}", name);
            let layers_on_gpu = options.gpu_layers.is_none_or(|count| count as usize > weights.layer_bytes.len());
            if !layers_on_gpu || cpu.weights > Some(weights.input) {
                prop_assert_eq!(cpu.compute.unwrap(), whole, "{}", name);
            } else {
                let compute = cpu.compute.unwrap();
                prop_assert!(0 < compute.low && compute.high <= 3 * compute.low, "{}", name);
            }
        }
    }

    #[test]
    fn memory_never_falls_when_context_sequences_or_micro_batch_grow(options in options(), more in 1..9_000_u64) {
        for (name, header) in headers() {
            let Ok(before) = memory::estimate(&header, &options) else { continue };
            let mut longer = options;
            longer.context_length = options.context_length.map(|length| length + more);
            // With the same context for each sequence. If sequences share one context, llama.cpp itself takes less for
            // more of them: each then sees fewer tokens.
            let mut with_sequences = options;
            with_sequences.sequences += more as u32 % 20;
            let (before_count, count) = (u64::from(options.sequences), u64::from(with_sequences.sequences));
            with_sequences.context_length = options.context_length.map(|length| length.div_ceil(before_count) * count);
            let mut with_micro_batch = options;
            with_micro_batch.micro_batch += more as u32;
            // The tokens of a micro-batch are a multiple of the sequences, so they can be fewer with more sequences.
            for (options, compared) in [(longer, 5), (with_micro_batch, 5), (with_sequences, 3)] {
                let after = memory::estimate(&header, &options).unwrap();
                for (before, after) in sizes(&before).into_iter().zip(sizes(&after)).take(compared) {
                    prop_assert!(before <= after, "{}: {} > {} with {:?}", name, before, after, options);
                }
            }
        }
    }

    #[test]
    fn the_largest_context_fits_and_the_next_does_not(options in options(), length in 1..2000_u64) {
        for (name, header) in headers() {
            let mut options = options;
            options.context_length = Some(256 * length);
            let Ok(estimate) = memory::estimate(&header, &options) else { continue };
            let bytes = estimate.devices[0].total().unwrap().high;
            let largest = largest_context(&header, &options, bytes).unwrap();
            let mut total = |length| {
                options.context_length = Some(length);
                let estimate = match memory::estimate(&header, &options) {
                    // llama.cpp cannot be asked for more tokens.
                    Err(MemoryRefusal::ContextLength) => return None,
                    estimate => estimate.unwrap(),
                };
                // Without it, a context needs a larger buffer than any device has.
                estimate.compute?;
                Some(estimate.devices[0].total().unwrap().high)
            };
            let Some(largest) = largest else {
                prop_assert!(total(256).is_none_or(|total| total > bytes), "{}", name);
                continue;
            };
            prop_assert!(total(largest).unwrap() <= bytes, "{}", name);
            prop_assert!(total(largest + 256).is_none_or(|total| total > bytes), "{}", name);
        }
    }
}

/// A context whose memory is given is not called too long.
#[test]
fn a_context_that_fits_is_found() {
    for (name, header) in headers() {
        for length in [256, 4_096, 65_536, 262_144] {
            let mut options = MemoryOptions::default();
            options.context_length = Some(length);
            let Ok(estimate) = memory::estimate(&header, &options) else { continue };
            let largest = largest_context(&header, &options, estimate.devices[0].total().unwrap().high).unwrap();
            assert!(largest >= Some(length), "{name}: {largest:?} < {length}");
        }
    }
}

/// A model that drafts tokens has the same context as its model, with its own layers and cache.
#[test]
fn the_largest_context_fits_beside_a_draft_model_and_into_one_memory() {
    let headers = headers();
    for ((name, header), (_, draft)) in headers.iter().zip(headers.iter().cycle().skip(1)) {
        let mut options = MemoryOptions::default();
        (options.gpu_layers, options.key_type, options.value_type) = (Some(2), GgmlType::F32, GgmlType::F32);
        for is_shared in [false, true] {
            let bytes = |length| {
                let mut options = options;
                options.context_length = Some(length);
                let beside = memory::estimate(draft, &options.of_draft()).ok()?;
                let mut estimate = memory::estimate(header, &options).ok()?;
                estimate.add_beside(&beside.devices.try_into().unwrap());
                let device = if is_shared { estimate.together() } else { estimate.devices.swap_remove(0) };
                Some(device.total()?.high)
            };
            let mut room = ContextRoom::new(bytes(4096).unwrap());
            (room.is_shared, room.draft) = (is_shared, Some(draft));
            let largest = largest_context_with_overrides(header, &options, &[], &room);
            let largest = largest.unwrap().unwrap_or_else(|| panic!("{name}: nothing fits"));
            assert!(bytes(largest).unwrap() <= room.bytes, "{name}: {largest}");
            // llama.cpp cannot be asked for more tokens than the longest context.
            assert!(bytes(largest + 256).is_none_or(|bytes| bytes > room.bytes), "{name}: {largest}");
        }
    }
}

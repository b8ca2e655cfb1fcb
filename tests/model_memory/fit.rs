//! The best settings for a machine: against all settings that there are.

use gguf_format::write::encode::Encoder;
use gguf_format::{Format, GgmlType, Header};
use gguf_models::memory::{self, CacheLoss, Device, Fit, FitOptions, MemoryOptions, MemoryRefusal, fit};
use proptest::prelude::*;

use crate::corpus;

const CACHE_TYPES: [GgmlType; 3] = [GgmlType::F16, GgmlType::Q8_0, GgmlType::Q4_0];

/// A model whose parts are of similar size, so that each choice is the best one for some machine.
#[derive(Clone, Debug)]
pub(super) struct Small {
    pub architecture: &'static str,
    pub layers: u64,
    pub heads: u64,
    pub experts: u32,
    pub used: u32,
    pub vocabulary: u32,
    pub window: u32,
    pub ties_output: bool,
}

impl Small {
    pub fn header(&self) -> Header {
        let name = self.architecture;
        let numbers = [
            ("block_count", self.layers as u32),
            ("context_length", 16_384),
            ("embedding_length", 256),
            ("feed_forward_length", 512),
            ("expert_feed_forward_length", 512),
            ("attention.head_count", 8),
            ("attention.head_count_kv", self.heads as u32),
            ("attention.key_length", 32),
            ("attention.value_length", 32),
            ("attention.sliding_window", self.window),
            ("vocab_size", self.vocabulary),
            ("expert_count", self.experts),
            ("expert_used_count", self.used),
        ];
        let mut tensors: Vec<(String, Vec<u64>)> = Vec::from([
            ("token_embd.weight".to_owned(), vec![256, self.vocabulary.into()]),
            ("output_norm.weight".to_owned(), vec![256]),
        ]);
        if !self.ties_output {
            tensors.push(("output.weight".to_owned(), vec![256, self.vocabulary.into()]));
        }
        for layer in 0..self.layers {
            let mut add = |part: &str, dimensions: &[u64]| {
                tensors.push((format!("blk.{layer}.{part}.weight"), dimensions.to_vec()));
            };
            add("attn_norm", &[256]);
            add("attn_q", &[256, 256]);
            add("attn_output", &[256, 256]);
            // The layers are not of equal size.
            if self.experts > 0 && layer > 0 {
                add("ffn_gate_inp", &[256, self.experts.into()]);
                for part in ["ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"] {
                    add(part, &[256, 512, self.experts.into()]);
                }
            } else {
                add("ffn_up", &[256, 512 * (1 + layer % 3)]);
            }
        }
        let mut file = Encoder::new(Format::default());
        file.header(tensors.len() as u64, 1 + numbers.len() as u64).kv(b"general.architecture", &name.into());
        for (key, number) in numbers {
            file.kv(format!("{name}.{key}").as_bytes(), &number.into());
        }
        let mut offset = 0;
        for (name, dimensions) in &tensors {
            file.tensor_info(name.as_bytes(), dimensions, 1, offset);
            offset += dimensions.iter().product::<u64>() * 2;
        }
        gguf_format::parse(file.as_bytes()).unwrap()
    }
}

pub(super) fn small_models() -> impl Strategy<Value = Small> {
    let architectures = prop::sample::select(vec!["llama", "qwen3moe", "gemma3", "gpt-oss", "phimoe"]);
    let experts = prop::sample::select(vec![(0, 0), (4, 1), (8, 2), (8, 8), (3, 5)]);
    let vocabulary = prop::sample::select(vec![200_u32, 5_000, 40_000]);
    (architectures, 1..4_u64, 1..5_u64, experts, vocabulary, any::<bool>()).prop_map(
        |(architecture, layers, heads, (experts, used), vocabulary, ties_output)| Small {
            architecture,
            layers,
            heads,
            experts,
            used,
            vocabulary,
            window: 1024,
            ties_output,
        },
    )
}

/// The settings of a choice, in the order of `fit`: the least is the best.
type Rank = (u32, u32, usize, std::cmp::Reverse<u64>);

/// All contexts that `fit` may choose, as its documentation has them.
fn contexts(least: u64, wanted: u64) -> Vec<u64> {
    let is_round = |tokens: u64| {
        let unit = (0..64).map(|half| 1_u64 << half).find(|unit| (8..16).contains(&(tokens / unit)));
        unit.is_some_and(|unit| tokens.is_multiple_of(unit))
    };
    let all = (least..=wanted)
        .filter(|tokens| *tokens == least || *tokens == wanted || tokens.is_multiple_of(256) && is_round(*tokens));
    all.collect()
}

/// What a device takes at most. All parts are known.
pub(super) fn high(device: &Device) -> u64 {
    device.total().unwrap().high
}

pub(super) fn fits(devices: &[Device], options: &FitOptions) -> bool {
    missing(devices, options) == 0
}

/// What is missing for settings that do not fit.
fn missing(devices: &[Device], options: &FitOptions) -> u64 {
    let (cpu, cards) = devices.split_last().unwrap();
    let bytes = [options.gpu_bytes].into_iter().chain(options.more_gpu_bytes.iter().copied());
    assert_eq!(cards.len(), 1 + options.more_gpu_bytes.len());
    let of_cards: u64 = cards.iter().zip(bytes).map(|(card, bytes)| high(card).saturating_sub(bytes)).sum();
    of_cards + high(cpu).saturating_sub(options.machine_bytes.unwrap_or(u64::MAX))
}

/// The best settings of all, and the least that is missing.
fn best_of_all(header: &Header, layers: u32, options: &FitOptions, contexts: &[u64]) -> (Option<Rank>, u64) {
    let (mut best, mut least) = (None::<Rank>, u64::MAX);
    for (index, cache_type) in options.cache_types.iter().enumerate() {
        for (at, context) in contexts.iter().enumerate() {
            for on_cpu in 0..=layers + 1 {
                for experts in 0..=layers {
                    let mut settings = options.settings;
                    (settings.key_type, settings.value_type) = (*cache_type, *cache_type);
                    settings.context_length = Some(*context);
                    (settings.gpu_layers, settings.cpu_experts) = (Some(layers + 1 - on_cpu), experts);
                    let Ok(estimate) = memory::estimate(header, &settings) else { continue };
                    if at == 0 {
                        least = least.min(missing(&estimate.devices, options));
                    }
                    if fits(&estimate.devices, options) {
                        let rank = (on_cpu, experts, index, std::cmp::Reverse(*context));
                        best = Some(best.map_or(rank, |best| best.min(rank)));
                    }
                }
            }
        }
    }
    (best, least)
}

fn rank(found: &Fit, layers: u32, options: &FitOptions) -> Option<Rank> {
    let choice = found.choices.first()?;
    let index = options.cache_types.iter().position(|given| *given == choice.key_type).unwrap();
    Some((layers + 1 - choice.gpu_layers, choice.cpu_experts, index, std::cmp::Reverse(choice.context_length)))
}

/// What must hold for each answer, whatever the model.
fn check(header: &Header, options: &FitOptions, found: &Fit, what: &str) {
    assert_eq!(found.fits.is_some_and(|fits| fits), !found.choices.is_empty(), "{what}");
    assert_eq!(found.missing_bytes.is_some(), found.fits == Some(false), "{what}");
    for choice in &found.choices {
        let mut settings = options.settings;
        (settings.key_type, settings.value_type) = (choice.key_type, choice.value_type);
        (settings.gpu_layers, settings.cpu_experts) = (Some(choice.gpu_layers), choice.cpu_experts);
        settings.context_length = Some(choice.context_length);
        let estimate = memory::estimate(header, &settings).unwrap();
        assert!(fits(&estimate.devices, options), "{what}: {choice:?}");
        assert_eq!(
            (&choice.devices, &choice.bytes_per_token),
            (&estimate.devices, &estimate.bytes_per_token),
            "{what}"
        );
        assert_eq!(choice.all_layers, choice.gpu_layers as usize == estimate.weights.unwrap().layer_bytes.len() + 1);
        assert_eq!(choice.cpu_share == 0.0, choice.all_layers && choice.cpu_experts == 0, "{what}");
        assert!((0.0..=1.0).contains(&choice.cpu_share), "{what}");
        settings.context_length = Some(choice.longest_context);
        assert!(fits(&memory::estimate(header, &settings).unwrap().devices, options), "{what}: {choice:?}");
        assert!(choice.longest_context >= choice.context_length, "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_better_fits(
        model in small_models(),
        [gpu, machine] in [0.0..1.3_f64, 0.0..1.3],
        is_limited in any::<bool>(),
        wanted in prop::option::of(1..9_000_u64),
        least in prop::option::of(1..4_000_u64),
        (sequences, unified, flash) in (1..4_u32, any::<bool>(), prop::bool::weighted(0.9)),
    ) {
        let header = model.header();
        let mut options = FitOptions::new(0);
        options.cache_types = CACHE_TYPES.to_vec();
        (options.settings.sequences, options.settings.unified) = (sequences, unified);
        (options.settings.context_length, options.least_context) = (wanted, least);
        options.settings.flash_attention = flash;
        let streams = if unified { 1 } else { u64::from(sequences) };
        let longest = wanted.unwrap_or(16_384 * streams);
        let shortest = least.unwrap_or(wanted.unwrap_or(4096 * streams)).min(longest);
        // The memory is a share of what everything takes.
        let mut settings = options.settings;
        settings.context_length = Some(longest);
        let Ok(whole) = memory::estimate(&header, &settings) else { return Ok(()) };
        let all: u64 = whole.devices.iter().map(high).sum();
        options.gpu_bytes = (all as f64 * gpu) as u64;
        options.machine_bytes = is_limited.then_some((all as f64 * machine) as u64);
        let found = fit(&header, &options).unwrap();
        check(&header, &options, &found, &format!("{model:?}"));
        let layers = model.layers as u32;
        let (best, least) = best_of_all(&header, layers, &options, &contexts(shortest, longest));
        prop_assert_eq!(rank(&found, layers, &options), best, "{:?} {:?}", model, options);
        prop_assert_eq!(found.missing_bytes, best.is_none().then_some(least), "{:?}", model);
    }
}

/// Each model of the corpus, on machines with a share of what it takes.
#[test]
fn published_shapes_fit_as_memory_says() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("llama-cpp-2026-08/memory");
    let index = corpus::json(&folder.join("index.json"));
    let (mut answers, mut moved, mut refused) = (0, 0, 0);
    // Each model on one machine.
    let machines = [[1, 1], [2, 1], [4, 1], [4, 2], [16, 1], [64, 64]].into_iter().cycle();
    for (model, [gpu, machine]) in index["models"].as_array().unwrap().iter().zip(machines) {
        let name = model["file"].as_str().unwrap();
        let header = gguf_format::parse(&corpus::read(&folder.join(name))).unwrap();
        let mut settings = MemoryOptions::default();
        settings.context_length = Some(8192);
        let Ok(whole) = memory::estimate(&header, &settings) else { continue };
        let all: u64 = whole.devices.iter().map(high).sum();
        let mut options = FitOptions::new(all / gpu);
        (options.machine_bytes, options.least_context) = (Some(all / machine), Some(1024));
        let found = match fit(&header, &options) {
            Ok(found) => found,
            Err(MemoryRefusal::BlockSize(_) | MemoryRefusal::QuantizedValues) => {
                refused += 1;
                continue;
            }
            Err(refusal) => panic!("{name}: {refusal}"),
        };
        check(&header, &options, &found, name);
        answers += found.choices.len();
        moved += found.choices.iter().filter(|choice| choice.cpu_share > 0.0).count();
    }
    println!("{answers} answers, {moved} with weights on the CPU, {refused} refused");
    assert!(answers > 50 && moved > 20);
}

pub(super) fn experts() -> Small {
    Small {
        architecture: "qwen3moe",
        layers: 4,
        heads: 2,
        experts: 8,
        used: 2,
        vocabulary: 1000,
        window: 0,
        ties_output: false,
    }
}

#[test]
fn experts_are_moved_before_layers_and_the_cache_loses_precision_before_both() {
    let header = experts().header();
    let mut options = FitOptions::new(u64::MAX);
    options.settings.context_length = Some(16_384);
    let all = fit(&header, &options).unwrap().choices.remove(0);
    assert_eq!((all.gpu_layers, all.cpu_experts, all.key_type), (5, 0, GgmlType::F16));
    assert_eq!((all.cache_loss, all.cpu_share), (CacheLoss::None, 0.0));
    let total = high(&all.devices[0]);
    options.gpu_bytes = total - 1;
    let smaller = &fit(&header, &options).unwrap().choices[0];
    assert_eq!((smaller.gpu_layers, smaller.cpu_experts, smaller.key_type), (5, 0, GgmlType::Q8_0));
    assert_eq!(smaller.cache_loss, CacheLoss::Small);
    // Without Q8_0, experts are moved. The first layer has none.
    options.cache_types = vec![GgmlType::F16];
    let moved = &fit(&header, &options).unwrap().choices[0];
    assert_eq!((moved.gpu_layers, moved.cpu_experts), (5, 2));
    assert!(moved.all_layers && 0.2 < moved.cpu_share && moved.cpu_share < 0.4, "{}", moved.cpu_share);
    // With a context that may be shorter, nothing is moved.
    options.settings.context_length = None;
    let shorter = &fit(&header, &options).unwrap().choices[0];
    assert_eq!((shorter.gpu_layers, shorter.cpu_experts, shorter.context_length), (5, 0, 15_360));
}

#[test]
fn a_token_reads_the_weights_of_its_experts_and_the_cache() {
    let header = experts().header();
    let mut options = MemoryOptions::default();
    options.context_length = Some(4096);
    let attention = 256 * 4 / 2 + 2 * (256 * 256) * 2;
    let dense = attention + 256 * 512 * 2;
    let router = 256 * 8 * 2;
    let used = 3 * 256 * 512 * 2 * 2;
    let output = 256 * 2 + 256 * 1000 * 2;
    let cache = 2 * 2 * 32 * 4096 * 2;
    let layers = [dense, attention + router + used, attention + router + used, attention + router + used];
    let whole = memory::estimate(&header, &options).unwrap();
    assert_eq!(whole.bytes_per_token, Some(vec![layers.iter().sum::<u64>() + output + 4 * cache, 0]));
    // The experts of the second layer, and the first layer with its cache.
    (options.gpu_layers, options.cpu_experts) = (Some(4), 2);
    let split = memory::estimate(&header, &options).unwrap();
    let [gpu, cpu] = split.bytes_per_token.unwrap().try_into().unwrap();
    assert_eq!((gpu + cpu, cpu), (whole.bytes_per_token.unwrap()[0], dense + cache + used));
}

#[test]
fn what_is_not_known_does_not_fit_or_fail() {
    let mut file = Encoder::new(Format::default());
    file.header(0, 1).kv(b"general.architecture", &"nothing".into());
    let found = fit(&gguf_format::parse(file.as_bytes()).unwrap(), &FitOptions::new(1 << 30)).unwrap();
    assert_eq!((found.fits, found.choices.len(), found.missing_bytes, found.notes.len()), (None, 0, None, 1));
}

#[test]
fn settings_that_llama_cpp_refuses_are_an_error_or_left_out() {
    let header = experts().header();
    let mut options = FitOptions::new(u64::MAX);
    options.settings.flash_attention = false;
    let types: Vec<_> = fit(&header, &options).unwrap().choices.iter().map(|choice| choice.key_type).collect();
    assert_eq!(types, [GgmlType::F16]);
    options.cache_types = vec![GgmlType::Q8_0];
    assert_eq!(fit(&header, &options), Err(MemoryRefusal::QuantizedValues));
    options.cache_types = vec![GgmlType::F16, GgmlType::Q6_K];
    assert_eq!(fit(&header, &options), Err(MemoryRefusal::CacheType(GgmlType::Q6_K)));
    options.settings.sequences = 0;
    assert_eq!(fit(&header, &options), Err(MemoryRefusal::Counts));
}

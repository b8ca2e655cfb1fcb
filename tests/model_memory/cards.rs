//! Several cards, tensors on other devices, a cache on the CPU, and the speed that bandwidths allow.

use gguf_format::{GgmlType, Header};
use gguf_models::memory::{
    self, Device, FitOptions, MemoryEstimate, MemoryOptions, MemoryRefusal, Shares, TensorOverride, fit,
};
use proptest::prelude::*;

use super::fit::{Small, experts, fits, high, small_models};

/// The tensors whose names have this part.
fn overrides(header: &Header, part: &str, card: Option<u32>) -> Vec<TensorOverride> {
    let names = header.tensors().map(|tensor| String::from_utf8(tensor.name().to_bytes().into_owned()).unwrap());
    let found = names.enumerate().filter(|(_, name)| name.contains(part));
    found.map(|(tensor, _)| TensorOverride { tensor, card }).collect()
}

fn options(change: impl FnOnce(&mut MemoryOptions)) -> MemoryOptions {
    let mut options = MemoryOptions::default();
    options.context_length = Some(4096);
    change(&mut options);
    options
}

fn estimate(header: &Header, change: impl FnOnce(&mut MemoryOptions)) -> MemoryEstimate {
    memory::estimate(header, &options(change)).unwrap()
}

fn shares(numbers: &[f64]) -> Shares {
    Shares::new(numbers).unwrap()
}

/// The estimate with overrides.
fn moved(
    header: &Header,
    overrides: &[TensorOverride],
    change: impl FnOnce(&mut MemoryOptions),
) -> Result<MemoryEstimate, MemoryRefusal> {
    memory::estimate_with_overrides(header, &options(change), overrides)
}

fn parts(devices: &[Device], part: fn(&Device) -> Option<u64>) -> Vec<u64> {
    devices.iter().map(|device| part(device).unwrap()).collect()
}

/// The card of each layer and of the output, by the rule of `load_tensors` of llama.cpp. The shares divide the layers: a layer is on the
/// first card whose summed share is above the share of the layers before it.
fn cards_of_layers(shares: &[f64], on_cards: usize) -> Vec<usize> {
    let shares: Vec<f32> = shares.iter().map(|share| *share as f32).collect();
    let sum: f32 = shares.iter().sum();
    let ends: Vec<f32> = (1..=shares.len()).map(|count| shares[..count].iter().sum::<f32>() / sum).collect();
    (0..on_cards).map(|layer| ends.partition_point(|end| *end <= layer as f32 / on_cards as f32)).collect()
}

#[test]
fn layers_are_split_as_llama_cpp_splits_them() {
    let header = experts().header();
    let one = estimate(&header, |_| ());
    let weights = one.weights.as_ref().unwrap();
    let cache = one.caches.as_ref().unwrap()[0].layer_bytes.clone();
    for shares in
        [vec![1.0], vec![3.0, 1.0], vec![1.0, 1.0], vec![0.0, 1.0], vec![5.0, 0.0], vec![1.0, 2.0, 2.5], vec![0.1; 7]]
    {
        for on_cards in 0..=5_u32 {
            let split = estimate(&header, |options| {
                (options.cards, options.gpu_layers) = (self::shares(&shares), Some(on_cards));
            });
            let what = format!("{shares:?} {on_cards}");
            let cpu = shares.len();
            let mut of_weights = vec![0; cpu + 1];
            let mut of_caches = vec![0; cpu + 1];
            of_weights[cpu] += weights.input;
            let cards = cards_of_layers(&shares, on_cards as usize);
            let first = 5 - on_cards as usize;
            // The last layer is the output, which has no cache.
            let layers = weights.layer_bytes[..4].iter().zip(&cache[..4]).chain([(&weights.output, &0)]);
            for (layer, (weights, cache)) in layers.enumerate() {
                let device = layer.checked_sub(first).map_or(cpu, |index| cards[index]);
                of_weights[device] += weights;
                of_caches[device] += cache;
            }
            assert_eq!(parts(&split.devices, |device| device.weights), of_weights, "{what}");
            assert_eq!(parts(&split.devices, |device| device.cache), of_caches, "{what}");
            let read = split.bytes_per_token.unwrap();
            assert_eq!(read.iter().sum::<u64>(), one.bytes_per_token.as_ref().unwrap()[0], "{what}");
            for (card, device) in split.devices[..cpu].iter().enumerate() {
                // The first card also computes with weights of layers on the CPU.
                let copies = card == 0 && (1..5).contains(&on_cards);
                assert_eq!(high(device) > 0, copies || cards.contains(&card), "{what}");
            }
        }
    }
    let names = estimate(&header, |options| options.cards = shares(&[1.0, 1.0])).devices;
    let names: Vec<_> = names.iter().map(|device| device.name.clone()).collect();
    assert_eq!(names, ["GPU 0", "GPU 1", "CPU"]);
    assert_eq!((&*one.devices[0].name, &*one.devices[1].name), ("GPU", "CPU"));
}

/// A card with some of the layers has the inputs and the results of a layer, and no more than the whole graph. If ggml can compute on all cards
/// at once, it has four copies of the inputs.
#[test]
fn compute_buffers_of_several_cards_are_bounds() {
    let header = experts().header();
    let whole = estimate(&header, |_| ());
    let [gpu, cpu] = [0, 1].map(|device| whole.devices[device].compute.unwrap());
    let with = |change: fn(&mut MemoryOptions)| {
        let estimate = estimate(&header, |options| {
            options.cards = shares(&[1.0, 1.0]);
            change(options);
        });
        estimate
            .devices
            .iter()
            .map(|device| device.compute.unwrap())
            .map(|range| (range.low, range.high))
            .collect::<Vec<_>>()
    };
    let least = cpu.high - cpu.low;
    // The hidden states of 512 tokens.
    assert_eq!(least, 512 * 256 * 4);
    let copies = 3 * cpu.high;
    let pipelined = (least, gpu.high + copies);
    assert_eq!(with(|_| ()), [pipelined, pipelined, (cpu.low, cpu.high + copies)]);
    // With experts on the CPU, one device computes after the other, and the first card copies one tensor after the other.
    let copy = 256 * 512 * 8 * 2;
    let first = (least, gpu.high + copy + copy / 20);
    assert_eq!(with(|options| options.cpu_experts = 4), [first, (least, gpu.high), (cpu.low, gpu.high)]);
    assert_eq!(with(|options| options.gpu_layers = Some(0)), [(0, 0), (0, 0), (cpu.low, gpu.high)]);
}

/// A GPU computes many tokens also with weights that are on the CPU, and has room for the largest of them.
#[test]
fn a_gpu_copies_the_largest_tensor_of_the_cpu() {
    let header = experts().header();
    let compute = |change: fn(&mut MemoryOptions)| estimate(&header, change).devices[0].compute.unwrap();
    let whole = compute(|_| ());
    let copied = |bytes: u64| whole.high + bytes + bytes / 20;
    let experts = 256 * 512 * 8 * 2;
    assert_eq!(compute(|options| options.cpu_experts = 2).high, copied(experts));
    // The first layer has no experts; the largest of its tensors is ffn_up. The token embedding is looked up, and not copied.
    assert_eq!(compute(|options| options.gpu_layers = Some(4)).high, copied(256 * 512 * 2));
    assert_eq!(compute(|options| options.gpu_layers = Some(3)).high, copied(experts));
    assert_eq!(compute(|options| options.gpu_layers = Some(0)).high, 0);
    assert_eq!(compute(|options| options.gpu_layers = Some(1)).low, whole.low);
}

#[test]
fn a_cache_on_the_cpu_is_read_there() {
    let header = experts().header();
    let gpu = estimate(&header, |_| ());
    let cpu = estimate(&header, |options| options.no_cache_offload = true);
    assert_eq!(parts(&cpu.devices, |device| device.weights), parts(&gpu.devices, |device| device.weights));
    let [on_gpu, on_cpu] = parts(&gpu.devices, |device| device.cache).try_into().unwrap();
    assert_eq!((parts(&cpu.devices, |device| device.cache), on_cpu), (vec![0, on_gpu], 0));
    let [read, _] = gpu.bytes_per_token.unwrap().try_into().unwrap();
    assert_eq!(cpu.bytes_per_token.unwrap(), [read - on_gpu, on_gpu]);
    // The CPU computes the attention, and may need as much as the whole graph.
    let [gpu, cpu] = [&gpu.devices[0], &cpu.devices[1]].map(|device| device.compute.unwrap());
    assert_eq!(cpu.high, gpu.high);
}

#[test]
fn tensors_are_on_the_devices_of_their_patterns() {
    let header = experts().header();
    let whole = estimate(&header, |_| ());
    let tensors = |part, card| overrides(&header, part, card);
    // `--cpu-moe` is a pattern, too.
    let by_option = estimate(&header, |options| options.cpu_experts = 4);
    let by_pattern = moved(&header, &tensors("_exps", None), |_| ()).unwrap();
    let weights = |estimate: &MemoryEstimate| parts(&estimate.devices, |device| device.weights);
    assert_eq!(weights(&by_pattern), weights(&by_option));
    assert_eq!(by_pattern.bytes_per_token, by_option.bytes_per_token);
    assert_eq!(by_pattern.weights.as_ref().unwrap().total, whole.weights.as_ref().unwrap().total);
    // An override comes before `cpu_experts`.
    let card = tensors("blk.2.ffn_up_exps", Some(0));
    let on_card = moved(&header, &card, |options| options.cpu_experts = 4).unwrap();
    let bytes = 256 * 512 * 8 * 2;
    assert_eq!(weights(&on_card)[0], weights(&by_option)[0] + bytes);
    // To another card.
    let two = |card| {
        let overrides = tensors("blk.2.ffn_up_exps", Some(card));
        moved(&header, &overrides, |options| options.cards = shares(&[1.0, 0.0]))
    };
    let second = two(1).unwrap();
    assert_eq!(weights(&second), [weights(&whole)[0] - bytes, bytes, weights(&whole)[1]]);
    assert!(high(&second.devices[1]) > bytes);
    assert_eq!(two(2), Err(MemoryRefusal::Card(2)));
    // The input on a card.
    let input = moved(&header, &tensors("token_embd", Some(0)), |_| ()).unwrap();
    assert_eq!(weights(&input), [whole.devices.iter().map(|device| device.weights.unwrap()).sum(), 0]);
    assert_eq!(input.bytes_per_token, whole.bytes_per_token);
}

/// A token embedding that is also the output is loaded once if both are on the same device.
#[test]
fn a_tied_output_follows_the_token_embedding() {
    let header = Small { ties_output: true, ..experts() }.header();
    let whole = estimate(&header, |_| ());
    let tied = whole.weights.as_ref().unwrap().tied_output;
    let [gpu, cpu] = parts(&whole.devices, |device| device.weights).try_into().unwrap();
    let on_cpu = moved(&header, &overrides(&header, "token_embd", None), |_| ()).unwrap();
    assert_eq!(parts(&on_cpu.devices, |device| device.weights), [gpu - tied, cpu]);
    let [read, _] = whole.bytes_per_token.unwrap().try_into().unwrap();
    assert_eq!(on_cpu.bytes_per_token.unwrap(), [read - tied, tied]);
    let on_gpu = moved(&header, &overrides(&header, "token_embd", Some(0)), |_| ()).unwrap();
    assert_eq!(parts(&on_gpu.devices, |device| device.weights), [gpu, 0]);
}

#[test]
fn shares_that_are_no_shares_are_refused() {
    let header = experts().header();
    for refused in [vec![], vec![0.0, 0.0], vec![-1.0, 2.0], vec![f64::NAN, 1.0], vec![f64::INFINITY], vec![1.0; 17]] {
        assert_eq!(Shares::new(&refused), None, "{refused:?}");
    }
    assert_eq!(shares(&[3.0, 1.0]).numbers(), [3.0, 1.0]);
    let mut wanted = FitOptions::new(1 << 40);
    wanted.settings.cards = shares(&[1.0, 1.0]);
    assert_eq!(fit(&header, &wanted), Err(MemoryRefusal::TensorSplit));
    wanted.more_gpu_bytes = vec![1 << 40; 16];
    assert_eq!(fit(&header, &wanted), Err(MemoryRefusal::TensorSplit));
}

#[test]
fn the_speed_is_bounded_by_what_each_device_reads() {
    let header = experts().header();
    let speed = |bandwidths: &[f64], cpu_experts| {
        let mut estimate = estimate(&header, |options| options.cpu_experts = cpu_experts);
        estimate.set_bandwidths(bandwidths);
        (estimate.tokens_per_second, estimate.bytes_per_token.unwrap())
    };
    let (known, read) = speed(&[1e9], 0);
    assert_eq!(known, Some(1.0 / (read[0] as f64 / 1e9)));
    let (both, read) = speed(&[1e9, 1e8], 4);
    assert_eq!(both, Some(1.0 / (read[0] as f64 / 1e9 + read[1] as f64 / 1e8)));
    for bandwidths in [&[][..], &[1e9], &[1e9, f64::NAN], &[f64::NAN, 1e9], &[1e9, 0.0]] {
        assert_eq!(speed(bandwidths, 4).0, None, "{bandwidths:?}");
    }
    let mut found = fit(&header, &FitOptions::new(1 << 40)).unwrap();
    found.set_bandwidths(&[1e9]);
    let choice = found.choices.remove(0);
    assert_eq!(choice.tokens_per_second, Some(1.0 / (choice.bytes_per_token.unwrap()[0] as f64 / 1e9)));
}

fn of_numbers(numbers: &[f32]) -> Shares {
    shares(&numbers.iter().map(|number| f64::from(*number)).collect::<Vec<_>>())
}

/// The least that is on the CPU with two cards, of all ways to split the layers.
fn least_moved(header: &Header, layers: u32, wanted: &FitOptions) -> Option<(u32, u32)> {
    // A model without experts is not given their setting, although it alone makes llama.cpp allocate less for two cards.
    let experts = if header.tensors().any(|tensor| tensor.name().to_string().contains("_exps")) { layers } else { 0 };
    let ways = (0..=layers + 1).flat_map(|on_cpu| (0..=experts).map(move |experts| (on_cpu, experts)));
    let mut fitting = ways.filter(|(on_cpu, experts)| {
        let on_cards = layers + 1 - on_cpu;
        (0..=on_cards).any(|first| {
            let mut settings = wanted.settings;
            (settings.gpu_layers, settings.cpu_experts) = (Some(on_cards), *experts);
            // Even if nothing is on the cards, at least one share is not 0.
            settings.cards = shares(&[first.into(), on_cards.max(1).saturating_sub(first).into()]);
            fits(&memory::estimate(header, &settings).unwrap().devices, wanted)
        })
    });
    fitting.next()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_better_fits_on_two_cards(model in small_models(), [first, second] in [0.0..0.9_f64, 0.0..0.9]) {
        let header = model.header();
        let whole = estimate(&header, |_| ());
        let all: u64 = whole.devices.iter().map(high).sum();
        let mut wanted = FitOptions::new((all as f64 * first) as u64);
        wanted.more_gpu_bytes = vec![(all as f64 * second) as u64];
        wanted.cache_types = vec![GgmlType::F16];
        wanted.settings.context_length = Some(4096);
        let choice = fit(&header, &wanted).unwrap().choices.remove(0);
        let layers = model.layers as u32;
        let found = (layers + 1 - choice.gpu_layers, choice.cpu_experts);
        prop_assert_eq!(Some(found), least_moved(&header, layers, &wanted), "{:?}", model);
        prop_assert!(fits(&choice.devices, &wanted), "{:?}", choice);
        // The shares are numbers of layers, which llama.cpp turns into these devices.
        prop_assert_eq!(choice.tensor_split.is_some(), choice.gpu_layers > 0);
        if let Some(split) = choice.tensor_split {
            prop_assert_eq!(split.iter().sum::<f32>(), choice.gpu_layers as f32);
            for tokens in [choice.context_length, choice.longest_context] {
                let mut settings = wanted.settings;
                (settings.gpu_layers, settings.cpu_experts) = (Some(choice.gpu_layers), choice.cpu_experts);
                (settings.cards, settings.context_length) = (of_numbers(&split), Some(tokens));
                prop_assert!(fits(&memory::estimate(&header, &settings).unwrap().devices, &wanted), "{} {:?}", tokens, split);
            }
        }
    }
}

/// Equal cards get equal work, although the first one has room for everything.
#[test]
fn cards_are_filled_evenly() {
    let header = Small { layers: 8, experts: 0, ..experts() }.header();
    let mut wanted = FitOptions::new(1 << 30);
    wanted.more_gpu_bytes = vec![1 << 30];
    wanted.settings.context_length = Some(16_384);
    let choice = fit(&header, &wanted).unwrap().choices.remove(0);
    let split = choice.tensor_split.unwrap();
    assert!(split.iter().all(|layers| (2.0..=7.0).contains(layers)), "{split:?}");
    assert_eq!((choice.gpu_layers, choice.all_layers), (9, true));
}

#[test]
fn what_is_given_is_not_chosen() {
    let header = experts().header();
    let mut wanted = FitOptions::new(1 << 30);
    wanted.settings.context_length = Some(4096);
    (wanted.settings.gpu_layers, wanted.cpu_experts) = (Some(3), Some(2));
    wanted.given_types = Some([GgmlType::Q8_0, GgmlType::F16]);
    wanted.more_gpu_bytes = vec![1 << 30];
    wanted.settings.cards = shares(&[1.0, 3.0]);
    let found = fit(&header, &wanted).unwrap();
    assert_eq!(found.choices.len(), 1);
    let choice = &found.choices[0];
    assert_eq!((choice.gpu_layers, choice.cpu_experts), (3, 2));
    assert_eq!((choice.key_type, choice.value_type), (GgmlType::Q8_0, GgmlType::F16));
    assert_eq!(choice.tensor_split, Some(vec![1.0, 3.0]));
    // More layers than there are, and more experts.
    (wanted.settings.gpu_layers, wanted.cpu_experts) = (Some(99), Some(u32::MAX));
    let choice = fit(&header, &wanted).unwrap().choices.remove(0);
    assert_eq!((choice.gpu_layers, choice.cpu_experts), (5, 4));
    // What is given is not moved, also if it does not fit.
    (wanted.gpu_bytes, wanted.more_gpu_bytes) = (1 << 20, vec![1 << 20]);
    let found = fit(&header, &wanted).unwrap();
    assert_eq!((found.fits, found.choices.len()), (Some(false), 0));
    assert!(found.missing_bytes.unwrap() > 0);
}

#[test]
fn tensors_of_patterns_stay_where_they_are_when_settings_are_chosen() {
    let header = experts().header();
    let all = estimate(&header, |_| ());
    let mut wanted = FitOptions::new(high(&all.devices[0]) - 1);
    wanted.cache_types = vec![GgmlType::F16];
    wanted.settings.context_length = Some(4096);
    wanted.overrides = overrides(&header, "blk.3.ffn_", None);
    let choice = fit(&header, &wanted).unwrap().choices.remove(0);
    assert_eq!((choice.gpu_layers, choice.cpu_experts), (5, 0));
    assert!(choice.cpu_share > 0.0);
    let expected = moved(&header, &wanted.overrides, |_| ()).unwrap();
    assert_eq!(choice.devices, expected.devices);
}

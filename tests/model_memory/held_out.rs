//! Models whose architectures and shapes are not in the corpus, against what llama.cpp allocated. `held_out.md` says how they were
//! measured.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, Header, ValueType};
use gguf_models::memory;

use super::llama_cpp::{MOST_ABOVE, cache_type, mebibytes};
use crate::gguf_bytes::GgufBytes;

/// The models, their tensors and their settings. `held_out.md` describes the lines.
const MODELS: &str = include_str!("held_out.txt");

/// The share of settings whose compute buffer has exactly the size that the graph of the architecture has.
const LEAST_EXACT: f64 = 0.99;

/// Architectures whose graphs are described without some small results, so that their buffers are only in the range.
const NEARLY: [&str; 3] = ["glm5-next", "hy_v4", "qwen4exp"];

/// A model that is being read.
#[derive(Default)]
struct Recipe<'a> {
    name: &'a str,
    architecture: &'a str,
    entries: Vec<(String, OwnedValue)>,
    tensors: Vec<(String, Vec<u64>)>,
}

impl<'a> Recipe<'a> {
    fn key(&mut self, words: &[&'a str]) {
        let [kind, key, values @ ..] = words else { panic!("{words:?}") };
        let numbers = || values.iter().map(|number| number.parse::<u32>().unwrap());
        let value = match *kind {
            "u32" => numbers().next().unwrap().into(),
            "u32s" => OwnedValue::array(ValueType::Uint32, numbers()),
            "bools" => OwnedValue::array(ValueType::Bool, numbers().map(|number| number == 1)),
            "bool" => (values[0] == "1").into(),
            "f32" => values[0].parse::<f32>().unwrap().into(),
            _ => panic!("{kind}"),
        };
        self.entries.push((format!("{}.{key}", self.architecture), value));
    }

    /// A tensor of the model, or one in each of some blocks: `0-3,7`.
    fn tensor(&mut self, words: &[&str]) {
        let [name, blocks, dimensions @ ..] = words else { panic!("{words:?}") };
        let dimensions: Vec<u64> = dimensions.iter().map(|length| length.parse().unwrap()).collect();
        if *blocks == "-" {
            self.tensors.push(((*name).to_owned(), dimensions));
            return;
        }
        for range in blocks.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            for block in first.parse::<u64>().unwrap()..=last.parse().unwrap() {
                self.tensors.push((name.replace("{}", &block.to_string()), dimensions.clone()));
            }
        }
    }

    fn header(&self) -> Header {
        let mut file = GgufBytes::new(Format::default());
        file.header(self.tensors.len() as u64, 1 + self.entries.len() as u64);
        file.entry(b"general.architecture", &self.architecture.into());
        for (key, value) in &self.entries {
            file.entry(key.as_bytes(), value);
        }
        let mut offset = 0;
        for (name, dimensions) in &self.tensors {
            file.tensor(name.as_bytes(), dimensions, 0, offset);
            offset += (4 * dimensions.iter().product::<u64>()).next_multiple_of(32);
        }
        gguf_format::parse(file.as_bytes()).unwrap()
    }
}

#[test]
fn models_that_are_not_in_the_corpus_take_what_llama_cpp_allocates() {
    let mut recipe = Recipe::default();
    let mut header = None;
    let (mut models, mut settings, mut in_range, mut exact, mut nearly) = (0, 0, 0, 0, 0);
    for line in MODELS.lines() {
        let words: Vec<_> = line.split(' ').collect();
        match words[0] {
            "model" => {
                recipe = Recipe { name: words[1], architecture: words[2], ..Recipe::default() };
                header = None;
                models += 1;
            }
            "tensor" => recipe.tensor(&words[1..]),
            "setting" => {
                let header = header.get_or_insert_with(|| recipe.header());
                let (range, measured) = measure(recipe.name, header, &words[1..]);
                settings += 1;
                in_range += u32::from((range.low..=range.high).contains(&measured));
                let is_exact = range.high == measured + measured / 20;
                exact += u32::from(is_exact);
                nearly += u32::from(!is_exact && NEARLY.contains(&recipe.architecture));
                if !is_exact {
                    println!("{} {line}: {range:?} is not exact", recipe.name);
                }
            }
            _ => recipe.key(&words),
        }
    }
    println!("{exact} of {settings} compute buffers of {models} models are exact, {in_range} in the range");
    assert_eq!(nearly, 9);
    assert!(models > 20 && settings > 60);
    assert!(f64::from(in_range) >= 0.98 * f64::from(settings), "{in_range} of {settings}");
    assert!(f64::from(exact) >= LEAST_EXACT * f64::from(settings - nearly), "{exact} of {settings}");
}

/// Compares the parts that are exact, and returns the range of the compute buffer and its measured size.
fn measure(name: &str, header: &Header, words: &[&str]) -> (memory::ByteRange, u64) {
    let number = |index: usize| words[index].parse::<u64>().unwrap();
    let small = |index: usize| u32::try_from(number(index)).unwrap();
    let mut options = memory::MemoryOptions::default();
    options.context_length = Some(number(0)).filter(|length| *length > 0);
    options.sequences = small(1);
    options.unified = number(2) == 1;
    options.batch = small(3);
    options.micro_batch = small(4);
    options.flash_attention = number(5) == 1;
    options.key_type = cache_type(words[6]);
    options.value_type = cache_type(words[7]);
    options.full_window_cache = number(8) == 1;
    options.gpu_layers = Some(0);
    let what = format!("{name} {words:?}");
    let estimate = memory::estimate(header, &options).unwrap();
    assert_eq!(estimate.context_length, Some(number(10)), "{what}");
    assert_eq!(estimate.weights.as_ref().unwrap().total, number(11), "{what}");
    let caches = estimate.caches.iter().flatten().map(|cache| cache.key_bytes + cache.value_bytes).sum::<u64>();
    assert_eq!(caches + estimate.state.as_ref().map_or(0, |state| state.bytes()), number(12), "{what}");
    let (range, measured) = (estimate.compute.unwrap(), number(13));
    assert!(0 < range.low && range.high <= 3 * range.low, "{what}: {range:?}");
    assert!(measured as f64 <= (1.0 + MOST_ABOVE) * range.high as f64, "{what}: {measured} and {range:?}");
    assert_eq!(mebibytes(estimate.output_bytes.unwrap()), words[14], "{what}");
    (range, measured)
}

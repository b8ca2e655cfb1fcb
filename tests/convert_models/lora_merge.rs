//! Adapters merged into models: the numbers are computed a second time, element by element.

use std::rc::Rc;

use gguf_convert::lora::{LoraAdapter, MergeOptions, MergedFile, MergedTypes};
use gguf_format::io::{Source, block_on};
use gguf_format::tensor::quantizer;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Format, GgmlType, Header, Limits, OpenedFile, Result};
use half::f16;

use super::bytes::Bytes;
use super::folder::index;
use crate::corpus;
use crate::gguf_bytes::GgufBytes;

/// A tensor of a file: name, dimensions, type, numbers.
struct Tensor(&'static str, Vec<u64>, GgmlType, Vec<f32>);

/// Numbers between -1 and 1 that look random, and are F16 without rounding.
fn numbers(count: u64, start: u64) -> Vec<f32> {
    (0..count).map(|number| (((number + start) * 7919 % 2039) as f32 - 1019.0) / 1024.0).collect()
}

fn tensor(name: &'static str, dimensions: &[u64], ggml_type: GgmlType, start: u64) -> Tensor {
    Tensor(name, dimensions.to_vec(), ggml_type, numbers(dimensions.iter().product(), start))
}

/// The rows of a tensor as a little-endian file stores them.
fn quantized(numbers: &[f32], row_length: u64, ggml_type: GgmlType) -> Vec<u8> {
    let mut bytes = vec![0; ggml_type.byte_length(numbers.len() as u64, row_length).unwrap() as usize];
    if !bytes.is_empty() {
        quantizer(ggml_type).unwrap().quantize(numbers, row_length as usize, None, &mut bytes).unwrap();
    }
    bytes
}

/// A file with an alignment of 64 bytes.
fn file(format: Format, entries: &[(&str, OwnedValue)], tensors: &[Tensor]) -> Vec<u8> {
    let mut bytes = GgufBytes::new(format);
    bytes.header(tensors.len() as u64, entries.len() as u64 + 1).entry(b"general.alignment", &64_u32.into());
    for (key, value) in entries {
        bytes.entry(key.as_bytes(), value);
    }
    let mut data: Vec<u8> = Vec::new();
    for Tensor(name, dimensions, ggml_type, numbers) in tensors {
        bytes.tensor(name.as_bytes(), dimensions, ggml_type.0, data.len() as u64);
        let mut blocks = quantized(numbers, dimensions[0], *ggml_type);
        if format.endian == Endian::Big {
            ggml_type.info().unwrap().swap_byte_order(&mut blocks);
        }
        data.extend(blocks);
        data.resize(data.len().next_multiple_of(64), 0);
    }
    bytes.pad_to(64).bytes(&data);
    bytes.into_bytes()
}

fn opened(bytes: Vec<u8>) -> Rc<OpenedFile<Bytes>> {
    Rc::new(block_on(OpenedFile::open(Bytes(Rc::new(bytes)), Limits::default())).unwrap())
}

fn text(text: &str) -> OwnedValue {
    OwnedValue::String(text.into())
}

fn model_entries() -> [(&'static str, OwnedValue); 3] {
    [("general.architecture", text("llama")), ("general.file_type", 7_u32.into()), ("general.name", text("Base"))]
}

fn adapter_entries() -> [(&'static str, OwnedValue); 4] {
    [
        ("general.architecture", text("llama")),
        ("general.type", text("adapter")),
        ("adapter.type", text("lora")),
        ("adapter.lora.alpha", 6.0_f32.into()),
    ]
}

/// A model with a matrix of each kind.
fn model(format: Format) -> Vec<u8> {
    file(
        format,
        &model_entries(),
        &[
            tensor("token_embd.weight", &[64, 20], GgmlType::Q8_0, 1),
            tensor("blk.0.ffn_up_exps.weight", &[64, 6, 3], GgmlType::F16, 2),
            tensor("output_norm.weight", &[64], GgmlType::F32, 3),
            tensor("blk.0.attn_q.weight", &[64, 10, 1], GgmlType::Q4_0, 4),
            tensor("blk.0.attn_k.weight", &[64, 5], GgmlType::F32, 5),
            tensor("blk.0.attn_v.weight", &[64, 5], GgmlType::Q8_0, 6),
        ],
    )
}

/// An adapter for it. The matrices have several ranks and types, one with a factor for all experts.
fn adapter(format: Format, start: u64) -> Vec<u8> {
    file(
        format,
        &adapter_entries(),
        &[
            tensor("token_embd.weight.lora_a", &[3, 20], GgmlType::F32, start),
            tensor("token_embd.weight.lora_b", &[3, 64], GgmlType::F16, start + 10),
            tensor("blk.0.ffn_up_exps.weight.lora_a", &[64, 2, 3], GgmlType::F32, start + 20),
            tensor("blk.0.ffn_up_exps.weight.lora_b", &[2, 6, 3], GgmlType::F32, start + 30),
            tensor("blk.0.attn_norm.weight", &[64], GgmlType::F32, start + 35),
            tensor("blk.0.attn_q.weight.lora_a", &[64, 32], GgmlType::Q8_0, start + 40),
            tensor("blk.0.attn_q.weight.lora_b", &[32, 10], GgmlType::Q8_0, start + 50),
            tensor("blk.0.attn_k.weight.lora_a", &[64, 4], GgmlType::BF16, start + 60),
            tensor("blk.0.attn_k.weight.lora_b", &[4, 5], GgmlType::F32, start + 70),
        ],
    )
}

/// All numbers of a tensor.
fn values(file: &OpenedFile<Bytes>, name: &str) -> Option<(Vec<u64>, Vec<f32>)> {
    let tensor = file.header().tensor(name)?;
    let count = tensor.element_count().unwrap();
    let mut dimensions: Vec<u64> = tensor.dimensions().collect();
    dimensions.resize(3, 1);
    Some((dimensions, block_on(file.read_f32(&tensor, 0..count)).unwrap()))
}

/// A tensor with the changes of an adapter, element by element.
fn changed(model: &OpenedFile<Bytes>, adapters: &[(&OpenedFile<Bytes>, f32)], name: &str) -> Option<Vec<f32>> {
    let (shape, mut elements) = values(model, name)?;
    let (columns, rows) = (shape[0] as usize, shape[1] as usize);
    let mut is_changed = false;
    for (adapter, scale) in adapters {
        let Some((shape_a, a)) = values(adapter, &format!("{name}.lora_a")) else { continue };
        let (shape_b, b) = values(adapter, &format!("{name}.lora_b")).unwrap();
        let rank = shape_b[0] as usize;
        let alpha =
            adapter.header().get("adapter.lora.alpha").map_or(0.0, |entry| entry.value().as_f64().unwrap()) as f32;
        let scale = if alpha == 0.0 { *scale } else { scale * alpha / rank as f32 };
        for (position, element) in elements.iter_mut().enumerate() {
            let (column, row, matrix) = (position % columns, position / columns % rows, position / columns / rows);
            let matrix_of_a = if shape_a[2] == 1 { 0 } else { matrix };
            let mut sum = 0.0_f64;
            for k in 0..rank {
                let product = match name.starts_with("token_embd") {
                    true => a[row * rank + k] * b[column * rank + k],
                    false => a[(matrix_of_a * rank + k) * columns + column] * b[(matrix * rows + row) * rank + k],
                };
                sum += f64::from(product);
            }
            let change = sum as f32 * scale;
            *element += change;
        }
        is_changed = true;
    }
    is_changed.then_some(elements)
}

/// Compares a merged file with the numbers, and reads it in parts.
fn assert_merged(
    model: &Rc<OpenedFile<Bytes>>,
    adapters: &[(Rc<OpenedFile<Bytes>>, f32)],
    types: MergedTypes,
) -> Header {
    let given = adapters.iter().map(|(file, scale)| LoraAdapter::new(file.clone(), *scale).unwrap()).collect();
    let merged = MergedFile::new(model.clone(), given, MergeOptions::default().with_types(types)).unwrap();
    let whole = block_on(merged.read(0..merged.byte_length())).unwrap();
    let whole = whole.as_slice();
    let header = gguf_format::parse(whole).unwrap();
    assert_eq!(header.format(), Format { version: 3, endian: model.header().format().endian });
    let names: Vec<_> = header.tensors().map(|tensor| tensor.name().to_string_lossy().into_owned()).collect();
    assert!(names.is_sorted(), "{names:?}");
    assert_eq!(names.len(), model.header().tensors().len());

    let adapters: Vec<(&OpenedFile<Bytes>, f32)> = adapters.iter().map(|(file, scale)| (&**file, *scale)).collect();
    let mut changes = 0;
    for (position, (tensor, listed)) in header.tensors().zip(merged.tensors()).enumerate() {
        let name = tensor.name().to_string_lossy().into_owned();
        assert_eq!(listed.name, name.as_bytes());
        let old = model.header().tensor(&name).unwrap();
        let start = (header.data_offset() + tensor.offset()) as usize;
        let mut data = whole[start..start + tensor.byte_length().unwrap() as usize].to_vec();
        let Some(expected) = changed(model, &adapters, &name) else {
            let old_data = block_on(model.read_stored(&old, None)).unwrap();
            assert_eq!((tensor.ggml_type(), &*data), (old.ggml_type(), old_data.as_slice()), "{name}");
            continue;
        };
        changes += 1;
        let wanted = match types {
            MergedTypes::Keep => old.ggml_type(),
            MergedTypes::F16 if old.ggml_type() != GgmlType::F32 => GgmlType::F16,
            _ => GgmlType::F32,
        };
        assert_eq!((tensor.ggml_type(), listed.new_type, listed.old_type), (wanted, wanted, old.ggml_type()), "{name}");
        if header.format().endian == Endian::Big {
            wanted.info().unwrap().swap_byte_order(&mut data);
        }
        let row_length = tensor.dimensions().next().unwrap();
        assert_eq!(data, quantized(&expected, row_length, wanted), "{name}");
        if wanted == GgmlType::F16 {
            let halves: Vec<u8> = expected.iter().flat_map(|number| f16::from_f32(*number).to_le_bytes()).collect();
            assert_eq!(data, halves, "{name}");
        }
        let rows = expected.len() as u64 / row_length;
        let [before, after] = block_on(merged.rows(position, 1..rows)).unwrap();
        assert_eq!(before, values(model, &name).unwrap().1[row_length as usize..], "{name}");
        assert_eq!(after, expected[row_length as usize..], "{name}");
    }
    assert!(changes > 0);

    for size in [13, 500, 4096] {
        for start in (0..whole.len()).step_by(size) {
            let end = whole.len().min(start + size);
            let part = block_on(merged.read(start as u64..end as u64)).unwrap();
            assert_eq!(part.as_slice(), &whole[start..end], "{start}..{end}");
        }
    }
    header
}

#[test]
fn a_matrix_of_each_kind_is_changed() {
    let formats = [(3, Endian::Little), (3, Endian::Big), (1, Endian::Little)];
    for (version, endian) in formats {
        let model = opened(model(Format { version, endian }));
        let adapter = opened(adapter(Format { version: 3, endian: Endian::Little }, 100));
        for types in [MergedTypes::F16, MergedTypes::F32, MergedTypes::Keep] {
            let header = assert_merged(&model, &[(adapter.clone(), 0.75)], types);
            let keys: Vec<_> = header.metadata().map(|entry| entry.key().to_string_lossy().into_owned()).collect();
            let file_type = header.get("general.file_type").unwrap().value().as_u64();
            let architecture = "general.architecture";
            match types {
                MergedTypes::F16 => {
                    assert_eq!(keys, ["general.alignment", architecture, "general.name", "general.file_type"]);
                    assert_eq!(file_type, Some(1));
                }
                _ => assert_eq!((keys.len(), file_type), (4, Some(7))),
            }
            assert_eq!(header.alignment(), 64);
            let dimensions: Vec<u64> = header.tensor("blk.0.attn_q.weight").unwrap().dimensions().collect();
            assert_eq!(dimensions, [64, 10]);
        }
    }
}

#[test]
fn adapters_are_added_one_after_the_other() {
    let format = Format::default();
    let model = opened(model(format));
    let first = opened(adapter(format, 100));
    // Without alpha, the scale alone counts. One factor serves all experts.
    let second = opened(file(
        format,
        &adapter_entries()[..3],
        &[
            tensor("blk.0.attn_v.weight.lora_a", &[64, 1], GgmlType::F32, 7),
            tensor("blk.0.attn_v.weight.lora_b", &[1, 5], GgmlType::F32, 8),
            tensor("blk.0.ffn_up_exps.weight.lora_a", &[64, 2], GgmlType::F32, 9),
            tensor("blk.0.ffn_up_exps.weight.lora_b", &[2, 6, 3], GgmlType::F32, 10),
        ],
    ));
    assert_merged(&model, &[(first, 1.0), (second, -0.3)], MergedTypes::F16);
}

#[test]
fn an_adapter_of_the_reference_converter_is_merged() {
    let Some((folder, _)) = index() else { return };
    let model = opened(corpus::read(&folder.join("expected/llama3-style.f16.gguf")));
    let adapter = opened(corpus::read(&folder.join("expected/attn-only.default.gguf")));
    let header = assert_merged(&model, &[(adapter, 1.0)], MergedTypes::F16);
    let findings = gguf_models::validate::validate(&header, None);
    let errors = findings.iter().filter(|finding| finding.check.severity() == gguf_models::validate::Severity::Error);
    assert_eq!(errors.count(), 0, "{findings:?}");
}

#[test]
fn the_opened_file_has_the_changed_numbers() {
    let model = opened(model(Format::default()));
    let adapter = LoraAdapter::new(opened(adapter(Format::default(), 100)), 1.0).unwrap();
    let merged = MergedFile::new(model, vec![adapter], MergeOptions::default().with_types(MergedTypes::F32)).unwrap();
    let opened = merged.opened().unwrap();
    let position = merged.tensors().iter().position(|tensor| tensor.name == b"blk.0.attn_q.weight").unwrap();
    let [_, after] = block_on(merged.rows(position, 0..10)).unwrap();
    let tensor = opened.header().tensor("blk.0.attn_q.weight").unwrap();
    assert_eq!(block_on(opened.read_f32(&tensor, 0..640)).unwrap(), after);
    assert!(block_on(merged.rows(position, 9..11)).is_err() && block_on(merged.rows(99, 0..1)).is_err());
}

/// Merges an adapter into the model.
fn merge(entries: &[(&str, OwnedValue)], tensors: &[Tensor]) -> Result<MergedFile<Bytes>> {
    let adapter = LoraAdapter::new(opened(file(Format::default(), entries, tensors)), 1.0)?;
    MergedFile::new(opened(model(Format::default())), vec![adapter], MergeOptions::default())
}

#[test]
fn adapters_that_do_not_fit_are_refused() {
    let pair = |a: &'static str, shape_a: &[u64], b: &'static str, shape_b: &[u64]| {
        merge(&adapter_entries(), &[tensor(a, shape_a, GgmlType::F32, 1), tensor(b, shape_b, GgmlType::F32, 2)])
            .err()
            .map(|error| error.to_string())
    };
    let (a, b) = ("blk.0.attn_k.weight.lora_a", "blk.0.attn_k.weight.lora_b");
    assert_eq!(pair(a, &[64, 2], b, &[2, 5]), None);
    for (name_a, shape_a, name_b, shape_b, part) in [
        (a, &[64, 2][..], b, &[3, 5][..], "do not fit it"),
        (a, &[32, 2], b, &[2, 5], "do not fit it"),
        (a, &[64, 2], b, &[2, 6], "do not fit it"),
        (a, &[64, 2, 2], b, &[2, 5, 2], "do not fit it"),
        (a, &[64, 0], b, &[0, 5], "do not fit it"),
        (a, &[64, 2], "blk.0.attn_q.weight.lora_b", &[2, 10], "has no tensor \"blk.0.attn_k.weight.lora_b\""),
        (
            "blk.9.attn_k.weight.lora_a",
            &[64, 2],
            "blk.9.attn_k.weight.lora_b",
            &[2, 5],
            "which the model does not have",
        ),
        (a, &[64, 2], "blk.0.attn_k.bias", &[2, 5], "expected names that end with"),
        ("token_embd.weight.lora_a", &[64, 2], "token_embd.weight.lora_b", &[2, 20], "do not fit it"),
    ] {
        let error = pair(name_a, shape_a, name_b, shape_b).unwrap_or_default();
        assert!(error.contains(part), "{name_a} {shape_a:?} {name_b} {shape_b:?}: {error}");
    }
    for (place, value, part) in [
        (0, text("qwen2"), "for the architecture \"qwen2\""),
        (1, text("model"), "is no LoRA adapter"),
        (2, text("control"), "is no LoRA adapter"),
        (3, f32::NAN.into(), "adapter.lora.alpha"),
    ] {
        let mut entries = adapter_entries();
        entries[place].1 = value;
        let error = merge(&entries, &[]).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(part), "{error}");
    }
    let mut entries = adapter_entries().to_vec();
    entries.push(("adapter.alora.invocation_tokens", OwnedValue::array(gguf_format::ValueType::Uint32, [5_u32])));
    assert!(merge(&entries, &[]).err().unwrap().to_string().contains("counts only after the tokens"));
    assert_eq!(merge(&entries[..4], &[]).err().map(|error| error.code().name()), None);
}

//! Weights that are stored with fewer bits: the elements of each method, from numbers that the tests choose.

use std::rc::Rc;

use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::{HubModel, ModelOptions, ModelPlan, OutputType};
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel};
use gguf_format::io::{Source, block_on};
use gguf_format::{ErrorCode, Header, Result};
use serde_json::{Map, Value as Json, json};

use super::bytes::{Bytes, joined};
use super::families::{elements, model, unsigned};

/// The rows and the columns of every matrix.
const SIZE: usize = 64;

/// A stored tensor: the end of its name, its type, its shape and its data.
type Part = (&'static str, &'static str, Vec<usize>, Vec<u8>);

/// A number below a limit that follows from two places.
fn number(limit: u32, a: usize, b: usize) -> u32 {
    ((a * 31 + b * 17 + a * b * 7 + 3) as u32).wrapping_mul(0x9E37_79B1) >> 12 & (limit - 1)
}

/// A scale that follows from two places.
fn scale(a: usize, b: usize) -> f32 {
    0.25 + number(64, a, b) as f32 / 128.0
}

fn f32s(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn i32s(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Rows and columns of a matrix, row by row.
fn grid<T>(rows: usize, columns: usize, element: impl Fn(usize, usize) -> T) -> Vec<T> {
    (0..rows * columns).map(|place| element(place / columns, place % columns)).collect()
}

/// The words of a matrix whose rows are packed.
fn packed(rows: usize, columns: usize, bits: u32, element: impl Fn(usize, usize) -> u32) -> Vec<u8> {
    let in_word = (32 / bits) as usize;
    i32s(grid(rows, columns.div_ceil(in_word), |row, word| {
        let places = (word * in_word..columns).take(in_word).enumerate();
        places.fold(0, |sum, (place, column)| sum | element(row, column) << (bits as usize * place))
    }))
}

/// The words of a matrix whose columns are packed.
fn packed_columns(rows: usize, columns: usize, bits: u32, element: impl Fn(usize, usize) -> u32) -> Vec<u8> {
    let in_word = (32 / bits) as usize;
    i32s(grid(rows.div_ceil(in_word), columns, |word, column| {
        let places = (word * in_word..rows).take(in_word).enumerate();
        places.fold(0, |sum, (place, row)| sum | element(row, column) << (bits as usize * place))
    }))
}

/// A model of one block, each matrix of which is stored as `parts` say. `more` has other files.
fn opened(quantization: &Json, parts: &[Part], more: &[(&str, Json)]) -> HubModel<Bytes> {
    let mut config = json!({
        "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "vocab_size": 8, "hidden_size": SIZE,
        "intermediate_size": SIZE, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2,
        "max_position_embeddings": 16,
    });
    if !quantization.is_null() {
        config["quantization_config"] = quantization.clone();
    }
    let plain: &[(&str, &[u64])] = &[
        ("model.embed_tokens.weight", &[8, 64]),
        ("model.norm.weight", &[64]),
        ("lm_head.weight", &[8, 64]),
        ("model.layers.0.input_layernorm.weight", &[64]),
        ("model.layers.0.post_attention_layernorm.weight", &[64]),
    ];
    let (mut header, mut data) = (Map::new(), Vec::new());
    let mut add = |name: String, data_type: &str, shape: Json, bytes: &[u8]| {
        let start = data.len();
        data.extend_from_slice(bytes);
        header.insert(name, json!({ "dtype": data_type, "shape": shape, "data_offsets": [start, data.len()] }));
    };
    for (name, shape) in plain {
        let count = shape.iter().product::<u64>();
        add((*name).into(), "F32", json!(shape), &f32s((0..count).map(|i| i as f32)));
    }
    for name in ["mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"].into_iter().chain([
        "self_attn.q_proj",
        "self_attn.k_proj",
        "self_attn.v_proj",
        "self_attn.o_proj",
    ]) {
        for (end, data_type, shape, bytes) in parts {
            add(format!("model.layers.0.{name}{end}"), data_type, json!(shape), bytes);
        }
    }
    let source = Bytes(Rc::new(joined(&Json::Object(header), &data)));
    let part = block_on(SafetensorsFile::open("model.safetensors", source)).unwrap();
    // The vocabulary of the other tests.
    let mut files: SmallFiles = model(json!({}), &[]).open().files;
    files.insert("config.json", config.to_string().into_bytes());
    for (name, json) in more {
        files.insert(*name, json.to_string().into_bytes());
    }
    HubModel { folder: "Tiny-Test".into(), files, tensors: SafetensorsModel::new(vec![part], None).unwrap() }
}

fn converted_from(model: &HubModel<Bytes>, output_type: OutputType) -> Result<(Header, Vec<u8>)> {
    let mut options = ModelOptions::default();
    options.output_type = output_type;
    options.pre = Some("gpt-2".into());
    let plan = block_on(ModelPlan::new(model, &options))?;
    let file = block_on(plan.file().read(0..plan.size()))?.as_slice().to_vec();
    Ok((gguf_format::parse(&file)?, file))
}

fn converted(quantization: &Json, parts: &[Part]) -> Result<(Header, Vec<u8>)> {
    converted_from(&opened(quantization, parts, &[]), OutputType::F32)
}

#[track_caller]
fn assert_elements(quantization: &Json, parts: &[Part], expected: impl Fn(usize, usize) -> f32) {
    let converted = converted(quantization, parts).unwrap_or_else(|error| panic!("{quantization}: {error}"));
    let expected = grid(SIZE, SIZE, expected);
    for name in ["blk.0.ffn_up.weight", "blk.0.attn_output.weight"] {
        assert_eq!(elements(&converted, name), expected, "{quantization}");
    }
}

fn gptq(bits: u32, group: usize, is_sorted: bool) -> Vec<Part> {
    let groups = SIZE / group;
    let of_column = |column: usize| if is_sorted { column / group } else { column % groups };
    vec![
        (".g_idx", "I32", vec![SIZE], i32s((0..SIZE).map(|column| of_column(column) as u32))),
        (
            ".qweight",
            "I32",
            vec![SIZE * bits as usize / 32, SIZE],
            packed_columns(SIZE, SIZE, bits, |column, row| number(1 << bits, row, column)),
        ),
        (
            ".qzeros",
            "I32",
            vec![groups, SIZE * bits as usize / 32],
            packed(groups, SIZE, bits, |group, row| number(1 << bits, group + 100, row)),
        ),
        (".scales", "F32", vec![groups, SIZE], f32s(grid(groups, SIZE, scale))),
    ]
}

#[test]
fn gptq_has_a_scale_and_a_zero_point_for_each_row_and_group() {
    for bits in [2, 4, 8] {
        for (group, is_sorted) in [(16, true), (32, false), (SIZE, true)] {
            for (format, offset) in [(None, 1), (Some("gptq"), 1), (Some("gptq_v2"), 0)] {
                let mut quantization = json!({ "quant_method": "gptq", "bits": bits, "group_size": group });
                if let Some(format) = format {
                    quantization["checkpoint_format"] = json!(format);
                }
                assert_elements(&quantization, &gptq(bits, group, is_sorted), |row, column| {
                    let group = if is_sorted { column / group } else { column % (SIZE / group) };
                    let element = number(1 << bits, row, column) as f32;
                    scale(group, row) * (element - (number(1 << bits, group + 100, row) + offset) as f32)
                });
            }
        }
    }
}

fn compressed(format: &str, weights: Json) -> Json {
    json!({ "quant_method": "compressed-tensors", "format": format, "config_groups": { "group_0": { "weights": weights } } })
}

fn words(bits: u32, group: usize, has_zeros: bool) -> Vec<Part> {
    let (in_word, groups) = ((32 / bits) as usize, SIZE / group);
    let mut parts = vec![
        (
            ".weight_packed",
            "I32",
            vec![SIZE, SIZE.div_ceil(in_word)],
            packed(SIZE, SIZE, bits, |row, column| number(1 << bits, row, column)),
        ),
        (".weight_scale", "F32", vec![SIZE, groups], f32s(grid(SIZE, groups, scale))),
        (".weight_shape", "I64", vec![2], [SIZE; 2].iter().flat_map(|size| (*size as u64).to_le_bytes()).collect()),
    ];
    if has_zeros {
        let zeros = packed_columns(SIZE, groups, bits, |row, group| number(1 << bits, row, group + 100));
        parts.push((".weight_zero_point", "I32", vec![SIZE.div_ceil(in_word), groups], zeros));
    }
    parts
}

#[test]
fn packed_integers_have_a_scale_for_each_row_and_group() {
    for bits in 1..=8 {
        for (group, has_zeros) in [(16, false), (32, true), (SIZE, true)] {
            let quantization =
                compressed("pack-quantized", json!({ "strategy": "group", "num_bits": bits, "group_size": group }));
            assert_elements(&quantization, &words(bits, group, has_zeros), |row, column| {
                let group = column / group;
                let zero = if has_zeros { number(1 << bits, row, group + 100) } else { 1 << (bits - 1) };
                scale(row, group) * (number(1 << bits, row, column) as f32 - zero as f32)
            });
        }
    }
}

/// Bytes with a sign, and their scales.
fn bytes(shape: &[usize], scales: Vec<f32>) -> Vec<Part> {
    let bytes = grid(SIZE, SIZE, |row, column| number(256, row, column) as u8);
    vec![(".weight", "I8", vec![SIZE, SIZE], bytes), (".weight_scale", "F32", shape.to_vec(), f32s(scales))]
}

#[test]
fn bytes_have_a_scale_for_a_matrix_a_row_or_a_block() {
    let byte = |row, column| f32::from(number(256, row, column) as u8 as i8);
    let channel = compressed("int-quantized", json!({ "strategy": "channel" }));
    for shape in [&[SIZE, 1][..], &[SIZE]] {
        let rows = bytes(shape, (0..SIZE).map(|row| scale(row, 0)).collect());
        assert_elements(&channel, &rows, |row, column| byte(row, column) * scale(row, 0));
    }
    for quantization in [&channel, &json!({ "quant_method": "modelopt" })] {
        for shape in [&[][..], &[1], &[1, 1]] {
            assert_elements(quantization, &bytes(shape, vec![0.5]), |row, column| byte(row, column) * 0.5);
        }
    }
    let block = compressed("int-quantized", json!({ "strategy": "block", "block_structure": [48, 24] }));
    let blocks = bytes(&[2, 3], grid(2, 3, scale));
    assert_elements(&block, &blocks, |row, column| byte(row, column) * scale(row / 48, column / 24));
}

#[test]
fn four_rows_of_ternary_weights_are_in_one() {
    let quarter = SIZE / 4;
    let bytes = grid(quarter, SIZE, |row, column| {
        (0..4).fold(0, |byte, part| byte | (number(4, row + part * quarter, column) as u8 % 3) << (2 * part))
    });
    let parts = [(".weight", "U8", vec![quarter, SIZE], bytes), (".weight_scale", "F32", vec![1], f32s([3.0]))];
    assert_elements(&json!({ "quant_method": "bitnet" }), &parts, |row, column| {
        (f32::from(number(4, row, column) as u8 % 3) - 1.0) / 3.0
    });
}

/// NVFP4 of ModelOpt with two factors.
fn nvfp4(factors: [f32; 2]) -> Vec<Part> {
    vec![
        (".weight", "U8", vec![SIZE, SIZE / 2], grid(SIZE, SIZE / 2, |row, byte| number(256, row, byte) as u8)),
        (
            ".weight_scale",
            "F8_E4M3",
            vec![SIZE, SIZE / 16],
            grid(SIZE, SIZE / 16, |row, group| number(256, row, group) as u8),
        ),
        (".weight_scale_2", "F32", vec![], f32s([factors[0]])),
        (".input_scale", "F32", vec![], f32s([factors[1]])),
        (".k_scale", "F32", vec![], f32s([1.0])),
    ]
}

fn names(header: &Header) -> Vec<String> {
    header.tensors().map(|tensor| tensor.name().to_string_lossy().into_owned()).collect()
}

#[test]
fn nvfp4_keeps_its_bits_and_its_factors() {
    let producer = json!({ "producer": { "name": "ModelOpt" }, "quantization": { "quant_algo": "NVFP4" } });
    let model = opened(&Json::Null, &nvfp4([0.5, 1.0]), &[("hf_quant_config.json", producer)]);
    let converted = converted_from(&model, OutputType::F16).unwrap();
    assert_eq!(elements(&converted, "blk.0.attn_q.scale"), [0.5]);
    let (header, file) = converted;
    assert_eq!(unsigned(&header, "general.file_type"), Some(39));
    assert!(header.get("general.tensor_extra.name").is_none());
    let names = names(&header);
    assert_eq!(names[..2], ["blk.0.ffn_down.weight", "blk.0.ffn_down.scale"], "{names:?}");
    assert!(!names.iter().any(|name| name.ends_with(".input_scale")), "{names:?}");
    let tensor = header.tensor("blk.0.ffn_up.weight").unwrap();
    assert_eq!(tensor.ggml_type().to_string(), "NVFP4");
    let start = (header.data_offset() + tensor.offset()) as usize;
    let blocks = &file[start..start + tensor.byte_length().unwrap() as usize];
    for (row, block) in blocks.chunks_exact(36).enumerate() {
        for place in 0..SIZE {
            let (group, inside) = (place / 16, place % 16);
            let found = block[4 + group * 8 + inside % 8] >> (inside / 8 * 4) & 15;
            let stored = number(256, row, place / 2) as u8 >> (place % 2 * 4) & 15;
            assert_eq!(found, stored, "row {row}, element {place}");
            assert_eq!(block[group], number(256, row, group) as u8 & 0x7F);
        }
    }
    // With 8 bits asked for, the type of the file is that of the other tensors.
    let (header, _) = converted_from(&model, OutputType::Q8_0).unwrap();
    assert_eq!(unsigned(&header, "general.file_type"), Some(7));
}

#[test]
fn weights_whose_activations_keep_their_bits_are_listed() {
    let layers = json!({ "model.layers.0.mlp": { "quant_algo": "W4A16_NVFP4" } });
    let quantization = json!({ "quant_method": "modelopt", "quant_algo": "NVFP4", "quantized_layers": layers });
    let (header, _) = converted(&quantization, &nvfp4([1.0, 2.0])).unwrap();
    let kept = header.get("general.tensor_extra.name").unwrap().value().as_array().unwrap();
    let kept: Vec<String> = kept.iter().map(|name| name.as_str().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(kept, ["blk.0.ffn_down.weight", "blk.0.ffn_gate.weight", "blk.0.ffn_up.weight"]);
    let names = names(&header);
    assert!(names.contains(&"blk.0.ffn_up.input_scale".into()) && !names.contains(&"blk.0.ffn_up.scale".into()));
}

/// A search that keeps the start of the name before each dot would need 20 GB.
#[test]
fn a_layer_that_is_missing_is_found_among_long_names() {
    let layers = json!({ "model.layers.7.mlp": { "quant_algo": "W4A16_NVFP4" } });
    let quantization = json!({ "quant_method": "modelopt", "quant_algo": "NVFP4", "quantized_layers": layers });
    let mut parts = nvfp4([1.0, 2.0]);
    parts.push((format!("{}.weight", ".a".repeat(100_000)).leak(), "F32", vec![], f32s([1.0])));
    let error = converted(&quantization, &parts).unwrap_err();
    assert_eq!(error.code().name(), "incomplete-model");
    assert!(error.to_string().contains("model.layers.7.mlp"), "{error}");
}

#[test]
fn factors_of_compressed_tensors_are_reciprocals() {
    let mut parts = nvfp4([4.0, 8.0]);
    for (part, end) in
        parts.iter_mut().zip([".weight_packed", ".weight_scale", ".weight_global_scale", ".input_global_scale"])
    {
        part.0 = end;
    }
    let quantization = compressed("nvfp4-pack-quantized", json!({ "strategy": "tensor_group" }));
    let converted = converted(&quantization, &parts).unwrap();
    assert_eq!(elements(&converted, "blk.0.ffn_up.scale"), [0.25]);
    assert_eq!(elements(&converted, "blk.0.ffn_up.input_scale"), [0.125]);
}

#[track_caller]
fn assert_refused(quantization: &Json, parts: &[Part], code: ErrorCode, part: &str) {
    let error = converted(quantization, parts).err().unwrap_or_else(|| panic!("{quantization} is converted"));
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(part), "{error}");
}

#[test]
fn what_the_reference_does_not_read_is_refused() {
    let gptq4 = gptq(4, 32, true);
    for (more, part) in [
        (json!({ "bits": 3 }), "with 3 bits"),
        (json!({ "bits": null }), "with null bits"),
        (json!({}), "an unknown number of bits"),
        (json!({ "bits": 4, "checkpoint_format": "marlin" }), "marlin"),
    ] {
        let mut quantization = more;
        quantization["quant_method"] = json!("gptq");
        assert_refused(&quantization, &gptq4, ErrorCode::UnsupportedModel, part);
    }
    let row = bytes(&[SIZE, 1], vec![1.0; SIZE]);
    for (format, weights, part) in [
        ("int-quantized", json!({ "strategy": "tensor" }), "the strategy \"tensor\""),
        ("int-quantized", json!({ "strategy": "channel", "group_size": 32 }), "group_size"),
        ("marlin-24", json!({}), "\"marlin-24\""),
        ("mixed-precision", json!({}), "\"mixed-precision\""),
        ("pack-quantized", json!({ "strategy": "channel", "num_bits": 4 }), "the strategy group"),
        ("pack-quantized", json!({ "strategy": "group", "num_bits": 16, "group_size": 32 }), "num_bits"),
        ("pack-quantized", json!({ "strategy": "group", "num_bits": 4, "group_size": -1 }), "group_size"),
    ] {
        assert_refused(&compressed(format, weights), &row, ErrorCode::UnsupportedModel, part);
    }
    let mut several = compressed("int-quantized", json!({ "strategy": "channel" }));
    several["config_groups"]["group_1"] = json!({});
    assert_refused(&several, &row, ErrorCode::UnsupportedModel, "several groups");
    // A zero point of bytes.
    let mut with_zeros = row.clone();
    with_zeros.push((".weight_zero_point", "I8", vec![SIZE, 1], vec![0; SIZE]));
    let channel = compressed("int-quantized", json!({ "strategy": "channel" }));
    assert_refused(&channel, &with_zeros, ErrorCode::UnsupportedModel, "weight_zero_point");
}

#[test]
fn parts_that_do_not_fit_each_other_are_refused() {
    let gptq4 = json!({ "quant_method": "gptq", "bits": 4 });
    let packed4 = compressed("pack-quantized", json!({ "strategy": "group", "num_bits": 4, "group_size": 32 }));
    let bitnet = json!({ "quant_method": "bitnet" });
    let modelopt = json!({ "quant_method": "modelopt", "quant_algo": "NVFP4" });
    let of_bits = [
        (&gptq4, gptq(4, 32, true)),
        (&packed4, words(4, 32, true)),
        (
            &bitnet,
            vec![
                (".weight", "U8", vec![SIZE / 4, SIZE], vec![0; SIZE / 4 * SIZE]),
                (".weight_scale", "F32", vec![1], f32s([1.0])),
            ],
        ),
        (&modelopt, nvfp4([1.0, 1.0])),
    ];
    for (quantization, parts) in of_bits {
        assert!(converted(quantization, &parts).is_ok(), "{quantization}");
        for changed in 0..parts.len() {
            if matches!(parts[changed].0, ".k_scale" | ".input_scale" | ".weight_scale_2") {
                continue;
            }
            // Another shape of the same size, and one element less.
            let mut turned = parts.clone();
            turned[changed].2 = vec![1, 1, parts[changed].3.len() / element_size(parts[changed].1)];
            assert!(converted(quantization, &turned).is_err(), "{quantization}: {:?}", turned[changed].0);
            let mut missing = parts.clone();
            missing.remove(changed);
            if parts[changed].0 != ".weight_zero_point" {
                assert!(converted(quantization, &missing).is_err(), "{quantization} without {}", parts[changed].0);
            }
        }
    }
    // A group that the matrix does not have shows when the data is read.
    let mut wrong = gptq(4, 32, true);
    wrong[0].3[4..8].copy_from_slice(&2_u32.to_le_bytes());
    assert_refused(&gptq4, &wrong, ErrorCode::BadSafetensors, "group 2, but the matrix has 2 groups");
    wrong[0].3[4..8].copy_from_slice(&(-1_i32).to_le_bytes());
    assert_refused(&gptq4, &wrong, ErrorCode::BadSafetensors, "group 4294967295");
    // So does a stored shape that is another one.
    for changed in [0, 4, 8, 12] {
        let mut wrong = words(4, 32, false);
        wrong[2].3[changed] ^= 1;
        assert_refused(&packed4, &wrong, ErrorCode::BadSafetensors, "the shape that is stored beside a matrix");
    }
    let mut short = words(4, 32, false);
    (short[2].1, short[2].3) = ("I32", [SIZE as u32; 2].iter().flat_map(|size| size.to_le_bytes()).collect());
    assert!(converted(&packed4, &short).is_ok());
}

fn element_size(data_type: &str) -> usize {
    match data_type {
        "I64" => 8,
        "F32" | "I32" => 4,
        _ => 1,
    }
}

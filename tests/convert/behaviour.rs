//! What conversions do besides the right bytes: they resume, divide tensors, read shards, and stop at errors.

use std::rc::Rc;

use gguf_convert::requantize::{CallingThread, ConversionJob, JobOutcome, Options, Plan, Quantizers, Target, Threads};
use gguf_format::io::{Chunks, FileSource, MemoryBuffer, block_on};
use gguf_format::write::encode::Encoder;
use gguf_format::{Endian, ErrorCode, Format, GgmlType, Limits, OpenedFile, Result};

use super::conversions::convert;
use super::runs::{self, File, Matrices};
use crate::corpus;
use crate::io::source::Logged;

fn options(target: &str) -> Options {
    Options::new(Target::parse(target).unwrap())
}

/// Changed options.
fn with(options: &Options, change: impl FnOnce(&mut Options)) -> Options {
    let mut options = options.clone();
    change(&mut options);
    options
}

/// The model `tiny` of the corpus with its importance matrix, which changes the bytes of every type.
fn tiny(name: &str, target: &str) -> Option<(Vec<File>, Options)> {
    let folder = corpus::folder()?.join("quantize");
    let mut options = options(target);
    options.imatrix = Some(Matrices::default().open(&folder, "tiny.imatrix.gguf").unwrap());
    Some((runs::model(&folder, name), options))
}

fn calling_thread() -> Rc<CallingThread> {
    Rc::new(CallingThread::default())
}

#[test]
fn a_conversion_resumes_at_every_tensor() {
    let Some((files, options)) = tiny("tiny.gguf", "Q4_K_M") else { return };
    let plan = Plan::new(files, options).unwrap();
    let whole = convert(&plan, 0, None, &calling_thread()).unwrap();
    let tensors = plan.tensors(0);
    assert_eq!(tensors.len(), 21);
    for tensor in tensors {
        let rest = convert(&plan, 0, Some(tensor.row), &calling_thread()).unwrap();
        assert!(rest == whole[tensor.position as usize..], "tensor {}", tensor.row);
    }
    let beyond = plan.conversion(0, Some(21), calling_thread()).err().unwrap();
    assert_eq!(beyond.code(), ErrorCode::OutOfRange);
    assert_eq!(plan.conversion(1, None, calling_thread()).err().unwrap().code(), ErrorCode::OutOfRange);
}

#[test]
fn the_size_of_pieces_and_threads_change_nothing() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("quantize");
    let mut matrices = Matrices::default();
    for (model, matrix, target) in
        [("tiny.gguf", "tiny.imatrix.gguf", "IQ2_XS"), ("llama-moe8-f32.gguf", "llama-moe8-f32.imatrix.gguf", "Q4_0")]
    {
        let mut options = options(target);
        options.imatrix = Some(matrices.open(&folder, matrix).unwrap());
        let plan = Plan::new(runs::model(&folder, model), options).unwrap();
        let whole = convert(&plan, 0, None, &calling_thread()).unwrap();
        for elements in [1, 300, 4096] {
            let divided = plan.clone().with_piece_elements(elements);
            assert!(convert(&divided, 0, None, &calling_thread()).unwrap() == whole, "{model}, {elements}");
        }
        let threads = Rc::new(Threads::new(3));
        assert!(convert(&plan.with_piece_elements(2000), 0, None, &threads).unwrap() == whole, "{model}");
    }
}

#[test]
fn shards_are_converted_as_one_file() {
    let Some((shards, options)) = tiny("tiny-split-00001-of-00003.gguf", "Q4_0") else { return };
    let Some((file, _)) = tiny("tiny.gguf", "Q4_0") else { return };
    let from_shards =
        convert(&Plan::new(shards.clone(), options.clone()).unwrap(), 0, None, &calling_thread()).unwrap();
    let from_file = convert(&Plan::new(file, options.clone()).unwrap(), 0, None, &calling_thread()).unwrap();
    assert!(from_shards == from_file);
    // One file for each shard, with the same tensors.
    let plan = Plan::new(shards.clone(), with(&options, |options| options.keep_split = true)).unwrap();
    assert_eq!(plan.recipe().files().len(), 3);
    for (number, shard) in shards.iter().enumerate() {
        let bytes = convert(&plan, number, None, &calling_thread()).unwrap();
        let names: Vec<_> =
            gguf_format::parse(&bytes).unwrap().tensors().map(|tensor| tensor.name().to_string()).collect();
        let original: Vec<_> = shard.header().tensors().map(|tensor| tensor.name().to_string()).collect();
        assert_eq!(names, original);
        let resumed = plan.tensors(number)[1];
        let rest = convert(&plan, number, Some(resumed.row), &calling_thread()).unwrap();
        assert!(rest == bytes[resumed.position as usize..]);
    }
    let error = Plan::new(vec![shards[0].clone()], options).err().unwrap();
    assert_eq!(error.code(), ErrorCode::IncompleteSet);
}

/// The data of each tensor of a file, by name.
fn data_of(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let header = gguf_format::parse(bytes).unwrap();
    let data = |tensor: gguf_format::TensorInfo<'_>| {
        let start = tensor.file_offset().unwrap() as usize;
        (tensor.name().to_string(), bytes[start..start + tensor.byte_length().unwrap() as usize].to_vec())
    };
    header.tensors().map(data).collect()
}

#[test]
fn a_pruned_model_has_the_data_of_the_kept_blocks() {
    let Some((files, options)) = tiny("tiny.gguf", "Q4_0") else { return };
    let model = |prune_layers| {
        let options = with(&options, |options| options.prune_layers = prune_layers);
        data_of(&convert(&Plan::new(files.clone(), options).unwrap(), 0, None, &calling_thread()).unwrap())
    };
    let (whole, pruned) = (model(vec![]), model(vec![0]));
    assert_eq!((whole.len(), pruned.len()), (21, 12));
    for (name, data) in pruned {
        let original = name.replace("blk.0.", "blk.1.");
        let (_, expected) = whole.iter().find(|(other, _)| *other == original).unwrap();
        // Both have the same type: Q4_0 has no mixture in a model of two blocks.
        assert!(data == *expected, "{name}");
    }
}

#[test]
fn a_row_with_a_nan_is_refused_with_its_tensor_row_and_offset() {
    let Some(folder) = corpus::folder() else { return };
    let files = runs::model(&folder.join("quantize"), "tiny-nan.gguf");
    let tensor = files[0].header().tensor("blk.1.attn_k.weight").unwrap();
    let start = tensor.file_offset().unwrap();
    let bytes = corpus::read(&folder.join("quantize/tiny-nan.gguf"));
    let data = &bytes[start as usize..][..tensor.byte_length().unwrap() as usize];
    let position = data.as_chunks().0.iter().position(|bytes| u16::from_le_bytes(*bytes) & 0x7c00 == 0x7c00).unwrap();
    for (target, elements) in [("COPY", 1 << 19), ("Q4_0", 1 << 19), ("Q8_0", 256), ("F32", 1)] {
        let plan = Plan::new(files.clone(), options(target)).unwrap().with_piece_elements(elements);
        let error = convert(&plan, 0, None, &calling_thread()).unwrap_err();
        assert_eq!(
            (error.code(), error.offset()),
            (ErrorCode::InvalidData, Some(start + 2 * position as u64)),
            "{target}"
        );
        let expected = format!("\"blk.1.attn_k.weight\" are invalid: row {} ", position / 256);
        assert!(error.to_string().contains(&expected), "{error}");
    }
}

/// A file with one tensor of 32-bit floats.
fn file_of(format: Format, rows: &[f32], row_length: u64) -> Vec<u8> {
    let mut file = Encoder::new(format);
    file.header(1, 1).kv(b"general.name", &"test".into());
    let dimensions = [row_length, rows.len() as u64 / row_length];
    file.tensor_info(b"blk.0.attn_q.weight", &dimensions, GgmlType::F32.0, 0).pad_to(32);
    rows.iter().for_each(|element| _ = file.f32(*element));
    file.pad_to(32);
    file.into_bytes()
}

/// Converts bytes in memory.
fn convert_bytes(bytes: Vec<u8>, options: Options) -> Result<Vec<u8>> {
    let path = std::env::temp_dir().join(format!(
        "gguf-wasm-convert-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    std::fs::write(&path, bytes).unwrap();
    let file = Rc::new(block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?);
    let converted = Plan::new(vec![file], options).and_then(|plan| convert(&plan, 0, None, &calling_thread()));
    std::fs::remove_file(&path).unwrap();
    converted
}

#[test]
fn big_endian_models_stay_big_endian() {
    let rows: Vec<f32> = (0..512).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
    let of = |endian, target: &str| {
        let format = Format { version: 3, endian };
        let bytes = convert_bytes(file_of(format, &rows, 256), options(target)).unwrap();
        let header = gguf_format::parse(&bytes).unwrap();
        assert_eq!(header.format(), format);
        let ggml_type = header.tensor_at(0).unwrap().ggml_type();
        (ggml_type, data_of(&bytes).remove(0).1)
    };
    for target in ["Q4_0", "Q4_K_M", "F16"] {
        let (ggml_type, little) = of(Endian::Little, target);
        let (_, mut big) = of(Endian::Big, target);
        assert_ne!(little, big);
        ggml_type.info().unwrap().swap_byte_order(&mut big);
        assert_eq!(little, big, "{target}");
    }
}

#[test]
fn numbers_that_are_too_large_for_the_type_are_refused() {
    let mut rows = vec![1.0; 512];
    rows[300] = 1e38;
    let error = convert_bytes(file_of(Format::default(), &rows, 256), options("F16")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidData);
    assert!(error.to_string().contains("row 1 has numbers that are too large"), "{error}");
}

#[test]
fn models_without_tensors_or_elements_are_converted() {
    let mut file = Encoder::new(Format::default());
    file.header(0, 1).kv(b"general.name", &"test".into()).pad_to(32);
    let converted = convert_bytes(file.into_bytes(), options("Q8_0")).unwrap();
    let header = gguf_format::parse(&converted).unwrap();
    assert_eq!(header.tensors().count(), 0);
    assert_eq!(header.get("general.file_type").unwrap().value().as_u64(), Some(7));

    let without_rows = convert_bytes(file_of(Format::default(), &[], 256), options("Q8_0")).unwrap();
    assert_eq!(data_of(&without_rows), [("blk.0.attn_q.weight".to_string(), vec![])]);

    // A matrix of one row is a vector for ggml, and keeps its type.
    let row = [1.0; 256];
    let of_one_row = convert_bytes(file_of(Format::default(), &row, 256), options("Q8_0")).unwrap();
    let bytes = row.iter().flat_map(|element| element.to_le_bytes()).collect();
    assert_eq!(data_of(&of_one_row), [("blk.0.attn_q.weight".to_string(), bytes)]);
}

#[test]
fn ternary_and_two_bit_files_have_the_blocks_of_their_quantizers() {
    // Q2_0 is newer than the recorded runs.
    let rows: Vec<f32> = (0..512).map(|i| (i % 3) as f32 - 1.0).collect();
    let bytes = convert_bytes(file_of(Format::default(), &rows, 256), options("Q2_0")).unwrap();
    let raw = rows.iter().flat_map(|element| element.to_le_bytes()).collect::<Vec<_>>();
    let job = ConversionJob::new(MemoryBuffer::from(raw), 256, GgmlType::F32, GgmlType::Q2_0);
    let JobOutcome::Converted(converted) = job.run(&mut Quantizers::default()).unwrap() else { panic!() };
    assert_eq!(data_of(&bytes)[0].1, converted.bytes.unwrap().as_slice());
    assert_eq!(gguf_format::parse(&bytes).unwrap().get("general.file_type").unwrap().value().as_u64(), Some(41));
}

#[test]
fn quantized_models_are_converted_only_if_that_is_allowed() {
    let rows: Vec<f32> = (0..512).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
    let quantized = convert_bytes(file_of(Format::default(), &rows, 256), options("Q8_0")).unwrap();
    let error = convert_bytes(quantized.clone(), options("Q4_0")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::AlreadyQuantized);
    // A tensor that keeps its type is copied.
    let copied = convert_bytes(quantized.clone(), options("Q8_0")).unwrap();
    assert!(data_of(&copied) == data_of(&quantized));
    let allowed = with(&options("Q4_0"), |options| options.allow_requantize = true);
    let smaller = convert_bytes(quantized, allowed).unwrap();
    assert_eq!(data_of(&smaller)[0].1.len(), 512 / 32 * 18);
}

#[test]
fn the_error_of_quantizing_is_measured() {
    let Some((files, options)) = tiny("tiny.gguf", "Q8_0") else { return };
    let errors = |target: &str| {
        let options = with(&options, |options| options.target = Target::parse(target).unwrap());
        let plan = Plan::new(files.clone(), options).unwrap().with_quality(true);
        let mut conversion = plan.conversion(0, None, calling_thread()).unwrap();
        while block_on(conversion.next_chunk()).unwrap().is_some() {}
        conversion.quality().iter().map(|tensor| (tensor.name.clone(), tensor.normalised_error)).collect::<Vec<_>>()
    };
    let (fine, coarse) = (errors("Q8_0"), errors("Q4_0"));
    assert_eq!((fine.len(), coarse.len()), (21, 21));
    for ((name, fine), (_, coarse)) in fine.iter().zip(&coarse) {
        match name.contains("norm") {
            true => assert_eq!((*fine, *coarse), (0.0, 0.0), "{name} is copied"),
            false => assert!(0.0 < *fine && fine < coarse && *coarse < 0.05, "{name}: {fine}, {coarse}"),
        }
    }
}

#[test]
fn an_error_of_the_source_ends_the_conversion() {
    let rows: Vec<f32> = (0..256 * 64).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
    let source = Logged::new(file_of(Format::default(), &rows, 256));
    let log = source.log.clone();
    let file = Rc::new(block_on(OpenedFile::open(source, Limits::default())).unwrap());
    let plan = Plan::new(vec![file], options("Q8_0")).unwrap().with_piece_elements(256 * 20);
    let mut conversion = plan.conversion(0, None, calling_thread()).unwrap();
    assert!(block_on(conversion.next_chunk()).unwrap().is_some());
    log.fails.set(true);
    let failure = loop {
        match block_on(conversion.next_chunk()) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a read has failed"),
            Err(error) => break error,
        }
    };
    assert_eq!(failure.code(), ErrorCode::ReadFailed);
    assert_eq!(block_on(conversion.next_chunk()).unwrap_err(), failure, "a failed conversion stays failed");
    // Dropping a conversion withdraws its reads.
    let mut second = plan.conversion(0, None, calling_thread()).unwrap();
    block_on(second.next_chunk()).unwrap();
    drop(second);
    block_on(async {});
    assert_eq!(log.in_flight.get(), 0);
}

#[test]
fn a_file_that_ends_too_early_is_refused_before_data_are_read() {
    let rows = vec![1.0; 512];
    let mut bytes = file_of(Format::default(), &rows, 256);
    bytes.truncate(bytes.len() - 100);
    let error = convert_bytes(bytes, options("Q8_0")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Truncated);
    assert!(error.offset().is_some());
}

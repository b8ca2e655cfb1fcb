//! Experts that are separate tensors become one tensor for each matrix, without loss.

use gguf_files::join_experts::join_experts;
use gguf_format::write::encode::Encoder;
use gguf_format::{Format, GgmlType, Header};
use gguf_models::validate::{Check, LoadAnswer, loads, validate};

use crate::corpus;
use crate::written::written;

/// A tensor: its name, dimensions and type.
type Tensor<'a> = (&'a str, &'a [u64], GgmlType);

/// A file with an architecture of some experts, and tensors: name, dimensions and type. Each has bytes of its own.
fn file(experts: Option<u32>, tensors: &[(&str, &[u64], GgmlType)]) -> Vec<u8> {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, 1 + u64::from(experts.is_some()));
    file.kv(b"general.architecture", &"llama".into());
    if let Some(experts) = experts {
        file.kv(b"llama.expert_count", &experts.into());
    }
    let size = |(_, dimensions, ggml_type): &(&str, &[u64], GgmlType)| {
        ggml_type.byte_length(dimensions.iter().product(), dimensions[0]).unwrap()
    };
    let mut offset = 0;
    for tensor in tensors {
        file.tensor_info(tensor.0.as_bytes(), tensor.1, tensor.2.0, offset);
        offset += size(tensor).next_multiple_of(32);
    }
    file.pad_to(32);
    for (number, tensor) in (1..).zip(tensors) {
        file.bytes(&vec![number; size(tensor) as usize]).pad_to(32);
    }
    file.into_bytes()
}

fn data<'a>(file: &'a [u8], header: &Header, name: &str) -> &'a [u8] {
    let tensor = header.tensor(name).unwrap_or_else(|| panic!("there is no {name}"));
    let start = tensor.file_offset().unwrap() as usize;
    &file[start..][..tensor.byte_length().unwrap() as usize]
}

fn joined(file: &[u8]) -> gguf_format::Result<Vec<u8>> {
    let header = gguf_format::parse(file)?;
    Ok(written(&join_experts(&header, Some(file.len() as u64))?, file))
}

#[test]
fn experts_follow_each_other_by_their_numbers() {
    let small = GgmlType::Q8_0;
    let old = file(
        Some(3),
        &[
            ("token_embd.weight", &[32, 2], GgmlType::F32),
            ("blk.0.ffn_up.2.weight", &[32, 3], small),
            ("blk.0.attn_q.weight", &[32, 1], GgmlType::F16),
            ("blk.0.ffn_up.0.weight", &[32, 3], small),
            ("blk.0.ffn_up.1.weight", &[32, 3], small),
            ("output.weight", &[32, 2], GgmlType::F32),
        ],
    );
    let new = joined(&old).unwrap();
    let (old_header, header) = (gguf_format::parse(&old).unwrap(), gguf_format::parse(&new).unwrap());
    let names: Vec<_> = header.tensors().map(|tensor| tensor.name().to_string()).collect();
    assert_eq!(names, ["token_embd.weight", "blk.0.ffn_up_exps.weight", "blk.0.attn_q.weight", "output.weight"]);
    let experts = header.tensor("blk.0.ffn_up_exps.weight").unwrap();
    assert_eq!((experts.ggml_type(), experts.dimension_iter().collect::<Vec<_>>()), (small, vec![32, 3, 3]));
    // 102 bytes each, which is no multiple of the alignment: there is no padding between them.
    let expected: Vec<u8> = [4_u8, 5, 2].iter().flat_map(|number| vec![*number; 102]).collect();
    assert_eq!(data(&new, &header, "blk.0.ffn_up_exps.weight"), expected);
    for name in ["token_embd.weight", "blk.0.attn_q.weight", "output.weight"] {
        assert_eq!(data(&new, &header, name), data(&old, &old_header, name), "{name}");
    }
    let keys = |header: &Header| header.metadata().map(|entry| entry.key().to_string()).collect::<Vec<_>>();
    assert_eq!(keys(&header), keys(&old_header));
}

#[test]
fn what_cannot_be_joined_is_refused() {
    const F32: GgmlType = GgmlType::F32;
    let (up, wide): (&[u64], &[u64]) = (&[32, 3], &[32, 4]);
    let cases: &[(Option<u32>, &[Tensor<'_>], &str, &str)] = &[
        (None, &[("output.weight", up, F32)], "invalid-argument", "no joining"),
        (None, &[("v.blk.0.ffn_up.0.weight", up, F32)], "invalid-argument", "no joining"),
        (None, &[("blk.0.ffn_up.0.bias", up, F32)], "invalid-argument", "no joining"),
        // The key says more experts.
        (Some(2), &[("blk.0.ffn_up.0.weight", up, F32)], "incomplete-model", "the number 1"),
        (
            Some(1),
            &[("blk.0.ffn_up.0.weight", up, F32), ("blk.0.ffn_up.1.weight", up, F32)],
            "incomplete-model",
            "the number 1",
        ),
        (
            Some(2),
            &[("blk.0.ffn_up.0.weight", up, F32), ("blk.0.ffn_up.2.weight", up, F32)],
            "incomplete-model",
            "the number 1",
        ),
        (Some(u32::MAX), &[("blk.0.ffn_up.0.weight", up, F32)], "incomplete-model", "the number 1"),
        // Another matrix has more.
        (
            None,
            &[
                ("blk.0.ffn_up.0.weight", up, F32),
                ("blk.0.ffn_up.1.weight", up, F32),
                ("blk.1.ffn_up.0.weight", up, F32),
            ],
            "incomplete-model",
            "blk.1.ffn_up.N.weight",
        ),
        (
            None,
            &[("blk.0.ffn_up.0.weight", up, F32), ("blk.0.ffn_up.1.weight", wide, F32)],
            "does-not-fit",
            "other dimensions",
        ),
        (
            None,
            &[("blk.0.ffn_up.0.weight", up, F32), ("blk.0.ffn_up.1.weight", up, GgmlType::F16)],
            "does-not-fit",
            "another type",
        ),
        (None, &[("blk.0.ffn_up.0.weight", &[32, 2, 2], F32)], "does-not-fit", "3 dimensions"),
        (
            None,
            &[("blk.0.ffn_up.0.weight", up, F32), ("blk.0.ffn_up_exps.weight", &[32, 3, 1], F32)],
            "name-taken",
            "blk.0.ffn_up_exps.weight",
        ),
        (
            None,
            &[("blk.0.ffn_up.0.weight", up, F32), ("blk.0.ffn_up.0.weight", up, F32)],
            "incomplete-model",
            "the number 1",
        ),
    ];
    for (experts, tensors, code, text) in cases {
        let error = joined(&file(*experts, tensors)).unwrap_err();
        assert_eq!(error.code(), *code, "{tensors:?}: {error}");
        assert!(error.to_string().contains(text), "{tensors:?}: {error}");
    }
    // The last expert is cut off.
    let whole = file(None, &[("blk.0.ffn_up.0.weight", up, F32), ("blk.0.ffn_up.1.weight", up, F32)]);
    let header = gguf_format::parse(&whole).unwrap();
    assert_eq!(join_experts(&header, Some(whole.len() as u64 - 32)).unwrap_err().code(), "truncated");
}

/// The sample has the properties of Mixtral of before April 2024.
#[test]
fn the_reported_mixtral_is_named_and_joined() {
    let Some(folder) = corpus::folder() else { return };
    let old = corpus::read(&folder.join("reports/mixtral-one-tensor-per-expert.gguf"));
    let header = gguf_format::parse(&old).unwrap();
    let findings = validate(&header, Some(old.len() as u64));
    let errors: Vec<_> = findings.iter().filter(|finding| finding.check != Check::SeparateExperts).collect();
    assert!(
        errors.iter().all(|finding| finding.check.severity() != gguf_models::validate::Severity::Error),
        "{errors:?}"
    );
    let separate: Vec<_> = findings.iter().filter(|finding| finding.check == Check::SeparateExperts).collect();
    // llama.cpp does not require gates.
    assert_eq!(separate.len(), 2);
    for finding in &findings {
        for wrong in ["Download", "download", "emove the tensor", "or remove it"] {
            assert!(!finding.message.contains(wrong), "{}", finding.message);
        }
    }
    let answer = loads(&header, Some(old.len() as u64));
    assert_eq!((answer.answer, answer.reason.unwrap().check), (LoadAnswer::No, Check::SeparateExperts));

    let new = joined(&old).unwrap();
    let new_header = gguf_format::parse(&new).unwrap();
    assert_eq!(new_header.tensors().len(), header.tensors().len() - 9);
    for matrix in ["gate", "up", "down"] {
        let expected: Vec<u8> = (0..4)
            .flat_map(|expert| data(&old, &header, &format!("blk.0.ffn_{matrix}.{expert}.weight")).to_vec())
            .collect();
        assert_eq!(data(&new, &new_header, &format!("blk.0.ffn_{matrix}_exps.weight")), expected);
    }
    let answer = loads(&new_header, Some(new.len() as u64));
    assert_eq!((answer.answer, answer.reason), (LoadAnswer::Yes, None));
}

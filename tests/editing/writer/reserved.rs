//! Changes after space for the header was reserved.

use gguf_format::write::Writer;
use gguf_format::{ErrorCode, Format, GgmlType};

use super::small_writer;

#[test]
fn after_reserve_a_change_that_moves_the_data_is_refused() {
    // The header start, an entry and a tensor info. The data begins at 128.
    let mut writer = small_writer();
    assert_eq!(writer.header_size(), 24 + (8 + 12 + 4 + 8 + 3) + (8 + 1 + 4 + 8 + 12));
    assert_eq!((writer.header_size(), writer.reserve()), (92, 96));
    let mut refused = |change: &dyn Fn(&mut Writer) -> Result<(), gguf_format::Error>| {
        let before = writer.plan();
        let error = change(&mut writer).unwrap_err();
        assert_eq!(error.code(), "no-room");
        assert_eq!(writer.plan(), before);
        error.to_string()
    };
    let set = |value: &'static str| move |writer: &mut Writer| writer.set(b"general.name", &value.into());
    assert_eq!(
        refused(&set("abcdefgh")),
        "cannot change \"general.name\": the data is fixed at offset 96 with alignment 32; a header of 97 bytes with alignment \
         32 would move it"
    );
    refused(&|writer| writer.add(b"k", &1_u8.into()));
    refused(&|writer| writer.add_tensor(b"u", &[1], GgmlType::F32).map(|_| ()));
    refused(&|writer| writer.set_alignment(16));
    // The same alignment, given explicitly, which takes an entry.
    refused(&|writer| writer.set_alignment(32));
    set("abcdefg")(&mut writer).unwrap();
    assert_eq!((writer.header_size(), writer.data_offset()), (96, 96));
    // The header must not become so short that readers would expect the data before its position.
    let mut writer = Writer::new(Format::default()).unwrap();
    writer.add(b"general.name", &"a long name for a model".into()).unwrap();
    assert_eq!((writer.header_size(), writer.reserve()), (79, 96));
    assert_eq!(writer.set(b"general.name", &"short".into()).unwrap_err().code(), ErrorCode::NoRoom);
    writer.set(b"general.name", &"shorter".into()).unwrap_err();
    writer.set(b"general.name", &1_u64.into()).unwrap_err();
    writer.set(b"general.name", &"a longer name than that one was!".into()).unwrap();
}

#[test]
fn after_reserve_a_change_that_fits_is_made() {
    let mut writer = Writer::new(Format::default()).unwrap();
    writer.set_alignment(256).unwrap();
    writer.add(b"general.name", &"abc".into()).unwrap();
    let data_offset = writer.reserve();
    assert_eq!(data_offset, 256);
    writer.add(b"k", &1_u8.into()).unwrap();
    writer.set(b"general.name", &1_f64.into()).unwrap();
    let first = writer.add_tensor(b"t", &[4], GgmlType::F32).unwrap();
    let second = writer.add_tensor(b"u", &[4], GgmlType::F32).unwrap();
    writer.set_alignment(256).unwrap();
    assert_eq!((writer.tensor(first).unwrap().position(), writer.tensor(second).unwrap().position()), (256, 512));
    assert_eq!((writer.header().unwrap().len(), writer.size()), (256, 768));
}

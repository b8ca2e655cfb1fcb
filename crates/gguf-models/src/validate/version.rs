//! The version and the byte order of the file.

use super::check::Check;
use super::findings::Findings;
use super::fix::{self, Fix};
use gguf_format::edit::Change;
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::format::version::{Endian, Format};

/// The file offset of the version.
const OFFSET: Option<u64> = Some(4);

pub(super) fn check(header: &Header, findings: &mut Findings) {
    let Format { version, endian } = header.format();
    let entries = header.entries_as_later_version();
    if version == 1 {
        findings.report_with_fix(
            Check::Version1,
            None,
            OFFSET,
            format_args!("the version is 1, which llama.cpp no longer reads. Save the file as version 3."),
            // The counts tell that the version is wrong. Converting the file would lose its entries.
            &|| (entries == 0).then(convert_to_version_3),
        );
    }
    if entries > 0 {
        findings.report(
            Check::WrongVersion,
            None,
            OFFSET,
            format_args!(
                "the version is 1, but the next bytes read as version 2 or 3 with a metadata count of {entries}. \
                 Correct the version."
            ),
        );
    }
    match endian {
        Endian::Little => {}
        Endian::Big if version < 3 => findings.report_with_fix(
            Check::BigEndianBeforeVersion3,
            None,
            OFFSET,
            format_args!(
                "the file is big-endian, but version {version} has only little-endian files. Save it as version 3."
            ),
            &|| Some(convert_to_version_3()),
        ),
        Endian::Big => findings.report_with_fix(
            Check::BigEndian,
            None,
            OFFSET,
            format_args!(
                "the file is big-endian. llama.cpp refuses its version on little-endian machines, which most are. Save it as \
                 little-endian for them."
            ),
            &|| {
                let change = Change::ByteOrder(Endian::Little);
                can_change_byte_order(header).then(|| Fix::to_confirm("Convert to little-endian", change))
            },
        ),
    }
}

/// Whether the byte order of all data is defined.
fn can_change_byte_order(header: &Header) -> bool {
    let is_defined = |tensor: TensorInfo<'_>| tensor.type_info().is_some_and(|info| info.is_convertible);
    fix::can_move_data(header) && header.tensors().all(is_defined)
}

fn convert_to_version_3() -> Fix {
    Fix::safe("Convert to version 3", Change::Version(3))
}

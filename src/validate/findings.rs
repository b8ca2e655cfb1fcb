//! The findings of the checks, as JavaScript objects.

use alloc::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::interop::{JsArray, declare_string_union, declare_types, deep_frozen, to_js};
use crate::reader::decoded_header::DecodedHeader;
use gguf_format::edit::ChangeKind;
use gguf_models::validate::Check;
use gguf_models::validate::described::{DescribedFinding, DescribedFix, FixChange, described_findings};

declare_string_union!("The stable codes of findings: one for each check.", "FindingCode", Check::CODES);
declare_string_union!(
    "The kinds of changes of a fix. They have the names of the methods of `Editor`.",
    "FixKind",
    &ChangeKind::OF_FIXES
);
declare_types!(DescribedFinding, DescribedFix, FixChange);

/// The findings about a header, about the whole file if its size is known, and about its name if that is given.
pub(crate) fn list(header: &Rc<DecodedHeader>, file_size: Option<u64>, file_name: Option<&str>) -> JsArray {
    frozen_list(&described_findings(header.header(), file_size, file_name))
}

/// Findings as frozen objects.
pub(crate) fn frozen_list(findings: &[DescribedFinding]) -> JsArray {
    deep_frozen(findings.iter().map(to_js).collect::<JsArray>().into()).unchecked_into()
}

//! What llama.cpp refuses of a model that is made. The module contains no other checks: those that explain have them.

use alloc::{sync::Arc, vec::Vec};

use crate::interop::JsArray;
use crate::validate::findings::frozen_list;
use gguf_format::format::header::Header;
use gguf_models::validate::validate_model;

pub(super) fn of_model(header: &Arc<Header>) -> JsArray {
    let found = validate_model(header).into_iter();
    frozen_list(&found.map(|finding| finding.described(header)).collect::<Vec<_>>())
}

//! The JavaScript API: what wasm-bindgen makes the npm package of.
//!
//! Documentation comments on exported items are written for the JavaScript reader: they become the
//! comments of the generated type declarations.

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(
    not(all(
        feature = "template",
        feature = "forks",
        feature = "values",
        feature = "know",
        feature = "edit",
        feature = "files",
        feature = "convert",
        feature = "models"
    )),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "each module uses a part; unused code is found with all features"
    )
)]

#[macro_use]
extern crate alloc;
extern crate std;

#[cfg(any(feature = "convert", feature = "models"))]
mod convert;
#[cfg(feature = "edit")]
mod edit;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "forks")]
mod forks;
#[cfg(feature = "hub")]
mod hub;
mod interop;
#[cfg(feature = "know")]
mod know;
#[cfg(all(target_family = "wasm", not(test)))]
mod panic;
#[cfg(any(feature = "edit", feature = "files"))]
mod plan;
#[cfg(feature = "reader")]
mod reader;
#[cfg(feature = "reader")]
mod source;
#[cfg(feature = "template")]
mod template;
#[cfg(any(feature = "know", feature = "models"))]
mod validate;
#[cfg(feature = "values")]
mod values;
#[cfg(feature = "write")]
mod write;

//! What happens when the module panics.

use alloc::{boxed::Box, format};

use wasm_bindgen::prelude::*;

/// Makes a panic throw its message and position. `boundary.js` turns that into a `GgufError` with the code `internal`.
#[wasm_bindgen(start, private, skip_typescript)]
fn throw_panics() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&format!("{info}"))));
}

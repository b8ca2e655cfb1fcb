//! How results are declared: once, for Rust and for JavaScript.
//!
//! The crates of gguf-wasm declare their results and names with these macros:
//!
//! - [`result!`]: structs, which are objects in JavaScript
//! - [`names!`]: enums, which are names in JavaScript
//! - [`given_as!`] and [`shown_as_text!`]: other types
//!
//! Without the feature `js`, they declare the Rust types only. With it, a type also has a TypeScript declaration (`typescript`) and is
//! given to JavaScript by serde (`value`).
//!
//! # Examples
//!
//! ```
//! gguf_declare::result! {
//!     /// A block of a quantized tensor.
//!     #[derive(Clone, Copy, Debug)]
//!     pub struct Block {
//!         /// Bytes in the block.
//!         pub byte_length: u32,
//!     }
//! }
//!
//! gguf_declare::names! {
//!     /// The order of bytes.
//!     pub enum Endian {
//!         /// The first byte is the lowest.
//!         Little = "little",
//!     }
//! }
//!
//! assert_eq!(Endian::Little.name(), "little");
//! ```

#![no_std]

extern crate alloc;

mod given_as;
mod names;
mod result;

#[cfg(feature = "js")]
#[doc(hidden)]
pub use js::{serde, typescript, value};

/// What programs with JavaScript have.
#[cfg(feature = "js")]
mod js {
    #[doc(hidden)]
    pub mod typescript;
    #[doc(hidden)]
    pub mod value;

    pub use serde;

    /// Items that only JavaScript needs: they are left out without the feature `js` of this crate.
    #[macro_export]
    macro_rules! js {
        ($($item:tt)*) => { $($item)* };
    }
}

/// What programs without JavaScript have in its place.
#[cfg(not(feature = "js"))]
mod without_js {
    /// Items that only JavaScript needs: they are left out without the feature `js` of this crate.
    #[macro_export]
    macro_rules! js {
        ($($item:tt)*) => {};
    }
}

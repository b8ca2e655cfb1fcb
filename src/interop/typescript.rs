//! Type declarations of the package.
//!
//! Their texts are built at compile time. They end up in the `.d.ts` file and not in the module.

/// Adds an expression of type [`ConstText`](gguf_declare::typescript::ConstText) to the declarations.
macro_rules! declare {
    ($text:expr) => {
        #[allow(dead_code, reason = "the attribute reads the constants and removes their uses")]
        const _: () = {
            const TEXT: gguf_declare::typescript::ConstText = $text;
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
            const DECLARATION: &str = TEXT.as_str();
        };
    };
}

/// Declares the types that the macros of [`gguf_declare`] have made.
macro_rules! declare_types {
    ($($type:ty),* $(,)?) => {
        $($crate::interop::typescript::declare!(<$type as gguf_declare::value::Declared>::DECLARATION);)*
    };
}

/// Declares a TypeScript type that is a union of string literals.
macro_rules! declare_string_union {
    ($doc:literal, $type_name:literal, $names:expr) => {
        $crate::interop::typescript::declare!(gguf_declare::typescript::string_union(
            &[concat!(" ", $doc)],
            $type_name,
            $names
        ));
    };
}

/// Declares the type of an argument: its name in Rust, and its type in TypeScript. At run time, a caller can pass any value.
macro_rules! argument_type {
    ($name:ident: $typescript:literal) => {
        #[wasm_bindgen::prelude::wasm_bindgen]
        extern "C" {
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_type = $typescript)]
            pub type $name;
        }
    };
}

pub(crate) use {argument_type, declare, declare_string_union, declare_types};

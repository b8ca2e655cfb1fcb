//! Enums whose values have names for programs.

/// Declares an enum. A value is its name in JavaScript. `#[typescript("Name")]` gives the union of the names a name in TypeScript.
///
/// ```ignore
/// names! {
///     /// How serious a finding is.
///     pub enum Severity {
///         /// Readers refuse the file.
///         Error = "error",
///     }
/// }
/// ```
macro_rules! names {
    (
        $(#[doc = $doc:literal])*
        $(#[typescript($typescript:literal)])?
        pub enum $name:ident {
            $($(#[doc = $variant_doc:literal])* $variant:ident = $text:literal,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $variant_doc])* $variant,)*
        }

        impl $name {
            /// All values, in the order of the enumeration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// All names.
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// The name for programs. It never changes.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        $crate::declare::names!(@web $name [$($typescript)?] [$($doc),*]);
    };
    // An enum that is declared elsewhere, and has `name()` and `NAMES`. Without a name in TypeScript, its type is the union.
    (@web $name:ident [$($typescript:literal)?] $docs:tt) => {
        #[cfg(feature = "web")]
        impl $crate::declare::value::Value for $name {
            fn give<S: serde::Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        $crate::declare::names!(@typescript $name [$($typescript)?] $docs);
    };
    (@typescript $name:ident [] $docs:tt) => {
        #[cfg(feature = "web")]
        impl $crate::declare::value::TypeScript for $name {
            const TYPE: $crate::declare::typescript::Type = $crate::declare::typescript::Type::Union($name::NAMES);
        }
    };
    (@typescript $name:ident [$typescript:literal] $docs:tt) => {
        #[cfg(feature = "web")]
        impl $crate::declare::value::TypeScript for $name {
            const TYPE: $crate::declare::typescript::Type = $crate::declare::typescript::Type::Named($typescript);
        }

        #[cfg(feature = "web")]
        impl $crate::declare::value::Declared for $name {
            const DECLARATION: $crate::declare::typescript::ConstText =
                $crate::declare::typescript::string_union(&$docs, $typescript, Self::NAMES);
            const IS_READONLY: bool = true;
        }
    };
}

pub(crate) use names;

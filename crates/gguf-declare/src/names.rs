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
#[macro_export]
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

        $crate::names!(@web $name [$($typescript)?] [$($doc),*]);
    };
    // An enum that is declared elsewhere, and has `name()` and `NAMES`. Without a name in TypeScript, its type is the union.
    (@web $name:ident [$($typescript:literal)?] $docs:tt) => {
        $crate::js! {
            impl $crate::value::Value for $name {
                fn give<S: $crate::serde::Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.name())
                }
            }
        }

        $crate::names!(@typescript $name [$($typescript)?] $docs);
    };
    (@typescript $name:ident [] $docs:tt) => {
        $crate::js! {
            impl $crate::value::TypeScript for $name {
                const TYPE: $crate::typescript::Type = $crate::typescript::Type::Union($name::NAMES);
            }
        }
    };
    (@typescript $name:ident [$typescript:literal] $docs:tt) => {
        $crate::js! {
            impl $crate::value::TypeScript for $name {
                const TYPE: $crate::typescript::Type = $crate::typescript::Type::Named($typescript);
            }

            impl $crate::value::Declared for $name {
                const DECLARATION: $crate::typescript::ConstText =
                    $crate::typescript::string_union(&$docs, $typescript, Self::NAMES);
                const IS_READONLY: bool = true;
            }
        }
    };
}

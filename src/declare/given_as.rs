//! Types that are given to JavaScript in a way of their own.

/// Says how the values of a type are given, and what their TypeScript type is.
///
/// ```ignore
/// given_as!(GgmlType, "string", |ggml_type, serializer| serializer.collect_str(ggml_type));
/// ```
macro_rules! given_as {
    ($type:ident, $typescript:literal, |$value:ident, $serializer:ident| $given:expr) => {
        #[cfg(feature = "web")]
        impl $crate::declare::value::TypeScript for $type {
            const TYPE: $crate::declare::typescript::Type = $crate::declare::typescript::Type::Named($typescript);
        }

        #[cfg(feature = "web")]
        impl $crate::declare::value::Value for $type {
            fn give<S: serde::Serializer>(&self, $serializer: S) -> core::result::Result<S::Ok, S::Error> {
                #[allow(unused_imports, reason = "some types are given as others")]
                use $crate::declare::value::Value;
                let $value = self;
                $given
            }
        }
    };
}

/// Gives the values of a type as texts: those of [`Display`](core::fmt::Display).
macro_rules! shown_as_text {
    ($type:ident, $typescript:literal) => {
        $crate::declare::given_as!($type, $typescript, |value, serializer| serializer.collect_str(value));
    };
}

pub(crate) use {given_as, shown_as_text};

//! Types that are given to JavaScript in a way of their own.

/// Says how the values of a type are given to a host, and what their TypeScript type is.
///
/// ```ignore
/// given_as!(GgmlType, "string", |ggml_type, host| host.text(&ggml_type.to_string()));
/// ```
macro_rules! given_as {
    ($type:ident, $typescript:literal, |$value:ident, $host:ident| $given:expr) => {
        #[cfg(feature = "web")]
        impl $crate::declare::host::TypeScript for $type {
            const TYPE: $crate::declare::typescript::Type = $crate::declare::typescript::Type::Named($typescript);
        }

        #[cfg(feature = "web")]
        impl<H: $crate::declare::host::Host> $crate::declare::host::HostValue<H> for $type {
            fn to_host(&self, $host: &H) -> H::Value {
                #[allow(unused_imports, reason = "some types are given as others")]
                use $crate::declare::host::HostValue;
                let $value = self;
                $given
            }
        }
    };
}

/// Gives the values of a type as texts: those of [`Display`](core::fmt::Display).
macro_rules! shown_as_text {
    ($type:ident, $typescript:literal) => {
        $crate::declare::given_as!($type, $typescript, |value, host| host.text(&alloc::format!("{value}")));
    };
}

pub(crate) use {given_as, shown_as_text};

//! The architectures whose models need a key.

use alloc::vec::Vec;

use crate::declare::result;
use crate::know::architectures::{ARCHITECTURES, KeyNeed, architectures_that_may_need};

result! {
    /// The architectures whose models need a key: values of `general.architecture`.
    #[derive(Clone, Debug, Default)]
    pub struct RequiredBy {
        /// The specification requires the key.
        pub specification: Vec<&'static str>,
        /// llama.cpp refuses every model without the key.
        pub llama_cpp: Vec<&'static str>,
        /// llama.cpp refuses some models without the key: those with experts, for example.
        pub llama_cpp_conditional: Vec<&'static str>,
    }
}

impl RequiredBy {
    /// The architectures that require the key of a pattern. `None` if none is known.
    pub(super) fn of(pattern: &str) -> Option<Self> {
        let mut required_by = Self::default();
        let candidates = architectures_that_may_need(pattern);
        for info in ARCHITECTURES {
            if info.is_specified(pattern) {
                required_by.specification.push(info.name);
            }
            if !candidates.contains(&info.name) {
                continue;
            }
            match info.key_need(pattern) {
                Some(KeyNeed::Always) => required_by.llama_cpp.push(info.name),
                Some(KeyNeed::Conditional) => required_by.llama_cpp_conditional.push(info.name),
                None => {}
            }
        }
        let lists = [&required_by.specification, &required_by.llama_cpp, &required_by.llama_cpp_conditional];
        lists.iter().any(|list| !list.is_empty()).then_some(required_by)
    }
}

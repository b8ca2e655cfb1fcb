//! The architectures whose models need a key.

use alloc::vec::Vec;

use crate::architectures::{ARCHITECTURES, KeyNeed, architectures_that_need};
use gguf_declare::result;

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
        let specified = ARCHITECTURES.iter().filter(|info| info.is_specified(pattern));
        required_by.specification.extend(specified.map(|info| info.name));
        for (name, need) in architectures_that_need(pattern) {
            match need {
                KeyNeed::Always => required_by.llama_cpp.push(name),
                KeyNeed::Conditional => required_by.llama_cpp_conditional.push(name),
            }
        }
        let lists = [&required_by.specification, &required_by.llama_cpp, &required_by.llama_cpp_conditional];
        lists.iter().any(|list| !list.is_empty()).then_some(required_by)
    }
}

//! The checks of a set of shards, in one table, and their findings.

use alloc::string::String;

use gguf_models::validate::Severity;

/// A row of [`SET_CHECKS`].
#[derive(Clone, Copy, Debug)]
pub struct SetCheckInfo {
    /// The check.
    pub check: SetCheck,
    /// The stable name of the check, for programs: `missing-shard`.
    pub code: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// What the check finds, and what readers do with such a set.
    pub meaning: &'static str,
    /// What the user can do.
    pub advice: &'static str,
}

impl SetCheck {
    /// The row of the check in the table.
    pub const fn info(self) -> &'static SetCheckInfo {
        &SET_CHECKS[self as usize]
    }
}

macro_rules! set_checks {
    ($($(#[doc = $meaning:literal])+ $severity:ident $variant:ident = $code:literal, advice $advice:literal;)*) => {
        /// A check of a set of shards.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum SetCheck {
            $($(#[doc = $meaning])+ $variant,)*
        }

        impl SetCheck {
            /// The codes of all checks.
            pub const CODES: &'static [&'static str] = &[$($code),*];
        }

        /// Every check of a set, in the order of the enumeration.
        pub const SET_CHECKS: &[SetCheckInfo] = &[$(SetCheckInfo {
            check: SetCheck::$variant,
            code: $code,
            severity: Severity::$severity,
            meaning: concat!($($meaning),+).trim_ascii(),
            advice: $advice,
        },)*];
    };
}

// The documentation of a check is its meaning in the table.
set_checks! {
    /// A shard of the set is missing. llama.cpp refuses the set.
    Error MissingShard = "missing-shard",
        advice "Download the missing shard into the same folder, and open the set again.";
    /// A shard could not be opened: its header is damaged, or reading failed. llama.cpp refuses the set.
    Error UnreadableShard = "unreadable-shard",
        advice "Download the shard again.";
    /// Two files are the same shard by their entries `split.no`. llama.cpp refuses the set.
    Error DuplicateShard = "duplicate-shard",
        advice "Remove one of the two files, and look for the shard that is missing.";
    /// The name of a file says another number or count than its entries `split.no` and `split.count`. The files were swapped or
    /// renamed. llama.cpp finds shards by their names, and refuses the set.
    Error SwappedShard = "swapped-shard",
        advice "Rename the files by their entries, or download them again.";
    /// A file does not have the name of a shard. llama.cpp finds shards by their names, and refuses the set.
    Error UnnamedShard = "unnamed-shard",
        advice "Rename the file to the name of its place in the set, such as `model-00002-of-00003.gguf`.";
    /// A shard ends before the data of its tensors. llama.cpp refuses the set.
    Error TruncatedShard = "truncated-shard",
        advice "Download the shard again.";
    /// The shards together have another number of tensors than `split.tensors.count` says. llama.cpp refuses the set.
    Error SetTensorCount = "set-tensor-count",
        advice "Download all shards of one model again: a shard may belong to another version of it.";
    /// A later shard has an entry that the first shard does not have, or has with another value. llama.cpp reads the metadata of
    /// the first shard only.
    Warning ShardMetadata = "shard-metadata",
        advice "Nothing, if the values of the first shard are right. Otherwise change the first shard.";
}

/// A problem of a set of shards.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetFinding {
    /// The check that found it.
    pub check: SetCheck,
    /// The number of the shard, from 1. `None` if the finding is about the whole set.
    pub shard: Option<u32>,
    /// What was found, what was expected, and what to do about it.
    pub message: String,
    /// The key of the entry that the finding is about.
    pub key: Option<String>,
    /// The position of the problem, in bytes from the start of the shard.
    pub offset: Option<u64>,
}

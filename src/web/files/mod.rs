//! Works on whole files: hashes and manifests.

mod hash;
mod hash_host;
mod hash_reads;
mod hash_task;
mod manifest;

//! Tensor names that occur twice in a new file. Readers refuse a file in which two tensors have the same name.

use alloc::{borrow::Cow, string::String, vec::Vec};

use gguf_format::error::{Error, Result, error, no_memory};
use gguf_format::format::header::hash;
use gguf_format::order::{sort, sort_by};

/// Checks that no two of `count` tensors have the same name, as ggml compares names: up to a NUL. `action` is what fails:
/// `split the file`.
///
/// # Errors
///
/// `name-taken`, and `too-large` if memory cannot be allocated.
pub(super) fn check_names<'a>(action: &str, count: usize, name: &dyn Fn(usize) -> Cow<'a, [u8]>) -> Result<()> {
    // The hash of each name, and its position in the low half.
    let mut by_hash: Vec<u64> = Vec::new();
    by_hash.try_reserve_exact(count).map_err(|_| no_memory(count as u64 * 8))?;
    by_hash.extend((0..count).map(|position| u64::from(hash(&name(position))) << 32 | position as u64));
    let by_hash = sort(by_hash);
    for group in by_hash.chunk_by(|a, b| a >> 32 == b >> 32).filter(|group| group.len() > 1) {
        let mut positions: Vec<usize> = group.iter().map(|item| *item as u32 as usize).collect();
        // A hostile file can give all names the same hash, so they are not compared pairwise.
        sort_by(&mut positions, &|a, b| up_to_nul(&name(a)).cmp(up_to_nul(&name(b))));
        let mut pairs = positions.windows(2);
        if let Some(pair) = pairs.find(|pair| up_to_nul(&name(pair[0])) == up_to_nul(&name(pair[1]))) {
            return Err(name_twice(action, &name(pair[0])));
        }
    }
    Ok(())
}

#[cold]
fn name_twice(action: &str, name: &[u8]) -> Error {
    error!(NameTaken:
        "cannot {action}: two tensors have the name \"{}\", and readers refuse such a file; rename or remove one of \
         them first", String::from_utf8_lossy(name))
}

fn up_to_nul(name: &[u8]) -> &[u8] {
    name.split(|byte| *byte == 0).next().unwrap_or(name)
}

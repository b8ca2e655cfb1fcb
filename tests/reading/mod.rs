//! Decoding a header: whole, in pieces, from broken and hostile files.

mod declared_limits;
mod dumps;
mod fork_types;
mod fuzz_regressions;
mod hostile;
mod long_texts;
mod malformed;
mod pieces;
mod prediction;
mod round_trip;

//! The rules of llama.cpp's loader: for each architecture, the keys that it reads, and the tensors that it creates, with
//! their dimensions as expressions of the keys.
//!
//! A rule is a text of statements, in the order in which llama.cpp works:
//!
//! - `expert_count:u?`: it reads the key `{arch}.expert_count`, an unsigned number, if the file has it. Without `?` the key is
//!   required. The types are `u`, `i`, `f`, `b` and `s`: `UINT32`, `INT32`, `FLOAT32`, `BOOL` and `STRING`. `u[n]` is one value
//!   or an array of `n`. `[u]` is an array. `u|` is one value; an array counts as missing if the key is optional. `n` is an
//!   array of which only the length is read. A key after `/` has no architecture.
//! - `attn_q[embd, heads*key]`: it creates the tensor `attn_q.weight` with these dimensions, the fastest first. Inside of
//!   blocks it is `blk.N.attn_q.weight`, `/rope_freqs[…]` is a tensor outside of them, and `#` in a name is the number of the
//!   block. A name that ends with `.bias`, `.scale` and the like is the whole name, and one that ends with a dot has no suffix.
//!   Flags follow without a space: `?` optional, `?(condition)` optional if the condition holds, `*` shared by all blocks,
//!   `=` the same tensor as another one, `~` only the number of elements is compared.
//! - `each { … }` is for all blocks except those that predict further tokens, `last { … }` for those that predict further tokens, and
//!   `every { … }` for all blocks. `each(n)` is for `n` blocks. With `?condition` before the brace, the tensors of the blocks for which the
//!   condition holds are optional.
//! - `? condition { … } : { … }`: the statements depend on a condition.
//! - `must(condition)`: llama.cpp refuses the file unless it holds. `assert(condition)`: it stops.
//! - `name = expression`: a definition, which is evaluated where it is used. The last definition of a name is the right one.
//! - `@group(arguments)`: the statements of a group, which are in `groups`.
//!
//! In expressions, `i` is the number of the block, `heads` is the value of the first block and `heads.i` that of the block,
//! `a or b` is `a` unless it is 0, and a key that llama.cpp has not read is 0. `common.rules` has the keys and definitions of
//! all architectures.
//!
//! The functions of expressions, such as `given(key)`, `if(condition, a, b)` and `most(key)`, are explained at `Expr` in `grammar`.
//! `period(n)` is false for every `n`-th block and true for the others. `period0(n)` is false for the first of each `n` blocks and true for
//! the others. Both are false for blocks that predict further tokens. With `n` 0, both are true for all other blocks.
//!
//! The facts come from `load_hparams` and `load_tensors` of llama.cpp, August 2026.

// - `grammar`: the parts of a rule; `row_rules`: the rules of an architecture
// - `tokens`, `parser` and `resolve`: from text to parts; `groups`: statements that many architectures share; `texts`: the texts
// - `evaluate`: values of expressions; `describe`: expressions in words
// - `loading`: what llama.cpp does with a model; `count`: the number of tensors that it creates
// - `summary`: what a rule says of all models; `required_keys`: the keys of all models, found by the compiler

mod count;
mod describe;
mod evaluate;
mod grammar;
mod groups;
mod loading;
mod parser;
mod required_keys;
mod resolve;
mod row_rules;
mod summary;
mod texts;
mod tokens;

pub(crate) use evaluate::write_name;
pub(crate) use grammar::TensorName;
pub(crate) use loading::{Extent, Loading, Problem, Shape};
pub(crate) use required_keys::required_keys;
pub(crate) use row_rules::Rules;
pub(crate) use summary::{Summary, place_of};
pub use texts::RULES_VERSION;

//! The rules of llama.cpp's loader: for each architecture, the keys that it reads, and the tensors that it creates, with
//! their dimensions as expressions of the keys.
//!
//! A rule is a text of statements, in the order in which llama.cpp works:
//!
//! - `expert_count:u?`: it reads the key `{arch}.expert_count`, an unsigned number, if the file has it. Without `?` the key is
//!   required. The types are `u`, `i`, `f`, `b` and `s`: `UINT32`, `INT32`, `FLOAT32`, `BOOL` and `STRING`. `u[n]` is one value
//!   or an array of `n`, `[u]` an array, `u|` one value where an optional array counts as missing, `n` an array of which only
//!   the length is read. With `/` before it, the key has no architecture.
//! - `attn_q[embd, heads*key]`: it creates the tensor `attn_q.weight` with these dimensions, the fastest first. Inside of
//!   blocks it is `blk.N.attn_q.weight`, `/rope_freqs[…]` is a tensor outside of them, and `#` in a name is the number of the
//!   block. A name that ends with `.bias`, `.scale` and the like is the whole name, and one that ends with a dot has no suffix.
//!   Flags follow without a space: `?` optional, `?(condition)` optional if the condition holds, `*` shared by all blocks,
//!   `=` the same tensor as another one, `~` only the number of elements is compared.
//! - `each { … }`, `every { … }`, `last { … }`: for each block without those that predict further tokens, for all, and for
//!   those. `each(n)` is for `n` blocks. With `?condition` before the brace, the tensors of a block for which it holds are optional.
//! - `? condition { … } : { … }`: the statements depend on a condition.
//! - `must(condition)`: llama.cpp refuses the file unless it holds. `assert(condition)`: it stops.
//! - `name = expression`: a definition, which is evaluated where it is used. The last definition of a name is the right one.
//! - `@group(arguments)`: the statements of a group, which are in `groups`.
//!
//! In expressions, `i` is the number of the block, `heads` is the value of the first block and `heads.i` that of the block,
//! `a or b` is `a` unless it is 0, and a key that llama.cpp has not read is 0. `common.rules` has the keys and definitions of
//! all architectures.
//!
//! The facts are those of `load_hparams` and `load_tensors` of llama.cpp, August 2026.

// - `grammar`: the parts of a rule; `tokens` and `parser`: from text to parts
// - `evaluate`: values of expressions; `describe`: expressions in words
// - `loading`: what llama.cpp does with a model
// - `summary`: what a rule says of all models
// - `groups`: statements that many architectures share

mod describe;
mod evaluate;
mod grammar;
mod groups;
mod loading;
mod parser;
mod summary;
mod tokens;

use alloc::{vec, vec::Vec};

pub(crate) use evaluate::write_name;
use grammar::Counts;
pub(crate) use grammar::{Expr, Item, TensorName};
pub(crate) use loading::{Extent, Loading, Problem, Shape};
use parser::Parser;
pub(crate) use summary::Summary;

/// The version of llama.cpp whose rules these are.
pub const RULES_VERSION: &str = "llama.cpp of August 2026 (3f545be, 2026-08-22)";

/// The rules of architectures: `== name name` and the statements of these architectures.
const TEXTS: [&str; 8] = [
    include_str!("dense.rules"),
    include_str!("layer_norm.rules"),
    include_str!("experts.rules"),
    include_str!("experts_window.rules"),
    include_str!("latent_attention.rules"),
    include_str!("recurrent.rules"),
    include_str!("encoders.rules"),
    include_str!("other.rules"),
];

/// The rules of all architectures.
const COMMON: &str = include_str!("common.rules");

/// The rules of an architecture.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// The keys, without the name of the architecture.
    pub(crate) keys: Vec<&'static str>,
    /// The definitions, by name.
    pub(crate) definitions: Vec<(&'static str, Expr)>,
    /// Whether the value of a definition may differ between blocks.
    varies: Vec<bool>,
    pub(crate) items: Vec<Item>,
    /// The places of the definitions `blocks`, `all_blocks` and `experts`.
    blocks: usize,
    all_blocks: usize,
    experts: usize,
}

impl Rules {
    /// The rules of an architecture. `None` if llama.cpp does not load it.
    pub(crate) fn of(architecture: &str) -> Option<Self> {
        Some(Self::of_text(text_of(architecture)?))
    }

    /// The rules of an architecture that llama.cpp names, and does not load: what it reads of every model.
    pub(crate) fn of_every_model() -> Self {
        Self::of_text("")
    }

    fn of_text(text: &'static str) -> Self {
        let mut parser = Parser::new(groups::GROUPS);
        parser.parse(COMMON);
        parser.parse(text);
        let mut rules = parser.finish();
        let place = |name| rules.definitions.iter().position(|(own, _)| *own == name).unwrap_or(0);
        (rules.blocks, rules.all_blocks, rules.experts) = (place("blocks"), place("all_blocks"), place("experts"));
        rules.find_varying();
        rules
    }

    /// Whether the rules of an architecture may need a key: their text names it, or it is one of every architecture.
    pub(crate) fn may_need(architecture: &str, name: &str) -> bool {
        let names = |text: &str| text.contains(name);
        names(COMMON) || groups::GROUPS.iter().any(|(.., text)| names(text)) || text_of(architecture).is_some_and(names)
    }

    /// Whether the rule of an architecture reads a key in some case.
    pub(crate) fn reads(architecture: &str, name: &str) -> bool {
        let is_key = |text: &str| text.match_indices(name).any(|(start, _)| text[start + name.len()..].starts_with(':'));
        is_key(COMMON) || text_of(architecture).is_some_and(is_key)
    }

    /// The place of a key.
    pub(crate) fn key(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|own| *own == name)
    }

    /// Finds the definitions whose value may differ between blocks, until there are no more.
    fn find_varying(&mut self) {
        self.varies = vec![false; self.definitions.len()];
        loop {
            let found: Vec<bool> = self.definitions.iter().map(|(_, expr)| self.expr_varies(expr)).collect();
            if found == self.varies {
                return;
            }
            self.varies = found;
        }
    }

    fn expr_varies(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Block | Expr::KeyOfBlock(_) => true,
            Expr::Has(name) | Expr::Dimension(name, _) => name.is_in_block || name.name.contains('#'),
            Expr::Definition(index) => self.varies[*index],
            Expr::Not(inner) | Expr::GivenOr(_, inner) => self.expr_varies(inner),
            Expr::HasAt(_, block) | Expr::At(block, _) => self.expr_varies(block),
            Expr::Binary(_, left, right) | Expr::Or(left, right) | Expr::Max(left, right) => {
                self.expr_varies(left) || self.expr_varies(right)
            }
            Expr::If(condition, then, otherwise) => {
                self.expr_varies(condition) || self.expr_varies(then) || self.expr_varies(otherwise)
            }
            _ => false,
        }
    }
}

/// The statements of an architecture.
fn text_of(architecture: &str) -> Option<&'static str> {
    for text in TEXTS {
        let mut rest = text;
        while let Some(names) = rest.strip_prefix("== ") {
            let (names, body) = names.split_once('\n')?;
            let end = body.find("\n== ").map_or(body.len(), |end| end + 1);
            if names.split(' ').any(|name| name == architecture) {
                return Some(&body[..end]);
            }
            rest = &body[end..];
        }
    }
    None
}

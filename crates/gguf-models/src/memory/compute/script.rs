//! The texts that describe the graphs, and their interpreter.
//!
//! A text has sections, `== name`, or `== name architecture architecture` for these architectures only. A section has a
//! statement on each line. Words are separated by spaces.
//!
//! | statement | meaning |
//! | --- | --- |
//! | `a = b` | `a` is the result `b` |
//! | `a = mm b tensor` | a product of `b` with a tensor of the block; `b` itself if there is no such tensor |
//! | `a = id b tensor` | the same with a tensor of experts, for each expert that a token uses |
//! | `a = norm b tensor` | `b` normalised; `b` itself if there is no such tensor. `-` instead of a tensor: always |
//! | `a = same b c …` | a result of the form of `b`, in the place of a source if nothing else needs it |
//! | `a = new size b c …` | a result with a place of its own |
//! | `a = view size b` | a part of `b`, or another form of `b`. `.` is the size of `b` |
//! | `a = input size` | an input |
//! | `now a b …` | `a` and `b` are computed before what follows |
//! | `store a b …` | the same, and they are copied into a cache |
//! | `output a …` | the caller reads `a`, so its place is kept |
//! | `let n number` | a number |
//! | `from prefix` | tensors of blocks have this prefix before `blk` |
//! | `do name part` | the statements of a section. `%` in the names of its tensors stands for `part` |
//! | `if c c …`, `else`, `end` | whether one of the conditions holds |
//!
//! A size is `width`, `width:rows` or `width:rows:bytes of an element`. Without rows, it has a row for each token. Numbers are sums and
//! products, from the left to the right: `heads*key+4`. A name is a number of [`Numbers`](super::numbers), a key of the file without its
//! architecture, a dimension of a tensor: `ffn_up|1`, or the rows of a result: `#n`. A condition is a number that is not 0, a tensor, a
//! comparison (`a>b`, `a==b`) or an architecture (`@gemma2`). `!` negates it. Names of results that do not exist are ignored in a list of
//! sources.

use alloc::{format, string::String, vec::Vec};
use core::cell::Cell;

use super::graph::{Graph, Kind, MOST_BYTES};
use super::sections::{Named, Sections, cut, find, set};
use crate::memory::model::Model;

/// Runs the sections for a model.
pub(super) struct Script<'a> {
    model: &'a Model<'a>,
    sections: &'a Sections,
    pub graph: Graph,
    numbers: Named<u64>,
    results: Named<u32>,
    /// The block whose tensors and numbers are used.
    block: usize,
    /// What the names of its tensors begin with, after the prefix.
    block_name: String,
    part: &'static str,
    /// What the names of tensors of blocks begin with.
    prefix: &'static str,
    /// Whether the number of the block was used.
    uses_number: Cell<bool>,
}

impl<'a> Script<'a> {
    pub fn new(model: &'a Model<'a>, sections: &'a Sections) -> Self {
        Self {
            model,
            sections,
            graph: Graph::default(),
            numbers: Vec::new(),
            results: Vec::new(),
            block: 0,
            block_name: String::from("blk.0."),
            part: "",
            prefix: "",
            uses_number: Cell::new(false),
        }
    }

    /// Uses the tensors and numbers of a block from here on.
    pub fn enter_block(&mut self, block: usize) {
        self.block = block;
        self.block_name = format!("blk.{block}.");
    }

    pub fn set(&mut self, name: &'static str, number: u64) {
        set(&mut self.numbers, name, number);
    }

    /// The result that the next block begins with.
    pub fn output(&self) -> u32 {
        find(&self.results, "x").unwrap_or(0)
    }

    /// Begins the next block with the output of the last one.
    pub fn take_output(&mut self) {
        let output = self.graph.ends.last().map_or(0, |end| end.output);
        set(&mut self.results, "x", output);
    }

    /// Runs the statements of a block. Blocks with the same `kind` compute the same graph, unless a statement reads the number
    /// of the block.
    pub fn run_block(&mut self, kind: Option<u64>) {
        self.uses_number.set(false);
        self.run("block");
        let kind = kind.filter(|_| !self.uses_number.get());
        self.graph.end_block(self.output(), kind);
    }

    /// Runs the statements of a section.
    pub fn run(&mut self, section: &str) {
        let body = find(self.sections, section).unwrap_or_default();
        // The number of open `if`s, from the first one whose statements are skipped. 0 if none is skipped.
        let mut skipped = 0;
        let mut lines = body;
        while !lines.is_empty() {
            let (line, next) = cut(lines, b'\n');
            lines = next;
            let (first, rest) = cut(line, b' ');
            match first {
                "if" if skipped > 0 || !self.any_holds(rest) => skipped += 1,
                "if" => {}
                "else" if skipped < 2 => skipped = 1 - skipped,
                "end" if skipped > 0 => skipped -= 1,
                "else" | "end" => {}
                _ if skipped > 0 => {}
                _ => self.statement(first, rest),
            }
        }
    }

    fn statement(&mut self, first: &'static str, rest: &'static str) {
        let (word, after) = cut(rest, b' ');
        match first {
            "let" => {
                let number = self.number(after);
                self.set(word, number);
            }
            "do" => {
                let outer = core::mem::replace(&mut self.part, after);
                self.run(word);
                self.part = outer;
            }
            "from" => self.prefix = rest,
            "now" => {
                for id in self.named(rest) {
                    self.graph.compute(id);
                }
            }
            "store" => {
                let sources = self.named(rest);
                let id = self.graph.add(Kind::Outside, 0, 0, &sources);
                self.graph.compute(id);
            }
            "output" => {
                for id in self.named(rest) {
                    self.graph.nodes[id as usize].is_output = true;
                }
            }
            _ => {
                let id = self.result(after);
                match id {
                    Some(id) => set(&mut self.results, first, id),
                    None => self.results.retain(|(own, _)| *own != first),
                }
            }
        }
    }

    /// The results with these names. Names of results that do not exist are ignored.
    fn named(&self, names: &str) -> Vec<u32> {
        let mut found = Vec::new();
        let mut names = names;
        while !names.is_empty() {
            let (name, next) = cut(names, b' ');
            found.extend(find(&self.results, name));
            names = next;
        }
        found
    }

    /// The result of an expression.
    fn result(&mut self, expression: &'static str) -> Option<u32> {
        let (operation, rest) = cut(expression, b' ');
        let (word, after) = cut(rest, b' ');
        let first = find(&self.results, word);
        Some(match operation {
            "mm" | "id" => {
                let source = first?;
                let Some(width) = self.dimension(after, 1) else { return Some(source) };
                let node = &self.graph.nodes[source as usize];
                let is_experts = operation == "id";
                let rows = if is_experts { self.number("used*#ids") } else { node.rows() };
                let ids = find(&self.results, "ids").filter(|_| is_experts).unwrap_or(source);
                let bytes = width.saturating_mul(rows).saturating_mul(4);
                self.graph.add(Kind::Own, width, bytes, &[source, ids][..1 + usize::from(is_experts)])
            }
            "norm" => {
                let source = first?;
                if after != "-" && self.dimension(after, 0).is_none() {
                    return Some(source);
                }
                let kind = if self.number("rms") != 0 { Kind::InPlace } else { Kind::Own };
                let node = &self.graph.nodes[source as usize];
                self.graph.add(kind, node.width, node.bytes, &[source])
            }
            "same" => {
                let node = &self.graph.nodes[first? as usize];
                let (width, bytes) = (node.width, node.bytes);
                let sources = self.named(rest);
                self.graph.add(Kind::InPlace, width, bytes, &sources)
            }
            "new" | "input" | "view" => {
                let sources = self.named(after);
                if operation == "view" && sources.is_empty() {
                    return None;
                }
                let (size, rows) = cut(word, b':');
                let (rows, element) = cut(rows, b':');
                let (width, bytes) = match (size, sources.first()) {
                    (".", Some(source)) => {
                        let node = &self.graph.nodes[*source as usize];
                        (node.width, node.bytes)
                    }
                    _ => {
                        let width = self.number(size);
                        let rows = self.number(if rows.is_empty() { "T" } else { rows });
                        let element = self.number(if element.is_empty() { "4" } else { element });
                        (width, width.saturating_mul(rows).saturating_mul(element))
                    }
                };
                let kind = match operation {
                    "new" => Kind::Own,
                    "input" => Kind::Input,
                    _ => Kind::View,
                };
                self.graph.add(kind, width, bytes, &sources)
            }
            name => return find(&self.results, name),
        })
    }

    /// Whether one of the conditions holds.
    fn any_holds(&self, conditions: &str) -> bool {
        let (first, rest) = cut(conditions, b' ');
        self.holds(first) || !rest.is_empty() && self.any_holds(rest)
    }

    fn holds(&self, condition: &str) -> bool {
        if let Some(rest) = condition.strip_prefix('!') {
            return !self.holds(rest);
        }
        if let Some(name) = condition.strip_prefix('@') {
            return name == self.model.architecture;
        }
        let (a, b) = cut(condition, b'=');
        if let Some(b) = b.strip_prefix('=') {
            return self.number(a) == self.number(b);
        }
        let (a, b) = cut(condition, b'>');
        if !b.is_empty() {
            return self.number(a) > self.number(b);
        }
        match find(&self.numbers, condition) {
            Some(number) => number != 0,
            None => self.dimension(condition, 0).is_some(),
        }
    }

    /// The value of a sum of products.
    pub fn number(&self, text: &str) -> u64 {
        let (mut sum, mut product) = (0_u64, 1_u64);
        let (mut is_negative, mut is_divisor) = (false, false);
        let mut start = 0;
        for end in 0..=text.len() {
            let operator = text.as_bytes().get(end).copied().unwrap_or(b'+');
            if !matches!(operator, b'+' | b'-' | b'*' | b'/') {
                continue;
            }
            let number = self.atom(&text[start..end]);
            start = end + 1;
            product = if is_divisor { product / number.max(1) } else { product.saturating_mul(number) };
            is_divisor = operator == b'/';
            if matches!(operator, b'+' | b'-') {
                sum = if is_negative { sum.saturating_sub(product) } else { sum.saturating_add(product) };
                is_negative = operator == b'-';
                product = 1;
            }
        }
        sum.min(MOST_BYTES)
    }

    fn atom(&self, name: &str) -> u64 {
        if let Ok(number) = name.parse() {
            return number;
        }
        if name == "block" {
            self.uses_number.set(true);
            return self.block as u64;
        }
        if let Some(number) = find(&self.numbers, name) {
            return number;
        }
        if let Some(result) = name.strip_prefix('#') {
            return find(&self.results, result).map_or(0, |id| self.graph.nodes[id as usize].rows());
        }
        match cut(name, b'|') {
            (_, "") => self.model.number_in_block(name, self.block as u64),
            (tensor, dimension) => self.dimension(tensor, usize::from(dimension == "1")).unwrap_or(0),
        }
    }

    /// A dimension of a tensor of the block. With `/` before the name, it is a tensor of the whole model. `None` if there is no
    /// such tensor.
    fn dimension(&self, name: &str, index: usize) -> Option<u64> {
        // An estimate asks for thousands of names. Without `format!` it takes a quarter less time.
        let mut full = String::with_capacity(64);
        for (at, piece) in name.strip_prefix('/').unwrap_or(name).split('%').enumerate() {
            if at > 0 {
                full.push_str(self.part);
            }
            full.push_str(piece);
        }
        if !name.starts_with('/') {
            full.insert_str(0, &self.block_name);
            full.insert_str(0, self.prefix);
        }
        let length = full.len();
        let found = ["", ".weight"].iter().find_map(|end| {
            full.truncate(length);
            full.push_str(end);
            self.model.header.tensor(&full)
        });
        found.map(|tensor| tensor.dimensions().nth(index).unwrap_or(1))
    }
}

//! The syntax tree as JSON, for programs that look at templates.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::tree::{Id, Macro, Node, Tree};
use crate::error::{Position, Walk};
use crate::json::value::Json;
use gguf_format::order::heap_sorted;

impl Tree {
    /// The statements of the template as a list of objects. Each object has `type`, `line` and `column`, and the parts of the node by their
    /// names: a part is a node, a list of nodes, or a plain value.
    pub fn describe(&self, source: &str) -> Json {
        Describer { tree: self, positions: self.positions(source) }.list(&self.body)
    }

    /// The position of each node.
    fn positions(&self, source: &str) -> Vec<Position> {
        let keys = (0..self.len()).map(|id| u64::from(self.at(id)) << 32 | u64::from(id)).collect();
        let mut positions = vec![Position { line: 1, column: 1 }; self.len() as usize];
        let mut walk = Walk::new(source);
        for key in heap_sorted(keys) {
            positions[key as u32 as usize] = walk.to((key >> 32) as u32);
        }
        positions
    }
}

struct Describer<'a> {
    tree: &'a Tree,
    positions: Vec<Position>,
}

/// The parts of a node by their names.
type Parts = Vec<(&'static str, Json)>;

impl Describer<'_> {
    fn list(&self, ids: &[Id]) -> Json {
        Json::List(ids.iter().map(|id| self.node(*id)).collect())
    }

    /// A part that can be missing.
    fn option(&self, id: Option<Id>) -> Json {
        id.map_or(Json::Null, |id| self.node(id))
    }

    fn name(&self, name: u32) -> Json {
        Json::from(self.tree.names[name as usize].as_str())
    }

    fn node(&self, id: Id) -> Json {
        let (kind, parts) = self.parts(id);
        let Position { line, column } = self.positions[id as usize];
        let head = [("type", Json::from(kind)), ("line", Json::Int(line.into())), ("column", Json::Int(column.into()))];
        // A part that is missing is left out.
        let parts = head.into_iter().chain(parts).filter(|(_, part)| *part != Json::Null);
        Json::Object(parts.map(|(name, part)| (name.into(), part)).collect())
    }

    /// The kind of a node, and its parts.
    fn parts(&self, id: Id) -> (&'static str, Parts) {
        let text = |text: u32| Json::from(self.tree.texts[text as usize].as_str());
        match self.tree.node(id) {
            Node::Text(content) => ("text", vec![("value", text(*content))]),
            Node::Quoted(content) => ("string", vec![("value", text(*content))]),
            Node::Int(number) => ("integer", vec![("value", Json::Int(*number))]),
            Node::Float(number) => ("float", vec![("value", Json::Float(*number))]),
            Node::Name(name) => ("name", vec![("name", self.name(*name))]),
            Node::List(items) => ("list", vec![("items", self.list(items))]),
            Node::Tuple(items) => ("tuple", vec![("items", self.list(items))]),
            Node::Dict(entries) => ("dict", vec![("items", self.list(entries))]),
            Node::And(left, right) => ("binary", self.binary("and", *left, *right)),
            Node::Or(left, right) => ("binary", self.binary("or", *left, *right)),
            Node::Binary(operator, left, right) => ("binary", self.binary(operator.symbol(), *left, *right)),
            Node::Not(value) => ("not", vec![("value", self.node(*value))]),
            Node::Filter { value, filter } => {
                ("filter", vec![("value", self.node(*value)), ("filter", self.node(*filter))])
            }
            Node::Test { value, is_negated, test } => (
                "test",
                vec![("value", self.node(*value)), ("isNegated", Json::Bool(*is_negated)), ("test", self.node(*test))],
            ),
            Node::Select { value, test } => ("select", vec![("value", self.node(*value)), ("test", self.node(*test))]),
            Node::Ternary { test, yes, no } => {
                ("ternary", vec![("test", self.node(*test)), ("yes", self.node(*yes)), ("no", self.node(*no))])
            }
            Node::Member { object, name } => {
                ("member", vec![("object", self.node(*object)), ("name", self.node(*name))])
            }
            Node::Index { object, index } => {
                ("index", vec![("object", self.node(*object)), ("index", self.node(*index))])
            }
            Node::Slice { object, start, stop, step } => (
                "slice",
                vec![
                    ("object", self.node(*object)),
                    ("start", self.option(*start)),
                    ("stop", self.option(*stop)),
                    ("step", self.option(*step)),
                ],
            ),
            Node::Blank => ("blank", Vec::new()),
            Node::Spread => ("spread", Vec::new()),
            Node::Call { callee, args } => ("call", vec![("callee", self.node(*callee)), ("args", self.list(args))]),
            Node::Keyword { name, value } => {
                ("keyword", vec![("name", self.node(*name)), ("value", self.node(*value))])
            }
            Node::If { branches, otherwise } => {
                let branch = |(test, body): &(Id, Box<[Id]>)| {
                    Json::from([("test", self.node(*test)), ("body", self.list(body))])
                };
                let branches = Json::List(branches.iter().map(branch).collect());
                ("if", vec![("branches", branches), ("otherwise", self.list(otherwise))])
            }
            Node::For(inner) => (
                "for",
                vec![
                    ("target", self.node(inner.target)),
                    ("iterable", self.node(inner.iterable)),
                    ("body", self.list(&inner.body)),
                    ("otherwise", self.list(&inner.otherwise)),
                ],
            ),
            Node::Set { target, value } => ("set", vec![("target", self.node(*target)), ("value", self.node(*value))]),
            Node::SetBlock { target, body } => {
                ("set-block", vec![("target", self.node(*target)), ("body", self.list(body))])
            }
            Node::Macro(inner) => ("macro", self.macro_parts(inner)),
            Node::CallBlock { callee, args, block } => {
                let mut parts = vec![("callee", self.node(*callee)), ("args", self.list(args))];
                parts.extend(self.macro_parts(block));
                ("call-block", parts)
            }
            Node::FilterBlock { filter, body } => {
                ("filter-block", vec![("filter", self.node(*filter)), ("body", self.list(body))])
            }
            Node::Break => ("break", Vec::new()),
            Node::Continue => ("continue", Vec::new()),
            Node::Nothing => ("nothing", Vec::new()),
        }
    }

    fn binary(&self, operator: &str, left: Id, right: Id) -> Parts {
        vec![("operator", operator.into()), ("left", self.node(left)), ("right", self.node(right))]
    }

    fn macro_parts(&self, inner: &Macro) -> Parts {
        vec![
            ("name", self.option(inner.name)),
            ("parameters", self.list(&inner.parameters)),
            ("body", self.list(&inner.body)),
        ]
    }
}

//! The syntax tree as JSON, for programs that look at templates.

use alloc::vec::Vec;
use core::cell::Cell;

use super::tree::{Id, Ids, Macro, Node, Tree};
use crate::error::{ErrorKind, Outcome, Position, Walk, fault};
use crate::json::value::Json;

/// The deepest tree that is described. A chain of operators is as deep as it is long.
const LEVELS: u32 = 500;

impl Tree {
    /// The statements of the template as a list of objects. Each object has `type`, `line` and `column`, and the parts of the node by their
    /// names: a part is a node, a list of nodes, or a plain value.
    pub fn describe(&self, source: &str) -> Outcome<Json> {
        let mut walk = Walk::new(source);
        let positions = (0..=source.len() as u32).map(|offset| walk.to(offset)).collect();
        let describer = Describer { tree: self, positions, level: Cell::new(0), too_deep: Cell::new(None) };
        let described = describer.list(&self.body);
        let Some(id) = describer.too_deep.get() else { return Ok(described) };
        let mut fault = fault(ErrorKind::Limit, "the syntax tree has more than 500 levels");
        fault.at = Some(self.at(id));
        Err(fault)
    }
}

struct Describer<'a> {
    tree: &'a Tree,
    /// The position of each byte of the source.
    positions: Vec<Position>,
    /// How many nodes the current one is in.
    level: Cell<u32>,
    /// A node that is too deep, and so has no description.
    too_deep: Cell<Option<Id>>,
}

/// A part of a node.
#[derive(Clone, Copy)]
enum Part<'a> {
    One(Id),
    /// A node that can be missing. Then the part is left out.
    Maybe(Option<Id>),
    List(&'a [Id]),
    Branches(&'a [(Id, Ids)]),
    Text(&'a str),
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Describer<'_> {
    fn list(&self, ids: &[Id]) -> Json {
        Json::List(ids.iter().map(|id| self.node(*id)).collect())
    }

    /// The object of a node: its kind, its position, and its parts.
    fn object(&self, id: Id, kind: &str, parts: &[(&str, Part)]) -> Json {
        let Position { line, column } = self.positions[self.tree.at(id) as usize];
        let mut object =
            Json::from([("type", kind.into()), ("line", Json::Int(line.into())), ("column", Json::Int(column.into()))]);
        for (name, part) in parts {
            let part = match *part {
                Part::One(id) | Part::Maybe(Some(id)) => self.node(id),
                Part::Maybe(None) => continue,
                Part::List(ids) => self.list(ids),
                Part::Branches(branches) => {
                    let branch =
                        |(test, body): &(Id, Ids)| Json::from([("test", self.node(*test)), ("body", self.list(body))]);
                    Json::List(branches.iter().map(branch).collect())
                }
                Part::Text(text) => text.into(),
                Part::Int(number) => Json::Int(number),
                Part::Float(number) => Json::Float(number),
                Part::Bool(truth) => Json::Bool(truth),
            };
            object.set(name, part);
        }
        object
    }

    fn node(&self, id: Id) -> Json {
        if self.level.get() == LEVELS {
            self.too_deep.set(Some(id));
            return Json::Null;
        }
        self.level.set(self.level.get() + 1);
        let described = self.described(id);
        self.level.set(self.level.get() - 1);
        described
    }

    fn described(&self, id: Id) -> Json {
        use Part::{Bool, Branches, Float, Int, List, Maybe, One, Text};
        let object = |kind, parts: &[(&str, Part)]| self.object(id, kind, parts);
        let binary = |symbol, left: &Id, right: &Id| {
            object("binary", &[("operator", Text(symbol)), ("left", One(*left)), ("right", One(*right))])
        };
        match self.tree.node(id) {
            Node::Text(content) => object("text", &[("value", Text(&self.tree.texts[*content as usize]))]),
            Node::Quoted(content) => object("string", &[("value", Text(&self.tree.texts[*content as usize]))]),
            Node::Int(number) => object("integer", &[("value", Int(*number))]),
            Node::Float(number) => object("float", &[("value", Float(*number))]),
            Node::Name(name) => object("name", &[("name", Text(&self.tree.names[*name as usize]))]),
            Node::List(items) => object("list", &[("items", List(items))]),
            Node::Tuple(items) => object("tuple", &[("items", List(items))]),
            Node::Dict(entries) => object("dict", &[("items", List(entries))]),
            Node::And(left, right) => binary("and", left, right),
            Node::Or(left, right) => binary("or", left, right),
            Node::Binary(operator, left, right) => binary(operator.symbol(), left, right),
            Node::Not(value) => object("not", &[("value", One(*value))]),
            Node::Filter { value, filter } => object("filter", &[("value", One(*value)), ("filter", One(*filter))]),
            Node::Test { value, is_negated, test } => {
                object("test", &[("value", One(*value)), ("isNegated", Bool(*is_negated)), ("test", One(*test))])
            }
            Node::Select { value, test } => object("select", &[("value", One(*value)), ("test", One(*test))]),
            Node::Ternary { test, yes, no } => {
                object("ternary", &[("test", One(*test)), ("yes", One(*yes)), ("no", One(*no))])
            }
            Node::Member { object: of, name } => object("member", &[("object", One(*of)), ("name", One(*name))]),
            Node::Index { object: of, index } => object("index", &[("object", One(*of)), ("index", One(*index))]),
            Node::Slice { object: of, start, stop, step } => object(
                "slice",
                &[("object", One(*of)), ("start", Maybe(*start)), ("stop", Maybe(*stop)), ("step", Maybe(*step))],
            ),
            Node::Blank => object("blank", &[]),
            Node::Spread => object("spread", &[]),
            Node::Call { callee, args } => object("call", &[("callee", One(*callee)), ("args", List(args))]),
            Node::Keyword { name, value } => object("keyword", &[("name", One(*name)), ("value", One(*value))]),
            Node::If { branches, otherwise } => {
                object("if", &[("branches", Branches(branches)), ("otherwise", List(otherwise))])
            }
            Node::For(inner) => object(
                "for",
                &[
                    ("target", One(inner.target)),
                    ("iterable", One(inner.iterable)),
                    ("body", List(&inner.body)),
                    ("otherwise", List(&inner.otherwise)),
                ],
            ),
            Node::Set { target, value } => object("set", &[("target", One(*target)), ("value", One(*value))]),
            Node::SetBlock { target, body } => object("set-block", &[("target", One(*target)), ("body", List(body))]),
            Node::Macro(inner) => {
                let Macro { name, parameters, body } = &**inner;
                object("macro", &[("name", Maybe(*name)), ("parameters", List(parameters)), ("body", List(body))])
            }
            Node::CallBlock { callee, args, block } => object(
                "call-block",
                &[
                    ("callee", One(*callee)),
                    ("args", List(args)),
                    ("parameters", List(&block.parameters)),
                    ("body", List(&block.body)),
                ],
            ),
            Node::FilterBlock { filter, body } => {
                object("filter-block", &[("filter", One(*filter)), ("body", List(body))])
            }
            Node::Break => object("break", &[]),
            Node::Continue => object("continue", &[]),
            Node::Nothing => object("nothing", &[]),
        }
    }
}

//! Checks rules, and writes them into the table.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::opcodes;
use super::sharing::share;
use super::syntax::{At, Blocks, Expr, Group, Key, KeyForm, Mistake, Statement, Tensor, Word};
use super::table::{Names, push_number};

type Result<T> = core::result::Result<T, Mistake>;

/// Definitions that the program evaluates.
pub const KNOWN_DEFINITIONS: [&str; 5] = ["blocks", "all_blocks", "experts", "window", "swa"];

/// Rules and what they need.
pub struct Rules<'t, 'a> {
    pub common: &'t [Statement<'a>],
    pub bodies: Vec<(&'t [Word<'a>], &'t [Statement<'a>])>,
    pub groups: BTreeMap<&'a str, &'t Group<'a>>,
}

/// What statements read and create.
#[derive(Clone, Default)]
pub struct Facts<'a> {
    pub keys: BTreeSet<&'a str>,
    pub tensors: BTreeSet<&'a str>,
    groups: BTreeSet<&'a str>,
    definitions: Vec<Word<'a>>,
    /// The keys that every model needs, with a `/` before those without an architecture.
    pub required: Vec<String>,
}

/// The rules of all architectures as bytes: the common ones, then those of each body.
pub struct Encoded<'a> {
    pub bytes: Vec<u8>,
    /// The place of each body.
    pub places: Vec<usize>,
    /// The facts of the common statements, and of each body.
    pub common: Facts<'a>,
    pub facts: Vec<Facts<'a>>,
}

pub fn encode<'a>(
    rules: &Rules<'_, 'a>,
    keys: &mut Names,
    names: &mut Names,
    mistakes: &mut Vec<Mistake>,
) -> Encoded<'a> {
    let mut used_groups = BTreeSet::new();
    let mut facts_of = |statements, mistakes: &mut Vec<Mistake>| {
        let mut facts = Facts::default();
        mistakes.extend(rules.collect(statements, true, &mut Vec::new(), &mut facts).err());
        used_groups.append(&mut facts.groups);
        facts
    };
    let common = facts_of(rules.common, mistakes);
    let facts: Vec<_> = rules.bodies.iter().map(|(_, statements)| facts_of(statements, mistakes)).collect();
    for (name, group) in &rules.groups {
        if !used_groups.contains(name) {
            mistakes.push(group.name.mistake("the group is not used"));
        }
    }
    let is_defined = |name: &&str| common.definitions.iter().any(|own| own.text == *name);
    if let Some(name) = KNOWN_DEFINITIONS.iter().find(|name| !is_defined(name)) {
        mistakes.push(Word { text: name, at: At { file: 0, line: 1 } }.mistake("the program needs this definition"));
    }
    if !mistakes.is_empty() {
        let places = vec![0; facts.len()];
        return Encoded { bytes: Vec::new(), places, common, facts };
    }
    let mut all = common.clone();
    for facts in &facts {
        all.keys.extend(&facts.keys);
        all.tensors.extend(&facts.tensors);
    }
    let mut definitions: Vec<&str> = KNOWN_DEFINITIONS.to_vec();
    add_names(&mut definitions, &common);
    let mut used: BTreeSet<&str> = KNOWN_DEFINITIONS.into();
    let mut encoder = Encoder {
        rules,
        keys,
        names,
        facts: all,
        definitions: definitions.clone(),
        uses: BTreeMap::new(),
        used: BTreeSet::new(),
        used_parameters: Vec::new(),
        bytes: Vec::new(),
        statements: Vec::new(),
    };
    mistakes.extend(encoder.body(rules.common).err());
    used.append(&mut encoder.used);
    let common_uses = encoder.uses.clone();
    let mut places = vec![0];
    for ((_, statements), own) in rules.bodies.iter().zip(&facts) {
        encoder.facts = own.clone();
        encoder.facts.keys.extend(&common.keys);
        encoder.definitions.clone_from(&definitions);
        encoder.uses.clone_from(&common_uses);
        add_names(&mut encoder.definitions, own);
        places.push(encoder.bytes.len());
        mistakes.extend(encoder.body(statements).err());
        for definition in &own.definitions {
            if !encoder.used.contains(definition.text) && !definitions.contains(&definition.text) {
                mistakes.push(definition.mistake("the definition is not used"));
            }
            if encoder.depends_on_itself(definition.text) {
                mistakes.push(definition.mistake("the definition depends on itself"));
            }
        }
        used.append(&mut encoder.used);
    }
    for definition in &common.definitions {
        if !used.contains(definition.text) {
            mistakes.push(definition.mistake("the definition is not used"));
        }
    }
    for parameter in rules.groups.values().flat_map(|group| &group.parameters) {
        if !encoder.used_parameters.contains(&(parameter.at, parameter.text)) {
            mistakes.push(parameter.mistake("the parameter is not used"));
        }
    }
    let (bytes, mut places) = share(&encoder.bytes, encoder.statements, &places);
    places.remove(0);
    Encoded { bytes, places, common, facts }
}

/// Adds the names of definitions that are new.
fn add_names<'a>(names: &mut Vec<&'a str>, facts: &Facts<'a>) {
    for definition in &facts.definitions {
        if !names.contains(&definition.text) {
            names.push(definition.text);
        }
    }
}

impl<'a> Rules<'_, 'a> {
    fn group(&self, name: &Word<'a>) -> Result<&Group<'a>> {
        self.groups.get(name.text).copied().ok_or_else(|| name.mistake("there is no such group"))
    }

    /// Collects what statements read, create and define. `is_top` holds outside of braces. `path` has the groups that contain them.
    fn collect(
        &self,
        statements: &[Statement<'a>],
        is_top: bool,
        path: &mut Vec<&'a str>,
        facts: &mut Facts<'a>,
    ) -> Result<()> {
        for statement in statements {
            match statement {
                Statement::Key(key) => {
                    facts.keys.insert(key.name.text);
                    if is_top && key.is_required {
                        facts.required.push(format!("{}{}", if key.is_whole { "/" } else { "" }, key.name.text));
                    }
                }
                Statement::Tensor(tensor) => {
                    facts.tensors.insert(tensor.name.text);
                }
                Statement::Set(name, _) if !path.is_empty() => return Err(name.mistake("a group has no definitions")),
                Statement::Set(name, _) => facts.definitions.push(*name),
                Statement::If(_, then, otherwise) => {
                    self.collect(then, false, path, facts)?;
                    self.collect(otherwise, false, path, facts)?;
                }
                Statement::Run { name, .. } => {
                    let group = self.group(name)?;
                    if path.contains(&name.text) {
                        return Err(name.mistake("the group contains itself"));
                    }
                    facts.groups.insert(name.text);
                    path.push(name.text);
                    self.collect(&group.statements, is_top, path, facts)?;
                    path.pop();
                }
                Statement::Blocks(blocks) => self.collect(&blocks.statements, false, path, facts)?,
                Statement::Let(..) | Statement::Call(..) => {}
            }
        }
        Ok(())
    }
}

/// Where statements are.
#[derive(Clone, Default)]
struct Scope<'a> {
    /// The parameters of the group, with the bytes of their values.
    parameters: Vec<(Word<'a>, Vec<u8>)>,
    is_in_block: bool,
}

struct Encoder<'e, 't, 'a> {
    rules: &'e Rules<'t, 'a>,
    keys: &'e mut Names,
    names: &'e mut Names,
    /// What may be named.
    facts: Facts<'a>,
    definitions: Vec<&'a str>,
    /// The definitions that each definition uses.
    uses: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The definitions that are used.
    used: BTreeSet<&'a str>,
    used_parameters: Vec<(At, &'a str)>,
    bytes: Vec<u8>,
    /// The places of the statements.
    statements: Vec<Range<usize>>,
}

impl<'a> Encoder<'_, '_, 'a> {
    /// The bytes that a function writes.
    fn apart(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<Vec<u8>> {
        let before = std::mem::take(&mut self.bytes);
        let result = write(self);
        let own = std::mem::replace(&mut self.bytes, before);
        result.map(|()| own)
    }

    /// Writes definitions and statements.
    fn body(&mut self, statements: &[Statement<'a>]) -> Result<()> {
        // The last definition of a name is the right one.
        let mut written = BTreeMap::new();
        self.definitions(statements, &Scope::default(), &mut written)?;
        push_number(&mut self.bytes, written.len());
        for (name, value) in written {
            push_number(&mut self.bytes, self.definitions.iter().position(|own| *own == name).unwrap_or(0));
            self.bytes.extend(value);
        }
        self.statements(statements, &Scope::default())
    }

    fn depends_on_itself(&self, definition: &str) -> bool {
        let mut reached = vec![definition];
        let mut next = 0;
        while next < reached.len() {
            for name in self.uses.get(reached[next]).into_iter().flatten() {
                if *name == definition {
                    return true;
                }
                if !reached.contains(name) {
                    reached.push(name);
                }
            }
            next += 1;
        }
        false
    }

    fn definitions(
        &mut self,
        statements: &[Statement<'a>],
        scope: &Scope<'a>,
        written: &mut BTreeMap<&'a str, Vec<u8>>,
    ) -> Result<()> {
        for statement in statements {
            match statement {
                Statement::Set(name, value) => {
                    let others = std::mem::take(&mut self.used);
                    let bytes = self.apart(|own| own.expr(value, scope))?;
                    written.insert(name.text, bytes);
                    self.uses.insert(name.text, self.used.clone());
                    self.used.extend(others);
                }
                Statement::If(_, then, otherwise) => {
                    self.definitions(then, scope, written)?;
                    self.definitions(otherwise, scope, written)?;
                }
                Statement::Blocks(blocks) => {
                    self.definitions(&blocks.statements, &Scope { is_in_block: true, ..scope.clone() }, written)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn statements(&mut self, statements: &[Statement<'a>], scope: &Scope<'a>) -> Result<()> {
        for statement in statements {
            self.statement(statement, scope)?;
        }
        self.bytes.push(opcodes::END);
        Ok(())
    }

    fn statement(&mut self, statement: &Statement<'a>, scope: &Scope<'a>) -> Result<()> {
        let start = self.bytes.len();
        self.write(statement, scope)?;
        // A group of statements is written as they are.
        let is_one = !matches!(statement, Statement::Set(..) | Statement::Run { is_optional: false, .. });
        self.statements.extend(is_one.then_some(start..self.bytes.len()));
        Ok(())
    }

    fn write(&mut self, statement: &Statement<'a>, scope: &Scope<'a>) -> Result<()> {
        match statement {
            Statement::Set(..) => {}
            Statement::Let(name, _) => return Err(name.mistake("`let` is a statement of graphs")),
            Statement::If(condition, then, otherwise) => {
                self.bytes.push(opcodes::BRANCH);
                self.expr(condition, scope)?;
                self.statements(then, scope)?;
                self.statements(otherwise, scope)?;
            }
            Statement::Run { name, arguments, is_optional } => self.run(name, arguments, *is_optional, scope)?,
            Statement::Call(name, arguments) => {
                self.bytes.push(match name.text {
                    "must" => opcodes::MUST,
                    "assert" => opcodes::ASSERT,
                    _ => return Err(name.mistake("there is no such statement of rules: must or assert")),
                });
                let [condition] = expect_arguments(name, arguments)?;
                self.expr(condition, scope)?;
            }
            Statement::Key(key) => self.key(key, scope)?,
            Statement::Tensor(tensor) => self.tensor(tensor, scope)?,
            Statement::Blocks(blocks) => self.blocks(blocks, scope)?,
        }
        Ok(())
    }

    fn run(&mut self, name: &Word<'a>, arguments: &[Expr<'a>], is_optional: bool, scope: &Scope<'a>) -> Result<()> {
        let group = self.rules.group(name)?;
        if arguments.len() != group.parameters.len() {
            let expected = group.parameters.len();
            return Err(name.mistake(&format!("{} arguments, expected {expected}", arguments.len())));
        }
        let mut inner = Scope { parameters: Vec::new(), is_in_block: scope.is_in_block };
        for (parameter, argument) in group.parameters.iter().zip(arguments) {
            let value = self.apart(|own| own.expr(argument, scope))?;
            inner.parameters.push((*parameter, value));
        }
        let statements = &self.rules.groups[group.name.text].statements;
        if is_optional {
            self.bytes.push(opcodes::OPTIONAL);
            return self.statements(statements, &inner);
        }
        for statement in statements {
            self.statement(statement, &inner)?;
        }
        Ok(())
    }

    fn key(&mut self, key: &Key<'a>, scope: &Scope<'a>) -> Result<()> {
        let flags = [key.is_required, key.is_whole].map(u8::from);
        self.bytes.extend([opcodes::READ_KEY, key.form as u8 | key.element << 3 | flags[0] << 6 | flags[1] << 7]);
        push_number(&mut self.bytes, self.keys.number(key.name.text));
        debug_assert_eq!(key.length.is_some(), key.form == KeyForm::SingleOrArray);
        key.length.iter().try_for_each(|length| self.expr(length, scope))
    }

    fn tensor(&mut self, tensor: &Tensor<'a>, scope: &Scope<'a>) -> Result<()> {
        if tensor.dimensions.len() > 4 {
            return Err(tensor.name.mistake("more than 4 dimensions"));
        }
        let need = u8::from(tensor.is_optional) + u8::from(tensor.optional_if.is_some());
        let is_reshaped = u8::from(tensor.is_reshaped);
        let count = tensor.dimensions.len() as u8;
        self.bytes.extend([opcodes::TENSOR, need | (tensor.counts as u8) << 2 | is_reshaped << 4 | count << 5]);
        let is_in_block = scope.is_in_block && !tensor.is_root && !tensor.name.text.contains('#');
        self.push_name(tensor.name.text, is_in_block);
        tensor.dimensions.iter().chain(&tensor.optional_if).try_for_each(|expr| self.expr(expr, scope))
    }

    fn blocks(&mut self, blocks: &Blocks<'a>, scope: &Scope<'a>) -> Result<()> {
        self.bytes.extend([opcodes::BLOCKS, blocks.range as u8 | u8::from(blocks.optional_if.is_some()) << 2]);
        blocks.count.iter().chain(&blocks.optional_if).try_for_each(|expr| self.expr(expr, scope))?;
        self.statements(&blocks.statements, &Scope { is_in_block: true, ..scope.clone() })
    }

    fn push_name(&mut self, name: &str, is_in_block: bool) {
        push_number(&mut self.bytes, self.names.number(name) << 1 | usize::from(is_in_block));
    }

    fn expr(&mut self, expr: &Expr<'a>, scope: &Scope<'a>) -> Result<()> {
        match expr {
            Expr::Number(number) => {
                self.bytes.push(opcodes::NUMBER);
                push_number(&mut self.bytes, *number as usize);
            }
            Expr::Name(name, true) => return Err(name.mistake("a tensor is no number")),
            Expr::Name(name, false) => self.name(name, scope)?,
            Expr::Not(inner) => {
                self.bytes.push(opcodes::NOT);
                self.expr(inner, scope)?;
            }
            Expr::Binary(operator, left, right) => {
                self.bytes.push(*operator);
                self.expr(left, scope)?;
                self.expr(right, scope)?;
            }
            Expr::Call(function, size, arguments) => {
                if !size.is_empty() {
                    return Err(function.mistake("a function of rules has no size"));
                }
                self.call(function, arguments, scope)?;
            }
        }
        Ok(())
    }

    fn name(&mut self, name: &Word<'a>, scope: &Scope<'a>) -> Result<()> {
        if let Some((parameter, value)) = scope.parameters.iter().find(|(own, _)| own.text == name.text) {
            self.used_parameters.push((parameter.at, parameter.text));
            self.bytes.extend(value);
            return Ok(());
        }
        let of_model = match name.text {
            "i" => Some(opcodes::BLOCK),
            "vocab" => Some(opcodes::VOCABULARY),
            "tokens" => Some(opcodes::TOKENS),
            "token_types" => Some(opcodes::TOKEN_TYPES),
            "labels" => Some(opcodes::LABELS),
            _ => None,
        };
        if let Some(code) = of_model {
            self.bytes.push(code);
            return Ok(());
        }
        if let Some(place) = self.definitions.iter().position(|own| *own == name.text) {
            self.used.insert(self.definitions[place]);
            self.bytes.push(opcodes::DEFINITION);
            push_number(&mut self.bytes, place);
            return Ok(());
        }
        let of_block = name.text.strip_suffix(".i");
        self.bytes.push(if of_block.is_some() { opcodes::KEY_OF_BLOCK } else { opcodes::KEY });
        self.push_key(&Word { text: of_block.unwrap_or(name.text), at: name.at })
    }

    fn push_key(&mut self, key: &Word<'a>) -> Result<()> {
        if !self.facts.keys.contains(key.text) {
            return Err(key.mistake("there is no such definition, and no statement reads such a key"));
        }
        push_number(&mut self.bytes, self.keys.number(key.text));
        Ok(())
    }

    /// Writes the key that an argument names.
    fn key_argument(&mut self, function: &Word<'a>, argument: &Expr<'a>) -> Result<()> {
        match argument {
            Expr::Name(key, false) => self.push_key(key),
            _ => Err(function.mistake("the first argument must be a key")),
        }
    }

    /// Writes the tensor that an argument names.
    fn tensor_argument(&mut self, function: &Word<'a>, argument: &Expr<'a>, is_in_block: bool) -> Result<()> {
        let Expr::Name(name, is_root) = argument else {
            return Err(function.mistake("the first argument must be a tensor"));
        };
        if !self.facts.tensors.contains(name.text) {
            return Err(name.mistake("no statement creates such a tensor"));
        }
        self.push_name(name.text, is_in_block && !is_root);
        Ok(())
    }

    fn call(&mut self, function: &Word<'a>, arguments: &[Expr<'a>], scope: &Scope<'a>) -> Result<()> {
        match function.text {
            "given" if arguments.len() == 2 => {
                self.bytes.push(opcodes::GIVEN_OR);
                self.key_argument(function, &arguments[0])?;
                self.expr(&arguments[1], scope)
            }
            "given" | "scalar" | "count" | "distinct" | "least" => {
                self.bytes.push(match function.text {
                    "given" => opcodes::GIVEN,
                    "scalar" => opcodes::SCALAR,
                    "count" => opcodes::COUNT,
                    "distinct" => opcodes::DISTINCT,
                    _ => opcodes::LEAST_OF,
                });
                let [key] = expect_arguments(function, arguments)?;
                self.key_argument(function, key)
            }
            "most" => {
                let [argument] = expect_arguments(function, arguments)?;
                if let Expr::Name(name, _) = argument
                    && !name.text.ends_with(".i")
                    && !self.definitions.contains(&name.text)
                {
                    self.bytes.push(opcodes::MOST_OF);
                    return self.push_key(name);
                }
                self.bytes.push(opcodes::MOST_OF_BLOCKS);
                self.expr(argument, scope)
            }
            "is" => {
                let [key, text] = expect_arguments(function, arguments)?;
                self.bytes.push(opcodes::IS);
                self.key_argument(function, key)?;
                let Expr::Name(text, false) = text else { return Err(function.mistake("expected a text")) };
                push_number(&mut self.bytes, self.names.number(text.text));
                Ok(())
            }
            "has" if arguments.len() == 2 => {
                self.bytes.push(opcodes::HAS_AT);
                self.tensor_argument(function, &arguments[0], true)?;
                self.expr(&arguments[1], scope)
            }
            "has" => {
                let [tensor] = expect_arguments(function, arguments)?;
                self.bytes.push(opcodes::HAS);
                self.tensor_argument(function, tensor, scope.is_in_block)
            }
            "dim" => {
                let [tensor, index] = expect_arguments(function, arguments)?;
                self.bytes.push(opcodes::DIMENSION);
                self.tensor_argument(function, tensor, scope.is_in_block)?;
                let Expr::Number(index @ 0..=3) = index else { return Err(function.mistake("expected a dimension")) };
                push_number(&mut self.bytes, *index as usize);
                Ok(())
            }
            "if" => {
                let [condition, then, otherwise] = expect_arguments(function, arguments)?;
                self.bytes.push(opcodes::IF);
                [condition, then, otherwise].into_iter().try_for_each(|expr| self.expr(expr, scope))
            }
            "max" | "at" => {
                let [first, second] = expect_arguments(function, arguments)?;
                self.bytes.push(if function.text == "max" { opcodes::MAX } else { opcodes::AT });
                self.expr(first, scope)?;
                self.expr(second, scope)
            }
            "period" | "period0" => {
                let [number] = expect_arguments(function, arguments)?;
                let value = self.apart(|own| own.expr(number, scope))?;
                self.repeated(&value, function.text == "period0");
                Ok(())
            }
            _ => Err(function.mistake("there is no such function of rules")),
        }
    }

    /// A condition that repeats after `n` blocks. It is false for one block of each `n`, the first or the last, and true for the
    /// others. If `n` is 0, it is true for all blocks. It is false for blocks that predict further tokens:
    /// `i<blocks && (n==0 || i%n<n-1)`, or `i%n!=0`.
    fn repeated(&mut self, n: &[u8], is_first_left_out: bool) {
        self.used.insert("blocks");
        self.bytes.extend([opcodes::AND, opcodes::LESS, opcodes::BLOCK, opcodes::DEFINITION, 0]);
        self.bytes.extend([opcodes::OR_ELSE, opcodes::EQUAL]);
        self.bytes.extend(n);
        self.bytes.extend([opcodes::NUMBER, 0]);
        self.bytes.extend([if is_first_left_out { opcodes::UNEQUAL } else { opcodes::LESS }]);
        self.bytes.extend([opcodes::REMAINDER, opcodes::BLOCK]);
        self.bytes.extend(n);
        if is_first_left_out {
            self.bytes.extend([opcodes::NUMBER, 0]);
        } else {
            self.bytes.push(opcodes::SUBTRACT);
            self.bytes.extend(n);
            self.bytes.extend([opcodes::NUMBER, 1]);
        }
    }
}

/// The arguments of a function that has this number of them.
pub fn expect_arguments<'e, 'a, const COUNT: usize>(
    function: &Word<'a>,
    arguments: &'e [Expr<'a>],
) -> Result<&'e [Expr<'a>; COUNT]> {
    let found = arguments.len();
    arguments.try_into().map_err(|_| function.mistake(&format!("{found} arguments, expected {COUNT}")))
}

//! What an edit should come to, worked out a second time and in the plainest way: with values that are owned, and whole
//! files in memory.

#![allow(dead_code, reason = "not every test that includes this uses all of it")]

use std::ops::Range;

use gguf_wasm::encode::OwnedValue;
use gguf_wasm::{Endian, Format, GgmlType, Value, ValueType};

/// How many bytes of padding a plan may have, all of which it holds.
const MOST_PADDING: u64 = 1 << 26;

pub const ALIGNMENT: &[u8] = b"general.alignment";

/// A metadata value.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// A number, or a BOOL with whatever byte: as a little-endian file has it.
    Number(ValueType, Vec<u8>),
    Text(Vec<u8>),
    List(ValueType, Vec<Val>),
}

/// The codes of the errors of which one must come.
pub type Refusal = Vec<&'static str>;

#[derive(Clone, Debug)]
pub struct Entry {
    /// The position in the old file, if it comes from there.
    pub origin: Option<usize>,
    /// For an entry that was added: which addition of the model it was.
    pub addition: Option<usize>,
    pub key: Vec<u8>,
    pub value: Val,
    pub is_key_new: bool,
    pub is_value_new: bool,
    /// How many bytes of it at most may be new ones.
    pub new_bytes: usize,
}

#[derive(Clone, Debug)]
pub struct Tensor {
    /// The position in the old file.
    pub origin: usize,
    pub name: Vec<u8>,
    pub is_name_new: bool,
    pub dimensions: Vec<u64>,
    pub ggml_type: u32,
    /// In the old file.
    pub offset: u64,
}

/// What a file is to say.
#[derive(Clone, Debug)]
pub struct Model {
    pub format: Format,
    pub entries: Vec<Entry>,
    pub tensors: Vec<Tensor>,
    pub is_repacked: bool,
    pub changes: usize,
}

/// A file as it is, with what it says.
pub struct Old {
    pub bytes: Vec<u8>,
    pub model: Model,
    pub header_size: u64,
    pub data_offset: u64,
}

/// What a plan should come to.
pub struct Expected {
    pub bytes: Vec<u8>,
    pub header_size: u64,
    pub data_offset: u64,
    /// What after the header is copied as it is, where to and where from.
    pub copies: Vec<(u64, Range<u64>)>,
    /// Whether all from the data section on is where it was.
    pub is_in_place: bool,
}

/// Which entry is meant.
#[derive(Clone, Debug)]
pub enum At {
    Name(Vec<u8>),
    Index(usize),
}

/// Writes numbers in the widths and the byte order of a format.
pub struct Out {
    pub format: Format,
    pub bytes: Vec<u8>,
}

impl Out {
    pub fn number(&mut self, little_endian: &[u8]) {
        match self.format.endian {
            Endian::Little => self.bytes.extend(little_endian),
            Endian::Big => self.bytes.extend(little_endian.iter().rev()),
        }
    }

    fn length(&mut self, length: u64) {
        if self.format.version == 1 {
            self.number(&u32::try_from(length).unwrap().to_le_bytes());
        } else {
            self.number(&length.to_le_bytes());
        }
    }

    fn id(&mut self, id: u32) {
        self.number(&id.to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.length(text.len() as u64);
        self.bytes.extend(text);
    }

    fn value(&mut self, value: &Val) {
        match value {
            Val::Number(_, bytes) => self.number(bytes),
            Val::Text(text) => self.text(text),
            Val::List(element_type, elements) => {
                self.id(element_type.id());
                self.length(elements.len() as u64);
                elements.iter().for_each(|element| self.value(element));
            }
        }
    }
}

impl Val {
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::Number(value_type, _) => *value_type,
            Self::Text(_) => ValueType::String,
            Self::List(..) => ValueType::Array,
        }
    }

    pub fn of(value: &OwnedValue) -> Self {
        let number = |bytes: &[u8]| Self::Number(value.value_type(), bytes.to_vec());
        match value {
            OwnedValue::Uint8(n) => number(&n.to_le_bytes()),
            OwnedValue::Int8(n) => number(&n.to_le_bytes()),
            OwnedValue::Uint16(n) => number(&n.to_le_bytes()),
            OwnedValue::Int16(n) => number(&n.to_le_bytes()),
            OwnedValue::Uint32(n) => number(&n.to_le_bytes()),
            OwnedValue::Int32(n) => number(&n.to_le_bytes()),
            OwnedValue::Float32(n) => number(&n.to_le_bytes()),
            OwnedValue::Bool(flag) => number(&[u8::from(*flag)]),
            OwnedValue::String(text) => Self::Text(text.clone()),
            OwnedValue::Array { element_type, elements } => {
                Self::List(*element_type, elements.iter().map(Self::of).collect())
            }
            OwnedValue::Uint64(n) => number(&n.to_le_bytes()),
            OwnedValue::Int64(n) => number(&n.to_le_bytes()),
            OwnedValue::Float64(n) => number(&n.to_le_bytes()),
        }
    }

    /// What a reader sees; it does not see with which byte a BOOL is true.
    pub fn read(value: Value<'_>) -> Self {
        let number = |bytes: &[u8]| Self::Number(value.value_type(), bytes.to_vec());
        match value {
            Value::Uint8(n) => number(&n.to_le_bytes()),
            Value::Int8(n) => number(&n.to_le_bytes()),
            Value::Uint16(n) => number(&n.to_le_bytes()),
            Value::Int16(n) => number(&n.to_le_bytes()),
            Value::Uint32(n) => number(&n.to_le_bytes()),
            Value::Int32(n) => number(&n.to_le_bytes()),
            Value::Float32(n) => number(&n.to_le_bytes()),
            Value::Bool(flag) => number(&[u8::from(flag)]),
            Value::String(text) => Self::Text(text.to_bytes().into_owned()),
            Value::Array(array) => Self::List(array.element_type(), array.iter().map(Self::read).collect()),
            Value::Uint64(n) => number(&n.to_le_bytes()),
            Value::Int64(n) => number(&n.to_le_bytes()),
            Value::Float64(n) => number(&n.to_le_bytes()),
        }
    }

    /// As a reader sees it.
    pub fn seen(&self) -> Self {
        match self {
            Self::Number(ValueType::Bool, bytes) => Self::Number(ValueType::Bool, vec![u8::from(bytes[0] != 0)]),
            Self::List(element_type, elements) => Self::List(*element_type, elements.iter().map(Self::seen).collect()),
            other => other.clone(),
        }
    }

    pub fn to_owned_value(&self) -> OwnedValue {
        match self {
            Self::Text(text) => OwnedValue::String(text.clone()),
            Self::List(element_type, elements) => OwnedValue::Array {
                element_type: *element_type,
                elements: elements.iter().map(Self::to_owned_value).collect(),
            },
            Self::Number(value_type, bytes) => {
                let wide = wide(bytes);
                match value_type {
                    ValueType::Uint8 => OwnedValue::Uint8(wide as u8),
                    ValueType::Int8 => OwnedValue::Int8(wide as i8),
                    ValueType::Uint16 => OwnedValue::Uint16(wide as u16),
                    ValueType::Int16 => OwnedValue::Int16(wide as i16),
                    ValueType::Uint32 => OwnedValue::Uint32(wide as u32),
                    ValueType::Int32 => OwnedValue::Int32(wide as i32),
                    ValueType::Float32 => OwnedValue::Float32(f32::from_bits(wide as u32)),
                    ValueType::Bool => OwnedValue::Bool(wide != 0),
                    ValueType::Uint64 => OwnedValue::Uint64(wide),
                    ValueType::Int64 => OwnedValue::Int64(wide as i64),
                    ValueType::Float64 => OwnedValue::Float64(f64::from_bits(wide)),
                    ValueType::String | ValueType::Array => unreachable!("no number"),
                }
            }
        }
    }

    /// An integer's value.
    fn integer(&self) -> Option<i128> {
        let Self::Number(value_type, bytes) = self else { return None };
        let wide = wide(bytes);
        Some(match value_type {
            ValueType::Int8 => (wide as i8).into(),
            ValueType::Int16 => (wide as i16).into(),
            ValueType::Int32 => (wide as i32).into(),
            ValueType::Int64 => (wide as i64).into(),
            ValueType::Float32 | ValueType::Float64 | ValueType::Bool => return None,
            _ => wide.into(),
        })
    }

    fn float(&self) -> Option<f64> {
        match self {
            Self::Number(ValueType::Float32, bytes) => Some(f32::from_bits(wide(bytes) as u32).into()),
            Self::Number(ValueType::Float64, bytes) => Some(f64::from_bits(wide(bytes))),
            _ => None,
        }
    }

    /// Whether a NaN is in it, of which nobody says what bits it has as another type.
    pub fn has_nan(&self) -> bool {
        match self {
            Self::List(_, elements) => elements.iter().any(Self::has_nan),
            other => other.float().is_some_and(f64::is_nan),
        }
    }

    /// The same value as other types: exactly, but for floats.
    fn cast(&self, types: &[ValueType]) -> Option<Self> {
        match (self, types) {
            (Self::List(_, elements), [ValueType::Array, inner @ ..]) => {
                let element_type = *inner.first()?;
                let elements = elements.iter().map(|element| element.cast(inner)).collect::<Option<_>>()?;
                Some(Self::List(element_type, elements))
            }
            (Self::Text(_), [ValueType::String]) => Some(self.clone()),
            (Self::Text(text), [value_type]) => Self::cast_text(text, *value_type),
            (Self::Number(..), [ValueType::String]) => Some(Self::Text(self.text().into_bytes())),
            (Self::Number(..), [value_type]) => self.cast_number(*value_type),
            _ => None,
        }
    }

    /// The number that a text says.
    fn cast_text(text: &[u8], value_type: ValueType) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?.trim_ascii();
        let is_named = !text.bytes().any(|byte| byte.is_ascii_digit());
        let number = |bytes: &[u8]| Some(Self::Number(value_type, bytes.to_vec()));
        match (value_type, text) {
            (ValueType::Bool, "true") => number(&[1]),
            (ValueType::Bool, "false") => number(&[0]),
            (ValueType::Float32, _) => {
                let float: f32 = text.parse().ok()?;
                if float.is_infinite() && !is_named { None } else { number(&float.to_le_bytes()) }
            }
            (ValueType::Float64, _) => {
                let float: f64 = text.parse().ok()?;
                if float.is_infinite() && !is_named { None } else { number(&float.to_le_bytes()) }
            }
            _ => match text.parse::<i64>() {
                Ok(integer) => Self::Number(ValueType::Int64, integer.to_le_bytes().to_vec()).cast_number(value_type),
                Err(_) => match text.parse::<u64>() {
                    Ok(integer) => Self::Number(ValueType::Uint64, integer.to_le_bytes().to_vec()),
                    Err(_) => Self::Number(ValueType::Float64, text.parse::<f64>().ok()?.to_le_bytes().to_vec()),
                }
                .cast_number(value_type),
            },
        }
    }

    /// The text of a number, as JavaScript writes it.
    fn text(&self) -> String {
        let with_exponent = |size: f64| size != 0.0 && !(1e-6..1e21).contains(&size);
        let javascript = |positional: String, exponential: String, float: f64| match float {
            _ if float.is_nan() => "NaN".into(),
            _ if float.is_infinite() => if float > 0.0 { "Infinity" } else { "-Infinity" }.into(),
            _ if with_exponent(float.abs()) && float.abs() > 1.0 => exponential.replace('e', "e+"),
            _ if with_exponent(float.abs()) => exponential,
            _ => positional,
        };
        match self {
            Self::Number(ValueType::Bool, bytes) => (bytes[0] != 0).to_string(),
            Self::Number(ValueType::Float32, bytes) => {
                let float = f32::from_bits(wide(bytes) as u32);
                javascript(float.to_string(), format!("{float:e}"), float.into())
            }
            Self::Number(ValueType::Float64, bytes) => {
                let float = f64::from_bits(wide(bytes));
                javascript(float.to_string(), format!("{float:e}"), float)
            }
            other => other.integer().map_or(String::new(), |integer| integer.to_string()),
        }
    }

    fn cast_number(&self, value_type: ValueType) -> Option<Self> {
        let number = |bytes: &[u8]| Some(Self::Number(value_type, bytes.to_vec()));
        let flag = |value: &Self| match value {
            Self::Number(ValueType::Bool, bytes) => Some(i128::from(bytes[0] != 0)),
            _ => None,
        };
        let whole = |float: f64| (float.fract() == 0.0).then_some(float as i128);
        let integer = self.integer().or_else(|| flag(self));
        let as_integer = || integer.or_else(|| self.float().and_then(whole));
        match value_type {
            ValueType::Float32 => {
                let nearest = match integer {
                    Some(integer) => (integer as f32 as i128 == integer).then_some(integer as f32)?,
                    None => self.float()? as f32,
                };
                let overflows = nearest.is_infinite() && self.float().is_some_and(f64::is_finite);
                (!overflows).then(|| number(&nearest.to_le_bytes()))?
            }
            ValueType::Float64 => {
                let nearest = match integer {
                    Some(integer) => (integer as f64 as i128 == integer).then_some(integer as f64)?,
                    None => self.float()?,
                };
                number(&nearest.to_le_bytes())
            }
            ValueType::Bool => number(&[u8::try_from(as_integer()?).ok().filter(|byte| *byte < 2)?]),
            ValueType::Uint8 => number(&u8::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int8 => number(&i8::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Uint16 => number(&u16::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int16 => number(&i16::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Uint32 => number(&u32::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int32 => number(&i32::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Uint64 => number(&u64::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int64 => number(&i64::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::String | ValueType::Array => None,
        }
    }

    /// How many arrays are inside one another.
    pub fn depth(&self) -> usize {
        match self {
            Self::List(_, elements) => 1 + elements.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether every element is of the type that its array declares.
    fn is_uniform(&self) -> bool {
        match self {
            Self::List(element_type, elements) => {
                elements.iter().all(|element| element.value_type() == *element_type && element.is_uniform())
            }
            _ => true,
        }
    }

    /// Whether a type is in it that came with version 2.
    fn needs_version_2(&self) -> bool {
        let is_new = |value_type: ValueType| value_type.id() > 9;
        match self {
            Self::List(element_type, elements) => is_new(*element_type) || elements.iter().any(Self::needs_version_2),
            other => is_new(other.value_type()),
        }
    }

    /// How many bytes it takes where lengths take eight.
    fn size(&self) -> usize {
        self.encoded(Format { version: 3, endian: Endian::Little }).len()
    }

    /// As it stands in a file, after its type.
    pub fn encoded(&self, format: Format) -> Vec<u8> {
        let mut out = Out { format, bytes: Vec::new() };
        out.value(self);
        out.bytes
    }
}

fn wide(little_endian: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..little_endian.len()].copy_from_slice(little_endian);
    u64::from_le_bytes(bytes)
}

impl Tensor {
    /// How many bytes its data takes, if that can be told.
    pub fn length(&self) -> Option<u64> {
        let info = GgmlType(self.ggml_type).info().filter(|info| info.block_size > 0)?;
        let (block_size, type_size) = (u64::from(info.block_size), u64::from(info.type_size));
        if !self.dimensions.first().unwrap_or(&1).is_multiple_of(block_size) {
            return None;
        }
        if self.dimensions.contains(&0) {
            return Some(0);
        }
        let elements = self.dimensions.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent))?;
        (elements / block_size).checked_mul(type_size)
    }

    fn is_convertible(&self) -> bool {
        self.length().is_some() && GgmlType(self.ggml_type).info().is_some_and(|info| info.is_convertible)
    }
}

impl Model {
    pub fn alignment(&self) -> u64 {
        let first = self.entries.iter().find(|entry| entry.key == ALIGNMENT);
        let integer = first.and_then(|entry| entry.value.integer());
        integer.filter(|alignment| (1..1 << 32).contains(alignment)).map_or(32, |alignment| alignment as u64)
    }

    /// The header, with these offsets of the tensors.
    pub fn encoded(&self, offsets: &[u64]) -> Vec<u8> {
        let mut out = Out { format: self.format, bytes: b"GGUF".to_vec() };
        out.id(self.format.version);
        out.length(self.tensors.len() as u64);
        out.length(self.entries.len() as u64);
        for entry in &self.entries {
            out.text(&entry.key);
            out.id(entry.value.value_type().id());
            out.value(&entry.value);
        }
        for (tensor, offset) in self.tensors.iter().zip(offsets) {
            out.text(&tensor.name);
            out.id(tensor.dimensions.len() as u32);
            tensor.dimensions.iter().for_each(|extent| out.length(*extent));
            out.id(tensor.ggml_type);
            out.number(&offset.to_le_bytes());
        }
        out.bytes
    }

    pub fn old_offsets(&self) -> Vec<u64> {
        self.tensors.iter().map(|tensor| tensor.offset).collect()
    }

    pub fn find(&self, at: &At) -> Option<usize> {
        match at {
            At::Name(key) => self.entries.iter().position(|entry| entry.key == *key),
            At::Index(index) => Some(*index).filter(|index| *index < self.entries.len()),
        }
    }

    pub fn find_tensor(&self, at: &At) -> Option<usize> {
        match at {
            At::Name(name) => self.tensors.iter().position(|tensor| tensor.name == *name),
            At::Index(index) => Some(*index).filter(|index| *index < self.tensors.len()),
        }
    }

    /// Why a value cannot be that of a key.
    fn misfits(&self, key: Option<&[u8]>, value: &Val) -> Refusal {
        let mut refusal = Refusal::new();
        if !value.is_uniform() {
            refusal.push("does-not-fit");
        }
        if value.depth() > 64 {
            refusal.push("limit-exceeded");
        }
        if self.format.version == 1 && value.needs_version_2() {
            refusal.push("does-not-fit");
        }
        if key.is_some_and(|key| is_bad_alignment(key, value)) {
            refusal.push("bad-alignment");
        }
        refusal
    }

    fn bad_key(&self, entry: Option<usize>, key: &[u8]) -> Refusal {
        let mut refusal = Refusal::new();
        if key.is_empty() || key.len() > 65_535 {
            refusal.push("bad-key");
        }
        if self.find(&At::Name(key.to_vec())).is_some_and(|other| Some(other) != entry) {
            refusal.push("key-taken");
        }
        refusal
    }

    fn done(&mut self, refusal: Refusal, change: impl FnOnce(&mut Self)) -> Result<(), Refusal> {
        if !refusal.is_empty() {
            return Err(refusal);
        }
        let before = self.clone();
        change(self);
        self.changes += 1;
        if self.says_the_same_as(&before) {
            *self = before;
        }
        Ok(())
    }

    /// Whether nothing has changed since `before`.
    fn says_the_same_as(&self, before: &Self) -> bool {
        let entries = |model: &Self| -> Vec<_> {
            model.entries.iter().map(|entry| (entry.origin, entry.key.clone(), entry.value.clone())).collect()
        };
        let names = |model: &Self| -> Vec<_> { model.tensors.iter().map(|tensor| tensor.name.clone()).collect() };
        (self.format, self.is_repacked) == (before.format, before.is_repacked)
            && entries(self) == entries(before)
            && names(self) == names(before)
    }

    pub fn set(&mut self, at: &At, value: &Val) -> Result<(), Refusal> {
        let found = self.find(at);
        let mut refusal = self.misfits(found.map(|entry| &*self.entries[entry].key), value);
        let Some(entry) = found else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        if !refusal.is_empty() {
            return Err(refusal);
        }
        // Also to what it is.
        self.changes += 1;
        let entry = &mut self.entries[entry];
        // The type, too.
        entry.new_bytes += 4 + value.size();
        entry.is_value_new = true;
        entry.value = value.clone();
        Ok(())
    }

    pub fn add(&mut self, position: Option<usize>, key: &[u8], value: &Val) -> Result<(), Refusal> {
        let mut refusal = self.misfits(Some(key), value);
        refusal.extend(self.bad_key(None, key));
        let position = position.unwrap_or(self.entries.len());
        if position > self.entries.len() {
            refusal.push("out-of-range");
        }
        self.done(refusal, |model| {
            let entry = Entry {
                origin: None,
                addition: Some(model.changes),
                key: key.to_vec(),
                value: value.clone(),
                is_key_new: true,
                is_value_new: true,
                new_bytes: 12 + key.len() + value.size(),
            };
            model.entries.insert(position, entry);
        })
    }

    pub fn remove(&mut self, at: &At) -> Result<(), Refusal> {
        let entry = self.find(at).ok_or(["unknown-key"])?;
        self.done(Vec::new(), |model| {
            model.entries.remove(entry);
        })
    }

    pub fn rename(&mut self, at: &At, key: &[u8]) -> Result<(), Refusal> {
        let found = self.find(at);
        let mut refusal = self.bad_key(found, key);
        let Some(entry) = found else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        if is_bad_alignment(key, &self.entries[entry].value) {
            refusal.push("bad-alignment");
        }
        self.done(refusal, |model| {
            let entry = &mut model.entries[entry];
            entry.key = key.to_vec();
            entry.is_key_new = true;
            entry.new_bytes += 12 + key.len();
        })
    }

    pub fn retype(&mut self, at: &At, types: &[ValueType]) -> Result<(), Refusal> {
        let entry = self.find(at).ok_or(["unknown-key"])?;
        match self.entries[entry].value.cast(types) {
            Some(value) => self.set(&At::Index(entry), &value),
            None => Err(vec!["does-not-fit"]),
        }
    }

    pub fn move_to(&mut self, at: &At, position: usize) -> Result<(), Refusal> {
        let found = self.find(at);
        let mut refusal = Refusal::new();
        if position >= self.entries.len() {
            refusal.push("out-of-range");
        }
        let Some(entry) = found else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        self.done(refusal, |model| {
            let entry = model.entries.remove(entry);
            model.entries.insert(position, entry);
        })
    }

    pub fn splice(&mut self, at: &At, range: Range<u64>, inserted: Option<&Val>) -> Result<(), Refusal> {
        let mut refusal = inserted.map_or(Vec::new(), |value| self.misfits(None, value));
        let Some(entry) = self.find(at) else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        let Val::List(element_type, elements) = &self.entries[entry].value else {
            refusal.push("does-not-fit");
            return Err(refusal);
        };
        if range.start > range.end || range.end > elements.len() as u64 {
            refusal.push("out-of-range");
        }
        let more = match inserted {
            None => Vec::new(),
            Some(Val::List(inserted_type, elements)) if inserted_type == element_type => elements.clone(),
            Some(_) => {
                refusal.push("does-not-fit");
                Vec::new()
            }
        };
        if !refusal.is_empty() {
            return Err(refusal);
        }
        // Whether other elements are put in than were there is not looked at.
        if !range.is_empty() || !more.is_empty() {
            self.changes += 1;
            let entry = &mut self.entries[entry];
            // Element type and length, too.
            entry.new_bytes += 16 + inserted.map_or(0, Val::size);
            entry.is_value_new = true;
            if let Val::List(_, elements) = &mut entry.value {
                elements.splice(range.start as usize..range.end as usize, more);
            }
        }
        Ok(())
    }

    pub fn rename_tensor(&mut self, at: &At, name: &[u8]) -> Result<(), Refusal> {
        let found = self.find_tensor(at);
        let mut refusal = Refusal::new();
        if name.len() > 63 || name.contains(&0) {
            refusal.push("bad-name");
        }
        if self.find_tensor(&At::Name(name.to_vec())).is_some_and(|other| Some(other) != found) {
            refusal.push("name-taken");
        }
        let Some(tensor) = found else {
            refusal.push("unknown-tensor");
            return Err(refusal);
        };
        self.done(refusal, |model| {
            model.tensors[tensor].name = name.to_vec();
            model.tensors[tensor].is_name_new = true;
        })
    }

    pub fn remove_tensor(&mut self, at: &At) -> Result<(), Refusal> {
        let tensor = self.find_tensor(at).ok_or(["unknown-tensor"])?;
        self.done(Vec::new(), |model| {
            model.tensors.remove(tensor);
        })
    }

    pub fn repack(&mut self) {
        // Cannot be refused.
        let _ = self.done(Vec::new(), |model| model.is_repacked = true);
    }

    pub fn set_alignment(&mut self, alignment: u32) -> Result<(), Refusal> {
        let (at, value) = (At::Name(ALIGNMENT.to_vec()), Val::of(&alignment.into()));
        if self.find(&at).is_some() { self.set(&at, &value) } else { self.add(None, ALIGNMENT, &value) }
    }

    pub fn set_version(&mut self, version: u32) -> Result<(), Refusal> {
        let is_possible = version == 3 || version == self.format.version;
        let refusal = if is_possible { Vec::new() } else { vec!["unsupported-version"] };
        self.done(refusal, |model| model.format.version = version)
    }

    pub fn set_byte_order(&mut self, endian: Endian) {
        // Cannot be refused before it is known what tensors are left.
        let _ = self.done(Vec::new(), |model| model.format.endian = endian);
    }
}

fn is_bad_alignment(key: &[u8], value: &Val) -> bool {
    let is_good = |alignment: i128| alignment >= 8 && (alignment as u64).is_power_of_two();
    key == ALIGNMENT && !(value.value_type() == ValueType::Uint32 && value.integer().is_some_and(is_good))
}

impl Old {
    pub fn new(model: Model, bytes: Vec<u8>) -> Self {
        let header_size = model.encoded(&model.old_offsets()).len() as u64;
        let data_offset = header_size.next_multiple_of(model.alignment());
        Self { bytes, header_size, data_offset, model }
    }

    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether the file ends before its header or its data does.
    pub fn is_truncated(&self) -> bool {
        let ends_after = |tensor: &Tensor| {
            let least = tensor.length().unwrap_or(1);
            let end = u128::from(self.data_offset) + u128::from(tensor.offset) + u128::from(least);
            least > 0 && end > self.size().into()
        };
        self.size() < self.header_size || self.model.tensors.iter().any(ends_after)
    }

    /// The bytes of a tensor of a file that is not truncated: all up to the next one, if it is not known how many.
    pub fn extent(&self, tensor: &Tensor) -> Range<u64> {
        if tensor.length() == Some(0) {
            return 0..0;
        }
        let start = self.data_offset + tensor.offset;
        if let Some(length) = tensor.length() {
            return start..start + length;
        }
        let with_bytes = self.model.tensors.iter().filter(|tensor| tensor.length() != Some(0));
        let offsets = with_bytes.map(|tensor| tensor.offset);
        let next = offsets.filter(|offset| *offset > tensor.offset).min();
        let end = next.and_then(|next| next.checked_add(self.data_offset)).unwrap_or(u64::MAX);
        start..end.min(self.size())
    }

    /// What follows the last tensor and its padding.
    pub fn trailing(&self) -> Range<u64> {
        let first = if self.model.tensors.is_empty() { self.header_size } else { self.data_offset };
        let ends = self.model.tensors.iter().map(|tensor| self.extent(tensor).end);
        let end = ends.max().unwrap_or(first).max(first);
        let alignment = if self.model.tensors.is_empty() { 1 } else { self.model.alignment() };
        end.next_multiple_of(alignment).min(self.size())..self.size()
    }

    /// The errors of which one must come when a file is planned.
    fn refusal(&self, model: &Model) -> Refusal {
        let mut refusal = Refusal::new();
        if model.changes > 0 && self.is_truncated() {
            refusal.push("truncated");
        }
        let swaps = model.format.endian != self.model.format.endian;
        let has_no_order = |tensor: &Tensor| tensor.length() != Some(0) && !tensor.is_convertible();
        if swaps && model.tensors.iter().any(has_no_order) {
            refusal.push("no-byte-order");
        }
        refusal
    }

    /// Whether the data section cannot stay as it is.
    pub fn is_placed_anew(&self, model: &Model) -> bool {
        model.is_repacked
            || model.alignment() != self.model.alignment()
            || model.tensors.len() != self.model.tensors.len()
            || model.format.endian != self.model.format.endian
    }

    /// The file that `model` says.
    pub fn expected(&self, model: &Model) -> Result<Expected, Refusal> {
        let refusal = self.refusal(model);
        if !refusal.is_empty() {
            return Err(refusal);
        }
        if model.changes == 0 {
            return Ok(Expected {
                bytes: self.bytes.clone(),
                header_size: self.header_size,
                data_offset: self.data_offset,
                copies: Vec::new(),
                is_in_place: true,
            });
        }
        let alignment = model.alignment();
        let mut offsets = model.old_offsets();
        let (mut running, mut length) = (0_u64, 0);
        if self.is_placed_anew(model) {
            for (offset, tensor) in offsets.iter_mut().zip(&model.tensors) {
                *offset = running;
                let extent = self.extent(tensor);
                length += extent.end - extent.start;
                running = (running + extent.end - extent.start).next_multiple_of(alignment);
            }
        }
        let mut bytes = model.encoded(&offsets);
        let header_size = bytes.len() as u64;
        let data_offset = header_size.next_multiple_of(alignment);
        let is_padded = self.is_placed_anew(model) && !model.tensors.is_empty();
        if is_padded && data_offset - header_size + running - length > MOST_PADDING {
            return Err(vec!["too-large"]);
        }
        let mut copies = Vec::new();
        let mut copy = |bytes: &mut Vec<u8>, range: Range<u64>| {
            if !range.is_empty() {
                copies.push((bytes.len() as u64, range.clone()));
                bytes.extend(&self.bytes[range.start as usize..range.end as usize]);
            }
        };
        if self.is_placed_anew(model) {
            let swaps = model.format.endian != self.model.format.endian;
            // Padding would become part of a tensor whose size cannot be computed.
            let mut may_be_padded = !model.tensors.is_empty();
            for (tensor, offset) in model.tensors.iter().zip(offsets) {
                let extent = self.extent(tensor);
                if extent.is_empty() {
                    continue;
                }
                may_be_padded = tensor.length().is_some();
                bytes.resize((data_offset + offset) as usize, 0);
                let info = GgmlType(tensor.ggml_type).info();
                match info.filter(|info| swaps && !info.fields.is_empty()) {
                    None => copy(&mut bytes, extent),
                    Some(info) => {
                        let start = bytes.len();
                        bytes.extend(&self.bytes[extent.start as usize..extent.end as usize]);
                        info.swap_byte_order(&mut bytes[start..]);
                    }
                }
            }
            if may_be_padded {
                let end = bytes.len().max(data_offset as usize);
                bytes.resize(end.next_multiple_of(alignment as usize), 0);
            }
            copy(&mut bytes, self.trailing());
        } else if header_size == self.header_size
            || (model.tensors.is_empty() && self.data_offset != self.size())
            || self.data_offset > self.size()
        {
            copy(&mut bytes, self.header_size..self.size());
        } else {
            bytes.resize(data_offset as usize, 0);
            copy(&mut bytes, self.data_offset..self.size());
        }
        let is_in_place = bytes.len() == self.bytes.len()
            && copies.iter().all(|(new, old)| *new == old.start)
            && covered(&copies) >= (bytes.len() as u64).saturating_sub(data_offset.max(header_size));
        Ok(Expected { bytes, header_size, data_offset, copies, is_in_place })
    }
}

fn covered(copies: &[(u64, Range<u64>)]) -> u64 {
    copies.iter().map(|(_, range)| range.end - range.start).sum()
}

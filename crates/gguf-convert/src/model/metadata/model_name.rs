//! The parts of the name of a model: `org/Base-7B-Instruct-v0.2`.

#[cfg(test)]
mod tests;

use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec::Vec};

use super::python_text::is_decimal;
use gguf_format::decimal::float64;

/// The parts of a name. `None` for a part that the name does not have.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ModelName {
    pub name: Option<String>,
    pub organization: Option<String>,
    pub basename: Option<String>,
    pub finetune: Option<String>,
    pub version: Option<String>,
    pub size_label: Option<String>,
}

/// A word of a name, and what it may be.
#[derive(Default)]
struct Part {
    text: String,
    is_basename: bool,
    is_size: bool,
    is_finetune: bool,
    is_version: bool,
    is_type: bool,
}

impl Part {
    fn is_open(&self) -> bool {
        !(self.is_basename || self.is_size || self.is_finetune || self.is_version || self.is_type)
    }
}

impl ModelName {
    /// Takes a name apart. A size that does not fit the number of parameters counts as a length of the context. The number is
    /// negative for an adapter, and 0 if it is not known.
    pub fn parse(id: &str, parameters: i64) -> Self {
        if id.contains(' ') {
            // A name for people.
            return Self { name: Some(id.into()), ..Self::default() };
        }
        let (organization, full) = match id.split_once('/') {
            Some((organization, full)) => (Some(organization).filter(|text| !text.starts_with('.')), full),
            None => (None, id),
        };
        let mut parts: Vec<Part> = full
            .split('-')
            .filter(|text| !text.is_empty())
            .map(|text| Part { text: text.into(), ..Part::default() })
            .collect();
        for (place, part) in parts.iter_mut().enumerate() {
            annotate(part, place > 0, parameters);
        }
        // Words such as "small" count only if no number says the size.
        let has_number = parts.iter().any(|part| part.is_size && part.text.contains(is_decimal));
        for part in parts.iter_mut().filter(|part| has_number && part.text.chars().all(char::is_alphabetic)) {
            part.is_size = false;
        }
        find_basename(&mut parts);
        let joined = |chosen: &dyn Fn(&Part) -> bool| {
            let mut texts: Vec<&str> = Vec::new();
            texts.extend(parts.iter().filter(|part| chosen(part)).map(|part| part.text.as_str()));
            (!texts.is_empty()).then(|| texts.join("-"))
        };
        let (mut sizes, mut known) = (Vec::new(), BTreeSet::new());
        sizes.extend(
            parts.iter().filter(|part| part.is_size && known.insert(&part.text)).map(|part| part.text.as_str()),
        );
        let size_label = (!sizes.is_empty()).then(|| sizes.join("-"));
        let finetune = joined(&|part| part.is_finetune);
        let version = joined(&|part| part.is_version && !part.is_basename);
        // A name of plain words alone could mean anything.
        let is_clear = size_label.is_some() || finetune.is_some() || version.is_some();
        let basename = joined(&|part| part.is_basename).filter(|_| is_clear);
        Self {
            name: Some(full.into()),
            organization: organization.map(ToOwned::to_owned),
            basename,
            finetune,
            version,
            size_label,
        }
    }
}

/// Finds out what a word is.
fn annotate(part: &mut Part, is_after_first: bool, parameters: i64) {
    if is_version(&part.text) {
        part.is_version = true;
    } else if is_type(&part.text) {
        part.is_type = true;
        part.text = part.text.to_uppercase();
    } else if is_after_first && is_size(&part.text) {
        annotate_size(part, parameters);
    } else if is_after_first
        && ["chat", "instruct", "vision", "lora"].iter().any(|word| part.text.eq_ignore_ascii_case(word))
    {
        match parameters < 0 && part.text.eq_ignore_ascii_case("lora") {
            true => part.is_type = true,
            false => part.is_finetune = true,
        }
    }
}

fn annotate_size(part: &mut Part, parameters: i64) {
    let mut text: Vec<char> = part.text.replace('_', ".").chars().collect();
    // 7b1 stands for 7.1b.
    if let [.., unit, last] = text[..]
        && is_decimal(last)
    {
        text.truncate(text.len() - 2);
        text.extend(['.', last, unit]);
    }
    if let [.., digit, unit @ ('k' | 'm' | 'b' | 't')] = text[..]
        && is_decimal(digit)
    {
        text.pop();
        text.push(unit.to_ascii_uppercase());
    }
    let fits = match (parameters, size_of_label(&text)) {
        (0, _) | (_, None) => true,
        (..0, Some(size)) => size >= (parameters.unsigned_abs() / 8) as f64,
        (1.., Some(size)) => (size - parameters as f64).abs() <= (7 * i128::from(parameters) / 8) as f64,
    };
    if !fits {
        // Probably the length of the context.
        part.is_finetune = true;
        if let Some(last) = text.pop() {
            text.extend(last.to_lowercase());
        }
    } else {
        part.is_size = true;
    }
    part.text = text.into_iter().collect();
}

/// The number of parameters that a size says. `None` if it is no number.
fn size_of_label(text: &[char]) -> Option<f64> {
    let (last, number) = text.split_last()?;
    let number = float64(&number.iter().collect::<String>())?;
    Some(
        number
            * match last {
                'K' => 1e3,
                'M' => 1e6,
                'B' => 1e9,
                'T' => 1e12,
                // Python looks for the letter in a list, and takes -1 for one that is not there.
                _ => 1e-3,
            },
    )
}

/// Whether a word is a version: `v0.2`, `2.5`, `iter3`.
fn is_version(text: &str) -> bool {
    let lower = text.to_lowercase();
    let numbers = lower.strip_prefix("iter").or_else(|| lower.strip_prefix('v')).unwrap_or(&lower);
    numbers.split('.').all(|number| !number.is_empty() && number.chars().all(is_decimal))
}

/// Whether a word is the type of tensors: `q4_K_M`, `iq2_xs`, `fp16`, `bf16`.
fn is_type(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_float = || {
        let rest = lower.strip_prefix('b').unwrap_or(&lower);
        let digits = rest.strip_prefix('f').map(|rest| rest.strip_prefix('p').unwrap_or(rest));
        matches!(digits, Some("16" | "32"))
    };
    let is_quantized = || {
        let mut parts = lower.strip_prefix('i').unwrap_or(&lower).split('_');
        let first = parts.next().and_then(|first| first.strip_prefix('q'));
        let is_one = |text: &str, test: fn(char) -> bool| text.chars().count() == 1 && text.chars().all(test);
        first.is_some_and(|first| is_one(first, is_decimal))
            && parts.all(|part| is_one(part, |found| found.is_alphanumeric()))
    };
    is_float() || is_quantized()
}

/// Whether a word is a size: `7B`, `8x7B`, `A2.7B`, `7b1`, `small`.
fn is_size(text: &str) -> bool {
    let lower = text.to_lowercase();
    if matches!(lower.as_str(), "small" | "mini" | "medium" | "large" | "xl" | "xxl") {
        return true;
    }
    let digits = |text: &str| text.chars().take_while(|found| is_decimal(*found)).map(char::len_utf8).sum::<usize>();
    let mut rest = lower.as_str();
    // The number of experts, or the mark of active parameters.
    if let Some(active) = rest.strip_prefix('a') {
        rest = active;
    } else if let Some(after) =
        rest.get(digits(rest)..).filter(|_| digits(rest) > 0).and_then(|rest| rest.strip_prefix('x'))
    {
        rest = after;
    }
    let whole = digits(rest);
    if whole == 0 {
        return false;
    }
    rest = &rest[whole..];
    if let Some(after) = rest.strip_prefix(['.', '_']).filter(|after| digits(after) > 0) {
        rest = &after[digits(after)..];
    }
    let Some(after) = rest.strip_prefix(['k', 'm', 'b', 't']) else { return false };
    after.is_empty() || after.chars().count() == 1 && after.chars().all(is_decimal)
}

/// Finds the words of the basename: those at the start that are nothing else, and versions between them.
fn find_basename(parts: &mut [Part]) {
    let mut is_at_start = true;
    for part in parts.iter_mut() {
        let begins_with_letter = part.text.chars().next().is_some_and(char::is_alphabetic);
        if is_at_start && (part.is_open() && begins_with_letter || part.is_version) {
            part.is_basename = true;
        } else {
            is_at_start = false;
            if part.is_open() {
                part.is_finetune = true;
            }
        }
    }
    // A version at the end belongs to no basename.
    for part in parts.iter_mut().rev() {
        if !(part.is_basename && part.is_version) {
            break;
        }
        part.is_basename = false;
    }
}

//! Scalars of YAML.

use alloc::{string::String, vec::Vec};

use serde_json::Value;

/// A line without the comment at its end.
pub(super) fn without_comment(text: &str) -> &str {
    match text.find(" #") {
        _ if text.starts_with('#') => "",
        Some(at) => &text[..at],
        None => text,
    }
}

/// Adds a line to a text: as a space, or as line breaks if empty lines were between.
pub(super) fn fold(text: &mut String, part: &str, breaks: usize) {
    match breaks {
        0 => text.push(' '),
        _ => text.extend(core::iter::repeat_n('\n', breaks)),
    }
    text.push_str(part);
}

/// The value of a text without quotes.
pub(super) fn resolved(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Value::Bool(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Value::Bool(false),
        text if is_number(text) => {
            let digits = text.replace('_', "");
            digits
                .parse::<i64>()
                .map(Value::from)
                .or_else(|_| digits.parse::<f64>().map(Value::from))
                .unwrap_or_else(|_| 0.into())
        }
        text => Value::String(text.into()),
    }
}

/// Whether a text is a number in YAML 1.1.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let all = |text: &str, test: &dyn Fn(char) -> bool| {
        !text.is_empty() && text.chars().all(|found| found == '_' || test(found))
    };
    let digits = |text: &str| {
        text.starts_with(|found: char| found.is_ascii_digit()) && all(text, &|found| found.is_ascii_digit())
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    if let Some(rest) = unsigned.strip_prefix("0x") {
        return all(rest, &|found| found.is_ascii_hexdigit());
    }
    if let Some(rest) = unsigned.strip_prefix("0b") {
        return all(rest, &|found| matches!(found, '0' | '1'));
    }
    if digits(unsigned) {
        // A number with 8 or 9 that begins with 0 is no octal number.
        return !unsigned.starts_with('0') || unsigned == "0" || all(unsigned, &|found| matches!(found, '0'..='7'));
    }
    if let Some((first, rest)) = unsigned.split_once(':') {
        // Base 60: `1:30`.
        let is_place = |place: &str| place.len() <= 2 && place.parse::<u8>().is_ok_and(|place| place < 60);
        return digits(first) && rest.split(':').all(|place| is_place(place.split('.').next().unwrap_or_default()));
    }
    let Some((whole, fraction)) = unsigned.split_once('.') else { return false };
    let (fraction, exponent) = match fraction.find(['e', 'E']) {
        Some(at) => (&fraction[..at], Some(&fraction[at + 1..])),
        None => (fraction, None),
    };
    let is_exponent = exponent.is_none_or(|text| text.strip_prefix(['+', '-']).is_some_and(digits));
    let is_fraction = fraction.is_empty() || all(fraction, &|found| found.is_ascii_digit());
    is_exponent && is_fraction && (digits(whole) || whole.is_empty() && !fraction.is_empty())
}

/// The text of a block: `|` keeps line breaks, `>` makes spaces of them. `-` and `+` say what becomes of those at its end. `None` if
/// the header has other signs.
pub(super) fn block(header: &str, lines: &[String]) -> Option<String> {
    let (style, keeps) = match header {
        "|" => ('|', ' '),
        "|-" => ('|', '-'),
        "|+" => ('|', '+'),
        ">" => ('>', ' '),
        ">-" => ('>', '-'),
        ">+" => ('>', '+'),
        _ => return None,
    };
    let used = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let (lines, trailing) = lines.split_at(used);
    let mut text = String::new();
    let mut breaks = 0;
    for (place, line) in lines.iter().enumerate() {
        if style == '|' || place == 0 {
            if place > 0 {
                text.push('\n');
            }
            text.push_str(line);
            continue;
        }
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        // Lines with more indentation keep their breaks.
        let is_kept = line.starts_with(' ')
            || lines[..place].iter().rfind(|line| !line.is_empty()).is_some_and(|line| line.starts_with(' '));
        match is_kept {
            true => {
                text.extend(core::iter::repeat_n('\n', breaks + 1));
                text.push_str(line);
            }
            false => fold(&mut text, line, breaks),
        }
        breaks = 0;
    }
    let ends: Vec<char> = match keeps {
        '-' => Vec::new(),
        '+' => core::iter::repeat_n('\n', trailing.len() + usize::from(used > 0)).collect(),
        _ => core::iter::repeat_n('\n', usize::from(used > 0)).collect(),
    };
    text.extend(ends);
    Some(text)
}

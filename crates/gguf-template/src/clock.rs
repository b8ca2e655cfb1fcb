//! Times as `strftime` of C writes them, in the locale C and in UTC.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A time of day of a date.
struct Time {
    seconds: i64,
    second: i64,
    minute: i64,
    hour: i64,
    day: i64,
    month: i64,
    year: i64,
    week_day: i64,
    /// From 0.
    year_day: i64,
}

/// How a conversion is written.
#[derive(Clone, Copy)]
struct Style {
    /// What fills a number: a zero, a blank, or nothing. `None` is the usual one.
    pad: Option<char>,
    width: usize,
    is_upper: bool,
    is_swapped: bool,
}

/// The time in a format. `None` if the result is longer than 99 bytes.
pub(crate) fn strftime(format: &[u8], seconds: i64) -> Option<Vec<u8>> {
    let time = Time::of(seconds.clamp(-62_135_596_800, 253_402_300_799));
    let mut out = Vec::new();
    time.write(format, &mut out)?;
    Some(out)
}

impl Time {
    fn of(seconds: i64) -> Time {
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = date(days);
        Time {
            seconds,
            second: rest % 60,
            minute: rest / 60 % 60,
            hour: rest / 3600,
            day,
            month,
            year,
            week_day: (days + 4).rem_euclid(7),
            year_day: days - day_number(year),
        }
    }

    fn write(&self, format: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let mut bytes = format;
        while let [byte, rest @ ..] = bytes {
            bytes = rest;
            // As in C, a zero ends the format.
            if *byte == 0 {
                break;
            }
            if *byte != b'%' {
                out.push(*byte);
            } else {
                let start = format.len() - bytes.len() - 1;
                let mut style = Style { pad: None, width: 0, is_upper: false, is_swapped: false };
                let text = self.conversion(&mut bytes, &mut style);
                // An unknown conversion is copied, and padded.
                let raw = &format[start..format.len() - bytes.len()];
                style.push(text.as_ref().map_or(raw, |text| text.as_bytes()), text.is_some(), out);
            }
            if out.len() > 99 {
                return None;
            }
        }
        Some(())
    }

    /// Reads what stands after `%`.
    fn conversion(&self, bytes: &mut &[u8], style: &mut Style) -> Option<String> {
        let mut take = || {
            let (first, rest) = bytes.split_first()?;
            *bytes = rest;
            Some(*first)
        };
        let mut byte = take()?;
        loop {
            match byte {
                b'_' => style.pad = Some(' '),
                b'-' => style.pad = Some('-'),
                b'0' => style.pad = Some('0'),
                b'^' => style.is_upper = true,
                b'#' => style.is_swapped = true,
                _ => break,
            }
            byte = take()?;
        }
        while byte.is_ascii_digit() {
            style.width = (style.width * 10 + usize::from(byte - b'0')).min(200);
            byte = take()?;
        }
        let modifier = byte;
        if matches!(modifier, b'E' | b'O') {
            byte = take()?;
        }
        // The modifiers change nothing in the locale C, but not every conversion takes them.
        let refused: &[u8] = match modifier {
            b'E' => b"aAbhBDdeFHIkljMmSUVgGWw",
            b'O' => b"aAcDFxXY",
            _ => b"",
        };
        if refused.contains(&byte) { None } else { self.convert(byte, *style) }
    }

    fn convert(&self, kind: u8, style: Style) -> Option<String> {
        let word = |text: &str| Some(style.word(text));
        let upper = |text: &str| Some(Style { is_upper: style.is_upper || style.is_swapped, ..style }.word(text));
        let nested = |format: &str| {
            let mut out = Vec::new();
            self.write(format.as_bytes(), &mut out)?;
            Some(style.word(&String::from_utf8_lossy(&out)))
        };
        let (day_name, month_name) = (DAYS[self.week_day as usize], MONTHS[self.month as usize - 1]);
        match kind {
            b'%' => word("%"),
            b'n' => word("\n"),
            b't' => word("\t"),
            b'a' => upper(day_name.get(..3)?),
            b'A' => upper(day_name),
            b'b' | b'h' => upper(month_name.get(..3)?),
            b'B' => upper(month_name),
            b'p' => Some(style.word(if self.hour < 12 { "AM" } else { "PM" })).map(|text| style.lowered(text)),
            b'P' => Some(Style { is_upper: false, ..style }.word(if self.hour < 12 { "am" } else { "pm" })),
            b'c' => nested("%a %b %e %H:%M:%S %Y"),
            b'D' | b'x' => nested("%m/%d/%y"),
            b'F' => nested("%Y-%m-%d"),
            b'r' => nested("%I:%M:%S %p"),
            b'R' => nested("%H:%M"),
            b'T' | b'X' => nested("%H:%M:%S"),
            b's' => word(&format!("{}", self.seconds)),
            b'z' => Some(style.word("+") + &style.number(0, 4, '0')),
            b'Z' => Some(style.lowered(style.word("UTC"))),
            _ => self.number(kind).map(|(value, digits, pad)| style.number(value, digits, pad)),
        }
    }

    /// The number of a conversion, its digits, and what it is filled with.
    fn number(&self, kind: u8) -> Option<(i64, usize, char)> {
        let hour = (self.hour + 11) % 12 + 1;
        let (iso_year, iso_week) = self.iso_week();
        Some(match kind {
            b'C' => (self.year.div_euclid(100), 2, '0'),
            b'd' => (self.day, 2, '0'),
            b'e' => (self.day, 2, ' '),
            b'g' => (iso_year.rem_euclid(100), 2, '0'),
            b'G' => (iso_year, 1, '0'),
            b'H' => (self.hour, 2, '0'),
            b'I' => (hour, 2, '0'),
            b'j' => (self.year_day + 1, 3, '0'),
            b'k' => (self.hour, 2, ' '),
            b'l' => (hour, 2, ' '),
            b'm' => (self.month, 2, '0'),
            b'M' => (self.minute, 2, '0'),
            b'S' => (self.second, 2, '0'),
            b'u' => ((self.week_day + 6) % 7 + 1, 1, '0'),
            b'U' => ((self.year_day + 7 - self.week_day) / 7, 2, '0'),
            b'V' => (iso_week, 2, '0'),
            b'w' => (self.week_day, 1, '0'),
            b'W' => ((self.year_day + 7 - (self.week_day + 6) % 7) / 7, 2, '0'),
            b'y' => (self.year.rem_euclid(100), 2, '0'),
            b'Y' => (self.year, 1, '0'),
            _ => return None,
        })
    }

    /// The year and the week of ISO 8601.
    fn iso_week(&self) -> (i64, i64) {
        let monday = (self.week_day + 6) % 7;
        let week = (self.year_day - monday + 10).div_euclid(7);
        if week < 1 {
            return (self.year - 1, weeks(self.year - 1));
        }
        if week > weeks(self.year) { (self.year + 1, 1) } else { (self.year, week) }
    }
}

impl Style {
    fn number(self, value: i64, digits: usize, pad: char) -> String {
        let pad = self.pad.unwrap_or(pad);
        let width = self.width.max(digits);
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = match pad {
            '-' => write!(text, "{value:width$}", width = self.width),
            ' ' => write!(text, "{value:width$}"),
            _ => write!(text, "{value:0width$}"),
        };
        text
    }

    fn word(self, text: &str) -> String {
        let mut word = String::new();
        let blank = if self.pad == Some('0') { '0' } else { ' ' };
        (text.len()..self.width).for_each(|_| word.push(blank));
        word.push_str(text);
        if self.is_upper { word.to_ascii_uppercase() } else { word }
    }

    /// Adds the text of a conversion, or the conversion itself if it is unknown. Only that is not yet padded.
    fn push(self, text: &[u8], is_known: bool, out: &mut Vec<u8>) {
        if !is_known {
            let blank = if self.pad == Some('0') { b'0' } else { b' ' };
            out.extend((text.len()..self.width).map(|_| blank));
        }
        let start = out.len();
        out.extend(text);
        let is_upper = self.is_upper || self.is_swapped && matches!(text.last(), Some(b'b' | b'h'));
        if !is_known && is_upper {
            out[start..].make_ascii_uppercase();
        }
    }

    fn lowered(self, text: String) -> String {
        if self.is_swapped { text.to_ascii_lowercase() } else { text }
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The number of ISO weeks of a year.
fn weeks(year: i64) -> i64 {
    // The week day of January 1, where Monday is 0. The year 1970 began on a Thursday.
    let first = (day_number(year) + 3).rem_euclid(7);
    if first == 3 || first == 2 && is_leap(year) { 53 } else { 52 }
}

/// The days from 1970-01-01 to January 1 of a year.
fn day_number(year: i64) -> i64 {
    let before = year - 1;
    (year - 1970) * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 477
}

/// The date of a day, counted from 1970-01-01.
fn date(days: i64) -> (i64, i64, i64) {
    let mut year = 1970 + days.div_euclid(366);
    while day_number(year + 1) <= days {
        year += 1;
    }
    let mut rest = days - day_number(year);
    let mut month = 1;
    loop {
        let length = match month {
            2 => 28 + i64::from(is_leap(year)),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if rest < length {
            return (year, month, rest + 1);
        }
        rest -= length;
        month += 1;
    }
}

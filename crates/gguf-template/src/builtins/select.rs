//! `selectattr` and `rejectattr`. Under the names `select` and `reject`, llama.cpp has the same filters.

use alloc::string::String;
use alloc::vec::Vec;

use super::tests::find;
use crate::error::{Outcome, failed, shortened};
use crate::values::value::{Call, Value};

pub(super) fn select(call: &Call) -> Outcome<Value> {
    filtered(call, true)
}

pub(super) fn reject(call: &Call) -> Outcome<Value> {
    filtered(call, false)
}

/// `(attribute)`, `(test, value)` for the elements themselves, or `(attribute, test, value)`.
fn filtered(call: &Call, wanted: bool) -> Outcome<Value> {
    call.count(2, 4)?;
    let list = call.list_at(0)?;
    let attribute = call.arg(1)?;
    call.text_at(1)?;
    let test = match call.args.len() {
        2 => None,
        count => {
            let text = call.text_at(count - 2)?.bytes()?;
            match core::str::from_utf8(&text).ok().and_then(find) {
                Some(test) => Some((test, call.arg(count - 1)?)),
                None => {
                    return failed(format!(
                        "`{}` does not know the test `{}`",
                        call.name,
                        shortened(&String::from_utf8_lossy(&text), 40)
                    ));
                }
            }
        }
    };
    let mut items = Vec::new();
    for item in list.borrow().iter() {
        call.host.meter.step(1)?;
        let tested = match item {
            _ if call.args.len() == 3 => item.clone(),
            Value::Dict(dict) => dict.get(attribute)?.unwrap_or(Value::Undefined(None)),
            _ => return failed(format!("`{}` takes dicts, found {}", call.name, item.kind())),
        };
        let holds = match test {
            None => tested.truth()?,
            Some(((name, native), value)) => {
                native(&Call { name, args: &[tested, value.clone()], host: call.host })?.truth()?
            }
        };
        if holds == wanted {
            items.push(item.clone());
        }
    }
    call.host.list(items)
}

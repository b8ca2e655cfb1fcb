//! The findings of a set, of its shards, and of the model, as JavaScript objects.

use alloc::{collections::BTreeSet, rc::Rc, string::String};

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use super::set::GgufSet;
use crate::files::set_check::{SetCheck, SetFinding};
use crate::web::interop::{AnyObject, Record, declare_string_union, set_member};
use crate::web::reader::decoded_header::DecodedHeader;
use crate::web::validate::findings;
use crate::web::validate::options::{ValidateOptions, file_name};

declare_string_union!("The stable codes of findings about a set of shards.", "SetFindingCode", SetCheck::CODES);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A problem of a set of shards, of one of its files, or of the model. */
export interface SetFinding extends Omit<Finding, "code"> {
  readonly code: FindingCode | SetFindingCode;
  /** The number of the shard that the finding is about, from 1. `index`, `offset` and `fix` are those in this file. */
  readonly shard?: number;
}

/** A model: an opened file, or the shards of one. */
export interface Model extends Omit<Gguf, "validate"> {
  /** Checks the model: see `Gguf.validate` and `GgufSet.validate`. */
  validate(options?: ValidateOptions): readonly (Finding | SetFinding)[];
}
"#;

#[wasm_bindgen]
impl GgufSet {
    /// What is wrong with the set: missing, swapped, duplicate and truncated shards. `validate` also checks the files.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly SetFinding[]")]
    pub fn findings(&self) -> Result<JsArray, JsValue> {
        self.merged.state()?;
        Ok(self.finding_objects.get_or_init(|| of_set(&self.findings)).clone())
    }

    /// Checks the set, each shard, and, if no shard is missing, the model as a whole. Findings about a shard have its number.
    /// Tensor data is not read. `fileName` is the name of the first shard.
    ///
    /// @throws {GgufError} `invalid-argument` if `fileName` is not a string; `freed`.
    /// @example
    /// for (const { shard, severity, message } of set.validate()) console.log(shard ?? "set", severity, message);
    #[wasm_bindgen(unchecked_return_type = "readonly SetFinding[]")]
    pub fn validate(&self, options: Option<ValidateOptions>) -> Result<JsArray, JsValue> {
        let file_name = file_name(options)?;
        let mut list = FindingList::new(&self.findings()?);
        for (number, shard) in self.opened() {
            let file = shard.state()?.file.clone();
            let file_name = file_name.as_deref().filter(|_| number == 1);
            list.add_shard(number, &file.header, file.file_size(), file_name)?;
        }
        if self.is_complete()? && self.shards.len() > 1 {
            let file = self.merged.state()?.file.clone();
            list.add_model(&file.header)?;
        }
        Ok(list.finish())
    }
}

/// The findings about the set itself.
fn of_set(findings: &[SetFinding]) -> JsArray {
    let list = JsArray::new();
    for finding in findings {
        let info = finding.check.info();
        let object = Record::new()
            .text("code", info.code)
            .text("severity", info.severity.name())
            .text("message", &finding.message)
            .value("shard", &finding.shard.map_or(JsValue::UNDEFINED, JsValue::from))
            .value("key", &finding.key.as_deref().map_or(JsValue::UNDEFINED, JsValue::from))
            .value("offset", &finding.offset.map_or(JsValue::UNDEFINED, |offset| (offset as f64).into()));
        list.push(&object.done());
    }
    findings::frozen_list(list)
}

/// The findings so far.
struct FindingList {
    list: JsArray,
    /// What the findings are about: two findings with the same identity say the same.
    known: BTreeSet<String>,
}

impl FindingList {
    pub fn new(of_set: &JsArray) -> Self {
        Self { list: of_set.iter().collect(), known: BTreeSet::new() }
    }

    /// Adds the findings about a shard. Facts that a shard before it has, too, are not repeated.
    pub fn add_shard(
        &mut self,
        number: u32,
        header: &Rc<DecodedHeader>,
        size: Option<u64>,
        file_name: Option<&str>,
    ) -> Result<(), JsValue> {
        for finding in findings::open_list(header, size, file_name).iter() {
            let is_new = self.known.insert(identity(&finding)?);
            if !is_new && severity(&finding)?.as_deref() == Some("info") {
                continue;
            }
            set_member(&finding, "shard", &number.into());
            self.list.push(&finding);
        }
        Ok(())
    }

    /// Adds the findings about the model that no shard has. Their positions would be those in a merged file, so they have none.
    pub fn add_model(&mut self, header: &Rc<DecodedHeader>) -> Result<(), JsValue> {
        for finding in findings::open_list(header, None, None).iter() {
            if !self.known.insert(identity(&finding)?) {
                continue;
            }
            let members: &AnyObject = finding.unchecked_ref();
            let object = Record::new();
            let object = ["code", "severity", "message", "key", "tensor"]
                .into_iter()
                .try_fold(object, |object, name| Ok::<_, JsValue>(object.value(name, &members.get(name)?)))?;
            self.list.push(&object.done());
        }
        Ok(())
    }

    pub fn finish(self) -> JsArray {
        findings::frozen_list(self.list)
    }
}

/// The code of a finding and what it is about.
fn identity(finding: &JsValue) -> Result<String, JsValue> {
    let members: &AnyObject = finding.unchecked_ref();
    let text = |name| Ok::<_, JsValue>(members.get(name)?.as_string().unwrap_or_default());
    Ok(format!("{}\0{}\0{}", text("code")?, text("key")?, text("tensor")?))
}

fn severity(finding: &JsValue) -> Result<Option<String>, JsValue> {
    Ok(finding.unchecked_ref::<AnyObject>().get("severity")?.as_string())
}

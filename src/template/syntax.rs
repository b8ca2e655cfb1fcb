//! `parseChatTemplate`.

use js_sys::JSON;
use wasm_bindgen::prelude::*;

use super::given;
use crate::interop::TextArgument;
use crate::interop::thrown::Thrown;
use gguf_template::Template;

#[wasm_bindgen(typescript_custom_section)]
const NODES: &str = r#"
/**
 * A node of the syntax tree of a chat template. Each has a position: `line` and `column` from 1, in Unicode characters.
 *
 * Filters and tests are a `name`, or a `call` of one with arguments. The items of a `dict` are keys and values in turn. A loop with a
 * condition has a `select` as what it iterates over. `nothing` is a comment, or a tag that llama.cpp ignores.
 */
export type ChatTemplateNode = { readonly line: number; readonly column: number } & (
  | { readonly type: "text" | "string"; readonly value: string }
  | { readonly type: "integer" | "float"; readonly value: number }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "list" | "tuple" | "dict"; readonly items: readonly ChatTemplateNode[] }
  | { readonly type: "binary"; readonly operator: string; readonly left: ChatTemplateNode; readonly right: ChatTemplateNode }
  | { readonly type: "not"; readonly value: ChatTemplateNode }
  | { readonly type: "filter"; readonly value: ChatTemplateNode; readonly filter: ChatTemplateNode }
  | { readonly type: "test"; readonly value: ChatTemplateNode; readonly isNegated: boolean; readonly test: ChatTemplateNode }
  | { readonly type: "select"; readonly value: ChatTemplateNode; readonly test: ChatTemplateNode }
  | { readonly type: "ternary"; readonly test: ChatTemplateNode; readonly yes: ChatTemplateNode; readonly no: ChatTemplateNode }
  | { readonly type: "member"; readonly object: ChatTemplateNode; readonly name: ChatTemplateNode }
  | { readonly type: "index"; readonly object: ChatTemplateNode; readonly index: ChatTemplateNode }
  | {
      readonly type: "slice";
      readonly object: ChatTemplateNode;
      readonly start?: ChatTemplateNode;
      readonly stop?: ChatTemplateNode;
      readonly step?: ChatTemplateNode;
    }
  | { readonly type: "call"; readonly callee: ChatTemplateNode; readonly args: readonly ChatTemplateNode[] }
  | { readonly type: "keyword"; readonly name: ChatTemplateNode; readonly value: ChatTemplateNode }
  | {
      readonly type: "if";
      readonly branches: readonly { readonly test: ChatTemplateNode; readonly body: readonly ChatTemplateNode[] }[];
      readonly otherwise: readonly ChatTemplateNode[];
    }
  | {
      readonly type: "for";
      readonly target: ChatTemplateNode;
      readonly iterable: ChatTemplateNode;
      readonly body: readonly ChatTemplateNode[];
      readonly otherwise: readonly ChatTemplateNode[];
    }
  | { readonly type: "set"; readonly target: ChatTemplateNode; readonly value: ChatTemplateNode }
  | { readonly type: "set-block"; readonly target: ChatTemplateNode; readonly body: readonly ChatTemplateNode[] }
  | {
      readonly type: "macro";
      readonly name?: ChatTemplateNode;
      readonly parameters: readonly ChatTemplateNode[];
      readonly body: readonly ChatTemplateNode[];
    }
  | {
      readonly type: "call-block";
      readonly callee: ChatTemplateNode;
      readonly args: readonly ChatTemplateNode[];
      readonly parameters: readonly ChatTemplateNode[];
      readonly body: readonly ChatTemplateNode[];
    }
  | { readonly type: "filter-block"; readonly filter: ChatTemplateNode; readonly body: readonly ChatTemplateNode[] }
  | { readonly type: "blank" | "spread" | "break" | "continue" | "nothing" }
);
"#;

/// Parses a chat template as llama.cpp does. Returns the statements of its syntax tree.
///
/// @throws {GgufError} `template-syntax` and `template-limit` with `line` and `column`; `too-large` for more than 16 million characters.
/// @example
/// const [loop] = parseChatTemplate("{% for m in messages %}{{ m.content }}{% endfor %}");
/// console.log(loop?.type, loop?.line); // "for" 1
#[wasm_bindgen(js_name = parseChatTemplate, unchecked_return_type = "ChatTemplateNode[]")]
pub fn parse_chat_template(template: &TextArgument) -> Result<JsValue, Thrown> {
    let tree = Template::parse(&given::source(template)?)?.syntax()?.dump();
    Ok(JSON::parse(&tree)?)
}

//! The chat template of models that follow instructions.

use super::checked_tokenizer::Tokenizer;
use crate::file_kinds::FileKind;
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use crate::validate::fix::Fix;
use gguf_format::edit::Change;

pub(super) fn check(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    let header = tokenizer.header;
    let Some(entry) = header.get("tokenizer.chat_template") else {
        if tokenizer.kind == FileKind::Model && is_for_chats(tokenizer) {
            findings.report(
                Check::NoChatTemplate,
                None,
                None,
                format_args!(
                    "general.finetune says that the model follows instructions, but tokenizer.chat_template is missing. \
                     llama.cpp uses ChatML. Add the template of the original model."
                ),
            );
        }
        return;
    };
    if entry.value().as_str().is_some_and(|template| template.byte_length() == 0) {
        findings.report_with_fix(
            Check::EmptyChatTemplate,
            Some(Subject::Entry(entry.index())),
            Some(entry.value_range().start),
            format_args!(
                "the chat template is empty, so llama.cpp uses ChatML. Set it to the template of the original model, or \
                 remove the entry."
            ),
            &|| Some(Fix::to_confirm("Remove the entry", Change::Remove { entry: entry.index() })),
        );
    }
}

/// Whether `general.finetune` names a model for conversations: `Instruct`, `Chat` or `it`, as Gemma has it.
fn is_for_chats(tokenizer: &Tokenizer<'_>) -> bool {
    let finetune = tokenizer.header.get("general.finetune").and_then(|entry| entry.value().as_str());
    let Some(finetune) = finetune.filter(|text| text.byte_length() <= 64) else { return false };
    let words = finetune.to_bytes().to_ascii_lowercase();
    words.split(|byte| !byte.is_ascii_alphanumeric()).any(|word| matches!(word, b"instruct" | b"chat" | b"it"))
}

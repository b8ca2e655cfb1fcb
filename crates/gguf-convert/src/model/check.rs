//! Whether the new file has what llama.cpp needs.

use super::config::CONFIG;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::header::Header;
use gguf_models::architectures::{KeyNeed, architecture_info};
use gguf_models::validate::{Check, Subject, validate_model};

/// Checks that the model has the keys and the tensors that llama.cpp needs, in the shapes that the entries say.
pub(super) fn check_model(header: &Header) -> Result<()> {
    for finding in validate_model(header) {
        // The other sentences say what to do with a GGUF file.
        let reason = finding.message.split(". ").next().unwrap_or_default();
        let name = match finding.subject {
            Some(Subject::Tensor(index)) => header.tensor_at(index).map(|tensor| tensor.name().to_bytes()),
            Some(Subject::Entry(index)) => header.metadata().nth(index).map(|entry| entry.key().to_bytes()),
            _ => None,
        };
        match finding.check {
            // Whether other keys are needed depends on the model. The findings of the plan have them.
            Check::MissingKey if is_needed_always(header, finding.subject) => {
                return Err(error!(IncompleteModel:
                    "{reason}: no file of the model gives its value, and llama.cpp refuses every model of the architecture without it; \
                     check {CONFIG}, and download all files of the model"));
            }
            Check::MissingTensor => {
                let reason = finding.message.split(" is missing").next().unwrap_or_default();
                return Err(error!(IncompleteModel:
                    "{reason} is missing: no tensor of the model becomes it, and llama.cpp needs it; download all files of the \
                     model"));
            }
            Check::BlockCount => {
                return Err(error!(IncompleteModel:
                    "the model has not all blocks that {CONFIG} says: {reason}; download all files of the model"));
            }
            Check::TensorShape => {
                return Err(error!(BadSafetensors:
                    "a shape is not the one that {CONFIG} says: {}: {reason}; check that all files belong to the model",
                    Shown(&name.unwrap_or_default())));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether llama.cpp refuses every model of the architecture that lacks this entry.
fn is_needed_always(header: &Header, entry: Option<Subject>) -> bool {
    let Some(Subject::MissingEntry(pattern)) = entry else { return false };
    let info = header.architecture().and_then(|name| architecture_info(&name.to_bytes()));
    info.and_then(|info| info.key_need(pattern)) == Some(KeyNeed::Always)
}

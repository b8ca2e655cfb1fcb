//! Whether the new file has what llama.cpp needs.

use super::config::CONFIG;
use crate::convert::new_file::NewFileProblems;
use crate::error::shown::Shown;
use crate::error::{Result, error};
use crate::format::header::Header;
use crate::validate::{Check, Subject, validate};

/// Checks that the model has the keys and the tensors that llama.cpp needs, in the shapes that the entries say.
pub(super) fn check_model(header: &Header) -> Result<()> {
    if let Some(error) = NewFileProblems::of(header, &|_| false).missing_key {
        return Err(error);
    }
    for finding in validate(header, None) {
        // The other sentences say what to do with a GGUF file.
        let reason = finding.message.split(". ").next().unwrap_or_default();
        let name = match finding.subject {
            Some(Subject::Tensor(index)) => header.tensor_at(index).map(|tensor| tensor.name().to_bytes()),
            Some(Subject::Entry(index)) => header.metadata().nth(index).map(|entry| entry.key().to_bytes()),
            _ => None,
        };
        match finding.check {
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

//! Which part of a model is planned: its text, or its projector.

use super::options::ModelOptions;
use super::plan::{HubModel, ModelPlan};
use super::projectors::plan_projector;
use gguf_format::error::Result;
use gguf_format::io::Source;

impl<S: Source> ModelPlan<S> {
    /// Plans the conversion of a model.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if the class, a tensor or a setting is unknown. `incomplete-model` if a file or a tensor is missing. `bad-json`
    /// if a member of the configuration has a value that it cannot have. `bad-safetensors` if a tensor has another shape than the
    /// configuration says. Errors of the source are passed on.
    pub async fn new(model: &HubModel<S>, options: &ModelOptions) -> Result<Self> {
        if options.projector { plan_projector(model, options) } else { Self::of_text(model, options).await }
    }
}

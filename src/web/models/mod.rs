//! The JavaScript API of models in the layout of Hugging Face: `openModel`, `HubModel` and `ModelPlan`.

mod conversion_options;
mod folder;
mod given_folder;
mod model;
mod open;
mod plan;

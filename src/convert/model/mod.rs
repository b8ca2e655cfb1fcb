//! The JavaScript API of models and adapters in the layout of Hugging Face: `openModel`, `HubModel` and `ModelPlan`, `convertAdapter`,
//! `mergeAdapter` and `MergedModel`.

mod adapter;
mod conversion_options;
mod findings;
mod folder;
mod given_folder;
mod hub_model;
mod merged;
mod open;
mod plan;

//! Which layers of a model are converted.

/// What becomes of the layers that predict later tokens: llama.cpp uses them as a draft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NextTokenLayers {
    /// They are converted with the model.
    #[default]
    Included,
    /// They are converted alone, with the tensors that they share with the model.
    Alone,
    /// They are left out.
    LeftOut,
}

//! The types of the tensors of a file type: its mixture (`llama_tensor_get_type_impl`, October 2026).
//!
//! Some tensors get more bits than others, because errors in them count more: the output, the values of the attention, and the
//! down projections of the first and last blocks.

use super::category::{Category, block_of, has_eight_bits};
use super::hyperparameters::Hyperparameters;
use super::options::Options;
use super::target_type::block_size;
use super::tensors::InputTensor;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_models::file_types::FileTypeInfo;

/// Chooses the types of tensors one after the other. The choice for a tensor depends on how many of its category came before it.
pub(super) struct Mixture<'a> {
    pub model: &'a Hyperparameters,
    pub target: &'static FileTypeInfo,
    pub options: &'a Options,
    pub has_importance: bool,
    /// Whether the token embeddings are also the output, because the model has no `output.weight`.
    pub is_tied: bool,
    /// The number of tensors of the category `AttentionValue`.
    pub value_count: u32,
    pub values_before: u32,
    pub ups_before: u32,
    pub gates_before: u32,
    pub downs_before: u32,
}

/// A layer and the number of layers.
#[derive(Clone, Copy)]
struct Layer {
    index: i64,
    count: i64,
}

impl Layer {
    fn new(index: u32, count: u32) -> Self {
        Self { index: index.into(), count: count.into() }
    }

    fn is_in_first_eighth(self) -> bool {
        self.index < self.count / 8
    }

    fn is_in_first_sixteenth(self) -> bool {
        self.index < self.count / 16
    }

    fn is_before_last_eighth(self) -> bool {
        self.index < 7 * self.count / 8
    }

    /// The first and the last eighth, and every third layer between them.
    fn has_more_bits(self) -> bool {
        let eighth = self.count / 8;
        self.is_in_first_eighth() || !self.is_before_last_eighth() || (self.index - eighth) % 3 == 2
    }
}

impl Mixture<'_> {
    /// The type of the next tensor.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the block of an expert's tensor does not follow from its name.
    pub fn next(&mut self, tensor: &InputTensor) -> Result<GgmlType> {
        let category = tensor.category;
        if has_eight_bits(&self.model.architecture, &tensor.name) {
            return Ok(GgmlType::Q8_0);
        }
        if category == Category::Output || (self.is_tied && category == Category::TokenEmbedding) {
            return Ok(self.output(tensor));
        }
        if self.target.name == "MXFP4_MOE" {
            return Ok(self.mxfp4(tensor));
        }
        if category == Category::TokenEmbedding {
            return Ok(self.token_embedding());
        }
        if matches!(self.target.name, "IQ1_S" | "IQ1_M" | "IQ2_XXS" | "IQ2_XS" | "IQ2_S" | "IQ2_M") {
            return Ok(self.few_bits(category));
        }
        Ok(match category {
            Category::AttentionValue => self.attention_value(),
            Category::AttentionKey | Category::AttentionQuery => self.attention_key_or_query(category),
            Category::AttentionOutput => self.attention_output(),
            Category::FeedForwardDown => {
                let layer = self.layer(self.downs_before, tensor)?;
                self.downs_before += 1;
                self.feed_forward_down(layer)
            }
            Category::FeedForwardGate => {
                let layer = self.layer(self.gates_before, tensor)?;
                self.gates_before += 1;
                self.feed_forward_gate_or_up(layer)
            }
            Category::FeedForwardUp => {
                let layer = self.layer(self.ups_before, tensor)?;
                self.ups_before += 1;
                self.feed_forward_gate_or_up(layer)
            }
            Category::Output | Category::TokenEmbedding | Category::Other => self.target.tensor_type,
        })
    }

    fn has_8_experts(&self) -> bool {
        self.model.expert_count == 8
    }

    fn is_falcon(&self) -> bool {
        self.model.architecture == b"falcon"
    }

    /// Whether the matrices of values are small, because at least four query heads share them.
    fn shares_values(&self) -> bool {
        self.model.heads_per_value >= 4
    }

    /// The layer of a tensor of the feed-forward network: how many of its kind came before it. Experts can be several tensors of one
    /// block, so their layer is the block in the name.
    fn layer(&self, before: u32, tensor: &InputTensor) -> Result<Layer> {
        let count = self.model.block_count;
        if self.model.expert_count <= 1 {
            return Ok(Layer::new(before, count));
        }
        match block_of(&tensor.name) {
            Some(block) if block < count => Ok(Layer::new(block, count)),
            _ => Err(error!(InvalidArgument:
                "the type of tensor \"{}\" cannot be chosen: in a model with experts, the name begins with \"blk.\" and a \
                 number less than {count}, the block count. Set its type by hand", tensor.shown_name())),
        }
    }

    fn output(&self, tensor: &InputTensor) -> GgmlType {
        if let Some(ggml_type) = self.options.output_tensor_type {
            return ggml_type;
        }
        let default = self.target.tensor_type;
        let fits = tensor.row_length().is_multiple_of(block_size(default));
        match self.target.name {
            "MXFP4_MOE" => GgmlType::Q8_0,
            _ if self.is_falcon() || !fits => GgmlType::Q8_0,
            "IQ1_S" | "IQ1_M" | "IQ2_XXS" | "IQ2_XS" | "IQ2_S" | "IQ2_M" | "IQ3_XXS" => GgmlType::Q5_K,
            "Q8_0" => GgmlType::Q8_0,
            _ => GgmlType::Q6_K,
        }
    }

    fn mxfp4(&self, tensor: &InputTensor) -> GgmlType {
        let is_feed_forward =
            matches!(tensor.category, Category::FeedForwardUp | Category::FeedForwardGate | Category::FeedForwardDown);
        // Other matrices of bailingmoe3 have three dimensions, too.
        let is_expert =
            tensor.matrix_count_of_dimension_2() > 1 && (self.model.architecture != b"bailingmoe3" || is_feed_forward);
        if is_expert { GgmlType::MXFP4 } else { GgmlType::Q8_0 }
    }

    fn token_embedding(&self) -> GgmlType {
        match self.target.name {
            "IQ1_S" | "IQ1_M" | "IQ2_XXS" | "IQ2_XS" => GgmlType::Q2_K,
            "IQ2_S" | "IQ2_M" | "IQ3_XXS" => GgmlType::IQ3_S,
            "TQ1_0" | "TQ2_0" | "Q2_0" => GgmlType::Q4_K,
            _ => self.target.tensor_type,
        }
    }

    /// Files of about 1.5 to 2.7 bits.
    fn few_bits(&mut self, category: Category) -> GgmlType {
        let is_larger = matches!(self.target.name, "IQ2_S" | "IQ2_M");
        let better = if is_larger { GgmlType::IQ3_S } else { GgmlType::Q2_K };
        match category {
            Category::AttentionValue => {
                self.values_before += 1;
                if self.shares_values() || self.model.expert_count >= 4 { GgmlType::Q4_K } else { better }
            }
            Category::AttentionKey if self.has_8_experts() => GgmlType::Q4_K,
            Category::FeedForwardDown => {
                let layer = Layer::new(self.downs_before, self.model.block_count);
                self.downs_before += 1;
                if layer.is_in_first_eighth() { better } else { self.target.tensor_type }
            }
            Category::AttentionOutput if self.has_8_experts() => GgmlType::Q5_K,
            Category::AttentionOutput => match self.target.name {
                "IQ1_S" | "IQ1_M" => GgmlType::IQ2_XXS,
                "IQ2_S" | "IQ2_M" => GgmlType::IQ3_S,
                _ => self.target.tensor_type,
            },
            _ => self.target.tensor_type,
        }
    }

    fn attention_value(&mut self) -> GgmlType {
        let layer = Layer::new(self.values_before, self.value_count);
        self.values_before += 1;
        if self.has_8_experts() {
            return GgmlType::Q8_0;
        }
        let ggml_type = match self.target.name {
            "Q2_K" if !self.shares_values() => GgmlType::Q3_K,
            "Q2_K" => GgmlType::Q4_K,
            "Q2_K_S" | "IQ3_XXS" | "IQ3_XS" | "IQ3_S" if self.shares_values() => GgmlType::Q4_K,
            "IQ3_XXS" if !self.has_importance => GgmlType::IQ3_S,
            "IQ3_M" => GgmlType::Q4_K,
            "Q3_K_M" if layer.index < 2 => GgmlType::Q5_K,
            "Q3_K_M" => GgmlType::Q4_K,
            "Q3_K_L" => GgmlType::Q5_K,
            "IQ4_NL" | "IQ4_XS" if self.shares_values() => GgmlType::Q5_K,
            "Q4_K_M" | "Q5_K_M" if layer.has_more_bits() => GgmlType::Q6_K,
            "Q4_K_S" if layer.index < 4 => GgmlType::Q5_K,
            _ => self.target.tensor_type,
        };
        // Eight query heads share a value head, so more bits cost little.
        if self.model.is_70b && matches!(ggml_type, GgmlType::Q3_K | GgmlType::Q4_K) {
            GgmlType::Q5_K
        } else {
            ggml_type
        }
    }

    fn attention_key_or_query(&self, category: Category) -> GgmlType {
        match self.target.name {
            _ if self.has_8_experts() && category == Category::AttentionKey => GgmlType::Q8_0,
            "IQ3_XS" => GgmlType::IQ3_XXS,
            "IQ3_XXS" => GgmlType::IQ2_S,
            _ => self.target.tensor_type,
        }
    }

    fn feed_forward_down(&self, layer: Layer) -> GgmlType {
        let is_falcon = self.is_falcon();
        match self.target.name {
            "Q2_K" => GgmlType::Q3_K,
            "Q2_K_S" if layer.is_in_first_eighth() => GgmlType::Q4_K,
            "IQ3_XXS" if !self.has_importance && layer.is_in_first_eighth() => GgmlType::Q4_K,
            "IQ3_XXS" if !self.has_importance => GgmlType::Q3_K,
            "Q3_K_M" if layer.is_in_first_sixteenth() => GgmlType::Q5_K,
            "Q3_K_M" if !is_falcon || layer.has_more_bits() => GgmlType::Q4_K,
            "IQ3_M" if layer.is_in_first_eighth() || (self.has_8_experts() && layer.has_more_bits()) => GgmlType::Q4_K,
            "Q3_K_L" if is_falcon => GgmlType::Q4_K,
            "Q3_K_L" => GgmlType::Q5_K,
            "Q4_K_M" if is_falcon && layer.is_in_first_sixteenth() => GgmlType::Q6_K,
            "Q4_K_M" if is_falcon && layer.has_more_bits() => GgmlType::Q5_K,
            "Q4_K_M" if !is_falcon && layer.has_more_bits() => GgmlType::Q6_K,
            "IQ4_NL" | "IQ4_XS" if layer.is_in_first_eighth() && !self.has_importance => GgmlType::Q5_K,
            "Q5_K_M" if layer.has_more_bits() => GgmlType::Q6_K,
            "Q4_K_S" if !is_falcon && layer.is_in_first_eighth() => GgmlType::Q5_K,
            // With importance, the first layers can go wrong without a minimum.
            "Q4_0" if self.has_importance && layer.is_in_first_eighth() => GgmlType::Q4_1,
            "Q5_0" if self.has_importance && layer.is_in_first_eighth() => GgmlType::Q5_1,
            _ => self.target.tensor_type,
        }
    }

    fn attention_output(&self) -> GgmlType {
        match self.target.name {
            "Q3_K_L" if self.is_falcon() => GgmlType::Q4_K,
            _ if self.is_falcon() => self.target.tensor_type,
            "Q2_K" | "IQ3_XS" | "IQ3_XXS" | "Q3_K_S" | "Q3_K_M" | "IQ4_NL" | "Q4_K_S" | "Q4_K_M" | "IQ3_S"
            | "IQ3_M" | "IQ4_XS"
                if self.has_8_experts() =>
            {
                GgmlType::Q5_K
            }
            _ if self.has_8_experts() => self.target.tensor_type,
            "Q2_K" => GgmlType::Q3_K,
            "IQ3_XXS" => GgmlType::IQ3_S,
            "Q3_K_M" | "IQ3_M" => GgmlType::Q4_K,
            "Q3_K_L" => GgmlType::Q5_K,
            _ => self.target.tensor_type,
        }
    }

    fn feed_forward_gate_or_up(&self, layer: Layer) -> GgmlType {
        match self.target.name {
            "IQ3_XS" if !layer.is_in_first_eighth() && layer.is_before_last_eighth() => GgmlType::IQ3_XXS,
            _ => self.target.tensor_type,
        }
    }
}

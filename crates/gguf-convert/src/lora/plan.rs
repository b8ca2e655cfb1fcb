//! The plan of an adapter's GGUF file.

use alloc::vec::Vec;

use super::adapter_config::{ADAPTER_CONFIG, AdapterConfig};
use super::mapping::map_adapter;
use super::open::{ADAPTER_WEIGHTS, BaseModel, of_base};
use super::stored::StoredAdapter;
use crate::model::config::Wanted;
use crate::model::entries::{Entries, EntryValue};
use crate::model::mapping::{MappedTensor, MappingOptions};
use crate::model::metadata::{MetadataInput, ParameterCount, add_metadata};
use crate::model::plan::{QUANTIZATION_VERSION, dimensions, family_and_config};
use crate::model::quantization::Quantization;
use crate::model::tensors::input::Inputs;
use crate::model::{HubModel, ModelPlan, OutputType};
use gguf_format::error::{Result, error};
use gguf_format::io::Source;

/// Plans the GGUF file of a LoRA adapter that PEFT has saved.
///
/// `adapter` has the folder of the adapter: its small files with `adapter_config.json`, and the tensors of
/// `adapter_model.safetensors`. `output_type` is the type of the matrices: `llama.cpp` takes [`OutputType::F32`] if it is not told
/// otherwise.
///
/// The file is that of `convert_lora_to_gguf.py`, byte for byte. Adapters whose GGUF file would change the model in another way than
/// PEFT does are refused.
///
/// # Errors
///
/// `unsupported-model` if the class of the base model is unknown, or if a GGUF file cannot describe the adapter. `incomplete-model` if a
/// file or a matrix is missing. `bad-json` if a member of a configuration has a value that it cannot have. `bad-safetensors` if shapes do
/// not fit together. `invalid-argument` if adapters cannot have the type.
///
/// # Examples
///
/// ```
/// use gguf_format::io::{FileSource, block_on};
/// use gguf_convert::lora::{ADAPTER_CONFIG, ADAPTER_WEIGHTS, BaseModel, plan_adapter};
/// use gguf_convert::model::{HubModel, OutputType, files::SmallFiles};
/// use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-plan-adapter.safetensors");
/// # let header = br#"{"base_model.model.model.layers.0.mlp.up_proj.lora_A.weight": {"dtype": "F32", "shape": [1, 4], "data_offsets": [0, 16]},
/// #     "base_model.model.model.layers.0.mlp.up_proj.lora_B.weight": {"dtype": "F32", "shape": [6, 1], "data_offsets": [16, 40]}}"#;
/// # std::fs::write(&path, [&(header.len() as u64).to_le_bytes()[..], header, &[0; 40]].concat()).unwrap();
/// let part = block_on(SafetensorsFile::open(ADAPTER_WEIGHTS, FileSource::open(&path)?))?;
/// let mut files = SmallFiles::default();
/// files.insert(ADAPTER_CONFIG, br#"{ "lora_alpha": 8, "r": 1 }"#.to_vec());
/// let adapter = HubModel { folder: "my-adapter".into(), files, tensors: SafetensorsModel::new(vec![part], None)? };
///
/// let mut files = SmallFiles::default();
/// files.insert("config.json", br#"{ "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "num_hidden_layers": 2 }"#.to_vec());
/// let base = BaseModel { folder: "my-model".into(), files };
/// let plan = plan_adapter(&adapter, &base, OutputType::F32)?;
/// let names: Vec<&str> = plan.tensors().iter().map(|tensor| tensor.name.as_str()).collect();
/// assert_eq!(names, ["blk.0.ffn_up.weight.lora_a", "blk.0.ffn_up.weight.lora_b"]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn plan_adapter<S: Source>(
    adapter: &HubModel<S>,
    base: &BaseModel,
    output_type: OutputType,
) -> Result<ModelPlan<S>> {
    if !matches!(output_type, OutputType::F32 | OutputType::F16 | OutputType::Bf16 | OutputType::Q8_0) {
        return Err(
            error!(InvalidArgument: "an adapter cannot be converted to this type: expected f32, f16, bf16 or q8_0"),
        );
    }
    let _sessions = (base.files.session(), adapter.files.session());
    let own = AdapterConfig::parse(adapter.files.get(ADAPTER_CONFIG))?;
    let (family, config) = family_and_config(&base.folder, &base.files, Wanted::default()).map_err(of_base)?;
    let [part] = adapter.tensors.parts() else {
        return Err(error!(IncompleteModel:
            "the adapter has {} files of tensors: expected one, {ADAPTER_WEIGHTS}", adapter.tensors.parts().len()));
    };
    let stored = StoredAdapter::new(part.header().tensors())?;
    // How the base model stores its weights does not matter: the matrices of an adapter are numbers.
    let options = MappingOptions {
        config: &config,
        family,
        quantization: &Quantization::NONE,
        token_count: None,
        is_projector: false,
    };
    let mapped = map_adapter(&stored, &options)?;
    if mapped.tensors.is_empty() {
        return Err(error!(IncompleteModel:
            "the adapter changes no tensor: {ADAPTER_WEIGHTS} has {} tensors, none of which is for the text model",
            part.header().tensors().len()));
    }

    let mut entries = Entries::default();
    entries.set("general.architecture", EntryValue::String(family.architecture.into()));
    entries.set("general.type", EntryValue::String("adapter".into()));
    entries.set("adapter.type", EntryValue::String("lora".into()));
    let shapes: Vec<Vec<u64>> = mapped.tensors.iter().map(dimensions).collect();
    let named = mapped.tensors.iter().zip(&shapes).map(|(tensor, shape)| (tensor.name.as_str(), shape.as_slice()));
    let metadata = MetadataInput {
        files: &adapter.files,
        folder: &adapter.folder,
        model_name: None,
        overrides: None,
        parameters: ParameterCount::of(named),
    };
    add_metadata(&metadata, &mut entries)?;
    entries.set("adapter.lora.alpha", EntryValue::F32(own.alpha));
    entries.set("adapter.alora.invocation_tokens", EntryValue::U32s(own.invocation_tokens));
    entries.set("general.quantization_version", EntryValue::U32(QUANTIZATION_VERSION));

    let inputs = Inputs { model: adapter.tensors.clone(), list: stored.inputs };
    let ggml_type = |tensor: &MappedTensor| output_type.of_tensor(tensor, false);
    let mut dropped = stored.dropped;
    dropped.extend(mapped.dropped);
    Ok(ModelPlan::of_tensors(inputs, &entries, mapped.tensors, output_type, &ggml_type)?.with_dropped(dropped))
}

//! Keys of the section `clip.vision`: how a multimodal projector sees images.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// The number of query heads of the image encoder.
    "clip.vision.attention.head_count" UINT32 UPSTREAM "Vision heads", unit "heads";
    /// The number of heads whose keys and values the image encoder shares among queries.
    "clip.vision.attention.head_count_kv" UINT32 UPSTREAM "Vision key and value heads", unit "heads";
    /// The width of one query, if it is not the embedding divided among heads.
    "clip.vision.attention.head_dim" UINT32 UPSTREAM "Vision head width", unit "elements";
    /// The small number that keeps normalisation of image features from dividing by zero.
    "clip.vision.attention.layer_norm_epsilon" FLOAT32 UPSTREAM "Vision norm epsilon";
    /// The number of layers through which image patches pass.
    "clip.vision.block_count" UINT32 UPSTREAM "Vision blocks", unit "blocks";
    /// The width of the hidden state for one image patch.
    "clip.vision.embedding_length" UINT32 UPSTREAM "Vision width", unit "elements";
    /// For each block, how many networks a router chooses among; 0 means no router.
    "clip.vision.expert_count_per_layer" INT32_ARRAY GGUF_PY "Vision experts", unit "experts";
    /// How many networks the router chooses for an image patch.
    "clip.vision.expert_used_count" UINT32 UPSTREAM "Vision experts used", unit "experts";
    /// The blocks whose outputs go to the projector.
    "clip.vision.feature_layer" INT32_ARRAY UPSTREAM "Vision feature layers";
    /// The inner width of the feed-forward networks for image patches.
    "clip.vision.feed_forward_length" UINT32 UPSTREAM "Vision feed-forward length", unit "elements";
    /// How LLaVA brings a picture to the input shape: by padding or by tiles.
    "clip.vision.image_aspect_ratio" STRING TOOLS "Picture shape handling";
    /// The side of the square that is cut from the middle of a picture.
    "clip.vision.image_crop_resolution" UINT32 TOOLS "Crop size", unit "pixels";
    /// Width and height pairs to which LLaVA may resize a picture before cutting tiles.
    "clip.vision.image_grid_pinpoints" INT32_ARRAY UPSTREAM "Tile grid sizes", unit "pixels";
    /// The largest area that a picture may have after resizing.
    "clip.vision.image_max_pixels" UINT32 UPSTREAM "Largest image", unit "pixels";
    /// The mean that is subtracted from red, green and blue.
    "clip.vision.image_mean" FLOATS UPSTREAM "Colour mean";
    /// The smallest area that a picture may have after resizing.
    "clip.vision.image_min_pixels" UINT32 UPSTREAM "Smallest image", unit "pixels";
    /// How a picture is resized: bilinear, bicubic or lanczos.
    "clip.vision.image_resize_algo" STRING UPSTREAM "Resize method";
    /// The side of the square picture for which the encoder was trained.
    "clip.vision.image_size" UINT32 UPSTREAM "Image size", unit "pixels";
    /// The side of the tiles into which a large picture is cut.
    "clip.vision.image_split_resolution" UINT32 TOOLS "Tile size", unit "pixels";
    /// The deviation by which red, green and blue are divided.
    "clip.vision.image_std" FLOATS UPSTREAM "Colour deviation";
    /// For each block, whether its output also enters the language model.
    "clip.vision.is_deepstack_layers" BOOL_ARRAY GGUF_PY "Vision DeepStack layers";
    /// How the vectors of several tiles are put in one sequence.
    "clip.vision.mm_patch_merge_type" STRING LLAMA_CPP "Tile merging", values PATCH_MERGE;
    /// What the original LLaVA settings call the design of the projector.
    "clip.vision.mm_projector_type" STRING TOOLS "LLaVA projector type";
    /// Every how many blocks a patch sees the whole picture instead of a window.
    "clip.vision.n_wa_pattern" UINT32 UPSTREAM "Window pattern period", unit "blocks";
    /// The side of the squares that become one vector each.
    "clip.vision.patch_size" UINT32 UPSTREAM "Patch size", unit "pixels";
    /// The length of the longer side after a picture is resized.
    "clip.vision.preproc_image_size" UINT32 UPSTREAM "Resized image size", unit "pixels";
    /// The largest number of parts into which a picture is cut.
    "clip.vision.preproc_max_tiles" UINT32 UPSTREAM "Most tiles", unit "tiles";
    /// The smallest number of parts into which a picture is cut.
    "clip.vision.preproc_min_tiles" UINT32 UPSTREAM "Fewest tiles", unit "tiles";
    /// The width of the vectors that the language model receives for a picture.
    "clip.vision.projection_dim" UINT32 UPSTREAM "Vision output width", unit "elements";
    /// The side of the grid of vectors that each window is reduced to.
    "clip.vision.projector.query_side" UINT32 UPSTREAM "Projector query side", unit "vectors";
    /// How many neighbouring patches along a side become one vector.
    "clip.vision.projector.scale_factor" UINT32 UPSTREAM "Patch merge factor", unit "patches";
    /// For each Granite projector, which corner of a patch group it samples; -1 means none.
    "clip.vision.projector.spatial_offsets" INT32_ARRAY UPSTREAM "Projector offsets";
    /// The side of the square of patches that is reduced together.
    "clip.vision.projector.window_side" UINT32 UPSTREAM "Projector window side", unit "patches";
    /// The projector for images, in files that also hear sound.
    "clip.vision.projector_type" STRING UPSTREAM "Vision projector type";
    /// The number of layers of the segment-anything encoder in DeepSeek-OCR.
    "clip.vision.sam.block_count" UINT32 UPSTREAM "SAM blocks", unit "blocks";
    /// The width of the hidden state of the segment-anything encoder in DeepSeek-OCR.
    "clip.vision.sam.embedding_length" UINT32 UPSTREAM "SAM width", unit "elements";
    /// The number of query heads of the segment-anything encoder in DeepSeek-OCR.
    "clip.vision.sam.head_count" UINT32 UPSTREAM "SAM heads", unit "heads";
    /// How many neighbouring patches along a side Qwen's merger joins.
    "clip.vision.spatial_merge_size" UINT32 UPSTREAM "Spatial merge size", unit "patches";
    /// The limit on values inside the feed-forward network of the encoder.
    "clip.vision.swiglu_clamp" FLOAT32 UPSTREAM "Activation limit";
    /// The blocks in which a patch sees the whole picture instead of a window.
    "clip.vision.wa_layer_indexes" INT32_ARRAY UPSTREAM "Full attention blocks";
    /// For each block of MiMo, whether patches see everything, or rows, or columns.
    "clip.vision.wa_pattern_mode" INT32_ARRAY UPSTREAM "Vision window modes", values VISION_WINDOWS;
    /// The side or radius of the area that a patch can see.
    "clip.vision.window_size" UINT32 UPSTREAM "Vision window size";
};

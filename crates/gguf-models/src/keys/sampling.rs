//! Keys of the section `general.sampling`: what the publisher recommends for choosing the next token.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// Drops tokens whose probability is below this share of the likeliest token.
    "general.sampling.min_p" FLOAT32 UPSTREAM "Min-p";
    /// Chooses the sampler that keeps the surprise of the text at one level.
    "general.sampling.mirostat" INT32 UPSTREAM "Mirostat", values MIROSTAT;
    /// How fast the Mirostat sampler corrects itself after each token.
    "general.sampling.mirostat_eta" FLOAT32 UPSTREAM "Mirostat learning rate";
    /// The surprise for each token that the Mirostat sampler aims at.
    "general.sampling.mirostat_tau" FLOAT32 UPSTREAM "Mirostat target entropy", unit "bits";
    /// How many recent tokens count as repetition; -1 means the whole context.
    "general.sampling.penalty_last_n" INT32 UPSTREAM "Repetition window", unit "tokens";
    /// The factor that makes recently used tokens less likely; 1 changes nothing.
    "general.sampling.penalty_repeat" FLOAT32 UPSTREAM "Repetition penalty";
    /// The samplers in the order of their use, with semicolons between their names.
    "general.sampling.sequence" STRING UPSTREAM "Sampler order";
    /// How evenly probabilities are spread: low values repeat the likeliest token, high values vary.
    "general.sampling.temp" FLOAT32 UPSTREAM "Temperature";
    /// Keeps only this many of the likeliest tokens.
    "general.sampling.top_k" INT32 UPSTREAM "Top-k", unit "tokens";
    /// Keeps the likeliest tokens whose probabilities add up to this number.
    "general.sampling.top_p" FLOAT32 UPSTREAM "Top-p";
    /// How often the sampler that excludes top choices is applied.
    "general.sampling.xtc_probability" FLOAT32 UPSTREAM "XTC probability";
    /// The probability above which a token counts as a top choice to exclude.
    "general.sampling.xtc_threshold" FLOAT32 UPSTREAM "XTC threshold";
};

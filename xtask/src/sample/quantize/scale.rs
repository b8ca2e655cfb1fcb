//! The scale of a block, and the nearest quant for a value.

use half::f16;

/// Appends the scale as an f16, and returns the scale as a reader will see it.
pub fn push_f16(scale: f32, out: &mut Vec<u8>) -> f32 {
    let stored = f16::from_f32(scale);
    out.extend_from_slice(&stored.to_le_bytes());
    stored.to_f32()
}

/// `1 / scale`; 0 if the scale is 0, so that every product with it is 0.
pub fn inverse(scale: f32) -> f32 {
    if scale == 0.0 { 0.0 } else { 1.0 / scale }
}

/// The value with the greatest magnitude.
pub fn peak(values: &[f32]) -> f32 {
    let mut peak = 0.0f32;
    for &value in values {
        if value.abs() > peak.abs() {
            peak = value;
        }
    }
    peak
}

/// The nearest integer in `low..=high`.
pub fn nearest(value: f32, low: i32, high: i32) -> i32 {
    // Halves go away from zero. In debug builds truncation is much faster than `f32::round`.
    let rounded = if value < 0.0 { (value - 0.5) as i32 } else { (value + 0.5) as i32 };
    rounded.clamp(low, high)
}

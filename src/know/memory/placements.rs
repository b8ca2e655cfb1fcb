//! Which layers and experts can be on the GPU, so that both devices have enough memory.

use super::caches::Cache;
use super::compute::ComputeBuffers;
use super::devices::{Device, Placement, devices};
use super::estimate::MemoryEstimate;
use super::largest_context::Room;
use super::options::MemoryOptions;
use super::state::State;
use super::weights::Weights;
use alloc::vec::Vec;

/// The bytes that the devices have: the GPU, and the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capacity {
    pub gpu: u64,
    pub cpu: u64,
}

impl Capacity {
    pub fn room(&self, [gpu, cpu]: &[Device; 2]) -> Room {
        Room::of(gpu, self.gpu).min(Room::of(cpu, self.cpu))
    }

    /// The bytes that are missing on both devices, with the most that is expected.
    fn missing(&self, [gpu, cpu]: &[Device; 2]) -> u64 {
        let [gpu, cpu] = [gpu.total().high.saturating_sub(self.gpu), cpu.total().high.saturating_sub(self.cpu)];
        gpu.saturating_add(cpu)
    }
}

/// What is on the CPU. The smaller one is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moved {
    /// The number of layers on the CPU. The output counts as one more.
    pub layers: u32,
    /// The number of layers, from the first one on, whose experts are on the CPU.
    pub experts: u32,
}

/// The parts of a model for one context, which are placed.
pub(super) struct Parts {
    weights: Weights,
    caches: Vec<Cache>,
    state: Option<State>,
    output: u64,
    buffers: ComputeBuffers,
}

impl Parts {
    /// `None` if one of them is not known.
    pub fn of(estimate: MemoryEstimate, buffers: Option<ComputeBuffers>) -> Option<Self> {
        Some(Self {
            weights: estimate.weights?,
            caches: estimate.caches?,
            state: estimate.state,
            output: estimate.output_bytes?,
            buffers: buffers?,
        })
    }

    /// The number of layers, and one for the output.
    fn layers(&self) -> u32 {
        self.weights.layer_bytes.len() as u32 + 1
    }

    /// The settings that place what is moved on the CPU.
    pub fn placed(&self, options: &MemoryOptions, moved: Moved) -> MemoryOptions {
        let gpu_layers = Some(self.layers() - moved.layers);
        MemoryOptions { gpu_layers, cpu_experts: moved.experts, ..options.clone() }
    }

    #[inline(never)]
    pub fn devices(&self, options: &MemoryOptions, moved: Moved) -> [Device; 2] {
        let options = self.placed(options, moved);
        devices(&options, &self.weights, &self.caches, self.state.as_ref(), self.output, self.buffers)
    }

    /// The share of the weights of layers and output with which the CPU computes.
    pub fn cpu_share(&self, options: &MemoryOptions) -> f64 {
        let placement = Placement::new(options, self.weights.layer_bytes.len());
        let (mut on_cpu, mut all) = (0_u64, self.weights.output.saturating_add(self.weights.tied_output));
        if !placement.output_is_on_gpu {
            on_cpu = all;
        }
        for (layer, bytes) in self.weights.layer_bytes.iter().enumerate() {
            let moved = if placement.is_on_gpu(layer) { self.weights.split_layer(layer, options)[1] } else { *bytes };
            (on_cpu, all) = (on_cpu.saturating_add(moved), all.saturating_add(*bytes));
        }
        on_cpu as f64 / all.max(1) as f64
    }

    /// The least that must be on the CPU, so that there is this room at least. `None` if there never is.
    pub fn least_moved(&self, options: &MemoryOptions, capacity: &Capacity, room: Room) -> Option<Moved> {
        let devices = |layers, experts| self.devices(options, Moved { layers, experts });
        let gpu_has_room = |layers, experts| Room::of(&devices(layers, experts)[0], capacity.gpu) >= room;
        let all_experts = self.layers() - 1;
        // More on the CPU is never more on the GPU.
        let least = first(self.layers() + 1, &|layers| gpu_has_room(layers, all_experts));
        (least..=self.layers()).find_map(|layers| {
            let experts = first(all_experts, &|experts| gpu_has_room(layers, experts));
            let has_room = capacity.room(&devices(layers, experts)) >= room;
            has_room.then_some(Moved { layers, experts })
        })
    }

    /// The least that is missing, however the layers and experts are placed.
    pub fn missing(&self, options: &MemoryOptions, capacity: &Capacity) -> u64 {
        let missing = |layers, experts| capacity.missing(&self.devices(options, Moved { layers, experts }));
        let of_layers = |layers| {
            // Experts that leave the GPU are as many bytes more on the CPU, so only the two sides of the change count.
            let is_enough = |experts| {
                let [gpu, _] = self.devices(options, Moved { layers, experts });
                gpu.total().high <= capacity.gpu
            };
            let enough = first(self.layers() - 1, &is_enough);
            [0, enough.saturating_sub(1), enough].into_iter().map(|experts| missing(layers, experts)).min()
        };
        (0..=self.layers()).filter_map(of_layers).min().unwrap_or(0)
    }
}

/// The first number below `end` for which a condition holds, or `end`. It holds for all numbers after the first one.
fn first(end: u32, holds: &dyn Fn(u32) -> bool) -> u32 {
    let (mut start, mut end) = (0, end);
    while start < end {
        let middle = start + (end - start) / 2;
        if holds(middle) { end = middle } else { start = middle + 1 }
    }
    start
}

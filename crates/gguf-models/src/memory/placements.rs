//! Which layers and experts can be on the cards, so that all devices have enough memory.

use alloc::vec::Vec;

use super::caches::Cache;
use super::compute::ComputeBuffers;
use super::devices::{Placed, Taken, taken};
use super::estimate::MemoryEstimate;
use super::largest_context::Room;
use super::options::MemoryOptions;
use super::placement::Placement;
use super::state::State;
use super::weights::{From, Weights};

/// Cards are filled evenly to this part of their memory.
const STEPS: u32 = 1024;

/// The bytes that the devices have: the cards, and the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Capacity {
    pub cards: Vec<u64>,
    pub cpu: u64,
    /// Whether the shares of the cards are given, or there is only one.
    pub has_shares: bool,
}

impl Capacity {
    fn of(&self, device: usize) -> u64 {
        self.cards.get(device).copied().unwrap_or(self.cpu)
    }

    /// The room of the cards alone.
    fn room_of_cards(&self, taken: &[Taken]) -> Room {
        self.room(&taken[..self.cards.len()])
    }

    pub fn room(&self, taken: &[Taken]) -> Room {
        let rooms = taken.iter().enumerate().map(|(device, taken)| self.room_of(device, taken));
        rooms.min().unwrap_or(Room::Enough)
    }

    fn room_of(&self, device: usize, taken: &Taken) -> Room {
        Room::of(taken.total(), taken.compute, self.of(device))
    }

    /// The bytes that are missing on all devices, with the most that is expected.
    fn missing(&self, taken: &[Taken]) -> u64 {
        let missing = |(device, taken): (usize, &Taken)| taken.total().high.saturating_sub(self.of(device));
        taken.iter().enumerate().map(missing).fold(0, u64::saturating_add)
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

    /// The settings that place what is moved on the CPU, and the rest on the cards. If no shares are given, each card gets as many layers
    /// as have this room, and the last one gets the rest.
    pub fn placed(&self, options: &MemoryOptions, moved: Moved, capacity: &Capacity, room: Room) -> MemoryOptions {
        let on_cards = self.layers() - moved.layers;
        let mut options = *options;
        (options.gpu_layers, options.cpu_experts) = (Some(on_cards), moved.experts);
        if capacity.has_shares {
            return options;
        }
        let last = capacity.cards.len() - 1;
        // Even if nothing is on the cards, at least one share is not 0.
        let mut left = on_cards.max(1);
        for card in 0..last {
            let mut lacks_room = |layers: u32| {
                *options.cards.of(card) = layers as f32;
                *options.cards.of(last) = (left - layers) as f32;
                capacity.room_of(card, &self.taken(&options)[card]) < room
            };
            let layers = first(left, &mut |layers| lacks_room(layers + 1));
            lacks_room(layers);
            left -= layers;
        }
        options
    }

    /// The settings that fill the cards evenly.
    pub fn placed_evenly(&self, options: &MemoryOptions, moved: Moved, capacity: &Capacity) -> MemoryOptions {
        let part = |step: u32| {
            let part = |bytes: &u64| (u128::from(*bytes) * u128::from(step) / u128::from(STEPS)) as u64;
            Capacity { cards: capacity.cards.iter().map(part).collect(), ..*capacity }
        };
        let placed = |capacity: &Capacity| self.placed(options, moved, capacity, Room::Enough);
        let mut has_room = |step| {
            let part = part(step);
            part.room_of_cards(&self.taken(&placed(&part))) == Room::Enough
        };
        placed(&part(first(STEPS, &mut has_room)))
    }

    #[inline(never)]
    pub fn taken(&self, options: &MemoryOptions) -> Vec<Taken> {
        let Self { weights, caches, state, output, buffers } = self;
        let (weights, caches, buffers) = (Some(weights), Some(&caches[..]), Some(*buffers));
        let placed = Placed { weights, caches, state: state.as_ref(), output: Some(*output), buffers };
        taken(options, &placed, self.weights.layer_bytes.len())
    }

    /// The share of the weights of layers and output with which the CPU computes.
    pub fn cpu_share(&self, options: &MemoryOptions) -> f64 {
        let placement = Placement::new(options, self.weights.layer_bytes.len());
        let (mut on_cpu, mut all) = (0_u64, 0_u64);
        self.weights.place(options, &placement, &mut |from, device, part| {
            if from != From::Input {
                let bytes = part.sum();
                all = all.saturating_add(bytes);
                on_cpu = on_cpu.saturating_add(if device == placement.cpu { bytes } else { 0 });
            }
        });
        on_cpu as f64 / all.max(1) as f64
    }

    /// The numbers of layers and of layers with experts that can be moved. What `given` has is not chosen.
    fn ranges(&self, given: &Given) -> [[u32; 2]; 2] {
        let all = self.layers();
        let layers = given.gpu_layers.map(|count| all - count.min(all)).map_or([0, all], |layers| [layers; 2]);
        let most_experts = if self.weights.has_experts() { all - 1 } else { 0 };
        let experts =
            given.cpu_experts.map(|count| count.min(all - 1)).map_or([0, most_experts], |experts| [experts; 2]);
        [layers, experts]
    }

    /// The smallest part that must be on the CPU so that the rest fits into this memory. `None` if the rest never fits.
    pub fn least_moved(
        &self,
        options: &MemoryOptions,
        given: &Given,
        capacity: &Capacity,
        room: Room,
    ) -> Option<Moved> {
        let taken = |layers, experts| self.taken(&self.placed(options, Moved { layers, experts }, capacity, room));
        let cards_have_room = |layers, experts| capacity.room_of_cards(&taken(layers, experts)) >= room;
        let [[fewest, most], [fewest_experts, most_experts]] = self.ranges(given);
        // Moving more to the CPU never adds to a card, unless the shares are given: then other layers can move to the card.
        let least = match capacity.has_shares && capacity.cards.len() > 1 {
            true => fewest,
            false => fewest + first(most + 1 - fewest, &mut |more| cards_have_room(fewest + more, most_experts)),
        };
        (least..=most).find_map(|layers| {
            let more = first(most_experts - fewest_experts, &mut |more| cards_have_room(layers, fewest_experts + more));
            let experts = fewest_experts + more;
            let has_room = capacity.room(&taken(layers, experts)) >= room;
            has_room.then_some(Moved { layers, experts })
        })
    }

    /// The least that is missing, however the layers and experts are placed; with several cards, if each gets as many layers as fit.
    pub fn missing(&self, options: &MemoryOptions, given: &Given, capacity: &Capacity) -> u64 {
        let taken =
            |layers, experts| self.taken(&self.placed(options, Moved { layers, experts }, capacity, Room::Enough));
        let [[fewest, most], [fewest_experts, most_experts]] = self.ranges(given);
        let of_layers = |layers| {
            // Experts that leave a card are as many bytes more on the CPU, so only the two sides of the change count.
            let mut is_enough = |more| capacity.room_of_cards(&taken(layers, fewest_experts + more)) == Room::Enough;
            let enough = fewest_experts + first(most_experts - fewest_experts, &mut is_enough);
            let tried = [fewest_experts, enough.saturating_sub(1).max(fewest_experts), enough];
            tried.into_iter().map(|experts| capacity.missing(&taken(layers, experts))).min()
        };
        (fewest..=most).filter_map(of_layers).min().unwrap_or(0)
    }
}

/// What is not chosen, because the caller has given it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Given {
    pub gpu_layers: Option<u32>,
    pub cpu_experts: Option<u32>,
}

/// The first number below `end` for which a condition holds, or `end`. It holds for all numbers after the first one.
fn first(end: u32, holds: &mut dyn FnMut(u32) -> bool) -> u32 {
    let (mut start, mut end) = (0, end);
    while start < end {
        let middle = start + (end - start) / 2;
        if holds(middle) { end = middle } else { start = middle + 1 }
    }
    start
}

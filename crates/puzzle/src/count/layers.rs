//! Layers of positions as sorted lists, in memory.
//!
//! The idea: the children of a layer are sorted, and those that earlier layers have are removed. Where moves have inverses,
//! a child of a layer lies in the layer before it, in the layer itself or in the next, so only two layers are kept; else all
//! are.
//!
//! Cost: two bytes for each coordinate of each position, and as much again for each child of a block of parents.

use rayon::prelude::*;
use search_core::domain::Lengths;
use search_core::{Domain, Op, OpSet, Run};

use super::{CountError, Counts};
use crate::space::{Slot, Space, Width, with_width};
use crate::system::System;

/// The number of positions at each depth up to `depth`, by layers.
///
/// # Errors
/// [`CountError`].
pub fn by_layers(system: &System, depth: Option<usize>, run: &Run<'_>) -> Result<Counts, CountError> {
    struct Layers<'a, 'r>(&'a System, Option<usize>, &'a Run<'r>);
    impl Width for Layers<'_, '_> {
        type Answer = Result<Counts, CountError>;
        fn with<const N: usize>(self) -> Self::Answer {
            let Layers(system, depth, run) = self;
            let slots: Vec<Slot> = system.coordinates.iter().map(Slot::of).collect();
            let exact = slots.len();
            let space = Space::<N>::new(system.moves(), slots, exact, Lengths::ANY);
            run.install(|| layers(&space, system.inverses.is_some(), depth, run))
        }
    }
    with_width(system.coordinates.len(), Layers(system, depth, run))
}

fn layers<const N: usize>(
    space: &Space<N>,
    is_closed: bool,
    depth: Option<usize>,
    run: &Run<'_>,
) -> Result<Counts, CountError> {
    let room = usize::try_from(run.memory()).unwrap_or(usize::MAX) / size_of::<[u16; N]>();
    // Children of a block, with duplicates, take a quarter of the memory at most.
    let block = (room / 4 / space.op_count()).max(1);
    let mut kept: Vec<Vec<[u16; N]>> = vec![vec![[0; N]]];
    let mut counts = vec![1];
    run.progress().begin("layers", 0);
    let mut complete = false;
    while depth.is_none_or(|depth| counts.len() <= depth) {
        let mut next: Vec<[u16; N]> = Vec::new();
        for parents in kept[kept.len() - 1].chunks(block) {
            run.check()?;
            let children = |parent: &[u16; N]| {
                let parent = *parent;
                let ops: OpSet = space.applicable(&parent);
                ops.into_iter().map(move |op: Op| space.apply(&parent, op)).collect::<Vec<_>>()
            };
            let mut new: Vec<[u16; N]> = parents.par_iter().flat_map_iter(children).collect();
            new.par_sort_unstable();
            new.dedup();
            new.retain(|child| kept.iter().all(|layer| layer.binary_search(child).is_err()));
            next.extend(new);
            let held: usize = kept.iter().map(Vec::len).sum::<usize>() + next.len();
            if held > room / 2 {
                return Err(CountError::Budget(counts));
            }
        }
        next.par_sort_unstable();
        next.dedup();
        if next.is_empty() {
            complete = true;
            break;
        }
        counts.push(next.len() as u64);
        run.progress().update(counts.len() as u64 - 1);
        kept.push(next);
        if is_closed && kept.len() > 2 {
            kept.remove(0);
        }
    }
    run.progress().end();
    Ok(Counts { layers: counts, complete, deepest: Vec::new() })
}

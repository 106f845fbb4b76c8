//! The space of a search through shapes, and the lower bound of its pattern databases.

use std::sync::Arc;

use search_core::domain::Lengths;
use search_core::heuristic::{ChildBound, Kernel, NodeRef};
use search_core::{Domain, Op, OpSet};

use super::{MOST_COMPONENTS, Shapes};
use crate::near::{Hashed, bound_of};
use crate::space::Distances;

/// A position, or a class of positions that differ by free moves: the number of its row, and of the arrangement of each component;
/// 0 for components that do not exist.
pub type State = [u16; MOST_COMPONENTS + 1];

/// The positions of a puzzle with rules, or their classes.
#[derive(Clone, Debug)]
pub struct ShapeSpace(pub Arc<Shapes>);

impl Domain for ShapeSpace {
    type State = State;

    fn op_count(&self) -> usize {
        self.0.steps().ops()
    }

    #[inline(always)]
    fn applicable(&self, state: &State) -> OpSet {
        self.0.steps().legal(state)
    }

    #[inline(always)]
    fn apply(&self, state: &State, op: Op) -> State {
        self.0.steps().after(state, op)
    }

    #[inline(always)]
    fn is_goal(&self, state: &State) -> bool {
        // Goals are in the solved row.
        state[0] == 0 && self.0.steps().goals().contains(state)
    }

    fn lengths(&self, state: &State) -> Lengths {
        self.0.steps().lengths(state)
    }
}

/// The number of a state.
#[inline(always)]
fn packed(state: &State) -> u64 {
    state.iter().fold(0, |word, &number| word << 16 | u64::from(number))
}

impl Hashed for ShapeSpace {
    fn root(&self) -> State {
        self.0.steps().goals()[0]
    }

    /// The hash of the class: states of one class have one hash, the output of SplitMix64 at the least of their numbers.
    fn hash(&self, state: &State) -> u64 {
        let images = self.0.steps().images(state);
        let least = images.fold(packed(state), |least, image| least.min(packed(&image)));
        let mut bits = least.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    fn child_hash(&self, state: &State, _: u64, op: Op) -> u64 {
        self.hash(&self.apply(state, op))
    }
}

bound_of!(ShapeSpace, State);

/// A lookup in a database of a shape and pieces of its components.
#[derive(Clone, Debug)]
pub(crate) struct ShapeView {
    /// The number of the component whose arrangements are the columns.
    pub component: usize,
    /// The number of columns.
    pub columns: usize,
    /// For each arrangement its projection, where the database forgets some pieces of the component.
    pub projected: Option<Arc<[u16]>>,
    /// The number of another component, that of its projected arrangements, and the projection of each arrangement.
    pub other: Option<(usize, usize, Arc<[u16]>)>,
    /// The pattern database.
    pub table: Arc<Distances>,
}

impl ShapeView {
    /// The entry of a row and an arrangement of each component.
    #[inline(always)]
    fn entry(&self, mut row: usize, arrangement: impl Fn(usize) -> usize) -> usize {
        if let Some((component, count, projected)) = &self.other {
            row = row * count + usize::from(projected[arrangement(*component)]);
        }
        let own = arrangement(self.component);
        let column = self.projected.as_ref().map_or(own, |of| usize::from(of[own]));
        row * self.columns + column
    }

    /// The entry of a state.
    #[inline(always)]
    pub(crate) fn get(&self, state: &State) -> u8 {
        self.table.get(self.entry(usize::from(state[0]), |component| usize::from(state[component + 1])))
    }
}

/// The maximum of lookups, each of which is a stage.
#[derive(Clone, Debug)]
pub(crate) struct ShapeBound {
    /// The lookups; at least one.
    pub views: Vec<ShapeView>,
    /// The kernel that suits their tables.
    pub kernel: Kernel,
}

impl ChildBound<ShapeSpace> for ShapeBound {
    type Carry = ();
    type Probe = usize;
    type Memo = ();

    #[inline(always)]
    fn stages(&self) -> usize {
        self.views.len()
    }

    fn carry(&self, _: &ShapeSpace, _: &State) {}

    #[inline(always)]
    fn carry_child(&self, _: NodeRef<'_, ShapeSpace, ()>, _: Op, _: &State, (): &()) {}

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, ShapeSpace, ()>, op: Op, stage: usize) -> usize {
        let view = &self.views[stage];
        let steps = node.domain.0.steps();
        let (row, movements) = steps.located(node.state, op);
        let entry = view.entry(row, |component| steps.arranged(component, movements, node.state));
        view.table.prefetch(entry);
        entry
    }

    #[inline(always)]
    fn read(&self, entry: usize, stage: usize, (): &mut ()) -> u8 {
        self.views[stage].table.get(entry)
    }

    fn value(&self, _: &ShapeSpace, state: &State) -> u8 {
        self.views.iter().map(|view| view.get(state)).max().expect("there is a lookup")
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

//! The lower bound of a search through shapes: the maximum of the lookups of a position and of its images.
//!
//! **Images.** A lookup of an [image](super::images) reads the same table. A position carries its projected arrangements for each lookup,
//! and those of images move by the images of the operators. So a child is located by a read for the row and one for each arrangement,
//! from maps of the projections that fit the second cache.
//!
//! **Order.** Each lookup is a stage. The one with the greatest value at a node is the first for its children, and the others keep
//! their order. Every operator is undone by another one, so values of neighbours differ by at most one; a lookup that therefore
//! prunes no child is left out, and the child carries an upper limit of its value.
//!
//! **Passing.** Where the automaton allows a single operator `s` after an operator `m`, as a twist after turns of both layers, the
//! position after `m` is passed: the one after `m s` is looked up instead. Let `n` moves be left after `m`, at least one. A solution that begins with
//! `m` continues with `s`, so it exists only if the value after `m s` is at most `n - 1`. Of each lookup, this value is at least that after
//! `m` less one, so no child is kept that the value after `m` would prune. With no move left after `m`, the position after `m` itself is
//! looked up. The position after `m` then carries the values of its only child.
//!
//! **Invariant.** A carried value is an upper limit of the values of all children that may follow, less one.
//!
//! **Why no shortest solution is lost.** Values are lower bounds, those of images too, since an image has the distance of the position.
//! A lookup that the invariant rules out would prune no child.
//!
//! **Cost.** Complete iterations generate at most the nodes of a search with all lookups of the position alone, since each child
//! that one of these prunes is pruned here too.

use std::collections::HashSet;
use std::sync::Arc;

use search_core::domain::{MOST_OPS, OpSet, PerOp};
use search_core::heuristic::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use search_core::{Automaton, Op};

use super::images::Image;
use super::product::Few;
use super::space::{ShapeSpace, State};
use super::steps::{Movements, Steps};
use crate::group::Uniform;
use crate::space::Distances;

/// The maximum number of lookups.
const MOST_LOOKUPS: usize = 8;
/// The number of positions by which lookups are compared.
const SAMPLES: usize = 40;
/// The number of operators to such a position.
const WALK: usize = 100;

/// A lookup in a database of a shape and pieces of its components.
#[derive(Clone, Debug)]
pub struct ShapeView {
    /// The number of the component whose arrangements are the columns.
    pub(super) component: usize,
    /// The number of columns.
    pub(super) columns: usize,
    /// The projection of arrangements, where the database forgets some pieces of the component.
    pub(super) projected: Option<Few>,
    /// The number of another component, and the projection of its arrangements.
    pub(super) other: Option<(usize, Few)>,
    /// The pattern database.
    pub(crate) table: Arc<Distances>,
}

/// The maps of a lookup's columns, for each movement of a component.
struct Maps<'a> {
    steps: &'a Steps,
    component: usize,
    count: usize,
    maps: &'a [u16],
}

/// The numbers of a position in a database.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    row: usize,
    column: u16,
    other: u16,
}

impl ShapeView {
    #[inline(always)]
    fn place(&self, state: &State) -> Place {
        let own = state[self.component + 1];
        let column = self.projected.as_ref().map_or(own, |few| few.number(own));
        let other = self.other.as_ref().map_or(0, |(component, few)| few.number(state[component + 1]));
        Place { row: usize::from(state[0]), column, other }
    }

    /// The maps of the columns.
    #[inline(always)]
    fn maps<'a>(&'a self, steps: &'a Steps) -> Maps<'a> {
        let (count, maps) = match &self.projected {
            Some(few) => (few.count, few.maps()),
            None => steps.maps(self.component),
        };
        Maps { steps, component: self.component, count, maps }
    }

    /// The place of the position that an operator leads to.
    #[inline(always)]
    fn after(&self, maps: &Maps<'_>, at: Place, op: Op) -> Place {
        let (row, movements): (usize, &Movements) = maps.steps.located(at.row, op);
        let column = maps.maps[usize::from(movements[maps.component]) * maps.count + usize::from(at.column)];
        let other = match &self.other {
            Some((component, few)) => few.moved(movements[*component], at.other),
            None => 0,
        };
        Place { row, column, other }
    }

    #[inline(always)]
    fn entry(&self, at: Place) -> usize {
        let row = match &self.other {
            Some((_, few)) => at.row * few.count + usize::from(at.other),
            None => at.row,
        };
        row * self.columns + usize::from(at.column)
    }

    /// The value of a state.
    #[inline(always)]
    pub fn get(&self, state: &State) -> u8 {
        self.table.get(self.entry(self.place(state)))
    }
}

/// A lookup of a position, or of its image.
#[derive(Clone, Debug)]
struct Lookup {
    view: ShapeView,
    image: Option<Arc<Image>>,
    /// For each operator the one by which the lookup moves.
    names: [u8; MOST_OPS],
}

impl Lookup {
    fn new(view: &ShapeView, image: Option<&Arc<Image>>, steps: &Steps) -> Lookup {
        let mut names = std::array::from_fn(|op| op as u8);
        if let Some(image) = image {
            let ops = OpSet::first(steps.ops()).into_iter();
            ops.for_each(|op| names[op.index()] = image.op(op).index() as u8);
        }
        Lookup { view: view.clone(), image: image.cloned(), names }
    }

    fn place(&self, state: &State) -> Place {
        match &self.image {
            None => self.view.place(state),
            Some(image) => self.view.place(&image.state(state)),
        }
    }

    fn get(&self, state: &State) -> u8 {
        self.view.table.get(self.view.entry(self.place(state)))
    }

    #[inline(always)]
    fn row(&self, row: usize) -> usize {
        self.image.as_ref().map_or(row, |image| image.row(row))
    }

    #[inline(always)]
    fn op(&self, op: Op) -> Op {
        Op::new(usize::from(self.names[op.index() % MOST_OPS]) % MOST_OPS)
    }
}

/// A value for each lookup; 0 for those that do not exist.
type Values = [u8; MOST_LOOKUPS];

/// The maximum of lookups, each of which is a stage.
#[derive(Clone, Debug)]
pub struct ShapeBound {
    /// The lookups; at least one.
    lookups: Vec<Lookup>,
    /// The operators that a single one may follow.
    passing: OpSet,
    /// That one; operators that others may follow have any number.
    next: [u8; MOST_OPS],
    /// 1 for each lookup.
    one: Values,
    kernel: Kernel,
}

/// Data passed from a node to its children.
#[derive(Clone, Copy, Debug)]
pub struct Carry {
    /// An upper limit of the values of the children, less one.
    values: Values,
    columns: [u16; MOST_LOOKUPS],
    others: [u16; MOST_LOOKUPS],
    /// The number of the lookup with the greatest value, which is the first one for the children.
    first: usize,
}

/// Scratch data of evaluating the children of a node.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// The number of the lookup of this stage.
    lookup: usize,
    /// The children that are looked up.
    looked: OpSet,
    /// The children after which another operator is looked up.
    passed: OpSet,
    /// The entries of the children that are looked up, in the order of the operators.
    entries: [usize; MOST_OPS],
    /// For each child, upper limits of its values; of those of the only child where that is looked up.
    values: PerOp<Values>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            lookup: 0,
            looked: OpSet::EMPTY,
            passed: OpSet::EMPTY,
            entries: [0; MOST_OPS],
            values: PerOp::default(),
        }
    }
}

#[inline(always)]
fn plus(values: Values, more: Values) -> Values {
    std::array::from_fn(|at| values[at].saturating_add(more[at]))
}

#[inline(always)]
fn minus(values: Values, less: Values) -> Values {
    std::array::from_fn(|at| values[at].saturating_sub(less[at]))
}

/// The number of the lookup with the greatest value, the least of those.
#[inline(always)]
fn greatest(values: &Values) -> usize {
    // Without a branch, so that values are compared together.
    let last = MOST_LOOKUPS - 1;
    let keys: [u16; MOST_LOOKUPS] = std::array::from_fn(|at| u16::from(values[at]) << 8 | (last - at) as u16);
    last - usize::from(keys.into_iter().fold(0, u16::max) & 0xFF)
}

impl ShapeBound {
    /// The maximum of the lookups of `views`, at least one and at most eight, and of those of images that tell more, of searches of
    /// `space` with `automaton`.
    ///
    /// # Panics
    /// If there are more than eight views.
    pub fn new(
        space: &ShapeSpace,
        views: Vec<ShapeView>,
        images: &[Arc<Image>],
        automaton: &Automaton,
        kernel: Kernel,
    ) -> ShapeBound {
        assert!((1..=MOST_LOOKUPS).contains(&views.len()), "one to {MOST_LOOKUPS} lookups");
        let lookups = with_images(space, views, images);
        let one = std::array::from_fn(|at| u8::from(at < lookups.len()));
        let (passing, next) = only_next(space, automaton);
        ShapeBound { lookups, passing, next, one, kernel }
    }

    /// The number of lookups of a position and its images.
    pub fn count(&self) -> usize {
        self.lookups.len()
    }

    /// The values of a position and of its images.
    pub fn values<'a>(&'a self, state: &'a State) -> impl Iterator<Item = u8> + 'a {
        self.lookups.iter().map(move |lookup| lookup.get(state))
    }

    /// The number of the lookup of a stage, and the children that it may prune.
    #[inline(always)]
    fn looked(&self, carry: &Carry, Batch { ops, stage, limit }: Batch, passed: OpSet) -> (usize, OpSet) {
        let lookup = match stage {
            0 => carry.first,
            _ if stage <= carry.first => stage - 1,
            _ => stage,
        };
        let most = u32::from(carry.values[lookup % MOST_LOOKUPS]) + 1;
        let mut looked = OpSet::EMPTY;
        if most > limit {
            looked = ops.minus(passed);
        }
        // The child of a child that is passed has at most one more, and one move less.
        if most + 2 > limit {
            looked = OpSet(looked.0 | ops.and(passed).0);
        }
        (lookup, looked)
    }
}

/// The lookups of `views`, and those of images that have other values at some of a few positions than the lookups before them.
fn with_images(space: &ShapeSpace, views: Vec<ShapeView>, images: &[Arc<Image>]) -> Vec<Lookup> {
    let steps = space.0.steps();
    let mut lookups: Vec<Lookup> = views.iter().map(|view| Lookup::new(view, None, steps)).collect();
    if images.is_empty() {
        return lookups;
    }
    let samples = samples(steps);
    let values = |lookup: &Lookup| samples.iter().map(|state| lookup.get(state)).collect::<Vec<u8>>();
    let mut known: Vec<Vec<u8>> = lookups.iter().map(values).collect();
    for image in images {
        for view in &views {
            let lookup = Lookup::new(view, Some(image), steps);
            let its = values(&lookup);
            if lookups.len() < MOST_LOOKUPS && !known.contains(&its) {
                known.push(its);
                lookups.push(lookup);
            }
        }
    }
    lookups
}

/// The ends of random walks, the same at each call.
fn samples(steps: &Steps) -> Vec<State> {
    let mut random = Uniform::new(0);
    let mut walk = |_| {
        let mut state = steps.goals()[0];
        for _ in 0..WALK {
            let legal: Vec<Op> = steps.legal(&state).into_iter().collect();
            state = steps.after(&state, legal[random.below(legal.len())]);
        }
        state
    };
    (0..SAMPLES).map(&mut walk).collect()
}

/// The operators after which the automaton allows a single one, which applies wherever they lead, and that one.
fn only_next(space: &ShapeSpace, automaton: &Automaton) -> (OpSet, [u8; MOST_OPS]) {
    let steps = space.0.steps();
    let mut after = [OpSet::EMPTY; MOST_OPS];
    let (mut states, mut known) =
        (vec![automaton.start()], HashSet::from([automaton.number(automaton.start())]));
    while let Some(state) = states.pop() {
        for op in automaton.allowed(state).and(OpSet::first(steps.ops())) {
            let Some(next) = automaton.next(state, op) else { continue };
            after[op.index()].0 |= automaton.allowed(next).0;
            if known.insert(automaton.number(next)) {
                states.push(next);
            }
        }
    }
    let (mut passing, mut next) = (OpSet::EMPTY, [0; MOST_OPS]);
    for op in OpSet::first(steps.ops()) {
        let mut allowed = after[op.index()].and(OpSet::first(steps.ops()));
        let (Some(only), true) = (allowed.pop_first(), allowed.is_empty()) else { continue };
        let applies = |row: usize| {
            !steps.legal_in(row).contains(op) || steps.legal_in(steps.located(row, op).0).contains(only)
        };
        if (0..steps.rows()).all(applies) {
            passing = passing.with(op);
            next[op.index()] = only.index() as u8;
        }
    }
    (passing, next)
}

impl Heuristic<ShapeSpace> for ShapeBound {
    type Carry = Carry;
    type Scratch = Scratch;

    #[inline(always)]
    fn stages(&self) -> usize {
        self.lookups.len()
    }

    fn carry(&self, _: &ShapeSpace, state: &State) -> Carry {
        let (mut values, mut columns, mut others) = (Values::default(), [0; MOST_LOOKUPS], [0; MOST_LOOKUPS]);
        for (at, lookup) in self.lookups.iter().enumerate() {
            let place = lookup.place(state);
            (values[at], columns[at], others[at]) = (lookup.get(state), place.column, place.other);
        }
        Carry { values, columns, others, first: greatest(&values) }
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, ShapeSpace, Carry>,
        op: Op,
        _: &State,
        scratch: &Scratch,
    ) -> Carry {
        let NodeRef { domain, state, carry } = parent;
        let mut values = scratch.values[op];
        if scratch.passed.contains(op) {
            values = minus(values, self.one);
        }
        let mut child = Carry { values, first: greatest(&values), ..*carry };
        let places = child.columns.iter_mut().zip(&mut child.others);
        for (lookup, (column, other)) in self.lookups.iter().zip(places) {
            let place = Place { row: lookup.row(usize::from(state[0])), column: *column, other: *other };
            let place = lookup.view.after(&lookup.view.maps(domain.0.steps()), place, lookup.op(op));
            (*column, *other) = (place.column, place.other);
        }
        child
    }

    #[inline(always)]
    fn prepare(&self, node: NodeRef<'_, ShapeSpace, Carry>, batch: Batch, scratch: &mut Scratch) {
        let carry = node.carry;
        if batch.stage == 0 {
            scratch.passed = if batch.limit > 0 { batch.ops.and(self.passing) } else { OpSet::EMPTY };
            let raised = plus(carry.values, self.one);
            let twice = plus(raised, self.one);
            for op in batch.ops {
                scratch.values[op] = if scratch.passed.contains(op) { twice } else { raised };
            }
        }
        (scratch.lookup, scratch.looked) = self.looked(carry, batch, scratch.passed);
    }

    #[inline(always)]
    fn looks(&self, _: Batch, scratch: &Scratch) -> bool {
        !scratch.looked.is_empty()
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, ShapeSpace, Carry>, _: Batch, scratch: &mut Scratch) {
        let NodeRef { domain, state, carry } = node;
        if scratch.looked.is_empty() {
            return;
        }
        let number = scratch.lookup;
        let lookup = &self.lookups[number];
        let (view, maps) = (&lookup.view, lookup.view.maps(domain.0.steps()));
        let from = Place {
            row: lookup.row(usize::from(state[0])),
            column: carry.columns[number % MOST_LOOKUPS],
            other: carry.others[number % MOST_LOOKUPS],
        };
        for (entry, op) in scratch.entries.iter_mut().zip(scratch.looked) {
            let mut at = view.after(&maps, from, lookup.op(op));
            if scratch.passed.contains(op) {
                let next = Op::new(usize::from(self.next[op.index() % MOST_OPS]) % MOST_OPS);
                at = view.after(&maps, at, lookup.op(next));
            }
            *entry = view.entry(at);
            view.table.prefetch(*entry);
        }
    }

    #[inline(always)]
    fn read(&self, Batch { ops, limit, .. }: Batch, scratch: &mut Scratch) -> Sieved {
        let mut sieved = Sieved { kept: ops.minus(scratch.looked), ..Sieved::default() };
        if scratch.looked.is_empty() {
            return sieved;
        }
        let number = scratch.lookup;
        let table = &self.lookups[number].view.table;
        for (&entry, op) in scratch.entries.iter().zip(scratch.looked) {
            let value = table.get(entry);
            scratch.values[op][number % MOST_LOOKUPS] = value;
            sieved.take(op, value.saturating_add(u8::from(scratch.passed.contains(op))), limit);
        }
        sieved
    }

    fn value(&self, _: &ShapeSpace, state: &State) -> u8 {
        self.values(state).max().expect("there is a lookup")
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

//! Classes of positions that differ by free moves.
//!
//! The idea: some moves may cost nothing, such as the turns of the layers of a square-1 where only twists count. Positions
//! between which free moves lead are one class. A search walks from class to class: its operators are the counted moves, each
//! after one of the turns that free moves can make. An operator is a number: that of a turn among those that are legal at the
//! position that stands for the class, and that of a counted move.
//!
//! Invariant: free moves of different bases change no place in common, and rules are about single places. So the turns of a
//! class are all combinations of a legal power of each base, or none, and the position with the least bytes, which stands for
//! the class, is found base by base. Counted moves are legal wherever the position before them is.
//!
//! Why no shortest solution is lost: a solution is a string of counted moves with free moves between them. The free moves
//! between two counted ones amount to one turn, so each string of `n` counted moves is a path of `n` operators, and
//! conversely. Where each move has an inverse, neighbours are mutual, so a table of near positions can be filled from the goal.
//!
//! Cost: all powers of all free moves for each child.

use search_core::domain::MOST_OPS;
use search_core::{Domain, Op, OpSet};

use super::Hashed;
use super::places::PlaceSpace;
use crate::coordinate::NONE;
use crate::coordinate::Projection;
use crate::fault::Faults;
use crate::part::Part;
use crate::system::System;

/// The free moves of a puzzle.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The number of counted moves, which are the first.
    counted: usize,
    /// For each base, the numbers of the free moves that are powers of it.
    bases: Vec<Vec<usize>>,
    /// The maximum number of neighbours of a class.
    ops: usize,
}

impl Classes {
    /// The classes of a puzzle with free moves.
    ///
    /// # Errors
    /// [`Faults`]: free moves that change the same places, counted moves that rules block, or too many neighbours.
    pub fn new(system: &System) -> Result<Classes, Faults> {
        let bases = system.free.clone();
        let counted = system.moves() - bases.iter().map(Vec::len).sum::<usize>();
        let mut faults = Vec::new();
        let (apart, first) = (system.apart(), |base: &Vec<usize>| base[0]);
        for (number, base) in bases.iter().enumerate() {
            if bases[..number].iter().any(|other| !apart[first(other)][first(base)]) {
                faults
                    .push("free moves must not change the same places, except powers of one move".to_owned());
            }
        }
        if system.inverses.is_none() {
            faults.push("free moves need counted moves that are all undone by counted moves".to_owned());
        }
        if (0..counted).any(|number| may_be_blocked(system, number)) {
            faults.push("free moves need counted moves that rules do not block".to_owned());
        }
        faults.dedup();
        Faults::unless_none(faults, || ())?;
        let ops = counted * most_turns(system, &bases);
        if !(1..=MOST_OPS).contains(&ops) {
            return Err(format!(
                "up to {ops} counted moves can follow free ones; a search has 1 to {MOST_OPS}"
            )
            .into());
        }
        Ok(Classes { counted, bases, ops })
    }

    /// The maximum number of neighbours of a class.
    pub fn ops(&self) -> usize {
        self.ops
    }

    /// The legal powers of a base.
    fn powers<'a>(&'a self, base: usize, legal: OpSet) -> impl Iterator<Item = Op> + 'a {
        self.bases[base].iter().map(|&number| Op::new(number)).filter(move |&op| legal.contains(op))
    }
}

/// Whether rules can block a move in some legal position, as far as single rules show.
pub(crate) fn may_be_blocked(system: &System, number: usize) -> bool {
    system.parts.iter().any(|part| may_break(part, number))
}

/// Whether a move can break a rule that the position before it keeps.
fn may_break(part: &Part, number: usize) -> bool {
    let from = &part.moves[number].from;
    part.illegal.iter().any(|&(to, label)| !part.illegal.contains(&(usize::from(from[to]), label)))
}

/// An upper limit of the number of combinations of free moves that are legal at a position.
fn most_turns(system: &System, bases: &[Vec<usize>]) -> usize {
    let moves = system.moves();
    let all: usize = bases.iter().map(|base| base.len() + 1).product();
    // What the rules of a part allow at the states of its pieces with rules.
    let ruled = system.parts.iter().enumerate().filter(|(_, part)| !part.illegal.is_empty());
    let of_part = ruled.filter_map(|(number, part)| {
        let projection = Projection::ruled(number, part);
        let next = system.coordinates.iter().find(|coordinate| coordinate.projection == projection)?.next();
        let turns = |row: &[u16]| -> usize {
            let legal = |base: &Vec<usize>| base.iter().filter(|&&number| row[number] != NONE).count();
            bases.iter().map(|base| legal(base) + 1).product()
        };
        next.chunks_exact(moves).map(turns).max()
    });
    of_part.chain([all]).min().expect("the number of all")
}

/// The classes of positions with up to `W` places.
#[derive(Clone, Debug)]
pub struct ClassSpace<'a, const W: usize> {
    classes: &'a Classes,
    space: PlaceSpace<'a, W>,
    /// The position that stands for the class of the solved one.
    goal: [u8; W],
}

impl<'a, const W: usize> ClassSpace<'a, W> {
    /// The classes of the positions of `space`.
    pub fn new(classes: &'a Classes, space: PlaceSpace<'a, W>) -> Self {
        let mut of_classes = ClassSpace { classes, goal: *space.solved(), space };
        of_classes.goal = of_classes.class(&of_classes.goal);
        of_classes
    }

    /// The position that stands for the class of another: the one with the least bytes.
    pub fn class(&self, position: &[u8; W]) -> [u8; W] {
        let legal = self.space.applicable(position);
        let mut least = *position;
        for base in 0..self.classes.bases.len() {
            let before = least;
            for op in self.classes.powers(base, legal) {
                let turned = self.space.apply(&before, op);
                if turned < least {
                    least = turned;
                }
            }
        }
        least
    }

    /// The position of a class after the turn of an operator, and the counted move of the operator; `None` if the class has no
    /// such operator.
    #[inline(always)]
    fn turned(&self, class: &[u8; W], op: Op) -> Option<([u8; W], Op)> {
        let Classes { counted, bases, .. } = self.classes;
        let legal = self.space.applicable(class);
        let (mut turned, mut rest) = (*class, op.index() / counted);
        for base in 0..bases.len() {
            let turns = self.classes.powers(base, legal).count() + 1;
            if let Some(before) = (rest % turns).checked_sub(1) {
                turned = self.space.apply(&turned, self.classes.powers(base, legal).nth(before)?);
            }
            rest /= turns;
        }
        (rest == 0).then(|| (turned, Op::new(op.index() % counted)))
    }

    /// The moves that some operators stand for, from a position to the solved one, with free moves before, between and after
    /// them; `None` if they do not lead there.
    pub fn word(&self, start: &[u8; W], ops: &[Op]) -> Option<Vec<Op>> {
        let (mut at, mut word) = (*start, Vec::new());
        for &op in ops {
            let (turned, step) = self.turned(&self.class(&at), op)?;
            self.turn(&mut at, &turned, &mut word)?;
            at = self.space.apply(&at, step);
            word.push(step);
        }
        self.turn(&mut at, self.space.solved(), &mut word)?;
        Some(word)
    }

    /// Adds the free moves from one position of a class to another.
    fn turn(&self, at: &mut [u8; W], to: &[u8; W], word: &mut Vec<Op>) -> Option<()> {
        let legal = self.space.applicable(at);
        for (base, powers) in self.classes.bases.iter().enumerate() {
            let is_turned = |position: &[u8; W]| {
                self.space.changed(Op::new(powers[0])).all(|place| position[place] == to[place])
            };
            if !is_turned(at) {
                let turned = self.classes.powers(base, legal).map(|op| (op, self.space.apply(at, op)));
                let (op, position) = turned.into_iter().find(|(_, position)| is_turned(position))?;
                word.push(op);
                *at = position;
            }
        }
        (at == to).then_some(())
    }
}

impl<const W: usize> Domain for ClassSpace<'_, W> {
    type State = [u8; W];

    fn op_count(&self) -> usize {
        self.classes.ops
    }

    #[inline(always)]
    fn applicable(&self, class: &[u8; W]) -> OpSet {
        let legal = self.space.applicable(class);
        let turns = (0..self.classes.bases.len()).map(|base| self.classes.powers(base, legal).count() + 1);
        OpSet::first(self.classes.counted * turns.product::<usize>())
    }

    #[inline(always)]
    fn apply(&self, class: &[u8; W], op: Op) -> [u8; W] {
        let (turned, step) = self.turned(class, op).expect("an applicable operator");
        self.class(&self.space.apply(&turned, step))
    }

    #[inline(always)]
    fn is_goal(&self, class: &[u8; W]) -> bool {
        *class == self.goal
    }
}

impl<const W: usize> Hashed for ClassSpace<'_, W> {
    fn root(&self) -> [u8; W] {
        self.goal
    }

    fn hash(&self, class: &[u8; W]) -> u64 {
        self.space.hash(class)
    }

    fn child_hash(&self, class: &[u8; W], _: u64, op: Op) -> u64 {
        self.space.hash(&self.apply(class, op))
    }
}

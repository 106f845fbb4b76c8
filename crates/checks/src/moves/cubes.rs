//! Walks of the cube: Manhattan distance and pattern databases, and the referee's stickers.

use crate::input::Input;
use cube::heuristics::manhattan::Variant;
use cube::heuristics::patterns::{EdgeLookup, EdgePart};
use cube::heuristics::{Manhattan, PatternBound};
use cube::lanes::Portable;
use cube::notation::facelets;
use cube::pdb::{Edges, edges};
use cube::space::{CubeSpace, Sides, State, View};
use cube::symmetry::Symmetry;
use cube::tables::{Pattern, TableId};
use cube::{Cube, Metric, Turn};
use search_core::heuristic::{Batch, NodeRef};
use search_core::table::{Recipe, Unfinished};
use search_core::{Domain, Heuristic, Op, OpSet, Run};
use std::fmt::Debug;
use std::sync::LazyLock;

type Space = CubeSpace<Portable>;

/// The spaces and heuristics of a metric, built once.
struct Built {
    one_sided: Space,
    two_sided: Space,
    manhattan: [Manhattan; 3],
    patterns: PatternBound<Portable>,
}

impl Built {
    fn new(metric: Metric) -> Built {
        // Three edges of a small table, seen as they are and through a symmetry, in both views.
        let set = edges::KORF & edges::KORF.wrapping_neg();
        let set = set | (edges::KORF ^ set) & (edges::KORF ^ set).wrapping_neg() | 1 << 11;
        let space = Edges::new(metric, set).expect("a set that is a pattern");
        let id = TableId { pattern: Pattern::Edges(set), metric };
        let body = id.build(&Unfinished::NOWHERE, &Run::new()).expect("a small table").body;
        let table = id.over(body).nibbles();
        let symmetries = [Symmetry::IDENTITY, Symmetry::all().last().expect("48 symmetries")];
        let parts = symmetries.into_iter().zip(View::ALL).map(|(symmetry, view)| EdgePart {
            lookup: EdgeLookup::new(&space, symmetry, view),
            table: table.clone(),
        });
        Built {
            one_sided: CubeSpace::new(metric, Sides::One),
            two_sided: CubeSpace::new(metric, Sides::Two),
            manhattan: Variant::ALL.map(|variant| Manhattan::new(metric, variant)),
            patterns: PatternBound::new(None, parts.collect()),
        }
    }
}

static HALF_TURNS: LazyLock<Built> = LazyLock::new(|| Built::new(Metric::Htm));
static QUARTER_TURNS: LazyLock<Built> = LazyLock::new(|| Built::new(Metric::Qtm));

/// Walks the cube from the solved one.
pub fn check(input: &mut Input<'_>) {
    let choice = input.below(12);
    let built = if choice.is_multiple_of(2) { &*HALF_TURNS } else { &*QUARTER_TURNS };
    match choice / 2 {
        0 => walk(&built.one_sided, &built.manhattan[0], input),
        1 => walk(&built.one_sided, &built.manhattan[1], input),
        2 => walk(&built.one_sided, &built.manhattan[2], input),
        3 => walk(&built.one_sided, &built.patterns, input),
        4 => both_ends(&built.two_sided, input),
        _ => referee(input),
    }
}

/// A walk whose values are updated from move to move.
fn walk<H: Heuristic<Space, Carry: Debug>>(space: &Space, heuristic: &H, input: &mut Input<'_>) {
    let mut state = State::new(&Cube::SOLVED);
    let mut carry = heuristic.carry(space, &state);
    for (byte, made) in input.zip(1u32..) {
        let op = Op::new(usize::from(byte) % space.op_count());
        let next = space.apply(&state, op);
        let node = NodeRef { domain: space, state: &state, carry: &carry };
        let (mut scratch, mut updated) = (H::Scratch::default(), 0);
        for stage in 0..heuristic.stages() {
            let sieved =
                heuristic.evaluate(node, Batch { ops: OpSet::EMPTY.with(op), stage, limit: 0 }, &mut scratch);
            updated = updated.max(if sieved.kept.is_empty() { sieved.least_cut } else { 0 });
        }
        let fresh = heuristic.value(space, &next);
        assert_eq!(updated, u32::from(fresh), "updated and from scratch");
        assert!(u32::from(fresh) <= made, "{fresh} after {made} moves");
        carry = heuristic.carry_child(node, op, &next, &scratch);
        assert_eq!(format!("{carry:?}"), format!("{:?}", heuristic.carry(space, &next)), "carried");
        state = next;
    }
}

/// Turns at both ends of the unknown solution give the cube that the turns in order give.
fn both_ends(space: &Space, input: &mut Input<'_>) {
    let mut state = State::new(&Cube::SOLVED);
    let mut plain = Cube::SOLVED;
    for byte in input {
        let op = Op::new(usize::from(byte) % space.op_count());
        let (turn, end) = space.turn_of(op);
        state = space.apply(&state, op);
        plain = match end {
            cube::space::End::Front => plain.apply(turn),
            cube::space::End::Back => Cube::of_turn(turn).compose(&plain),
        };
        assert_eq!(state.cube(), plain);
        assert_eq!(plain.inverse().inverse(), plain);
    }
}

/// The referee's stickers after the same turns.
fn referee(input: &mut Input<'_>) {
    let (mut ours, mut theirs) = (Cube::SOLVED, referee::cube::Cube::solved());
    for byte in input {
        let turn = Turn::from_index(usize::from(byte) % Turn::COUNT);
        let step = referee::cube::Move::parse(&turn.to_string()).expect("a turn");
        (ours, theirs) = (ours.apply(turn), theirs.after(&step));
        assert_eq!(facelets::format(&ours), theirs.to_string());
        assert_eq!(ours.apply(turn.inverse()).apply(turn), ours);
    }
}

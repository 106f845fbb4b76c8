//! Compares entries with minima over the flips that they do not keep, found by searches, and estimates how many entries
//! of large tables lie beyond a depth.

use super::fill::{FillSpec, fill};
use super::{CLASSES, GROUP, SYMMETRIC, Square, corners_of, symmetry_in};
use crate::cube::Cube;
use crate::lanes::Portable;
use crate::metric::Metric;
use crate::random::random_cube;
use crate::space::{State, View};
use crate::symmetry::Symmetry;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use search_core::automaton::StateId;
use search_core::pdb::Packed;
use search_core::table::Unfinished;
use search_core::{Automaton, Run};

/// The number of flips of the table that bounds the searches.
const FLIPS: u8 = 4;
/// Its base.
const BASE: u8 = 8;

/// Distances between cosets with all flips.
struct Cosets {
    square: Square<Portable>,
    /// Values above the base.
    table: Packed<2, Vec<u8>>,
    /// The least values of groups.
    floor: Packed<4, Vec<u8>>,
    all: Square<Portable>,
    rules: Automaton,
}

impl Cosets {
    fn new() -> Cosets {
        let square = Square::new(FLIPS);
        let (run, base, entries) = (Run::new(), u32::from(BASE), Square::<Portable>::entries(FLIPS));
        let table = FillSpec { classes: 0..CLASSES, group: 0, base, depth: base + 2 };
        let floor = FillSpec { classes: 0..CLASSES, group: GROUP, base: 0, depth: base };
        let table = fill::<Portable, 2>(&square, Metric::Htm, table, &Unfinished::NOWHERE, &run);
        let floor = fill::<Portable, 4>(&square, Metric::Htm, floor, &Unfinished::NOWHERE, &run);
        let table = Packed::new(table.expect("filled").body.to_vec(), entries);
        let floor = Packed::new(floor.expect("filled").body.to_vec(), entries.div_ceil(1 << GROUP));
        Cosets {
            square,
            table: table.expect("a whole table"),
            floor: floor.expect("a whole table"),
            all: Square::new(11),
            rules: Metric::Htm.automaton(),
        }
    }

    fn entry(of: &Square<Portable>, cube: &Cube) -> u64 {
        of.entry(State::new(cube).by_location(), View::Position)
    }

    /// A lower bound on the distance.
    fn bound(&self, cube: &Cube) -> u8 {
        let entry = Cosets::entry(&self.square, cube);
        match self.table.get(entry) {
            0 => self.floor.get(entry >> GROUP),
            above => BASE + above,
        }
    }

    /// Whether the coset of `cube` is at most `left` turns from that of the solved cube.
    fn is_within(&self, cube: &Cube, left: u8, state: StateId) -> bool {
        let is_home = || Cosets::entry(&self.all, cube) == Cosets::entry(&self.all, &Cube::SOLVED);
        if self.bound(cube) > left || left == 0 {
            return left == 0 && is_home();
        }
        is_home()
            || self.rules.allowed(state).into_iter().any(|op| {
                let next = self.rules.next(state, op).expect("the automaton allows the operator");
                self.is_within(&cube.apply(Metric::Htm.turns()[op.index()]), left - 1, next)
            })
    }

    /// Whether the entry of `cube` with `flips` flips is at most `depth`.
    fn is_entry_within(&self, cube: &Cube, flips: u8, depth: u8) -> bool {
        let images = Symmetry::all().map(|s| s.conjugate(cube));
        let is_representative =
            |cube: &Cube| symmetry_in(self.all.class_of[corners_of(&self.all.tetrads, cube)]) == 0;
        let image = images.into_iter().find(is_representative).expect("one of them is");
        (0..1u16 << (11 - flips)).any(|others| {
            let mut coset = image;
            for flip in (0..11 - flips).filter(|flip| others >> flip & 1 == 1) {
                coset.edges[usize::from(flips + flip)] ^= 0x10;
                coset.edges[11] ^= 0x10;
            }
            self.is_within(&coset, depth, self.rules.start())
        })
    }
}

/// Prints estimates for `docs/measurements/experiments.md`.
#[test]
#[ignore = "takes minutes"]
fn entries_are_minima_over_the_other_flips() {
    let cosets = Cosets::new();
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let cubes: Vec<Cube> = (0..10_000).map(|_| random_cube(&mut rng)).collect();
    for cube in &cubes[..500] {
        // Where a symmetry preserves the corners, entries are minima over its images too.
        if cosets.all.class_of[corners_of(&cosets.all.tetrads, cube)] & SYMMETRIC == 0 {
            let value = cosets.bound(cube);
            for depth in [BASE + 1, BASE + 2] {
                assert_eq!(cosets.is_entry_within(cube, FLIPS, depth), value <= depth, "{value}");
            }
        }
    }
    for flips in [8, 9] {
        let beyond = cubes.iter().filter(|cube| !cosets.is_entry_within(cube, flips, 12)).count();
        println!("{flips} flips: {beyond} of {} entries beyond 12", cubes.len());
    }
}

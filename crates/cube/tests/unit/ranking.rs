//! The ranking version changes with the functions from cubes to entries.
//!
//! A table that was built with one function and is read with another gives wrong values, and therefore
//! solutions that are wrongly called optimal. Only the version in the file distinguishes such tables.

use crate::lanes::{Lanes, Portable};
use crate::pdb::{Corners, Coset, Edges, Square, edges};
use crate::random::random_cube;
use crate::space::{State, View};
use crate::tables::{Pattern, TableId};
use crate::{Cube, Metric};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use search_core::table::Recipe;

/// A number that depends on the entries of a thousand random cubes, in order.
fn digest(entry: impl Fn(&Cube) -> usize) -> u64 {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..1000).fold(0, |digest: u64, _| {
        digest.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7) ^ entry(&random_cube(&mut rng)) as u64
    })
}

/// A change of a cube's entry requires a new version, and new numbers here.
#[test]
fn entries_are_those_of_the_ranking_version() {
    let six = Edges::new(Metric::Htm, edges::KORF).unwrap();
    let coset = Coset::new(Metric::Htm);
    let square = Square::<Portable>::new(11);
    let corners = |cube: &Cube| {
        let (row, column) = Corners::coordinates(cube);
        Corners::index(row, column)
    };
    let found = [
        digest(corners),
        digest(|cube| six.index(&State::<Portable>::new(cube).by_cubie().edges.store())),
        digest(|cube| coset.index_of(cube)),
        digest(|cube| square.entry(State::<Portable>::new(cube).by_location(), View::Position) as usize),
    ];
    let version = TableId { pattern: Pattern::Corners, metric: Metric::Htm }.spec().ranking;
    assert_eq!(
        (version, found),
        (3, [0xf67b_39ff_6255_9643, 0x8e7c_ca1b_25be_3814, 0x8a86_bc01_ecf8_1107, 0x8120_aad4_8d00_0851])
    );
}

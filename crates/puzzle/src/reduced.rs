//! Products of coordinates, reduced by symmetries.
//!
//! **The idea.** A symmetry is given by a permutation `π` of the moves. It keeps a set of coordinates if there is a relabeling
//! `f` of their states with `f(0) = 0` and `f(x·m) = f(x)·π(m)`. Then `x` and `f(x)` have the same distance, so one of them
//! needs an entry. The coordinates are divided: the states of the **leading** ones together fall into classes, the rows of the
//! table, and the symmetry that maps a state to the representative of its class maps the state of the **following** one,
//! the column. Beside the entry, a lookup reads two small tables: the class and the symmetry of each leading state, and the
//! images of each following state.
//!
//! **Why values are distances.** `f` is computed by following moves from the solved state, and every generating move is compared
//! in every state. The symmetries that keep the coordinates are a group, which is checked. A symmetry that fixes a representative
//! relates entries of one row; a fill sets them together ([`PatternSpace::aliases`]), so the distance of a state does not
//! depend on which of the symmetries is chosen.
//!
//! **Cost.** The number of entries is the product's divided by little less than the number of symmetries. The leading states
//! have four bytes each.
//!
//! Source: Kociemba's two-phase program reduces its first phase so, with flips and slice as leading coordinates.

use std::sync::Arc;

use search_core::pdb::{PatternSpace, Step};
use search_core::prefetch::prefetch;

use crate::coordinate::NONE;
use crate::product::Table;

/// The maximum number of states of the leading coordinates.
pub const MOST_LEADING: usize = 1 << 21;
/// The maximum number of leading coordinates.
const MOST_TABLES: usize = 4;
/// The maximum number of symmetries, with the identity.
pub const MOST_SYMMETRIES: usize = 1 << SYMMETRY_BITS;
const SYMMETRY_BITS: u32 = 6;
/// A leading state that moves do not reach.
const UNREACHED: u32 = u32::MAX;

/// A product of coordinates, reduced by the symmetries that keep it.
#[derive(Clone, Debug)]
pub struct Reduced {
    moves: usize,
    leading: Vec<Table>,
    following: Table,
    /// The symmetries that keep the product, as permutations of the moves; the first is the identity.
    symmetries: Vec<Vec<usize>>,
    /// For each state of the leading coordinates, its class and the symmetry that maps it to the representative.
    class_of: Arc<[u32]>,
    /// The representative of each class.
    representatives: Vec<u32>,
    /// The symmetries that fix the representative, for the classes that have any but the identity.
    fixing: Vec<(u32, Vec<u16>)>,
    /// For each symmetry and state of the following coordinate, its image.
    images: Arc<[u16]>,
    /// The columns after a move and a symmetry; the last ones are those after a symmetry alone.
    maps: Vec<Vec<u16>>,
}

impl Reduced {
    /// The product of the `leading` coordinates and the `following` one, reduced by those of `symmetries` that keep both.
    /// These are permutations of the moves, of which `generators` generate the others. `None` if the symmetries that keep both are
    /// too many or no group, or if there are too many leading states.
    ///
    /// # Panics
    /// If a move is illegal in some state, or there are more than 64 moves.
    pub fn new(
        leading: Vec<Table>,
        following: Table,
        generators: &[usize],
        symmetries: &[Vec<usize>],
    ) -> Option<Reduced> {
        let moves = following.next.len() / following.states;
        let states = leading.iter().try_fold(1usize, |all, table| all.checked_mul(table.states));
        let states = states.filter(|&states| states <= MOST_LEADING && leading.len() <= MOST_TABLES)?;
        let of_pair = Leading { tables: &leading, moves };
        let of_one = Leading { tables: std::slice::from_ref(&following), moves };
        let group = group(moves, symmetries, |renamed| {
            let mut images = vec![UNREACHED; following.states];
            relabel(&mut images, usize::MAX, generators, renamed, &of_one)?;
            let mut of_leading = vec![UNREACHED; states];
            relabel(&mut of_leading, usize::MAX, generators, renamed, &of_pair)?;
            Some([of_leading, images])
        })?;
        let inverse = |a: &Kept| group.iter().position(|b| then(&a.renamed, &b.renamed) == group[0].renamed);
        let inverses: Vec<usize> = group.iter().map(|a| inverse(a).expect("a group")).collect();
        // States of one coordinate fit 16 bits.
        let images: Vec<u16> =
            group.iter().flat_map(|of| of.images[1].iter().map(|&image| image as u16)).collect();
        let is_reached = |state: usize| group[0].images[0][state] != UNREACHED;
        let mut class_of = vec![UNREACHED; states];
        let (mut representatives, mut fixing) = (Vec::new(), Vec::new());
        for state in 0..states {
            if class_of[state] != UNREACHED || !is_reached(state) {
                continue;
            }
            let class = representatives.len() as u32;
            representatives.push(state as u32);
            let mut fixes = Vec::new();
            for (symmetry, of) in group.iter().enumerate() {
                let image = of.images[0][state] as usize;
                if class_of[image] == UNREACHED {
                    class_of[image] = class << SYMMETRY_BITS | inverses[symmetry] as u32;
                } else if image == state {
                    fixes.push(symmetry as u16);
                }
            }
            if !fixes.is_empty() {
                fixing.push((class, fixes));
            }
        }
        let column = |op: usize, symmetry: usize| -> Vec<u16> {
            let after = |state: usize| match op < moves {
                true => usize::from(following.next[state * moves + op]),
                false => state,
            };
            (0..following.states).map(|state| images[symmetry * following.states + after(state)]).collect()
        };
        let pairs = (0..=moves).flat_map(|op| (0..group.len()).map(move |symmetry| (op, symmetry)));
        let maps = pairs.map(|(op, symmetry)| column(op, symmetry)).collect();
        Some(Reduced {
            moves,
            symmetries: group.into_iter().map(|of| of.renamed).collect(),
            class_of: class_of.into(),
            representatives,
            fixing,
            images: images.into(),
            maps,
            leading,
            following,
        })
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.representatives.len() as u64 * self.following.states as u64
    }

    /// The number of states before the reduction.
    pub fn positions(&self) -> f64 {
        let leading = self.leading.iter().map(|table| table.states as f64);
        leading.product::<f64>() * self.following.states as f64
    }

    /// The symmetries that keep the product, as permutations of the moves; the first is the identity.
    pub fn symmetries(&self) -> &[Vec<usize>] {
        &self.symmetries
    }

    /// For each leading coordinate, the number by which its state is multiplied in the number of a leading state.
    pub fn strides(&self) -> Vec<usize> {
        let stride = |stride: &mut usize, table: &Table| {
            let next = *stride * table.states;
            Some(std::mem::replace(stride, next))
        };
        self.leading.iter().scan(1, stride).collect()
    }

    /// Asks the processor to fetch the class of a leading state.
    #[inline(always)]
    pub fn prefetch(&self, leading: usize) {
        prefetch(self.class_of.as_ptr().wrapping_add(leading).cast());
    }

    /// The entry of a leading and a following state that moves reach.
    #[inline(always)]
    pub fn entry(&self, leading: usize, following: usize) -> usize {
        let class = self.class_of[leading];
        let (class, symmetry) = (class >> SYMMETRY_BITS, class as usize & (MOST_SYMMETRIES - 1));
        let column = self.images[symmetry * self.following.states + following];
        class as usize * self.following.states + usize::from(column)
    }
}

/// The states of the leading coordinates together.
struct Leading<'a> {
    tables: &'a [Table],
    moves: usize,
}

impl Leading<'_> {
    /// The places of a state's rows in the tables.
    #[inline(always)]
    fn rows(&self, state: usize) -> [usize; MOST_TABLES] {
        let (mut rest, mut rows) = (state, [0; MOST_TABLES]);
        // By numbers: whether the parts of an iterator are inlined depends on other code.
        for (at, table) in self.tables.iter().enumerate() {
            rows[at] = rest % table.states * self.moves;
            rest /= table.states;
        }
        rows
    }

    /// The state that a move leads to from the state of these rows.
    #[inline(always)]
    fn next(&self, rows: &[usize; MOST_TABLES], op: usize) -> usize {
        let (mut to, mut stride) = (0, 1);
        for (at, table) in self.tables.iter().enumerate() {
            let after = table.next[rows[at] + op];
            assert!(after != NONE, "every move is legal");
            to += usize::from(after) * stride;
            stride *= table.states;
        }
        to
    }
}

/// The permutation of the moves that does `a`, then `b`.
fn then(a: &[usize], b: &[usize]) -> Vec<usize> {
    a.iter().map(|&image| b[image]).collect()
}

/// A symmetry that keeps the leading coordinates and the following one, and the images of their states.
struct Kept {
    renamed: Vec<usize>,
    images: [Vec<u32>; 2],
}

/// The group that those of `symmetries` generate that keep the coordinates, the identity first; `None` if it is too large.
/// Images are computed for its generators, and composed for the others.
fn group(
    moves: usize,
    symmetries: &[Vec<usize>],
    images: impl Fn(&[usize]) -> Option<[Vec<u32>; 2]>,
) -> Option<Vec<Kept>> {
    let identity: Vec<usize> = (0..moves).collect();
    let mut group = vec![Kept { images: images(&identity)?, renamed: identity }];
    let mut generators = Vec::new();
    for renamed in symmetries {
        if group.iter().any(|known| known.renamed == *renamed) {
            continue;
        }
        let Some(images) = images(renamed) else { continue };
        generators.push(Kept { renamed: renamed.clone(), images });
        let mut at = 0;
        while at < group.len() {
            for by in &generators {
                let renamed = then(&group[at].renamed, &by.renamed);
                if group.iter().any(|known| known.renamed == renamed) {
                    continue;
                }
                if group.len() == MOST_SYMMETRIES {
                    return None;
                }
                let composed = [0, 1].map(|of| {
                    let image =
                        |&image: &u32| by.images[of].get(image as usize).copied().unwrap_or(UNREACHED);
                    group[at].images[of].iter().map(image).collect()
                });
                group.push(Kept { renamed, images: composed });
            }
            at += 1;
        }
    }
    Some(group)
}

/// Finds the relabeling `f` of the states of `all` with `f(0) = 0` and `f(x·m) = f(x)·renamed(m)`; `None` if there is none.
/// Ends after `most` states, with a relabeling of these. All images are [`UNREACHED`] at first.
fn relabel(
    images: &mut [u32],
    most: usize,
    generators: &[usize],
    renamed: &[usize],
    all: &Leading<'_>,
) -> Option<()> {
    images[0] = 0;
    let (mut found, mut at) = (vec![0u32], 0);
    let mut is_kept = true;
    while is_kept && at < found.len().min(most) {
        let state = found[at] as usize;
        let (rows, of_image) = (all.rows(state), all.rows(images[state] as usize));
        for &op in generators {
            let (to, its) = (all.next(&rows, op), all.next(&of_image, renamed[op]) as u32);
            if images[to] == UNREACHED {
                images[to] = its;
                found.push(to as u32);
            }
            is_kept &= images[to] == its;
        }
        at += 1;
    }
    if most < usize::MAX {
        found.iter().for_each(|&state| images[state as usize] = UNREACHED);
    }
    is_kept.then_some(())
}

/// For each of `symmetries`, whether it seems to keep coordinates together, judging by their first states; false for more of them
/// than can be leading ones.
pub(crate) fn keeping(tables: &[&Table], generators: &[usize], symmetries: &[Vec<usize>]) -> Vec<bool> {
    if tables.len() > MOST_TABLES {
        return vec![false; symmetries.len()];
    }
    let tables: Vec<Table> = tables.iter().map(|&table| table.clone()).collect();
    let all = Leading { moves: tables[0].next.len() / tables[0].states, tables: &tables };
    let mut images = vec![UNREACHED; tables.iter().map(|table| table.states).product()];
    let keeps =
        |renamed: &Vec<usize>| relabel(&mut images, FIRST_STATES, generators, renamed, &all).is_some();
    symmetries.iter().map(keeps).collect()
}

/// The number of states by which coordinates are judged.
const FIRST_STATES: usize = 2_000;

impl PatternSpace for Reduced {
    fn rows(&self) -> usize {
        self.representatives.len()
    }

    fn columns(&self) -> usize {
        self.following.states
    }

    fn ops(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn step(&self, row: usize, op: usize) -> Step {
        let leading = Leading { tables: &self.leading, moves: self.moves };
        let class = self.class_of[leading.next(&leading.rows(self.representatives[row] as usize), op)];
        let symmetry = class as usize & (MOST_SYMMETRIES - 1);
        Step { row: class >> SYMMETRY_BITS, map: (op * self.symmetries.len() + symmetry) as u16, flip: 0 }
    }

    fn map(&self, id: u16) -> Option<&[u16]> {
        Some(&self.maps[usize::from(id)])
    }

    fn goals(&self) -> Vec<usize> {
        vec![0]
    }

    fn aliases(&self, row: usize) -> Vec<Step> {
        let fixing = self.fixing.binary_search_by_key(&(row as u32), |of| of.0);
        let of = |&symmetry: &u16| {
            let map = (self.moves * self.symmetries.len()) as u16 + symmetry;
            Step { row: row as u32, map, flip: 0 }
        };
        fixing.map_or(Vec::new(), |at| self.fixing[at].1.iter().map(of).collect())
    }

    fn is_undirected(&self) -> bool {
        true
    }
}

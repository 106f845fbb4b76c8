//! Lookups of the inverse of a position.
//!
//! **The idea.** If the moves are closed under inverses, a position and its inverse have the same distance. The coordinates of the
//! inverse do not move by tables, but they are sums: a piece `i` that is at place `p` in the position is where the inverse has
//! piece `p` at place `i`. So each coordinate that determines the position adds what its own pieces say of each coordinate of the
//! inverse, digit by digit, and the sum is looked up for the number of the state.
//!
//! **Invariant.** The coordinates that determine the position tell each piece apart with its place and its turn, and each piece belongs
//! to one of them.
//!
//! **Cost.** A row of eight sums for each coordinate of the position, all small enough for the second cache. It is paid for the
//! children that no other lookup prunes.

use std::sync::Arc;

use super::{Distances, View};
use crate::coordinate::Coordinate;
use crate::part::Part;
use crate::reduced::Reduced;
use crate::symmetry::Symmetry;

/// The maximum number of lookups of the inverse.
pub(super) const MOST_INVERSE: usize = 4;
/// The maximum number of the inverse's coordinates in one part.
const LANES: usize = 8;
/// The maximum number of parts.
const MOST_PARTS: usize = 4;
/// The number of keys that a coordinate of the inverse may have.
const MOST_KEYS: usize = 1 << 16;

/// A coordinate seen through a symmetry, or as it is.
pub type Seen<'a> = (usize, Option<&'a Symmetry>);

/// The lookups of the inverse of a position.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// For each coordinate that determines a position, its part and the summands of each of its states.
    summands: Vec<(usize, Vec<[u16; LANES]>)>,
    views: Vec<InverseView>,
}

/// A coordinate of the inverse: the place of its sum, and the state of each sum.
#[derive(Clone, Debug)]
struct Key {
    part: usize,
    lane: usize,
    states: Arc<[u16]>,
}

impl Key {
    #[inline(always)]
    fn state(&self, sums: &[[u16; LANES]; MOST_PARTS]) -> u16 {
        self.states[usize::from(sums[self.part][self.lane])]
    }
}

/// The states of the inverse in its lookups, by which their entries are located: 0 for lookups that do not exist.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// The numbers of the leading states; once located, the entries.
    leading: [usize; MOST_INVERSE],
    following: [u16; MOST_INVERSE],
}

#[derive(Clone, Debug)]
struct InverseView {
    leading: Vec<(Key, usize)>,
    following: Option<(Arc<Reduced>, Key)>,
    table: Arc<Distances>,
}

impl Inverse {
    /// The lookups of the inverse that `views` are of the position. `slots` are the coordinates of a position, of which the first
    /// `exact` determine it. `None` if the coordinates are not of this kind, or too many.
    pub fn new(
        parts: &[Part],
        coordinates: &[Coordinate],
        slots: &[Seen<'_>],
        exact: usize,
        views: &[View],
    ) -> Option<Inverse> {
        if parts.len() > MOST_PARTS || views.len() > MOST_INVERSE {
            return None;
        }
        let mut lanes: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        let mut key = |slot: usize| {
            let coordinate = &coordinates[slots[slot].0];
            let part = coordinate.projection.part;
            let lane = lanes[part].iter().position(|&known| known == slot).unwrap_or_else(|| {
                lanes[part].push(slot);
                lanes[part].len() - 1
            });
            Some(Key { part, lane, states: keys(&parts[part], coordinate)? })
        };
        let view = |view: &View| {
            let leading = view.digits.iter().map(|&(slot, stride)| Some((key(slot)?, stride)));
            let leading = leading.collect::<Option<Vec<_>>>()?;
            let following = match &view.reduced {
                Some((reduced, slot)) => Some((reduced.clone(), key(*slot)?)),
                None => None,
            };
            Some(InverseView { leading, following, table: view.table.clone() })
        };
        let views = views.iter().map(view).collect::<Option<Vec<_>>>()?;
        if lanes.iter().any(|of_part| of_part.len() > LANES) {
            return None;
        }
        let mut covered: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        let mut summands = Vec::new();
        for &(number, _) in &slots[..exact] {
            let coordinate = &coordinates[number];
            let part = coordinate.projection.part;
            let mut pieces = coordinate.pieces(&parts[part]);
            for piece in &mut pieces {
                *piece = piece.filter(|(home, _)| !covered[part].contains(home));
            }
            covered[part].extend(pieces.iter().flatten().map(|&(home, _)| home));
            covered[part].sort_unstable();
            covered[part].dedup();
            let seen: Vec<Seen<'_>> = lanes[part].iter().map(|&slot| slots[slot]).collect();
            let of = Summands { parts, coordinates, number, pieces: &pieces, seen: &seen };
            let rows = (0..coordinate.states()).map(|state| of.row(state)).collect::<Option<Vec<_>>>()?;
            summands.push((part, rows));
        }
        let is_covered = parts.iter().zip(&covered).all(|(part, homes)| homes.len() == part.places.len());
        is_covered.then_some(Inverse { summands, views })
    }

    /// The states of the inverse of a position that has these states. The places that decide its entries are prefetched.
    #[inline(always)]
    pub(super) fn sums(&self, state: impl Fn(usize) -> usize) -> Sums {
        let mut sums = [[0u16; LANES]; MOST_PARTS];
        for (slot, (part, rows)) in self.summands.iter().enumerate() {
            let row = &rows[state(slot)];
            for (sum, &summand) in sums[*part].iter_mut().zip(row) {
                *sum = sum.wrapping_add(summand);
            }
        }
        let mut all = Sums::default();
        for ((leading, following), view) in all.leading.iter_mut().zip(&mut all.following).zip(&self.views) {
            for (key, stride) in &view.leading {
                *leading += usize::from(key.state(&sums)) * stride;
            }
            match &view.following {
                None => view.table.prefetch(*leading),
                Some((reduced, key)) => {
                    *following = key.state(&sums);
                    reduced.prefetch(*leading);
                }
            }
        }
        all
    }

    /// Locates the entries of the inverse, which replace the leading states.
    #[inline(always)]
    pub(super) fn locate(&self, sums: &mut Sums) {
        for ((entry, &following), view) in sums.leading.iter_mut().zip(&sums.following).zip(&self.views) {
            if let Some((reduced, _)) = &view.following {
                *entry = reduced.entry(*entry, usize::from(following));
                view.table.prefetch(*entry);
            }
        }
    }

    /// The values of the inverse of a position that has these states; 0 for lookups that do not exist.
    pub(crate) fn values(&self, states: &[u16]) -> [u8; MOST_INVERSE] {
        let mut sums = self.sums(|slot| usize::from(states[slot]));
        self.locate(&mut sums);
        self.read(&sums)
    }

    /// The values of located entries.
    #[inline(always)]
    pub(super) fn read(&self, located: &Sums) -> [u8; MOST_INVERSE] {
        let mut values = [0; MOST_INVERSE];
        for ((view, &entry), value) in self.views.iter().zip(&located.leading).zip(&mut values) {
            *value = view.table.get(entry);
        }
        values
    }
}

/// The state of each sum of a coordinate's digits; `None` if there are too many sums.
fn keys(part: &Part, coordinate: &Coordinate) -> Option<Arc<[u16]>> {
    let places = u32::try_from(part.places.len()).ok()?;
    let count = coordinate.symbols().checked_pow(places).filter(|&count| count <= MOST_KEYS)?;
    let mut states = vec![0; count];
    for state in 0..coordinate.states() {
        let digits = coordinate.digits(state).iter().rev();
        let sum = digits.fold(0, |sum, &digit| sum * coordinate.symbols() + usize::from(digit));
        states[sum] = u16::try_from(state).ok()?;
    }
    Some(states.into())
}

/// The summands of a coordinate that determines some pieces.
struct Summands<'a> {
    parts: &'a [Part],
    coordinates: &'a [Coordinate],
    /// The number of the coordinate.
    number: usize,
    /// For each of its digits, the home and the turn of the piece that it stands for.
    pieces: &'a [Option<(usize, u8)>],
    /// The coordinates of the inverse in the same part.
    seen: &'a [Seen<'a>],
}

impl Summands<'_> {
    fn row(&self, state: usize) -> Option<[u16; LANES]> {
        let coordinate = &self.coordinates[self.number];
        let number = coordinate.projection.part;
        let part = &self.parts[number];
        let orientations = part.moves[0].orientations;
        let mut row = [0u16; LANES];
        for (place, &digit) in coordinate.digits(state).iter().enumerate() {
            let Some((home, turn)) = self.pieces[usize::from(digit)] else { continue };
            // The inverse carries the point `(place, 0)` to this one.
            let back = (orientations - turn) % orientations;
            for (sum, &(of, symmetry)) in row.iter_mut().zip(self.seen) {
                let image = |place: usize, turn: u8| match symmetry {
                    None => (number, place, turn),
                    Some(symmetry) => symmetry.point(self.parts, (number, place, turn)),
                };
                let [(from_part, from, first), (to_part, to, last)] = [image(place, 0), image(home, back)];
                if from_part != number || to_part != number {
                    return None;
                }
                let of = &self.coordinates[of];
                let turn = (last + orientations - first) % orientations;
                let places = u32::try_from(to).ok()?;
                let weight = of.symbols().checked_pow(places)?;
                let summand = usize::from(of.digit(part, from, turn)) * weight;
                *sum = sum.wrapping_add(u16::try_from(summand).ok()?);
            }
        }
        Some(row)
    }
}

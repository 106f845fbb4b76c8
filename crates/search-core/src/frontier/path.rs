//! A shortest path between two states whose distance is known, in the memory of a frontier search.
//!
//! The idea: a frontier search discards earlier layers, so it finds the distance of a state but no path. Two searches,
//! one from each end, meet halfway in states on shortest paths. Choosing one of them and repeating this for both halves
//! gives the whole path.
//!
//! Why it is shortest: a state at distance `h` from one end and `length - h` from the other lies on a
//! path of `length` operators, and every path of that length has such a state. All operators can be
//! undone, so distances are the same in both directions.
//!
//! Cost: two searches to half the length, then twice two to a quarter of it, and so on.
//!
//! Source: Korf 1999, "Divide-and-conquer bidirectional search: first results".

use super::{FrontierError, FrontierSearch, Options, PackedDomain};
use crate::domain::Op;
use crate::run::Run;
use std::cmp::Ordering;

/// A shortest path from `from` to `to`, whose distance is `length`; `None` if they are farther apart.
/// Each of the two searches uses at most half of the memory budget of `run`.
///
/// # Errors
/// [`FrontierError`]: cancelled, or the budget is exceeded.
///
/// # Panics
/// As [`FrontierSearch::new`].
pub fn shortest_path<D: PackedDomain>(
    domain: &D,
    from: &D::State,
    to: &D::State,
    length: u32,
    run: &Run<'_>,
) -> Result<Option<Vec<Op>>, FrontierError> {
    match length {
        0 => Ok((domain.pack(from) == domain.pack(to)).then(Vec::new)),
        1 => {
            let leads_there = |op: &Op| domain.pack(&domain.apply(from, *op)) == domain.pack(to);
            Ok(domain.applicable(from).into_iter().find(leads_there).map(|op| vec![op]))
        }
        _ => {
            let half = length / 2;
            let Some(middle) = middle(domain, from, to, [half, length - half], run)? else { return Ok(None) };
            let front = shortest_path(domain, from, &middle, half, run)?;
            let back = shortest_path(domain, &middle, to, length - half, run)?;
            Ok(front.zip(back).map(|(front, back)| [front, back].concat()))
        }
    }
}

/// The least packed state at these distances from the two ends.
fn middle<D: PackedDomain>(
    domain: &D,
    from: &D::State,
    to: &D::State,
    depths: [u32; 2],
    run: &Run<'_>,
) -> Result<Option<D::State>, FrontierError> {
    let layer = |end: &D::State, depth: u32| {
        let options = Options { memory: run.memory() / 2, ..Options::in_memory(domain.key_bits().min(8)) };
        let mut search = FrontierSearch::new(domain, options, [end.clone()])?;
        (0..depth).try_for_each(|_| search.step(run).map(|_| ()))?;
        Ok::<_, FrontierError>(search)
    };
    let (front, back) = (layer(from, depths[0])?, layer(to, depths[1])?);
    for bucket in 0..front.buckets() {
        let met = common(&front.keys(bucket)?, &back.keys(bucket)?);
        if let Some(key) = met {
            return Ok(Some(domain.unpack(key)));
        }
    }
    Ok(None)
}

/// The least number that is in both sorted lists.
fn common(a: &[u64], b: &[u64]) -> Option<u64> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        match a.peek()?.cmp(b.peek()?) {
            Ordering::Less => a.next(),
            Ordering::Greater => b.next(),
            Ordering::Equal => return a.next().copied(),
        };
    }
}

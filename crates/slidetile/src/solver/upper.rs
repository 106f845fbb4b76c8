//! Solutions of a board by beam search, as upper bounds for the search that proves the optimum.
//!
//! The idea: a beam finds a solution a few moves too long in a fraction of a second. It ranks boards by several partitions
//! together: first by the greatest sum, then by the sum of all sums. Of the many boards with the same greatest sum, those
//! on which the partitions agree are nearer to the goal, so such a beam finds solutions as good as a beam four times as
//! wide that ranks by the greatest sum alone.
//!
//! Each beam waits for a number of nodes of the search ([`Schedule`]). A node of a beam takes about five times as long as
//! one of the search, so beams take about a tenth of the time of a long search, and boards that are solved at once have
//! none. The first beams take a greater part, since the first good solutions matter most. If a solution is wanted soon,
//! the first beam comes before the search, and the next ones sooner.
//!
//! Boards larger than 32 cells have no pattern databases. Their beams rank boards by the costs of their tiles
//! ([`Spread`]), and the solution is shortened by windows. The first one never waits long. On boards of at most 6x6 it comes
//! after some bounds, which take some hundredths of a second and raise the lower bound by several moves. On larger boards
//! the first bound may never end, so the beam comes before the search. So it does where several tiles move as one, on
//! boards without pattern databases of that metric.
//!
//! Boards larger than 6x6 are solved in stages ([`rings`]), which always find a solution.
//!
//! Widths follow from node counts alone, not from time.

use std::hash::Hash;

use search_core::beam::{self, Beam, EAGER};
use search_core::ida::{Incumbent, Look, Schedule};
use search_core::{Domain, Op, Run};

use super::shorten::{self, Windowed};
use super::units::SharedBoard;
use super::{Visit, rings};
use crate::board::TABLE_SIDE;
use crate::heuristic::Ranked;
#[cfg(doc)]
use crate::heuristic::Spread;
use crate::metric::Metric;
use crate::multi::{self, MultiPuzzle};
use crate::puzzle::Puzzle;
use crate::strategy::is_beyond_papers;

/// A beam generates about one node for this many nodes of the search before it.
const SHARE: u64 = 48;
/// A beam of at most this many nodes, which take a second or two, generates one node for this many nodes of the search.
const SOON_SHARE: u64 = 6;
const SOON_MOST: u64 = 1 << 22;
/// As these, if a solution is wanted soon. The largest such beam takes some seconds.
const EAGER_SHARE: u64 = 2;
const EAGER_MOST: u64 = 1 << 24;
/// The nodes of the search before the first beam on a board without pattern databases.
const FIRST_NODES: u64 = 1 << 17;
/// The children of a kept state, two of which are new at most.
const CHILDREN: u64 = 2;
/// The windows that shorten the solution of a large board generate this many times the nodes of its beam.
const WINDOWS: u64 = 4;
/// On boards larger than 6x6 the first beams and windows generate this many times the nodes, unless a solution is wanted
/// soon.
const MORE: u64 = 8;
/// A beam may use this fraction of the memory of the run.
const MEMORY: u64 = 8;

/// Whether the board has no pattern databases.
fn is_large(puzzle: &Puzzle) -> bool {
    match puzzle.metric() {
        Metric::Multi => multi::patterns(puzzle).is_empty(),
        Metric::Single => is_beyond_papers(puzzle.board()),
    }
}

/// When beams look for solutions of a puzzle.
pub(super) fn beams(puzzle: &Puzzle, is_eager: bool) -> Schedule {
    let schedule = Schedule::share(SHARE);
    let is_large = is_large(puzzle);
    if !is_eager && !is_large {
        return schedule.early(SOON_SHARE, SOON_MOST);
    }
    let is_bounded_first = is_large && !puzzle.board().is_large() && puzzle.metric() == Metric::Single;
    let after = if is_bounded_first { FIRST_NODES } else { 0 };
    schedule.early(EAGER_SHARE, EAGER_MOST).first(EAGER, after)
}

impl SharedBoard<'_> {
    /// Searches with a beam for a solution that is better than the incumbent.
    pub(super) fn find_upper(&self, partitions: &[usize], look: Look, incumbent: &Incumbent, run: &Run<'_>) {
        let (puzzle, is_large) = (&self.solver.puzzle, is_large(&self.solver.puzzle));
        let Look { nodes, is_eager, .. } = look;
        if is_large && puzzle.metric() == Metric::Multi {
            let domain = MultiPuzzle::new(puzzle);
            let first = |beam: &Beam| domain.beam(&self.tiles, puzzle.goal(), beam, run);
            return self.find_by_windows((&domain, &self.tiles), first, nodes, incumbent, run);
        } else if puzzle.board().is_large() {
            // Their first bounds never end, so all time that is not the user's is for better solutions.
            let nodes = if is_eager { nodes } else { MORE * nodes };
            let first = |beam: &Beam| rings::solve(puzzle, &self.tiles, beam.width, run);
            return self.find_by_windows((puzzle, &self.tiles), first, nodes, incumbent, run);
        } else if let Some(small) = self.solver.small.as_ref().filter(|_| is_large) {
            let start = self.tiles.small();
            let first = |beam: &Beam| small.beam(&start, small.goal(), beam, run);
            return self.find_by_windows((small, &start), first, nodes, incumbent, run);
        }
        let visit = WithBeam { nodes, below: incumbent.upper_bound(), run };
        if let Some(solution) = self.solver.with(&self.tiles, partitions, visit) {
            incumbent.offer(&solution);
        }
    }
}

impl SharedBoard<'_> {
    /// Solves a board without pattern databases by beams of about this many nodes, and shortens the solution.
    fn find_by_windows<D: Windowed>(
        &self,
        (domain, start): (&D, &D::State),
        first: impl FnOnce(&Beam) -> Option<Vec<Op>>,
        nodes: u64,
        incumbent: &Incumbent,
        run: &Run<'_>,
    ) {
        let (board, value) = (self.solver.puzzle.board(), self.solver.lower_bound(&self.tiles).max(1));
        let width = usize::try_from(nodes / (CHILDREN * u64::from(value))).unwrap_or(usize::MAX);
        let most = Beam::most::<D, D::Rank>(run.memory() / MEMORY, 2 * value);
        let beam = Beam { width: width.clamp(1, most.max(1)), below: 4 * value + 1000 };
        run.progress().begin(&format!("beam of {} boards", beam.width), 0);
        if let Some(mut ops) = first(&beam) {
            incumbent.offer(&ops);
            // Longer solutions have more windows.
            let cells = (TABLE_SIDE * TABLE_SIDE).max(board.cells()) as u64;
            let nodes = WINDOWS * nodes * cells / (TABLE_SIDE * TABLE_SIDE) as u64;
            shorten::shorten(domain, start, &mut ops, nodes, run);
            incumbent.offer(&ops);
        }
        run.progress().end();
    }
}

/// A beam search of about this many nodes.
struct WithBeam<'a> {
    nodes: u64,
    /// The length of the best known solution.
    below: Option<u32>,
    run: &'a Run<'a>,
}

impl Visit for WithBeam<'_> {
    type Answer = Option<Vec<Op>>;

    fn with<D, H>(self, domain: &D, heuristic: &H, start: &D::State) -> Option<Vec<Op>>
    where
        D: Domain<State: Hash>,
        H: Ranked<D>,
    {
        let WithBeam { nodes, below, run } = self;
        let value = u32::from(heuristic.value(domain, start)).max(1);
        let width = usize::try_from(nodes / (CHILDREN * u64::from(value))).unwrap_or(usize::MAX);
        let most = Beam::most::<D, H>(run.memory() / MEMORY, 2 * value);
        // Beyond this length a narrow beam is lost.
        let below = below.unwrap_or(4 * value + 1000);
        let beam = Beam { width: width.clamp(1, most.max(1)), below };
        run.progress().begin(&format!("beam of {} boards", beam.width), 0);
        let rank = |carry: &H::Carry, value| heuristic.rank(carry, value);
        let found = beam::search_by(domain, heuristic, &rank, start, &beam, run).ok().flatten();
        run.progress().end();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beams_grow_with_the_search() {
        let schedule =
            |size: &str, is_eager| beams(&Puzzle::blank_first(size.parse().expect("a size")), is_eager);
        let (usual, eager) = (schedule("5x5", false), schedule("5x5", true));
        assert_eq!((usual.due(390_000, 0), usual.due(400_000, 0)), (None, Some(1 << 16)));
        assert_eq!(usual.due(26_000_000, 1 << 20), Some(1 << 22));
        assert_eq!(usual.due(800_000_000, 1 << 22), None);
        assert_eq!((eager.due(0, 0), eager.due(8_000_000, EAGER)), (Some(EAGER), None));
        assert_eq!(eager.due(9_000_000, EAGER), Some(1 << 22));
        for is_eager in [false, true] {
            let (six, seven) = (schedule("6x6", is_eager), schedule("7x7", is_eager));
            assert_eq!((six.due(0, 0), six.due(FIRST_NODES, 0)), (None, Some(EAGER)));
            assert_eq!(seven.due(0, 0), Some(EAGER));
        }
    }
}

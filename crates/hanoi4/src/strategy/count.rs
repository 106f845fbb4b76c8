//! Choosing the search that counts the states at each depth from all discs on peg 0.
//!
//! Complete searches on four pegs use the times of corners. If these do not apply (a depth limit, few discs), layers of
//! bitmaps are used from five discs on. Smaller puzzles and other numbers of pegs use a bit for every state or, with a
//! work directory, the library's frontier search.

use super::{AskError, Work};
use crate::bitmap::checkpoint;
use crate::bitmap::search::{LayerCount, NoPruning, Setup};
use crate::bitmap::shape::SMALL;
use crate::corners::complete::{self, CompleteSearch, FEWEST_DISCS};
use crate::corners::radius::Radius;
use crate::cost::LayerSpace;
use crate::error::SearchError;
use crate::graph::{GraphLimits, GraphTask, PegGraph, explore};
use crate::layer_loop::each_layer;
use crate::layer_search::{LayerReport, SearchOptions, check_depth, search_layers};
use crate::model::{MAX_PEGS, Puzzle, State, max_packed_discs, to_u32, to_u64};
use crate::pegs::PegGroup;
use crate::presumed::four_peg_length;
use search_core::Run;
use search_core::clock::Instant;
use search_core::frontier::{self, FrontierSearch, Options};
use std::ops::ControlFlow::{Break, Continue};

/// The question for the number of states at each depth.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CountAsk {
    /// The number of discs.
    pub discs: u32,
    /// The number of pegs, 3 to 6.
    pub pegs: u32,
    /// The depth at which to stop.
    pub max_depth: Option<u32>,
    /// Whether to search one state of each orbit under permutations of the pegs 1 to 3.
    pub symmetry: bool,
    /// The search to use; `None` chooses the best.
    pub method: Option<CountMethod>,
    /// The number of small discs of the search by corners.
    pub small: Option<u32>,
    /// The place and budget of layers and checkpoints.
    pub work: Work,
    /// The program and its version: only the same one resumes a search by corners.
    pub program: String,
}

/// A search that counts states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum CountMethod {
    /// Stores the depths of corners (states with all small discs on two pegs) and no layers; complete
    /// searches with 4 pegs and at least 8 discs only
    Corners,
    /// Layers of bitmaps of the small discs; needs 4 pegs and at least 5 discs
    Bitmap,
    /// A bit for every state, in memory; without symmetry
    Full,
    /// State by state, with delayed duplicate detection; without symmetry
    Frontier,
}

impl CountMethod {
    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            CountMethod::Corners => "corners",
            CountMethod::Bitmap => "bitmap",
            CountMethod::Full => "full",
            CountMethod::Frontier => "frontier",
        }
    }

    /// Whether the method searches one state of each orbit.
    fn has_symmetry(self) -> bool {
        matches!(self, CountMethod::Corners | CountMethod::Bitmap)
    }
}

/// The states at each depth.
#[derive(Debug)]
pub struct Counted {
    /// The search.
    pub method: CountMethod,
    /// Whether orbits were counted in addition to states.
    pub symmetry: bool,
    /// The counts.
    pub report: LayerReport,
    /// The states at the greatest depth, in ascending order; empty unless the search was by corners.
    pub farthest: Vec<State>,
}

impl CountAsk {
    /// The question for all states of a puzzle in memory.
    pub fn new(discs: u32, pegs: u32) -> CountAsk {
        CountAsk {
            discs,
            pegs,
            max_depth: None,
            symmetry: true,
            method: None,
            small: None,
            work: Work::default(),
            program: String::new(),
        }
    }

    /// Chooses the number of small discs of a search by corners; by default the fastest that the memory allows.
    pub fn small(self, small: Option<u32>) -> CountAsk {
        CountAsk { small, ..self }
    }

    /// The search that answers the question.
    ///
    /// # Errors
    /// [`AskError::Unsuitable`] and [`AskError::Malformed`] where the chosen one does not apply.
    pub fn method(&self) -> Result<CountMethod, AskError> {
        let &CountAsk { discs, pegs, max_depth, .. } = self;
        let on_four = |least: u32| pegs == 4 && discs >= least;
        let (corners, bitmap) = (on_four(FEWEST_DISCS) && max_depth.is_none(), on_four(*SMALL.start()));
        let default = match () {
            () if corners => CountMethod::Corners,
            () if bitmap => CountMethod::Bitmap,
            () if self.work.dir.is_some() => CountMethod::Frontier,
            () => CountMethod::Full,
        };
        let method = self.method.unwrap_or(default);
        let (least, most) = (*complete::SMALL.start(), discs.min(*complete::SMALL.end()));
        let unsuitable = |message: String| Err(AskError::Unsuitable(message));
        match method {
            CountMethod::Corners if !corners => unsuitable(format!(
                "the method corners needs 4 pegs, at least {FEWEST_DISCS} discs and no greatest depth"
            )),
            CountMethod::Bitmap if !bitmap => {
                unsuitable(format!("the method bitmap needs 4 pegs and at least {} discs", SMALL.start()))
            }
            CountMethod::Frontier if pegs > MAX_PEGS => {
                unsuitable(format!("the method frontier needs at most {MAX_PEGS} pegs"))
            }
            CountMethod::Frontier if discs > max_packed_discs(pegs) => Err(AskError::Malformed(format!(
                "the method frontier supports at most {} discs",
                max_packed_discs(pegs)
            ))),
            CountMethod::Full if self.work.dir.is_some() => {
                unsuitable("the method full keeps everything in memory".to_owned())
            }
            CountMethod::Bitmap | CountMethod::Full | CountMethod::Frontier if self.small.is_some() => {
                unsuitable("only the method corners has a number of small discs".to_owned())
            }
            CountMethod::Corners if self.small.is_some_and(|small| !(least..=most).contains(&small)) => {
                unsuitable(format!("the number of small discs must be {least} to {most}"))
            }
            method => Ok(method),
        }
    }

    /// The space that layers of bitmaps need, if that search answers it and is complete.
    pub fn layer_space(&self) -> Option<LayerSpace> {
        let is_complete = self.max_depth.is_none() && self.method().ok()? == CountMethod::Bitmap;
        let small = self.discs.min(*SMALL.end());
        is_complete
            .then(|| LayerSpace::of_complete_search(self.discs, small, to_u64(self.group().perms().len())))
    }

    fn group(&self) -> PegGroup {
        if self.symmetry { PegGroup::fixing(0) } else { PegGroup::trivial() }
    }

    /// Counts the states.
    ///
    /// # Errors
    /// [`AskError`]; with a work directory the last checkpoint is then intact.
    ///
    /// # Panics
    /// If there are more than 31 discs, or the pegs are not 3 to 6.
    pub fn count(&self, run: &Run<'_>) -> Result<Counted, AskError> {
        let method = self.method()?;
        let (report, farthest) = match method {
            CountMethod::Corners => self.by_corners(run)?,
            CountMethod::Bitmap => (self.by_bitmaps(run)?, Vec::new()),
            CountMethod::Full => (self.by_bits(run)?, Vec::new()),
            CountMethod::Frontier => (self.by_frontier(run)?, Vec::new()),
        };
        Ok(Counted { method, symmetry: self.symmetry && method.has_symmetry(), report, farthest })
    }

    /// Removes the work directory, once the answer is saved or printed.
    ///
    /// # Errors
    /// [`SearchError::Storage`].
    pub fn remove_work_dir(&self, method: CountMethod) -> Result<(), SearchError> {
        let kind = match method {
            CountMethod::Corners => complete::KIND,
            CountMethod::Bitmap => checkpoint::KIND,
            CountMethod::Full | CountMethod::Frontier => frontier::KIND,
        };
        self.work.remove(kind)
    }

    /// Finds the greatest depth and the states there, without counting the others. In a work directory, the search that
    /// [`count`](CountAsk::count)s all states can continue from the times of corners.
    ///
    /// # Errors
    /// [`AskError`], also where the search by corners does not apply.
    ///
    /// # Panics
    /// If there are more than 31 discs.
    pub fn radius(&self, run: &Run<'_>) -> Result<Radius, AskError> {
        let by_corners = CountAsk { method: Some(CountMethod::Corners), ..self.clone() };
        by_corners.method()?;
        Ok(self.complete_search(run)?.radius(run)?)
    }

    fn by_corners(&self, run: &Run<'_>) -> Result<(LayerReport, Vec<State>), AskError> {
        let found = self.complete_search(run)?.run(run)?;
        Ok((found.report, found.farthest))
    }

    /// The search by corners, if it fits.
    fn complete_search(&self, run: &Run<'_>) -> Result<CompleteSearch, AskError> {
        let &CountAsk { discs, symmetry, .. } = self;
        let bytes = |small| complete::bytes(discs, small, !symmetry, run.threads());
        let (small, need) = match self.small {
            Some(small) => (small, bytes(small)),
            None => {
                complete::fitting(discs, !symmetry, run.threads(), run.memory()).map_err(AskError::Memory)?
            }
        };
        if need > run.memory() {
            return Err(AskError::Memory(need));
        }
        // Two files of times, while the second is written.
        let files = 2 * complete::file_bytes(discs, small, !symmetry);
        if self.work.disk.is_some_and(|disk| disk < files) {
            return Err(AskError::Disk(files));
        }
        Ok(CompleteSearch {
            discs,
            without_symmetry: !symmetry,
            small: self.small,
            work_dir: self.work.dir.clone(),
            program: self.program.clone(),
            fresh: self.work.fresh,
            checkpoint_every: self.work.checkpoint_every,
        })
    }

    fn by_bitmaps(&self, run: &Run<'_>) -> Result<LayerReport, AskError> {
        let discs = self.discs;
        let mut setup = Setup::new(discs, discs.min(*SMALL.end()), self.group());
        setup.budget = self.work.budget(self.layer_space().unwrap_or_default(), 0, run.memory())?;
        setup.target = Some(State::all_on(3, discs));
        let options = SearchOptions {
            identity: format!("hanoi4 bfs, {discs} discs, symmetry {}, format 2", self.symmetry),
            max_depth: self.max_depth,
            expected_depth: four_peg_length(discs),
            work_dir: self.work.dir.clone(),
            fresh: self.work.fresh,
            keep_work_dir: true,
            ..SearchOptions::default()
        };
        Ok(search_layers(setup, &NoPruning, &options, run)?)
    }

    fn by_bits(&self, run: &Run<'_>) -> Result<LayerReport, AskError> {
        let start = Instant::now();
        let graph = PegGraph::parse("complete", self.pegs).expect("a number of pegs in range");
        let task = GraphTask { graph: &graph, discs: self.discs, from: 0, word_discs: None };
        let limits = GraphLimits { max_depth: self.max_depth, ..GraphLimits::default() };
        let found = explore(&task, &limits, run)?;
        let goal = found.perfect.last().copied().flatten().map(|reached| reached.length);
        let layer = |(depth, &states): (usize, &u64)| LayerCount {
            states,
            stored: states,
            goal: goal == Some(to_u32(depth)),
            ..LayerCount::default()
        };
        Ok(LayerReport {
            layers: found.layers.iter().enumerate().map(layer).collect(),
            exhausted: found.exhausted,
            peak_bytes: found.bytes,
            seconds: start.elapsed().as_secs_f64(),
            searched: found.states(),
            ..LayerReport::default()
        })
    }

    fn by_frontier(&self, run: &Run<'_>) -> Result<LayerReport, AskError> {
        let start = Instant::now();
        let &CountAsk { discs, pegs, max_depth, .. } = self;
        let puzzle = Puzzle::new(discs, pegs).map_err(|error| AskError::Malformed(error.to_string()))?;
        let options = Options {
            bucket_bits: (2 * discs).saturating_sub(18).min(8),
            memory: run.memory(),
            disk: self.work.disk.unwrap_or(u64::MAX),
            directory: self.work.dir.clone(),
            identity: format!("hanoi4 bfs, {discs} discs, {pegs} pegs, frontier 2"),
            fresh: self.work.fresh,
        };
        let mut search = FrontierSearch::new(&puzzle, options, [State::START]).map_err(SearchError::from)?;
        let begun = search.layers().len();
        check_depth(max_depth, search.depth())?;
        let mut report = LayerReport::default();
        each_layer("layers", 0, run, || {
            if report.exhausted || max_depth.is_some_and(|max| search.depth() >= max) {
                return Ok(Break(()));
            }
            report.exhausted = search.step(run)?.states == 0;
            let (memory, disk) = search.bytes();
            report.peak_bytes = report.peak_bytes.max(memory);
            report.peak_disk = report.peak_disk.max(disk);
            Ok(Continue(search.depth()))
        })?;
        report.searched = search.layers()[begun..].iter().map(|count| count.states).sum();
        // An empty layer ends a complete search; it is not counted.
        let counts = search.layers().iter().filter(|count| count.states > 0);
        report.layers = counts
            .map(|count| LayerCount {
                states: count.states,
                stored: count.states,
                goal: count.goal.is_some(),
                ..LayerCount::default()
            })
            .collect();
        Ok(LayerReport { seconds: start.elapsed().as_secs_f64(), ..report })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_that_applies_counts_the_same_states() {
        for (discs, pegs) in [(1, 3), (6, 3), (2, 4), (5, 4), (8, 4), (3, 5)] {
            let count = |method| {
                let found = CountAsk { method, ..CountAsk::new(discs, pegs) }.count(&Run::new()).unwrap();
                let states: Vec<u64> = found.report.layers.iter().map(|layer| layer.states).collect();
                (states, found.report.goal_depth(), found.report.exhausted)
            };
            let best = count(None);
            for method in
                [CountMethod::Corners, CountMethod::Bitmap, CountMethod::Full, CountMethod::Frontier]
            {
                let applies =
                    CountAsk { method: Some(method), ..CountAsk::new(discs, pegs) }.method().is_ok();
                assert!(applies || method != CountMethod::Full);
                if applies {
                    assert_eq!(count(Some(method)), best, "{discs} discs, {pegs} pegs, {method:?}");
                }
            }
        }
    }
}

//! A whole search by the fast engine: layers until a goal, a depth or the end; progress;
//! checkpoints.

use crate::bitmap::checkpoint::Checkpoints;
use crate::bitmap::search::{LayerCount, Pruner, Search, SearchError, Setup};
use crate::model::to_u64;
use search_core::Run;
use std::path::PathBuf;
use std::time::Instant;

/// When a run ends, and whether it can be resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// What the run is; only the same run can resume from its checkpoint.
    pub identity: String,
    /// Ends at the first layer that holds a goal.
    pub until_goal: bool,
    /// Ends at this depth.
    pub max_depth: Option<u32>,
    /// The depth that the run is expected to end at, for the progress bar; 0 when unknown.
    pub expected_depth: u32,
    /// Where layers and checkpoints are written, if anywhere.
    pub work_dir: Option<PathBuf>,
    /// Whether to go on from the checkpoint there.
    pub resume: bool,
}

/// What a run found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerReport {
    /// The counts of each layer from depth 0; the last is not empty.
    pub layers: Vec<LayerCount>,
    /// Whether the last layer is followed by an empty one.
    pub exhausted: bool,
    /// Blocks touched.
    pub blocks: u64,
    /// The most bytes of layers at a time: two and the one that is made.
    pub peak_bytes: u64,
    /// The most bytes of files at a time.
    pub peak_disk: u64,
    /// Wall-clock seconds, since the start or the resumption.
    pub seconds: f64,
    /// The depth that the run was resumed at.
    pub resumed_at: Option<u32>,
}

impl LayerReport {
    /// The depth of the last layer.
    pub fn depth(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    /// The sum over all layers.
    pub fn total(&self, count: impl Fn(&LayerCount) -> u64) -> u64 {
        self.layers.iter().map(count).sum()
    }
}

/// Runs a search to its end.
///
/// # Errors
/// [`SearchError`]; with a work directory the last checkpoint is then intact.
pub fn search_layers(
    mut setup: Setup,
    pruner: &dyn Pruner,
    options: &SearchOptions,
    run: &Run<'_>,
) -> Result<LayerReport, SearchError> {
    let start = Instant::now();
    setup.directory = options.work_dir.clone();
    let (mut checkpoints, mut search, mut layers) = match &options.work_dir {
        Some(path) if options.resume => {
            let (checkpoints, search, layers) = Checkpoints::resume(path, &options.identity, setup, pruner)?;
            (Some(checkpoints), search, layers)
        }
        path => {
            let created =
                path.as_ref().map(|path| Checkpoints::create(path, &options.identity)).transpose()?;
            let (search, first) = Search::new(setup, pruner)?;
            (created, search, vec![first])
        }
    };
    let resumed_at = options.resume.then(|| search.depth());
    let (mut exhausted, begun) = (false, layers.len());
    run.progress().begin("layers", u64::from(options.expected_depth));
    while !ends(options, &layers) {
        let count = search.step(pruner, run)?;
        if count.stored == 0 {
            exhausted = true;
            break;
        }
        layers.push(count);
        if let Some(checkpoints) = checkpoints.as_mut().filter(|saved| saved.are_due(&search)) {
            checkpoints.save(&mut search, &layers)?;
        }
        run.progress().update(u64::from(search.depth()));
        let pace = Pace {
            start,
            states: layers[begun..].iter().map(|layer| layer.stored).sum(),
            layers: layers.len() - begun,
        };
        run.progress().note(&describe(&search, &count, &pace, options.expected_depth));
    }
    run.progress().end();
    let window = |at: usize| layers[at.saturating_sub(2)..=at].iter().map(|layer| layer.bytes).sum();
    let report = LayerReport {
        exhausted,
        blocks: to_u64(search.blocks().len()),
        peak_bytes: (0..layers.len()).map(window).max().unwrap_or(0),
        peak_disk: search.setup().budget.disk.peak(),
        seconds: start.elapsed().as_secs_f64(),
        resumed_at,
        layers,
    };
    if let Some(checkpoints) = checkpoints {
        checkpoints.finish(search)?;
    }
    Ok(report)
}

fn ends(options: &SearchOptions, layers: &[LayerCount]) -> bool {
    let depth = layers.len() as u32 - 1;
    options.max_depth.is_some_and(|max| depth >= max)
        || (options.until_goal && layers.last().is_some_and(|l| l.goal))
}

/// How fast a run has been since it began or was resumed.
struct Pace {
    start: Instant,
    states: u64,
    layers: usize,
}

/// One line for a person.
fn describe(search: &Search, count: &LayerCount, pace: &Pace, expected_depth: u32) -> String {
    let disk = search.setup().budget.disk.used();
    let seconds = pace.start.elapsed().as_secs_f64();
    let left = f64::from(expected_depth.saturating_sub(search.depth())) * seconds / pace.layers as f64;
    format!(
        "depth {}: {} states in {} blocks, {} bytes of layers in memory, {disk} on disk, {seconds:.0} s, \
         {:.1} million states a second, about {left:.0} s left at the pace of the layers so far",
        search.depth(),
        count.states,
        count.blocks,
        search.setup().budget.memory.used(),
        pace.states as f64 / seconds.max(1e-9) / 1e6,
    )
}

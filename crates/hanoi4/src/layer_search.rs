//! A complete search over bitmaps: layers until a goal, a depth or exhaustion, with progress and
//! checkpoints.

use crate::bitmap::checkpoint::Checkpoints;
use crate::bitmap::search::{BitmapSearch, LayerCount, Pruner, Setup};
use crate::error::SearchError;
use crate::layer_loop::each_layer;
use crate::model::{to_u32, to_u64};
use search_core::Run;
use search_core::clock::Instant;
use std::ops::ControlFlow::{Break, Continue};
use std::path::PathBuf;

/// The end of a search, and the place of its layers and checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// Identifies the search; only the same search can resume from its checkpoint.
    pub identity: String,
    /// Whether to end at the first layer that contains a goal.
    pub until_goal: bool,
    /// The depth at which to end.
    pub max_depth: Option<u32>,
    /// The depth at which the search is expected to end, for the progress bar; 0 when unknown.
    pub expected_depth: u32,
    /// The directory for layers and checkpoints; without one, layers stay in memory.
    pub work_dir: Option<PathBuf>,
    /// Whether to discard the search's checkpoint in that directory and start over.
    pub fresh: bool,
    /// Whether to keep that directory when the search has ended, until the caller has saved or printed the answer and
    /// removes it.
    pub keep_work_dir: bool,
}

/// The layers of a search, with their memory and disk space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerReport {
    /// The counts of each layer from depth 0; the last is not empty.
    pub layers: Vec<LayerCount>,
    /// Whether the next layer is empty.
    pub exhausted: bool,
    /// The number of blocks touched.
    pub blocks: u64,
    /// The greatest number of bytes of layers at a time: two layers and the one being built.
    pub peak_bytes: u64,
    /// The greatest number of bytes of files at a time.
    pub peak_disk: u64,
    /// Wall-clock seconds since the start or the resumption.
    pub seconds: f64,
    /// The number of orbits counted in these seconds.
    pub searched: u64,
}

impl LayerReport {
    /// The depth of the last layer.
    pub fn depth(&self) -> u32 {
        to_u32(self.layers.len() - 1)
    }

    /// The depth of the first layer that contains a goal.
    pub fn goal_depth(&self) -> Option<u32> {
        self.layers.iter().position(|layer| layer.goal).map(to_u32)
    }

    /// The sum of a count over all layers.
    pub fn total(&self, count: impl Fn(&LayerCount) -> u64) -> u64 {
        self.layers.iter().map(count).sum()
    }
}

/// Runs a search until it ends.
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
        Some(path) => {
            let (checkpoints, search, layers) =
                Checkpoints::open(path, &options.identity, options.fresh, setup, pruner, run)?;
            (Some(checkpoints), search, layers)
        }
        None => {
            let (search, first) = BitmapSearch::new(setup, pruner)?;
            (None, search, vec![first])
        }
    };
    check_depth(options.max_depth, search.depth())?;
    let begun = layers.len();
    let exhausted = each_layer("layers", options.expected_depth, run, || {
        if ends(options, &layers) {
            return Ok(Break(false));
        }
        let count = search.step(pruner, run)?;
        if count.stored == 0 {
            return Ok(Break(true));
        }
        layers.push(count);
        if let Some(checkpoints) = checkpoints.as_mut().filter(|saved| saved.are_due(&search)) {
            checkpoints.save(&mut search, &layers)?;
        }
        run.progress().note(&describe(&search, &layers[begun..], start, options.expected_depth));
        Ok(Continue(search.depth()))
    })?;
    let window = |depth: usize| layers[depth.saturating_sub(2)..=depth].iter().map(|layer| layer.bytes).sum();
    let report = LayerReport {
        exhausted,
        blocks: to_u64(search.blocks().count()),
        peak_bytes: (0..layers.len()).map(window).max().unwrap_or(0),
        peak_disk: search.setup().budget.disk.peak(),
        seconds: start.elapsed().as_secs_f64(),
        searched: layers[begun..].iter().map(|layer| layer.orbits).sum(),
        layers,
    };
    if let Some(checkpoints) = checkpoints.filter(|_| !options.keep_work_dir) {
        checkpoints.finish(search)?;
    }
    Ok(report)
}

/// Rejects resuming a search that is already beyond the depth at which it is to end, since its checkpoint would be
/// lost.
///
/// # Errors
/// [`SearchError::Beyond`].
pub fn check_depth(max_depth: Option<u32>, depth: u32) -> Result<(), SearchError> {
    match max_depth {
        Some(max) if depth > max => Err(SearchError::Beyond(depth)),
        _ => Ok(()),
    }
}

fn ends(options: &SearchOptions, layers: &[LayerCount]) -> bool {
    let depth = to_u32(layers.len() - 1);
    options.max_depth.is_some_and(|max| depth >= max)
        || (options.until_goal && layers.last().is_some_and(|l| l.goal))
}

/// The progress note of a search that has counted `layers` since `start`.
fn describe(search: &BitmapSearch, layers: &[LayerCount], start: Instant, expected_depth: u32) -> String {
    let (disk, seconds) = (search.setup().budget.disk.used(), start.elapsed().as_secs_f64());
    let count = layers.last().expect("the layer just counted");
    let stored: u64 = layers.iter().map(|layer| layer.stored).sum();
    let left = f64::from(expected_depth.saturating_sub(search.depth())) * seconds / layers.len() as f64;
    format!(
        "depth {}: {} states in {} blocks, {} bytes of layers in memory, {disk} on disk, {seconds:.0} s, \
         {:.1} million states per second, about {left:.0} s left at the pace of the layers so far",
        search.depth(),
        count.states,
        count.blocks,
        search.setup().budget.memory.used(),
        stored as f64 / seconds.max(1e-9) / 1e6,
    )
}

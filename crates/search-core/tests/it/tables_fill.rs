//! The parallel fill against a plain queue, on small real spaces.

use std::collections::VecDeque;
use std::sync::Mutex;

use search_core::pdb::rank::{orientation, permutation};
use search_core::pdb::{FillError, FillOptions, Filled, Graph, Histogram, PatternSpace, Step, fill};
use search_core::{Progress, Run};

/// Breadth-first search with a queue; `None` where nothing leads.
fn plain(entries: usize, goals: &[usize], children: impl Fn(usize) -> Vec<usize>) -> Vec<Option<u8>> {
    let mut depth = vec![None; entries];
    let mut queue = VecDeque::new();
    for &goal in goals {
        if depth[goal].is_none() {
            depth[goal] = Some(0);
            queue.push_back(goal);
        }
    }
    while let Some(entry) = queue.pop_front() {
        for child in children(entry) {
            if depth[child].is_none() {
                depth[child] = depth[entry].map(|d: u8| d + 1);
                queue.push_back(child);
            }
        }
    }
    depth
}

/// The children of an entry, by the definition of a step.
fn children<S: PatternSpace>(space: &S, entry: usize) -> Vec<usize> {
    let (row, column) = (entry / space.columns(), entry % space.columns());
    let follow = |step: Step| {
        let mapped = space.map(step.map).map_or(column as u16, |map| map[column]);
        step.row as usize * space.columns() + usize::from(mapped ^ step.flip)
    };
    (0..space.ops()).map(|op| follow(space.step(row, op))).collect()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    Run::new().with_threads(threads).install(work)
}

fn run<const BITS: u32, S: PatternSpace>(space: &S, options: FillOptions) -> Filled<BITS> {
    fill(space, options, &Run::new()).unwrap()
}

/// A wrapper that forbids backward passes.
struct ForwardOnly<'a, S>(&'a S);

impl<S: PatternSpace> PatternSpace for ForwardOnly<'_, S> {
    fn rows(&self) -> usize {
        self.0.rows()
    }
    fn columns(&self) -> usize {
        self.0.columns()
    }
    fn ops(&self) -> usize {
        self.0.ops()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        self.0.step(row, op)
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        self.0.map(id)
    }
    fn goals(&self) -> Vec<usize> {
        self.0.goals()
    }
    fn aliases(&self, row: usize) -> Vec<Step> {
        self.0.aliases(row)
    }
}

/// Every way to fill gives `expected`: widths, threads, directions, steps kept or not.
fn check_all_ways<S: PatternSpace>(space: &S, expected: &[Option<u8>]) {
    fn check<const BITS: u32, S: PatternSpace>(space: &S, expected: &[Option<u8>]) {
        let unreached = if BITS == 4 { 15 } else { 255 };
        for (threads, step_cache) in [(1, 0), (1, usize::MAX), (2, 0), (2, usize::MAX)] {
            let options = FillOptions { step_cache, ..FillOptions::default() };
            let filled: Filled<BITS> = with_threads(threads, || run(space, options));
            assert!(filled.complete);
            assert_eq!(filled.table.len(), expected.len() as u64);
            assert!(filled.table.iter().eq(expected.iter().map(|d| d.unwrap_or(unreached))));
            assert_eq!(filled.histogram, Histogram::of(&filled.table, &Run::new()));
        }
    }
    check::<4, _>(space, expected);
    check::<8, _>(space, expected);
    check::<4, _>(&ForwardOnly(space), expected);
}

fn pancake(n: usize) -> Graph<impl Fn(usize, usize) -> Option<usize> + Sync> {
    let entries = permutation::count(n, n) as usize;
    Graph::new(entries, n - 1, vec![0], move |entry, op| {
        let mut stack = vec![0; n];
        permutation::unrank(entry as u64, n, &mut stack);
        stack[..op + 2].reverse();
        Some(permutation::rank(&stack, n) as usize)
    })
    .undirected()
}

#[test]
fn the_pancake_puzzle_has_the_known_distances() {
    let space = pancake(8);
    let expected = plain(40_320, &[0], |entry| children(&space, entry));
    check_all_ways(&space, &expected);
    // Known: eight pancakes need at most nine flips (the pancake number P(8)).
    let filled: Filled<4> = run(&space, FillOptions::default());
    assert_eq!(filled.histogram.max(), Some(9));
}

/// The 2x2x2 cube with one corner held: 7! places, 3^6 = 729 twists (an odd number of columns).
struct PocketCube {
    /// For each operator: the place that each place's piece comes from, and its twist.
    moves: Vec<([u8; 7], [u8; 7])>,
    maps: Vec<Vec<u16>>,
}

impl PocketCube {
    fn new() -> PocketCube {
        // Places: 0 URF, 1 UFL, 2 ULB, 3 UBR, 4 DFR, 5 DLF, 6 DRB; held: DBL. Quarter turns U, R, F.
        let u = ([3, 0, 1, 2, 4, 5, 6], [0; 7]);
        let r = ([4, 1, 2, 0, 6, 5, 3], [2, 0, 0, 1, 1, 0, 2]);
        let f = ([1, 5, 2, 3, 0, 4, 6], [1, 2, 0, 0, 2, 1, 0]);
        let then = |a: ([u8; 7], [u8; 7]), b: ([u8; 7], [u8; 7])| {
            let from = |place: usize| a.0[usize::from(b.0[place])];
            let twist = |place: usize| (a.1[usize::from(b.0[place])] + b.1[place]) % 3;
            (std::array::from_fn(from), std::array::from_fn(twist))
        };
        let moves: Vec<_> =
            [u, r, f].into_iter().flat_map(|m| [m, then(m, m), then(then(m, m), m)]).collect();
        let maps = moves.iter().map(|(from, twist)| {
            let image = |column: u32| {
                let mut digits = [0; 7];
                orientation::unrank_closed::<3>(column, &mut digits);
                let moved: [u8; 7] = std::array::from_fn(|p| (digits[usize::from(from[p])] + twist[p]) % 3);
                orientation::rank_closed::<3>(&moved) as u16
            };
            (0..729).map(image).collect()
        });
        PocketCube { maps: maps.collect(), moves }
    }
}

impl PatternSpace for PocketCube {
    fn rows(&self) -> usize {
        5040
    }
    fn columns(&self) -> usize {
        729
    }
    fn ops(&self) -> usize {
        9
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let mut pieces = [0; 7];
        permutation::unrank(row as u64, 7, &mut pieces);
        let moved: [u8; 7] = std::array::from_fn(|place| pieces[usize::from(self.moves[op].0[place])]);
        Step { row: permutation::rank(&moved, 7) as u32, map: op as u16, flip: 0 }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        Some(&self.maps[usize::from(id)])
    }
    fn goals(&self) -> Vec<usize> {
        vec![0]
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[test]
fn the_pocket_cube_has_the_known_distances() {
    let space = PocketCube::new();
    let expected = plain(5040 * 729, &[0], |entry| children(&space, entry));
    for (threads, forward) in [(1, true), (1, false), (2, true), (2, false)] {
        let filled: Filled<4> = with_threads(threads, || match forward {
            true => run(&ForwardOnly(&space), FillOptions::default()),
            false => run(&space, FillOptions::default()),
        });
        assert!(filled.table.iter().eq(expected.iter().map(|d| d.unwrap())));
        // Known: positions of the 2x2x2 cube at each distance, half-turn metric.
        let known = [1, 9, 54, 321, 1847, 9992, 50_136, 227_536, 870_072, 1_887_748, 623_800, 2_644];
        assert_eq!(filled.histogram.counts, known);
    }
}

/// Three flippable pieces on six places; two operators cycle three places each and flip the piece
/// that enters one of them, and their inverses. The columns move by XOR alone. Place 5 stays where
/// it is, so part of the space is never reached.
struct Flips;

impl PatternSpace for Flips {
    fn rows(&self) -> usize {
        permutation::count(6, 3) as usize
    }
    fn columns(&self) -> usize {
        8
    }
    fn ops(&self) -> usize {
        4
    }
    fn step(&self, row: usize, op: usize) -> Step {
        const CYCLES: [[u8; 6]; 2] = [[1, 2, 0, 3, 4, 5], [0, 1, 3, 4, 2, 5]];
        const FLIPPING: [u8; 2] = [0, 2];
        let (cycle, entered) = (CYCLES[op / 2], FLIPPING[op / 2]);
        let mut places = [0; 3];
        permutation::unrank(row as u64, 6, &mut places);
        let mut flip = 0;
        for (piece, place) in places.iter_mut().enumerate() {
            if op.is_multiple_of(2) {
                *place = cycle[usize::from(*place)];
                flip |= u16::from(*place == entered) << piece;
            } else {
                flip |= u16::from(*place == entered) << piece;
                *place = (0..6).find(|&from| cycle[usize::from(from)] == *place).unwrap();
            }
        }
        Step { row: permutation::rank(&places, 6) as u32, map: 0, flip }
    }
    fn goals(&self) -> Vec<usize> {
        vec![3, 3, 8 * 60 + 1]
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[test]
fn flips_with_many_goals_and_an_unreachable_rest() {
    for entry in 0..960 {
        for child in children(&Flips, entry) {
            assert!(children(&Flips, child).contains(&entry), "{entry} -> {child} has a way back");
        }
    }
    let expected = plain(960, &Flips.goals(), |entry| children(&Flips, entry));
    assert!(expected.iter().any(Option::is_none) && expected.iter().flatten().count() > 100);
    check_all_ways(&Flips, &expected);
}

/// A torus `x` modulo `2 * HALF`, `y` modulo `COLUMNS`, with steps ±(1,0), ±(0,1), ±(2,3), reduced
/// by the point reflection (x,y) -> (-x,-y): rows 0 and HALF are their own images.
struct Torus {
    maps: Vec<Vec<u16>>,
}

const HALF: i32 = 20;
const COLUMNS: i32 = 31;
const STEPS: [(i32, i32); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (2, 3), (-2, -3)];

impl Torus {
    fn new() -> Torus {
        // Map 2 * shift: y -> y + shift; map 2 * shift + 1: y -> -(y + shift).
        let map = |id: i32| {
            let sign = if id % 2 == 0 { 1 } else { -1 };
            (0..COLUMNS).map(|y| (sign * (y + id / 2)).rem_euclid(COLUMNS) as u16).collect()
        };
        Torus { maps: (0..2 * COLUMNS).map(map).collect() }
    }
}

impl PatternSpace for Torus {
    fn rows(&self) -> usize {
        HALF as usize + 1
    }
    fn columns(&self) -> usize {
        COLUMNS as usize
    }
    fn ops(&self) -> usize {
        STEPS.len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let (dx, dy) = STEPS[op];
        let x = (row as i32 + dx).rem_euclid(2 * HALF);
        let shift = 2 * dy.rem_euclid(COLUMNS) as u16;
        if x <= HALF {
            Step { row: x as u32, map: shift, flip: 0 }
        } else {
            Step { row: (2 * HALF - x) as u32, map: shift + 1, flip: 0 }
        }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        Some(&self.maps[usize::from(id)])
    }
    fn goals(&self) -> Vec<usize> {
        vec![0, (HALF * COLUMNS) as usize + 5]
    }
    fn aliases(&self, row: usize) -> Vec<Step> {
        let own_image = row == 0 || row == HALF as usize;
        own_image.then_some(Step { row: row as u32, map: 1, flip: 0 }).into_iter().collect()
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

/// The distances on the whole torus, with the goals and their images.
fn whole_torus() -> Vec<Option<u8>> {
    let at = |x: i32, y: i32| (x.rem_euclid(2 * HALF) * COLUMNS + y.rem_euclid(COLUMNS)) as usize;
    let goals = [at(0, 0), at(HALF, 5), at(HALF, -5)];
    plain((2 * HALF * COLUMNS) as usize, &goals, |entry| {
        let (x, y) = (entry as i32 / COLUMNS, entry as i32 % COLUMNS);
        STEPS.iter().map(|(dx, dy)| at(x + dx, y + dy)).collect()
    })
}

#[test]
fn aliases_complete_a_space_reduced_by_symmetry() {
    check_all_ways(&Torus::new(), &whole_torus()[..((HALF + 1) * COLUMNS) as usize]);
}

/// The torus with an operator that never applies.
struct Blocked(Torus);

impl PatternSpace for Blocked {
    fn rows(&self) -> usize {
        self.0.rows()
    }
    fn columns(&self) -> usize {
        self.0.columns()
    }
    fn ops(&self) -> usize {
        self.0.ops() + 1
    }
    fn step(&self, row: usize, op: usize) -> Step {
        match op.checked_sub(1) {
            Some(op) => self.0.step(row, op),
            None => Step { row: row as u32, map: u16::MAX, flip: 0 },
        }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        self.0.maps.get(usize::from(id)).map(Vec::as_slice)
    }
    fn goals(&self) -> Vec<usize> {
        self.0.goals()
    }
    fn aliases(&self, row: usize) -> Vec<Step> {
        self.0.aliases(row)
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[test]
fn operators_that_do_not_apply_change_nothing() {
    check_all_ways(&Blocked(Torus::new()), &whole_torus()[..((HALF + 1) * COLUMNS) as usize]);
}

/// The whole torus, whose steps lead only to rows 0 to HALF: the others are images of these.
struct WholeTorus(Torus);

impl PatternSpace for WholeTorus {
    fn rows(&self) -> usize {
        2 * HALF as usize
    }
    fn columns(&self) -> usize {
        COLUMNS as usize
    }
    fn ops(&self) -> usize {
        STEPS.len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        self.0.step(row, op)
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        self.0.map(id)
    }
    fn goals(&self) -> Vec<usize> {
        self.0.goals()
    }
    fn aliases(&self, row: usize) -> Vec<Step> {
        vec![Step { row: ((2 * HALF as usize - row) % (2 * HALF as usize)) as u32, map: 1, flip: 0 }]
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[test]
fn aliases_may_be_in_other_rows() {
    check_all_ways(&WholeTorus(Torus::new()), &whole_torus());
}

/// A path of `len` entries that leads one way only, and three entries beside it.
fn path(len: usize) -> Graph<impl Fn(usize, usize) -> Option<usize> + Sync> {
    Graph::new(len + 3, 1, vec![0], move |entry, _| (entry + 1 < len).then_some(entry + 1))
}

#[test]
fn a_directed_space_is_filled_forward() {
    let expected: Vec<_> = (0..103).map(|i| (i < 100).then_some(i as u8)).collect();
    let filled: Filled<8> = run(&path(100), FillOptions::default());
    assert!(filled.table.iter().eq(expected.iter().map(|d| d.unwrap_or(255))));
    assert_eq!(filled.histogram.unreached, 3);
}

#[test]
fn the_greatest_depths_fit_and_one_more_is_refused() {
    assert_eq!(run::<4, _>(&path(15), FillOptions::default()).histogram.max(), Some(14));
    assert_eq!(run::<8, _>(&path(255), FillOptions::default()).histogram.max(), Some(254));
    let error = fill::<4, _>(&path(16), FillOptions::default(), &Run::new()).unwrap_err();
    assert!(matches!(error, FillError::TooDeep { bits: 4, max: 14 }), "{error}");
    let error = fill::<8, _>(&path(256), FillOptions::default(), &Run::new()).unwrap_err();
    assert!(matches!(error, FillError::TooDeep { bits: 8, max: 254 }), "{error}");
}

#[test]
fn a_fill_stops_at_the_depth_asked_for() {
    let options = FillOptions { max_depth: Some(4), ..FillOptions::default() };
    let whole: Filled<4> = run(&pancake(7), FillOptions::default());
    let part: Filled<4> = run(&pancake(7), options);
    assert!(whole.complete && !part.complete);
    assert!(part.table.iter().eq(whole.table.iter().map(|d| if d > 4 { 15 } else { d })));
    assert_eq!(part.histogram.counts[..], whole.histogram.counts[..5]);
}

#[test]
fn a_cancelled_fill_returns_an_error() {
    let run = Run::new();
    run.cancel().cancel();
    let result = fill::<4, _>(&pancake(7), FillOptions::default(), &run);
    assert!(matches!(result, Err(FillError::Cancelled(_))));
}

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Progress for Log {
    fn begin(&self, what: &str, total: u64) {
        self.0.lock().unwrap().push(format!("{what} {total}"));
    }
    fn detail(&self, line: &str) {
        self.0.lock().unwrap().push(line.to_owned());
    }
    fn end(&self) {
        self.0.lock().unwrap().push("end".to_owned());
    }
}

#[test]
fn progress_reports_each_depth() {
    let log = Log::default();
    fill::<4, _>(&pancake(4), FillOptions::default(), &Run::new().with_progress(&log)).unwrap();
    let lines = log.0.into_inner().unwrap();
    assert_eq!(
        lines,
        ["filling 24", "depth 0: 1", "depth 1: 3", "depth 2: 6", "depth 3: 11", "depth 4: 3", "end"]
    );
}

/// Two rows, and one operator that is applied in each: by a column map, or by a flip.
struct Columns {
    columns: usize,
    map: Option<Vec<u16>>,
    flip: u16,
}

impl PatternSpace for Columns {
    fn rows(&self) -> usize {
        2
    }
    fn columns(&self) -> usize {
        self.columns
    }
    fn ops(&self) -> usize {
        1
    }
    fn step(&self, row: usize, _: usize) -> Step {
        Step { row: row as u32, map: 0, flip: self.flip }
    }
    fn map(&self, _: u16) -> Option<&[u16]> {
        self.map.as_deref()
    }
    fn goals(&self) -> Vec<usize> {
        vec![0]
    }
}

/// Short rows have no locks, long ones do.
#[test]
fn columns_beyond_the_last_are_refused() {
    for columns in [6, 24] {
        let outside = columns as u16;
        let turned = |last| (1..outside).chain([last]).collect::<Vec<_>>();
        let whole = Columns { columns, map: Some(turned(0)), flip: 0 };
        assert_eq!(run::<8, _>(&whole, FillOptions::default()).histogram.reached(), columns as u64);
        // Both would set an entry of the other row.
        let map = Columns { columns, map: Some(turned(outside)), flip: 0 };
        let flip = Columns { columns, map: None, flip: 32 };
        for wrong in [map, flip] {
            let filled = std::panic::catch_unwind(|| run::<8, _>(&wrong, FillOptions::default()));
            let message = *filled.unwrap_err().downcast::<&str>().unwrap();
            assert!(message.contains("columns"), "{message}");
        }
    }
}

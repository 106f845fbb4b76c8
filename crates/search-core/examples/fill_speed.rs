//! How fast a fill is on synthetic product spaces of the sizes that a cube solver fills. Prints
//! seconds and the distribution for each; `fill_speed corner|edges|coset|all [THREADS]`.

use std::time::Instant;

use search_core::Run;
use search_core::pdb::{FillOptions, Filled, PatternSpace, Step, fill};

/// A product space with random rows and maps: operators come in pairs of inverses.
struct Synthetic {
    columns: usize,
    ops: usize,
    /// For each row and operator.
    steps: Vec<Step>,
    maps: Vec<Vec<u16>>,
}

/// SplitMix64: small, good enough here.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
    fn permutation(&mut self, len: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..len as u32).collect();
        for at in (1..len).rev() {
            order.swap(at, (self.next() % (at as u64 + 1)) as usize);
        }
        order
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; order.len()];
    for (from, &to) in order.iter().enumerate() {
        inverse[to as usize] = from as u32;
    }
    inverse
}

impl Synthetic {
    /// `maps`: how many pairs of column maps there are (0: columns move by XOR alone).
    fn new(rows: usize, columns: usize, ops: usize, maps: usize) -> Synthetic {
        let mut random = Random(rows as u64);
        let mut steps = vec![Step::to(0); rows * ops];
        for pair in 0..ops / 2 {
            let forth = random.permutation(rows);
            for (row, &to) in forth.iter().enumerate() {
                let map = if maps == 0 { 0 } else { 2 * (random.next() % maps as u64) as u16 };
                let flip = if maps == 0 { (random.next() % columns as u64) as u16 } else { 0 };
                steps[row * ops + 2 * pair] = Step { row: to, map, flip };
                let back = if maps == 0 { 0 } else { map + 1 };
                steps[to as usize * ops + 2 * pair + 1] = Step { row: row as u32, map: back, flip };
            }
        }
        let narrow = |map: Vec<u32>| map.into_iter().map(|to| to as u16).collect();
        let maps = (0..maps).flat_map(|_| {
            let map = random.permutation(columns);
            [narrow(inverse(&map)), narrow(map)]
        });
        Synthetic { columns, ops, maps: maps.collect(), steps }
    }
}

impl PatternSpace for Synthetic {
    fn rows(&self) -> usize {
        self.steps.len() / self.ops
    }
    fn columns(&self) -> usize {
        self.columns
    }
    fn ops(&self) -> usize {
        self.ops
    }
    fn step(&self, row: usize, op: usize) -> Step {
        self.steps[row * self.ops + op]
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        self.maps.get(usize::from(id)).map(Vec::as_slice)
    }
    fn goals(&self) -> Vec<usize> {
        vec![0]
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

fn measure(name: &str, space: &Synthetic, run: &Run<'_>) {
    let start = Instant::now();
    let filled: Filled<4> = fill(space, FillOptions::default(), run).expect("fills");
    let seconds = start.elapsed().as_secs_f64();
    println!("{name}: {} entries in {seconds:.3} s; {:?}", filled.table.len(), filled.histogram);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let which = arguments.next().unwrap_or_else(|| "all".to_owned());
    let run = match arguments.next() {
        Some(threads) => Run::new().with_threads(threads.parse().expect("a number of threads")),
        None => Run::new(),
    };
    for (name, rows, columns, maps) in
        [("corner", 40_320, 2187, 9), ("edges", 665_280, 64, 0), ("coset", 83_160, 2048, 432)]
    {
        if which == name || which == "all" {
            measure(name, &Synthetic::new(rows, columns, 18, maps), &run);
        }
    }
}

use ::cube::heuristics::patterns::*;
use ::cube::heuristics::{CosetBound, PatternBound, Table};
use ::cube::lanes::*;
use ::cube::patterns::{Corners, Coset, Edges, edges};
use ::cube::space::*;
use ::cube::symmetry::Symmetry;
use ::cube::{Cube, Metric, Turn};
use search_core::ida::*;
use search_core::pdb::*;
use search_core::{Cancel, Silent};
use std::sync::Arc;
use std::time::Instant;

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(") ").next().unwrap().split(' ').collect();
    f[11].parse::<f64>().unwrap() / 100.0
}

fn table(space: &impl PatternSpace) -> Arc<Table> {
    let n = space.rows() * space.columns();
    let path = format!("/tmp/scratch-{n}.bin");
    if let Ok(b) = std::fs::read(&path) {
        return Arc::new(Table::new(search_core::memory::Memory::copy_of(&b).unwrap(), n).unwrap());
    }
    let begun = Instant::now();
    let t = fill::<4, _>(space, FillOptions::default(), &Silent, &Cancel::new()).unwrap();
    eprintln!("table {} in {:?}", t.table.len(), begun.elapsed());
    std::fs::write(&path, t.table.as_bytes()).unwrap();
    Arc::new(t.table)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let which = args[1].as_str();
    let lanes: usize = args[2].parse().unwrap();
    let max: u32 = args[3].parse().unwrap();
    let threads: usize = args[4].parse().unwrap();
    let count: usize = args[5].parse().unwrap();
    let text = std::fs::read_to_string("../shared/data/korf-1997-ten-cubes.txt").unwrap();
    let names: Vec<_> = Turn::all().map(|t| t.to_string()).collect();
    type V = Ssse3;
    let two = CubeSpace::<V>::new(Metric::Htm, Sides::Two);
    let one = CubeSpace::<V>::new(Metric::Htm, Sides::One);
    let config = Config {
        threads,
        kernel: if lanes == 0 { Kernel::DepthFirst } else { Kernel::Interleaved { lanes } },
        max_bound: Some(max),
        ..Config::default()
    };
    let coset = Coset::new(Metric::Htm);
    let mut c6 = None;
    let mut korf = None;
    if which == "coset" {
        let t = table(&coset);
        c6 = Some(CosetBound::new(&two, &coset, t, 3, true));
    } else {
        let corners = Arc::new(Corners::new(Metric::Htm));
        let ct = table(&*corners);
        let e = Edges::new(Metric::Htm, edges::KORF).unwrap();
        let et = table(&e);
        let s = Symmetry::all()
            .find(|s| {
                let img = (0..12)
                    .filter(|i| edges::KORF >> i & 1 == 1)
                    .fold(0u16, |set, i| set | 1 << s.action().edge[i]);
                img == Edges::complement(edges::KORF)
            })
            .unwrap();
        let mut parts = vec![EdgePart { view: View::new(&e, Symmetry::IDENTITY, false), table: et.clone() }];
        if which == "korf2" {
            let e2 = Edges::new(Metric::Htm, Edges::complement(edges::KORF)).unwrap();
            parts.push(EdgePart { view: View::new(&e2, Symmetry::IDENTITY, false), table: table(&e2) });
        } else {
            parts.push(EdgePart { view: View::new(&e, s, false), table: et });
        }
        korf = Some(PatternBound::new(Some(CornerPart { space: corners, table: ct }), parts));
    }
    for line in text.lines().take(count) {
        let turns: Vec<Turn> =
            line.split_whitespace().map(|t| Turn(names.iter().position(|n| n == t).unwrap() as u8)).collect();
        let cube = Cube::SOLVED.apply_all(turns);
        let state = State::new(&cube);
        let (begun, cpu0) = (Instant::now(), cpu());
        let r = if let Some(h) = &c6 {
            search(&two, h, &two.automaton(), &state, &config, &Silent, &Cancel::new())
        } else {
            search(&one, korf.as_ref().unwrap(), &one.automaton(), &state, &config, &Silent, &Cancel::new())
        };
        for i in r.iterations.iter().filter(|i| i.seconds > 0.05) {
            eprintln!(
                "  bound {} {} gen {:.1}M exp {:.1}M {:.2}s {:.1} M/s",
                i.bound,
                i.complete,
                i.generated as f64 / 1e6,
                i.expanded as f64 / 1e6,
                i.seconds,
                i.generated as f64 / 1e6 / i.seconds
            );
        }
        eprintln!("  cpu {:.2}", cpu() - cpu0);
        if let Ending::Optimal { length, solutions, .. } = &r.ending {
            let sol = two.solution(&solutions[0]);
            assert!(cube.apply_all(sol.iter().copied()).is_solved());
            println!(
                "{length} {} {:?}",
                sol.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(" "),
                begun.elapsed()
            );
        } else {
            println!("{:?} {:?}", r.ending, begun.elapsed());
        }
    }
}

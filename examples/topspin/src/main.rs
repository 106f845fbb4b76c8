//! The command line of TopSpin: parse, build, call, print.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use clap::{Args, Parser, Subcommand};
use puzzle_cli::tables::{self, Planned, Select, TablesCommand};
use puzzle_cli::{BoundArgs, CommonArgs, Exit, Failure, Generate, Limits, Session};
use search_core::frontier::{FrontierSearch, Options};
use search_core::ida::Config;
use search_core::record::{Method, RunRecord, Solution};
use search_core::table::Store;
use serde::Serialize;
use std::time::Instant;
use topspin::solver::replayed;
use topspin::{Pattern, Solver, TopSpin};

/// Provably shortest solutions of TopSpin(n, k): n tokens on a ring, a turnstile that reverses k
#[derive(Parser)]
#[command(name = "topspin", version, after_help = Exit::HELP)]
struct Program {
    #[command(flatten)]
    common: CommonArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print a shortest solution for each ring: its length, then the first token of each turn
    Solve {
        /// The tokens in cyclic order, separated by spaces; - (or nothing) for the lines of standard input
        rings: Vec<String>,
        /// Number of tokens that the turnstile reverses
        #[arg(long, value_name = "K", default_value_t = 4)]
        turnstile: usize,
        #[command(flatten)]
        limits: Limits,
    },
    /// Print uniformly random rings that can be solved
    Random {
        #[command(flatten)]
        size: Size,
        /// Number of rings
        #[arg(long, value_name = "N", default_value_t = 1)]
        count: usize,
        /// Random seed
        #[arg(long, value_name = "S")]
        seed: u64,
    },
    /// Count the states at each distance from the goal
    Bfs {
        #[command(flatten)]
        size: Size,
        /// Stop after this distance
        #[arg(long, value_name = "D")]
        max_depth: Option<u32>,
    },
    #[command(subcommand)]
    Tables(TablesCommand<Size, Size>),
    #[command(flatten)]
    Generate(Generate),
}

/// The size of a puzzle.
#[derive(Args, Clone, Debug)]
struct Size {
    /// Number of tokens
    #[arg(long, value_name = "N", default_value_t = 10)]
    tokens: usize,
    /// Number of tokens that the turnstile reverses
    #[arg(long, value_name = "K", default_value_t = 4)]
    turnstile: usize,
}

const VERSION: &str = concat!("topspin ", env!("CARGO_PKG_VERSION"));

fn main() -> std::process::ExitCode {
    puzzle_cli::main(run)
}

fn run(program: Program) -> Result<Exit, Failure> {
    let session = Session::build(&program.common)?;
    match program.command {
        Command::Solve { rings, turnstile, limits } => solve(&rings, turnstile, limits, &session),
        Command::Random { size, count, seed } => random(size.puzzle()?, count, seed, &session),
        Command::Tables(args) => {
            args.run("topspin", |_, name| Ok(Pattern::recipe_of(name)), &session.store(VERSION), &session)
        }
        Command::Bfs { size, max_depth } => bfs(size.puzzle()?, max_depth, &session),
        Command::Generate(generate) => generate.run::<Program>(),
    }
}

impl Size {
    fn puzzle(&self) -> Result<TopSpin, Failure> {
        TopSpin::new(self.tokens, self.turnstile).map_err(Failure::usage)
    }
}

impl Select for Size {
    fn select(&self, _: &Store, _: &Session) -> Result<Vec<Planned>, Failure> {
        Ok(vec![Pattern::default_for(self.puzzle()?).into()])
    }
}

fn solve(rings: &[String], turnstile: usize, limits: Limits, session: &Session) -> Result<Exit, Failure> {
    let store = session.store(VERSION);
    let mut last: Option<Solver> = None;
    session.batch::<Program>(rings, |instance, output| {
        let (puzzle, ring) = TopSpin::parse(&instance.text, turnstile).map_err(Failure::malformed)?;
        // Instances of one size share a solver.
        let solver = match last.take() {
            Some(solver) if solver.pattern.puzzle == puzzle => solver,
            _ => load(puzzle, &store, session)?,
        };
        let solver = last.insert(solver);
        let (begun, run) = (Instant::now(), limits.run(&session.run()));
        let config = Config::default().max_bound(limits.max_depth);
        let report = solver.solve(&ring, &config, &run).try_map(|ops| {
            let first = replayed(puzzle, &ring, &ops)
                .ok_or_else(|| Failure::error("the solution does not solve the ring: this is a bug"))?;
            Ok(Solution { length: ops.len() as u32, moves: words(&first) })
        })?;
        let method = Method {
            metric: "turns".to_owned(),
            heuristic: format!("pdb{}", solver.pattern.tokens),
            tables: vec![solver.table.clone()],
            threads: run.threads(),
            version: VERSION.to_owned(),
            ..Method::default()
        };
        let record = RunRecord::new(instance.text.clone(), report, begun.elapsed().as_secs_f64(), method);
        session.answer(&record, Some(instance.origin), (&limits, &BoundArgs::default()), output)
    })
}

fn load(puzzle: TopSpin, store: &Store, session: &Session) -> Result<Solver, Failure> {
    let (pattern, run) = (Pattern::default_for(puzzle), session.run());
    let table = store.get(&pattern, &run).map_err(|error| tables::failure("topspin", &error))?;
    Solver::new(pattern, table, &run).map_err(Failure::interrupted)
}

fn words(tokens: &[u8]) -> String {
    tokens.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

fn random(puzzle: TopSpin, count: usize, seed: u64, session: &Session) -> Result<Exit, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut output = session.output();
    for _ in 0..count {
        let ring = words(&puzzle.random(&mut rng)[..puzzle.tokens()]);
        output.record(&ring, |ring| vec![ring.clone()])?;
    }
    Ok(Exit::Done)
}

/// The states at one distance.
#[derive(Serialize)]
struct Layer {
    depth: u32,
    states: u64,
}

fn bfs(puzzle: TopSpin, max_depth: Option<u32>, session: &Session) -> Result<Exit, Failure> {
    let (run, mut output) = (session.run(), session.output());
    let options = Options { memory: run.memory(), ..Options::in_memory(6) };
    let failed = |error| Failure::error(error).with_remedy("choose fewer tokens or a smaller --max-depth");
    let mut search = FrontierSearch::new(&puzzle, options, [puzzle.goal()]).map_err(failed)?;
    let mut states = 1;
    while states > 0 {
        let layer = Layer { depth: search.depth(), states };
        output.record(&layer, |layer| vec![format!("{} {}", layer.depth, layer.states)])?;
        if max_depth == Some(search.depth()) {
            break;
        }
        states = search.step(&run).map_err(failed)?.states;
    }
    Ok(Exit::Done)
}

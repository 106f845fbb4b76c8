//! The command line of TopSpin: parse, build, call, print.

use clap::{Args, Parser, Subcommand};
use puzzle_cli::tables::{Planned, Select, TablesArgs};
use puzzle_cli::{CommonArgs, Exit, Failure, Generate, Instance, Limits, Output, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use search_core::frontier::{FrontierSearch, Options};
use search_core::ida::Config;
use search_core::record::{Method, RunRecord, Solution};
use search_core::table::Store;
use serde::Serialize;
use std::time::Instant;
use topspin::solver::replayed;
use topspin::{Pattern, Ring, Solver, TopSpin};

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
        /// How many tokens the turnstile reverses
        #[arg(long, value_name = "K", default_value_t = 4)]
        turnstile: usize,
        #[command(flatten)]
        limits: Limits,
    },
    /// Print uniformly random rings that can be solved
    Random {
        #[command(flatten)]
        size: Size,
        /// How many
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
    Tables(TablesArgs<Size, Size>),
    #[command(flatten)]
    Generate(Generate),
}

/// The size of a puzzle.
#[derive(Args, Clone, Debug)]
struct Size {
    /// How many tokens there are
    #[arg(long, value_name = "N", default_value_t = 10)]
    tokens: usize,
    /// How many of them the turnstile reverses
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
        Command::Solve { rings, turnstile, limits } => {
            let store = session.store(VERSION)?;
            let mut batch = Batch { session: &session, store, turnstile, limits, solver: None };
            session.batch(&rings, |instance, output| batch.answer(instance, output))
        }
        Command::Random { size, count, seed } => random(size.puzzle()?, count, seed, &session),
        Command::Tables(args) => args.run("topspin", &session.store(VERSION)?, &session),
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

/// What instances share. The solver stays as long as the number of tokens is the same.
struct Batch<'a> {
    session: &'a Session,
    store: Store,
    turnstile: usize,
    limits: Limits,
    solver: Option<Solver>,
}

impl Batch<'_> {
    fn answer(&mut self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let (puzzle, ring) = self.read(&instance.text)?;
        if self.solver.as_ref().is_none_or(|solver| solver.pattern.puzzle != puzzle) {
            let loaded = Solver::load(Pattern::default_for(puzzle), &self.store, &self.session.run());
            self.solver = Some(loaded.map_err(|error| puzzle_cli::tables::failure("topspin", &error))?);
        }
        let Some(solver) = &self.solver else { unreachable!("loaded above") };
        let (begun, run) = (Instant::now(), self.limits.run(&self.session.run()));
        let config = Config { max_bound: self.limits.max_depth, ..Config::default() };
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
        self.session.answer::<Program>(&record, Some(instance.origin), &self.limits, output)
    }

    fn read(&self, text: &str) -> Result<(TopSpin, Ring), Failure> {
        let tokens: Result<Vec<usize>, _> = text.split_whitespace().map(str::parse).collect();
        let tokens = tokens.map_err(|_| Failure::malformed("tokens are numbers separated by spaces"))?;
        let puzzle = TopSpin::new(tokens.len(), self.turnstile).map_err(Failure::malformed)?;
        Ok((puzzle, puzzle.parse(&tokens).map_err(Failure::malformed)?))
    }
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

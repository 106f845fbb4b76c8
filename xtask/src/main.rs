//! `cargo xtask`.

use clap::{Parser, Subcommand};
use puzzle_cli::{Exit, Failure};
use std::process::ExitCode;
use xtask::{
    bench, book, datasets, figures, gen_tables, repro_paper, reproducible, sanitize, soak, trust, web,
};

/// The project's tasks
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    GenTables(gen_tables::GenTablesArgs),
    ReproPaper(repro_paper::ReproPaperArgs),
    Bench(bench::BenchArgs),
    Trust(trust::TrustArgs),
    Figures(figures::FiguresArgs),
    Book(book::BookArgs),
    Datasets(datasets::DatasetsArgs),
    Soak(soak::SoakArgs),
    Sanitize(sanitize::SanitizeArgs),
    Reproducible(reproducible::ReproducibleArgs),
    Web(web::WebArgs),
}

fn run(args: Args) -> Result<Exit, Failure> {
    match args.task {
        Task::GenTables(args) => gen_tables::run(&args),
        Task::ReproPaper(args) => repro_paper::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Trust(args) => trust::run(&args),
        Task::Figures(args) => figures::run(&args),
        Task::Book(args) => book::run(&args),
        Task::Datasets(args) => datasets::run(&args),
        Task::Soak(args) => soak::run(&args),
        Task::Sanitize(args) => sanitize::run(&args),
        Task::Reproducible(args) => reproducible::run(&args),
        Task::Web(args) => web::run(&args),
    }
}

fn main() -> ExitCode {
    puzzle_cli::main(run)
}

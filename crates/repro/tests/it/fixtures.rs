//! The fixtures and the jobs match: every figure has a job, and no tier exceeds its time.

use repro::fixture::{self, Fixture};
use repro::job::Job;
use repro::paper::{Paper, Tier};
use repro::report::layout::{SECTIONS, rank};
use std::collections::BTreeSet;

fn all() -> (Vec<Fixture>, Vec<Job>) {
    let fixtures = fixture::all().expect("the fixtures are sound");
    let jobs = repro::jobs(&fixtures);
    (fixtures, jobs)
}

#[test]
fn every_figure_is_computed_by_the_jobs_that_it_names() {
    let (fixtures, jobs) = all();
    for fixture in &fixtures {
        let computes = |name: &String| {
            let id = format!("{}/{name}", fixture.paper);
            jobs.iter().any(|job| job.id == id && job.cells.contains(&fixture.key))
        };
        assert!(!fixture.jobs.is_empty(), "no job yields {}", fixture.key);
        assert!(fixture.jobs.iter().all(computes), "{} names {:?}", fixture.key, fixture.jobs);
        assert!(!fixture.source.is_empty(), "{} has a source", fixture.key);
    }
    assert!(fixtures.len() > 200);
}

#[test]
fn every_job_has_its_own_name_and_promises_figures_of_the_papers_or_new_terms() {
    let (fixtures, jobs) = all();
    for job in &jobs {
        for key in &job.cells {
            let printed = fixtures.iter().any(|fixture| fixture.paper == job.paper && fixture.key == *key);
            // Some terms of sequences are new.
            let may_be_new = key.table == "sequences";
            assert!(printed || may_be_new, "{} promises {key}, which no paper prints", job.id);
        }
    }
    let files: BTreeSet<String> = jobs.iter().map(|job| job.id.replace('/', "-")).collect();
    assert_eq!(files.len(), jobs.len(), "each job keeps its own file");
}

#[test]
fn every_table_has_its_place_in_the_report() {
    for fixture in all().0 {
        assert!(rank(fixture.paper, &fixture.key.table) < SECTIONS.len(), "{} has a heading", fixture.key);
    }
}

/// The stated costs are those of the reference machine.
#[test]
fn tiers_stay_within_their_time() {
    let (_, jobs) = all();
    let seconds = |tier: Tier, paper: Option<Paper>| {
        let due = jobs.iter().filter(|job| job.tier <= tier && paper.is_none_or(|paper| paper == job.paper));
        due.map(|job| job.cost.seconds).sum::<f64>()
    };
    assert!(seconds(Tier::Quick, None) <= 300.0, "{} s", seconds(Tier::Quick, None));
    assert!(seconds(Tier::Standard, None) <= 7200.0, "{} s", seconds(Tier::Standard, None));
    for paper in Paper::ALL {
        assert!(seconds(Tier::Quick, Some(paper)) > 0.0, "{paper} has jobs");
    }
}

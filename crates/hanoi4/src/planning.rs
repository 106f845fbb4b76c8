//! Towers as a planning task: a variable for what each disc lies on, and one for whether each disc and peg is clear; an action
//! moves a clear disc onto a clear peg or a clear larger disc.

use crate::model::{Puzzle, State};
use search_core::planning::{Action, Effect, Fact, Task, Variable};

/// A peg or a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Peg(u32),
    /// Discs are numbered from 0, the smallest.
    Disc(u32),
}

impl Place {
    fn name(self) -> String {
        match self {
            Place::Peg(peg) => format!("peg{peg}"),
            Place::Disc(disc) => format!("disc{}", disc + 1),
        }
    }
}

/// The values of the variable of a disc: the pegs, then the larger discs.
fn places_of(puzzle: &Puzzle, disc: u32) -> Vec<Place> {
    let pegs = (0..puzzle.pegs()).map(Place::Peg);
    pegs.chain((disc + 1..puzzle.discs()).map(Place::Disc)).collect()
}

/// The place that `disc` lies on.
fn below(puzzle: &Puzzle, state: State, disc: u32) -> Place {
    let peg = state.peg(disc);
    let next = (disc + 1..puzzle.discs()).find(|larger| state.peg(*larger) == peg);
    next.map_or(Place::Peg(peg), Place::Disc)
}

/// The task of moving the discs from one state to another. The value of variable `d` is the disc or peg below disc `d`; then there is one
/// variable for each disc and one for each peg, with the values `no` and `yes`. The solutions have the lengths of those of
/// the puzzle.
pub fn task(puzzle: &Puzzle, from: State, to: State) -> Task {
    let (discs, pegs) = (puzzle.discs(), puzzle.pegs());
    let all = (0..discs).map(Place::Disc).chain((0..pegs).map(Place::Peg));
    let clear_of = |place: Place| match place {
        Place::Disc(disc) => (discs + disc) as usize,
        Place::Peg(peg) => (2 * discs + peg) as usize,
    };
    let number = |disc: u32, place: Place| {
        places_of(puzzle, disc)
            .iter()
            .position(|other| *other == place)
            .expect("a disc lies on a larger one or a peg")
    };
    let on = |disc: u32, place: Place| Fact { variable: disc as usize, value: number(disc, place) };
    let clear = |place: Place, is: bool| Fact { variable: clear_of(place), value: usize::from(is) };
    let mut variables: Vec<Variable> = (0..discs)
        .map(|disc| {
            let values = places_of(puzzle, disc).into_iter().map(Place::name).collect();
            Variable { name: format!("on-{}", Place::Disc(disc).name()), values }
        })
        .collect();
    variables.extend(all.clone().map(|place| Variable {
        name: format!("clear-{}", place.name()),
        values: ["no", "yes"].map(str::to_owned).to_vec(),
    }));
    let mut initial: Vec<usize> = (0..discs).map(|disc| number(disc, below(puzzle, from, disc))).collect();
    let is_covered = |place: Place| (0..discs).any(|disc| below(puzzle, from, disc) == place);
    initial.extend(all.map(|place| usize::from(!is_covered(place))));
    let mut actions = Vec::new();
    for disc in 0..discs {
        let places = places_of(puzzle, disc);
        for &source in &places {
            for &target in places.iter().filter(|target| **target != source) {
                let name = [Place::Disc(disc), source, target].map(Place::name).join("-");
                actions.push(Action {
                    name: format!("move-{name}"),
                    cost: 1,
                    conditions: vec![
                        on(disc, source),
                        clear(Place::Disc(disc), true),
                        clear(source, false),
                        clear(target, true),
                    ],
                    effects: [on(disc, target), clear(source, true), clear(target, false)]
                        .map(Effect::always)
                        .to_vec(),
                });
            }
        }
    }
    Task {
        name: format!("hanoi-{discs}-{pegs}"),
        variables,
        initial,
        goal: (0..discs).map(|disc| on(disc, below(puzzle, to, disc))).collect(),
        actions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{Ask, Solver};
    use search_core::Run;
    use search_core::testing::{Random, plan_length};

    #[test]
    fn plans_are_as_long_as_solutions() {
        let mut random = Random::new(1);
        for (discs, pegs) in [(1, 3), (3, 3), (4, 3), (3, 4), (5, 4)] {
            let puzzle = Puzzle::new(discs, pegs).unwrap();
            let any = |random: &mut Random| {
                (0..discs)
                    .fold(State::START, |state, disc| state.with(disc, random.below(pegs as usize) as u32))
            };
            let ends = [(State::START, State::all_on(pegs - 1, discs)), (any(&mut random), any(&mut random))];
            for (from, to) in ends {
                let answer = Solver::new().solve(&Ask::new(puzzle, from, to), &Run::new()).unwrap();
                assert_eq!(plan_length(&task(&puzzle, from, to)), answer.into_report().ending.length());
            }
        }
    }
}

//! The choice of the moves that count and of the rotations that are free.

use super::{Definition, Frame, Named, Role, products};
use crate::fault::Faults;
use crate::model::{Move, Pattern, Puzzle, PuzzleParts, Rotation, Transformation};
use crate::notation::{Algorithm, power_name};
use std::collections::{HashMap, HashSet};
use std::str::FromStr;

/// The maximum number of counted moves of a definition; a search takes fewer.
const MOST_COUNTED: usize = 2_000;

/// The powers of a counted move that are moves too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Metric {
    /// All of them: U, U2, U'
    #[default]
    Powers,
    /// The move and its inverse
    Inverses,
    /// The move alone
    Generators,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 3] = [Metric::Powers, Metric::Inverses, Metric::Generators];

    /// The name of the metric.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Powers => "powers",
            Metric::Inverses => "inverses",
            Metric::Generators => "generators",
        }
    }
}

impl FromStr for Metric {
    type Err = Faults;

    fn from_str(name: &str) -> Result<Metric, Faults> {
        let found = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        found.ok_or_else(|| {
            format!("{name:?} is no metric: {}", Metric::ALL.map(Metric::name).join(", ")).into()
        })
    }
}

/// The names of a list, separated by spaces or commas, such as `U, R2 F`. Commas in brackets belong to names.
pub fn split_names(list: &str) -> Vec<String> {
    let mut open = 0_usize;
    let separates = |c: char| {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0 && (c == ',' || c.is_whitespace())
    };
    list.split(separates).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The moves that count and the rotations that are free.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The counted moves by name, with an amount or not; `None` for those of the definition.
    pub moves: Option<Vec<String>>,
    /// Which powers of a counted move count.
    pub metric: Metric,
    /// The free rotations by name; `None` for those of the definition.
    pub rotations: Option<Vec<String>>,
    /// The moves by name that cost nothing, and so do their powers.
    pub free: Vec<String>,
}

/// A definition with a selection of moves: the puzzle that is searched, and the way from states of the definition to
/// states of that puzzle.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The puzzle that is searched.
    pub puzzle: Puzzle,
    /// The orbits that show only how the whole puzzle is held, if there are some.
    pub frame: Option<Frame>,
    /// Remarks about the selection.
    pub remarks: Vec<String>,
}

impl Selected {
    /// The state of [`puzzle`](Self::puzzle) that a pattern of the definition stands for.
    ///
    /// # Errors
    /// If the frame is in an arrangement that no rotation leads to.
    pub fn state(&self, pattern: &Pattern) -> Result<Pattern, Faults> {
        match &self.frame {
            Some(frame) => frame.remove(pattern),
            None => Ok(pattern.clone()),
        }
    }

    /// The pattern of the definition for a state of the puzzle, held as in the solved pattern.
    pub fn pattern(&self, definition: &Definition, state: &Pattern) -> Pattern {
        let Some(frame) = &self.frame else { return state.clone() };
        frame.restore(&definition.solved, state)
    }
}

/// A chosen move: its name without amount, its effect, and whether its powers are moves too.
struct Chosen {
    name: String,
    transformation: Transformation,
    with_powers: bool,
}

impl Definition {
    /// The puzzle in which the selected moves count.
    ///
    /// With free rotations, the conjugates of counted moves count too. If the counted moves leave orbits untouched
    /// that tell all rotations apart (the centres of a 3x3x3 cube), these orbits only show how the puzzle is held:
    /// they are left out, and with them the rotations. Then moves that are chosen by name are turns of a puzzle that is
    /// held still, and their conjugates do not count unless rotations are chosen too.
    ///
    /// # Errors
    /// Unknown names, too many moves, or the faults of the puzzle.
    pub fn select(&self, selection: &Selection) -> Result<Selected, Faults> {
        let mut remarks = Vec::new();
        let rotations = self.free_rotations(selection)?;
        let chosen = self.chosen(selection, &rotations)?;
        let free = self.free_moves(selection)?;
        let mut moves = self.counted(&chosen, selection.metric, &mut remarks)?;
        moves.retain(|step| free.iter().all(|free| free.transformation != step.transformation));
        self.leave_out_rotations(&mut moves, &rotations, &mut remarks);
        // Moves that are chosen on a puzzle with fixed centres are those of the fixed centres.
        let is_chosen = selection.moves.is_some() || !free.is_empty();
        let is_fixed = || is_chosen && selection.rotations.is_none();
        let frame = |moves: &[Move]| Frame::find(self, &[moves, &free].concat(), &rotations);
        let framed = is_fixed() && frame(&moves).is_some();
        if !rotations.is_empty() && !framed {
            let chosen = moves.len();
            self.close_under(&mut moves, &rotations)?;
            if selection.moves.is_some() && moves.len() > chosen {
                remarks.push(format!(
                    "rotations are free, so the conjugates of the chosen moves count too, {} moves in all; \
                     --rotations \"\" counts the chosen moves alone",
                    moves.len()
                ));
            }
        }
        if moves.len() > MOST_COUNTED {
            return Err(too_many(moves.len()));
        }
        if rotations.is_empty() {
            remarks.extend(self.suggested_rotations(&moves));
        }
        let frame = frame(&moves);
        let parts = PuzzleParts {
            name: self.name.clone(),
            orbits: self.orbits.clone(),
            moves,
            free,
            rotations,
            solved: self.solved.clone(),
            illegal: self.illegal.clone(),
        };
        let parts = match &frame {
            Some(frame) => frame.without(parts),
            None => parts,
        };
        Ok(Selected { puzzle: Puzzle::new(parts)?, frame, remarks })
    }

    fn free_rotations(&self, selection: &Selection) -> Result<Vec<Rotation>, Faults> {
        let free = |name: &str, transformation: &Transformation| Rotation {
            name: name.to_owned(),
            transformation: transformation.clone(),
        };
        let Some(names) = &selection.rotations else {
            let declared = self.moves.iter().filter(|named| named.role == Role::Rotation);
            return Ok(declared.map(|named| free(&named.name, &named.transformation)).collect());
        };
        let found = names.iter().map(|name| self.one(name).map(|chosen| free(name, &chosen.transformation)));
        let (found, faults) = split(found);
        Faults::unless_none(faults, || found)
    }

    /// Leaves out the moves that are products of free rotations: they lead to the same position.
    fn leave_out_rotations(&self, moves: &mut Vec<Move>, rotations: &[Rotation], remarks: &mut Vec<String>) {
        let Some(free) = products(Transformation::identity(&self.orbits), rotations) else { return };
        let free: HashSet<&Transformation> = free.iter().collect();
        let is_free = |step: &Move| free.contains(&step.transformation);
        let left_out: Vec<&str> =
            moves.iter().filter(|step| is_free(step)).map(|step| step.name.as_str()).collect();
        if !left_out.is_empty() {
            let list = left_out.join(", ");
            remarks.push(format!("moves that are products of free rotations do not count: {list}"));
        }
        moves.retain(|step| !is_free(step));
    }

    /// The moves that cost nothing.
    fn free_moves(&self, selection: &Selection) -> Result<Vec<Move>, Faults> {
        let (chosen, faults) = split(selection.free.iter().map(|name| self.one(name)));
        Faults::unless_none(faults, || ())?;
        self.counted(&chosen, Metric::Powers, &mut Vec::new())
    }

    /// The chosen moves; those of the definition without the free rotations if none are chosen.
    fn chosen(&self, selection: &Selection, rotations: &[Rotation]) -> Result<Vec<Chosen>, Faults> {
        let Some(names) = &selection.moves else {
            let is_free = |named: &&Named| rotations.iter().any(|free| free.name == named.name);
            let counted = self
                .moves
                .iter()
                .filter(|named| matches!(named.role, Role::Counted | Role::Single) && !is_free(named));
            return Ok(counted
                .map(|named| Chosen {
                    name: named.name.clone(),
                    transformation: named.transformation.clone(),
                    with_powers: named.role == Role::Counted,
                })
                .collect());
        };
        let (chosen, faults) = split(names.iter().map(|name| self.one(name)));
        Faults::unless_none(faults, || chosen)
    }

    /// The move that a text names, with or without an amount.
    fn one(&self, text: &str) -> Result<Chosen, String> {
        let algorithm = Algorithm::parse(text, &self.names()).map_err(|faults| faults.to_string())?;
        match algorithm.steps()[..] {
            [(name, times)] => Ok(Chosen {
                name: if times == 1 { self.moves[name].name.clone() } else { text.trim().to_owned() },
                transformation: self.effect_of_step((name, times)),
                with_powers: times == 1 && self.moves[name].role != Role::Single,
            }),
            _ => Err(format!("{text:?} is not one move")),
        }
    }

    /// The moves that count: the chosen ones and their powers, without duplicates.
    fn counted(
        &self,
        chosen: &[Chosen],
        metric: Metric,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<Move>, Faults> {
        let mut known: HashMap<Transformation, String> = HashMap::new();
        let mut moves = Vec::new();
        for (base, step) in chosen.iter().enumerate() {
            let order = step.transformation.order().filter(|&order| order <= 1 << 20);
            let Some(order) = order else {
                return Err(format!("move {} has an order above {}", step.name, 1 << 20).into());
            };
            if order == 1 {
                remarks.push(format!("move {} changes nothing and is left out", step.name));
                continue;
            }
            let powers: Vec<u64> = match metric {
                _ if !step.with_powers => vec![1],
                Metric::Powers => (1..order).collect(),
                Metric::Inverses if order > 2 => vec![1, order - 1],
                Metric::Inverses | Metric::Generators => vec![1],
            };
            if moves.len() + powers.len() > MOST_COUNTED {
                return Err(too_many(moves.len() + powers.len()));
            }
            for power in powers {
                let transformation = step.transformation.power(power);
                let name = power_name(&step.name, power, order);
                match known.get(&transformation) {
                    Some(same) if power == 1 => {
                        remarks.push(format!("move {name} is the same as {same} and is left out"));
                    }
                    Some(_) => {}
                    None => {
                        known.insert(transformation.clone(), name.clone());
                        let power = u32::try_from(power).expect("the order is bounded");
                        moves.push(Move { name, transformation, base, power });
                    }
                }
            }
        }
        Ok(moves)
    }

    /// Adds the conjugates of the moves by all products of the rotations.
    fn close_under(&self, moves: &mut Vec<Move>, rotations: &[Rotation]) -> Result<(), Faults> {
        let mut known: HashMap<Transformation, usize> =
            moves.iter().enumerate().map(|(number, step)| (step.transformation.clone(), number)).collect();
        let mut named: HashMap<Transformation, String> = HashMap::new();
        // Names are taken from the definition where it has one for the conjugate.
        for of in &self.moves {
            let Some(order) = of.transformation.order().filter(|&order| order <= 64) else { continue };
            for power in 1..order {
                let name = power_name(&of.name, power, order);
                named.entry(of.transformation.power(power)).or_insert(name);
            }
        }
        let mut bases: HashMap<(usize, usize), usize> = HashMap::new();
        let mut next_base = moves.iter().map(|step| step.base + 1).max().unwrap_or(0);
        // For each move, the chosen one that it is a conjugate of, and the rotations that lead to it.
        let mut origins: Vec<(usize, Vec<usize>)> =
            (0..moves.len()).map(|number| (number, Vec::new())).collect();
        let mut at = 0;
        while at < moves.len() {
            for (number, rotation) in rotations.iter().enumerate() {
                // The move as seen after the rotation.
                let conjugate = moves[at].transformation.conjugate(&rotation.transformation);
                if known.contains_key(&conjugate) {
                    continue;
                }
                let (origin, mut path) = origins[at].clone();
                path.push(number);
                let name = named.get(&conjugate).cloned();
                let name = name.unwrap_or_else(|| conjugate_name(rotations, &path, &moves[origin].name));
                origins.push((origin, path));
                let base = *bases.entry((moves[at].base, number)).or_insert_with(|| {
                    next_base += 1;
                    next_base - 1
                });
                let power = moves[at].power;
                known.insert(conjugate.clone(), moves.len());
                moves.push(Move { name, transformation: conjugate, base, power });
                if moves.len() > MOST_COUNTED {
                    return Err(too_many(moves.len()));
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// A remark that names the counted moves which look like rotations of the whole puzzle.
    fn suggested_rotations(&self, moves: &[Move]) -> Option<String> {
        let named = |name: &str| {
            matches!(name, "x" | "y" | "z")
                || name.len() > 1 && name.ends_with('v') && name.starts_with(char::is_uppercase)
        };
        // A move that moves or turns a piece of every place of an orbit with several places.
        let moves_all = |step: &Move| {
            step.transformation.orbits.iter().all(|part| {
                let stays = |place: usize| usize::from(part.from[place]) == place && part.turn[place] == 0;
                (0..part.from.len()).filter(|&place| stays(place)).count() * 2 < part.from.len().max(2)
            })
        };
        let first = moves.iter().filter(|step| step.power == 1);
        let named_so: Vec<&str> = first.map(|step| step.name.as_str()).filter(|name| named(name)).collect();
        let found: Vec<&str> = if named_so.is_empty() && self.orbits.len() > 1 {
            let first = moves.iter().filter(|step| step.power == 1 && moves_all(step));
            first.map(|step| step.name.as_str()).collect()
        } else {
            named_so
        };
        (!found.is_empty()).then(|| {
            let list = found.join(",");
            format!("{list} may be rotations of the whole puzzle, but count as moves; --rotations {list} makes them free")
        })
    }
}

/// The name of a move as seen after rotations, one after the other: `r2' r1' m r1 r2` is `[r2' r1': m]`.
fn conjugate_name(rotations: &[Rotation], path: &[usize], name: &str) -> String {
    let word = path.chunk_by(|a, b| a == b).rev().map(|run| {
        let rotation = &rotations[run[0]];
        let order = rotation.transformation.order().unwrap_or(u64::MAX);
        power_name(&rotation.name, order - run.len() as u64 % order, order)
    });
    format!("[{}: {name}]", word.collect::<Vec<_>>().join(" "))
}

fn too_many(count: usize) -> Faults {
    format!("the puzzle has {count} or more counted moves, above the limit of {MOST_COUNTED}").into()
}

/// The successes and the faults.
fn split<T>(results: impl Iterator<Item = Result<T, String>>) -> (Vec<T>, Vec<String>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(value) => found.push(value),
            Err(fault) => faults.push(fault),
        }
    }
    (found, faults)
}

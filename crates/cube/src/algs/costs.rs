//! The costs of moves, as data, and the ranking of solutions by length and cost.
//!
//! The cost of a solution is the sum over its moves: the cost of the layer that turns, and the extra costs of half
//! turns and counterclockwise turns. Free turns cost nothing. Costs are whole thousandths, so sums are exact and the
//! ranking is the same everywhere.

use super::solution::Solution;
use crate::cube::Face;
use crate::notation::scramble::{Layers, Move, parse_moves};
use std::collections::HashMap;
use std::fmt;

/// The default costs: they favour U and R, whose turns need no regrip, and avoid the back.
pub(crate) const DEFAULT: &str = "U=1 R=1 L=1.5 F=1.5 D=1.8 B=3 \
                           Uw=1.5 Rw=1.2 Lw=1.7 Fw=2 Dw=2 Bw=3.5 M=1.5 E=3 S=3 2=+0.3 '=+0";

/// A cost, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(pub u32);

/// The greatest cost of one move, in thousandths.
const MOST: u32 = 1_000_000;

/// The cost of each move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    layers: HashMap<(Face, Layers), Cost>,
    /// Costs of single moves, which take precedence.
    moves: HashMap<Move, Cost>,
    half: Cost,
    counterclockwise: Cost,
}

/// The reason why a text is not a list of costs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCost {
    /// No `=` in an item.
    #[error("`{0}` is not a cost: write `R=1`, `R2=1.5`, `2=+0.3` or `'=+0.1`")]
    NoCost(String),
    /// The text before the `=`.
    #[error(
        "`{0}` is no move: name a face (R), a wide turn (Rw), a slice (M), one turn (R2), or 2 or ' alone"
    )]
    NoMove(String),
    /// The text after the `=`.
    #[error("`{0}` is no cost: write a number from 0 to 1000 with at most three decimals")]
    NoNumber(String),
    /// A rotation of the whole cube.
    #[error("{0} rotates the whole cube, and no solution has rotations")]
    Rotation(Move),
}

impl Default for Costs {
    fn default() -> Costs {
        let (layers, moves) = (HashMap::new(), HashMap::new());
        let none = Costs { layers, moves, half: Cost(0), counterclockwise: Cost(0) };
        none.with(DEFAULT).expect("the default costs are costs")
    }
}

impl Costs {
    /// The default costs with the changes in `text`: `R=1` for all turns of a layer, `R2=1.5` for one turn, `2=+0.3`
    /// and `'=+0.1` for the extra costs of half turns and counterclockwise turns; items are separated by spaces, commas
    /// or line ends.
    ///
    /// # Errors
    /// [`InvalidCost`] for the first invalid item.
    pub fn parse(text: &str) -> Result<Costs, InvalidCost> {
        Costs::default().with(text)
    }

    fn with(mut self, text: &str) -> Result<Costs, InvalidCost> {
        for item in text.split([' ', ',', '\n', '\r', '\t']).filter(|item| !item.is_empty()) {
            let (name, cost) = item.split_once('=').ok_or_else(|| InvalidCost::NoCost(item.to_owned()))?;
            let cost = Cost::parse(cost)?;
            match name {
                "2" => self.half = cost,
                "'" | "’" => self.counterclockwise = cost,
                name => self.set(name, cost)?,
            }
        }
        Ok(self)
    }

    fn set(&mut self, name: &str, cost: Cost) -> Result<(), InvalidCost> {
        let refused = || InvalidCost::NoMove(name.to_owned());
        let [named] = parse_moves(name).map_err(|_| refused())?[..] else { return Err(refused()) };
        if named.layers == Layers::All {
            return Err(InvalidCost::Rotation(named));
        }
        match named.quarters {
            1 => {
                self.layers.insert((named.face, named.layers), cost);
                // Costs given earlier for its single turns no longer apply.
                self.moves.retain(|other, _| (other.face, other.layers) != (named.face, named.layers));
            }
            _ => {
                self.moves.insert(named, cost);
            }
        }
        Ok(())
    }

    /// The cost of a move.
    pub(crate) fn of_move(&self, name: Move) -> Cost {
        if let Some(cost) = self.moves.get(&name) {
            return *cost;
        }
        let layer = self.layers.get(&(name.face, name.layers)).copied().unwrap_or_default();
        let more = [Cost(0), self.half, self.counterclockwise][usize::from(name.quarters) - 1];
        Cost(layer.0 + more.0)
    }

    /// The cost of some moves.
    pub(crate) fn of(&self, moves: &[Move]) -> Cost {
        Cost(moves.iter().map(|&name| self.of_move(name).0).sum())
    }
}

impl Cost {
    fn parse(text: &str) -> Result<Cost, InvalidCost> {
        let refused = || InvalidCost::NoNumber(text.to_owned());
        let number = text.strip_prefix('+').unwrap_or(text);
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(whole) || !are_digits(part) || part.len() > 3 || whole.len() > 4 {
            return Err(refused());
        }
        let thousandths = format!("{whole}{part:0<3}").parse().map_err(|_| refused())?;
        if thousandths > MOST { Err(refused()) } else { Ok(Cost(thousandths)) }
    }

    /// The cost as a number.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

/// `9`, `9.6`, `10.25`.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The key by which solutions are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Length, then cost.
    #[default]
    Length,
    /// Cost, then length.
    Cost,
}

/// Solutions with their costs, best first. Ties are in the order of the moves.
pub fn ranked(solutions: Vec<Solution>, costs: &Costs, order: Order) -> Vec<(Cost, Solution)> {
    let mut ranked: Vec<(Cost, Solution)> =
        solutions.into_iter().map(|solution| (costs.of(&solution.moves), solution)).collect();
    ranked.sort_by(|(a_cost, a), (b_cost, b)| {
        let (a_key, b_key) = match order {
            Order::Length => ((a.moves.len(), a_cost.0), (b.moves.len(), b_cost.0)),
            Order::Cost => {
                ((a_cost.0 as usize, a.moves.len() as u32), (b_cost.0 as usize, b.moves.len() as u32))
            }
        };
        let ends = |solution: &Solution| (solution.before, solution.after);
        a_key.cmp(&b_key).then_with(|| a.moves.cmp(&b.moves)).then_with(|| ends(a).cmp(&ends(b)))
    });
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Orientation;

    fn moves(text: &str) -> Vec<Move> {
        parse_moves(text).unwrap()
    }

    fn cost(costs: &str, text: &str) -> String {
        Costs::parse(costs).unwrap().of(&moves(text)).to_string()
    }

    #[test]
    fn costs_add_up() {
        assert_eq!(cost("", "R U R' U'"), "4");
        assert_eq!(cost("", "R2 B M"), "5.8");
        assert_eq!(cost("R=2, 2=0.25 '=+0.125", "R R2 R' U2"), "7.625");
        assert_eq!(cost("R2=0.5\n2=+9", "R2 U2"), "10.5");
        // A cost of the layer, given after that of one of its turns, applies to all turns.
        assert_eq!(cost("R2=9 R=1 2=0", "R2"), "1");
        assert_eq!(cost("R=1 R2=9", "R2"), "9");
        assert_eq!(format!("{:>6}|", Cost(1500)), "   1.5|");
    }

    #[test]
    fn invalid_costs_are_refused() {
        for (text, reason) in [
            ("R", "`R` is not a cost"),
            ("Q=1", "`Q` is no move"),
            ("RU=1", "`RU` is no move"),
            ("=1", "`` is no move"),
            ("R=", "`` is no cost"),
            ("R=-1", "`-1` is no cost"),
            ("R=1.2345", "`1.2345` is no cost"),
            ("R=1001", "`1001` is no cost"),
            ("R=1e3", "`1e3` is no cost"),
            ("x=1", "x rotates the whole cube"),
        ] {
            let error = Costs::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{text}: {error}");
        }
    }

    #[test]
    fn solutions_are_ranked_by_length_or_by_cost() {
        let solution =
            |text: &str| Solution { before: 0, moves: moves(text), after: 0, held: Orientation::HOME };
        let all = ["B R U", "R U R' U'", "R F U", "F R U"].map(solution).to_vec();
        let order = |order| {
            let ranked = ranked(all.clone(), &Costs::default(), order);
            ranked.iter().map(|(cost, solution)| format!("{cost} {solution}")).collect::<Vec<_>>()
        };
        assert_eq!(order(Order::Length), ["3.5 R F U", "3.5 F R U", "5 B R U", "4 R U R' U'"]);
        assert_eq!(order(Order::Cost), ["3.5 R F U", "3.5 F R U", "4 R U R' U'", "5 B R U"]);
    }
}

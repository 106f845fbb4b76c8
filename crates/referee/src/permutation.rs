//! Permutation puzzles: a list of colours, and moves that carry each colour to another point.
//!
//! A solution is a list of names of moves and rotations, separated by spaces; spaces within brackets belong to a name.
//! Rotations turn the whole puzzle and are not counted.

use crate::Refusal;

/// The maximum number of points.
pub const MAX_POINTS: usize = 256;

/// A move or a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    name: String,
    /// For each point, the point whose colour the step carries to it.
    from: Vec<u8>,
}

impl Step {
    /// The step of this name, given for each point by the point whose colour it carries there.
    ///
    /// # Errors
    /// A [`Refusal`] if that is no permutation, or the name is empty.
    pub fn new(name: &str, from: &[u8]) -> Result<Step, Refusal> {
        let mut seen = vec![false; from.len()];
        for &point in from {
            match seen.get_mut(usize::from(point)) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(Refusal::state(format!("{name:?} is no permutation of the points"))),
            }
        }
        if name.is_empty() {
            return Err(Refusal::state("a step has no name"));
        }
        Ok(Step { name: name.to_owned(), from: from.to_vec() })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// For each point, the point whose colour the step carries to it.
    pub fn from(&self) -> &[u8] {
        &self.from
    }

    /// The colours after the step.
    pub fn applied(&self, colours: &[u8]) -> Vec<u8> {
        self.from.iter().map(|&from| colours[usize::from(from)]).collect()
    }

    /// For each point, the point whose colour the inverse carries to it.
    pub fn inverse(&self) -> Vec<u8> {
        let mut inverse = vec![0; self.from.len()];
        for (to, &from) in self.from.iter().enumerate() {
            inverse[usize::from(from)] = to as u8;
        }
        inverse
    }
}

/// The names in a solution.
pub fn names(solution: &str) -> Vec<&str> {
    let (mut names, mut open, mut start) = (Vec::new(), 0_i32, 0);
    let ends = solution.char_indices().map(|(at, c)| (at, Some(c))).chain([(solution.len(), None)]);
    for (at, c) in ends {
        match c {
            Some('[' | '(') => open += 1,
            Some(']' | ')') => open -= 1,
            _ => {}
        }
        if c.is_none_or(|c| c.is_whitespace() && open <= 0) {
            names.push(&solution[start..at]);
            start = at + c.map_or(0, char::len_utf8);
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

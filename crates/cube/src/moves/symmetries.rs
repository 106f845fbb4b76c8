//! The symmetries of a set of moves: those that map the set to itself.
//!
//! The idea: such a symmetry maps strings of operators to strings of operators, and what a string does to what its
//! image does. If it also leaves a position as it looks, it maps the solutions of the position to solutions. So
//! of first operators that these symmetries map to each other only the least is searched, and the solutions that
//! are found are mapped back.
//!
//! Why that finds an image of every solution: take a solution that follows the [rules](super::rules), and let `r` be
//! its first run about one axis. The image of the solution, in the form that the rules allow, begins with the allowed
//! string for the image of `r`. So of the operators with which these strings begin, over all symmetries, any one is
//! enough for solutions that begin with `r`: the least is kept. A search that fixes moves at the back too may
//! begin with the last move instead; the same holds for the last run, and the operators with which the strings end.

use super::permutation::Permutation;
use super::rules::Rules;
use super::set::MoveSet;
use crate::symmetry::Symmetry;
use search_core::{Op, OpSet};
use std::collections::BTreeSet;

/// A symmetry of a set of moves.
#[derive(Clone, Debug)]
struct Image {
    /// Where it carries the facelets.
    facelets: Permutation,
    /// The image of each operator.
    of: Vec<Op>,
}

/// The symmetries of a set.
#[derive(Clone, Debug)]
pub(crate) struct SetSymmetries(Vec<Image>);

impl SetSymmetries {
    /// The symmetries of `set`. The first changes nothing.
    pub(crate) fn of(set: &MoveSet) -> SetSymmetries {
        let image = |symmetry: Symmetry| {
            let facelets = Permutation::of_symmetry(symmetry);
            let number = |effect: &Permutation| {
                let image = conjugate(effect, &facelets);
                set.operators().iter().position(|operator| operator.effect == image).map(Op::new)
            };
            let of =
                set.operators().iter().map(|operator| number(&operator.effect)).collect::<Option<_>>()?;
            Some(Image { facelets, of })
        };
        SetSymmetries(Symmetry::all().filter_map(image).collect())
    }

    /// The number of symmetries, 1 to 48.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Those that leave `element` as it looks, where `solved` are the solved positions.
    #[must_use]
    pub(crate) fn leaving(&self, element: &Permutation, solved: &[Permutation]) -> SetSymmetries {
        let alike: Vec<Permutation> = solved.iter().map(|rotation| rotation.then(element)).collect();
        let leaves = |image: &&Image| alike.contains(&conjugate(element, &image.facelets));
        SetSymmetries(self.0.iter().filter(leaves).cloned().collect())
    }

    /// The operators that a search must start with, if it starts with the first move; and with the last one.
    pub(crate) fn first_and_last(&self, rules: &Rules) -> (OpSet, OpSet) {
        let (mut first, mut last) = (OpSet::EMPTY, OpSet::EMPTY);
        for run in rules.runs() {
            let images: Vec<Vec<Op>> =
                self.0.iter().map(|symmetry| rules.canonical(&symmetry.string(&run))).collect();
            first = images.iter().filter_map(|run| run.first()).min().map_or(first, |&op| first.with(op));
            last = images.iter().filter_map(|run| run.last()).min().map_or(last, |&op| last.with(op));
        }
        (first, last)
    }

    /// The images of some strings, in the form that the rules allow, each once, by length and then in the order of
    /// the operators.
    pub(crate) fn images(&self, strings: &[Vec<Op>], rules: &Rules) -> Vec<Vec<Op>> {
        let image = |(symmetry, string): (&Image, &Vec<Op>)| rules.canonical(&symmetry.string(string));
        let all = self.0.iter().flat_map(|symmetry| strings.iter().map(move |string| (symmetry, string)));
        let all: BTreeSet<(usize, Vec<Op>)> = all.map(image).map(|string| (string.len(), string)).collect();
        all.into_iter().map(|(_, string)| string).collect()
    }

    /// The first string of each class of images, in the order of the operators.
    pub(crate) fn representatives(&self, mut strings: Vec<Vec<Op>>, rules: &Rules) -> Vec<Vec<Op>> {
        let is_first = |string: &Vec<Op>| {
            self.0.iter().all(|symmetry| rules.canonical(&symmetry.string(string)) >= *string)
        };
        strings.retain(is_first);
        strings
    }
}

impl Image {
    fn string(&self, ops: &[Op]) -> Vec<Op> {
        ops.iter().map(|op| self.of[op.index()]).collect()
    }
}

/// The effect of the image of a string whose effect is `effect`.
fn conjugate(effect: &Permutation, carried: &Permutation) -> Permutation {
    carried.inverse().then(effect).then(carried)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;

    fn symmetries(text: &str, metric: Metric) -> (MoveSet, SetSymmetries) {
        let set = MoveSet::parse(text, Some(metric)).unwrap();
        let symmetries = SetSymmetries::of(&set);
        (set, symmetries)
    }

    #[test]
    fn sets_have_the_expected_symmetries() {
        for (text, metric, count) in [
            ("U R F D L B", Metric::Htm, 48),
            ("U R F D L B M E S", Metric::Stm, 48),
            ("U D R2 L2 F2 B2", Metric::Htm, 16),
            // The reflections that exchange U and R, or F and B.
            ("U R", Metric::Htm, 4),
            ("U R2", Metric::Htm, 2),
            ("U R F", Metric::Htm, 6),
            ("M U", Metric::Stm, 4),
        ] {
            let (set, symmetries) = symmetries(text, metric);
            assert_eq!(symmetries.count(), count, "{text}");
            for Image { of, .. } in &symmetries.0 {
                let axis = |op: usize| set.operators()[op].axis;
                let n = of.len();
                assert!((0..n).all(|op| {
                    (0..n).all(|other| {
                        let [a, b] = [op, other].map(|op| axis(of[op].index()));
                        (axis(op) == axis(other)) == (a == b)
                    })
                }));
            }
        }
    }

    /// Every run has an image that begins, and one that ends, with an operator that is kept; and few are kept.
    #[test]
    fn first_and_last_operators_have_an_image_of_every_run() {
        for (metric, few) in [(Metric::Htm, 2), (Metric::Qtm, 1), (Metric::Stm, 4)] {
            let set = MoveSet::all(metric);
            let rules = Rules::new(&set);
            let all = SetSymmetries::of(&set);
            for element in [
                Permutation::IDENTITY,
                set.operators()[0].effect,
                set.operators()[17 % set.operators().len()].effect,
            ] {
                let some = all.leaving(&element, &[Permutation::IDENTITY]);
                let (first, last) = some.first_and_last(&rules);
                for run in rules.runs() {
                    let images = some.images(&[run], &rules);
                    assert!(images.iter().any(|image| first.contains(image[0])));
                    assert!(images.iter().any(|image| last.contains(image[image.len() - 1])));
                }
            }
            let (first, last) = all.first_and_last(&rules);
            assert_eq!(first.len(), few);
            assert!((few..=few + 3).contains(&last.len()), "{last:?}");
        }
    }

    #[test]
    fn positions_have_the_symmetries_that_preserve_them() {
        let (set, symmetries) = symmetries("U R F D L B M E S", Metric::Stm);
        let leaving = |element: &Permutation| symmetries.leaving(element, &[Permutation::IDENTITY]).count();
        assert_eq!((leaving(&Permutation::IDENTITY), leaving(&set.operators()[0].effect)), (48, 4));
    }
}

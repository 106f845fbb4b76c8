//! Sets of algorithms: the cases of the last layer, all short solutions of each, and their ranking.
//!
//! A case is a set of equivalent cubes: they differ by a turn of U before (`c uⁱ`) or after (`uʲ c`), and in properties
//! that the set ignores. A turn of U before or after a solution is free: it is printed in brackets and not counted. If
//! only the last layer is unsolved, a rotation of the whole cube about U has the effect of a turn of U before and its
//! inverse after, so the rotations of a solution solve the same case.
//!
//! ```
//! use cube::algs::CaseSet;
//!
//! assert_eq!(CaseSet::Pll.cases().len(), 21);
//! assert_eq!(CaseSet::Zbll.cases().len(), 472);
//! ```
//!
//! | file | contents |
//! | --- | --- |
//! | `layer` | all states of the last layer, and their equivalence |
//! | `names` | letters and numbers of cases, by known algorithms |
//! | `sets` | the sets of cases |
//! | `costs` | the cost of each move, and the ranking |
//! | `solution` | a solution and its free turns of U |
//! | `bounds` | several searches, bound after bound |
//! | `solver` | all solutions of a case, and the solutions of other cases that follow from them |

pub(crate) mod bounds;
pub(crate) mod costs;
pub(crate) mod layer;
pub(crate) mod names;
pub(crate) mod sets;
pub(crate) mod solution;
pub(crate) mod solver;

pub use costs::{Costs, InvalidCost, Order, ranked};
pub use sets::{Case, CaseSet};
pub use solution::Auf;
pub use solution::Solution;
pub use solver::CaseSolver;

//! Sets of algorithms: the cases of the last layer, all short solutions of each, and their ranking.
//!
//! A case is a set of cubes that are alike to someone who solves it: they differ by a turn of U before
//! (`c uⁱ`) or after (`uʲ c`), and in what the set does not look at. A turn of U in front of a solution
//! or behind it is free: it is printed in brackets and not counted. For cubes whose last layer alone is
//! unsolved, turning the whole cube about U does the same as a turn of U before and its inverse after,
//! so the rotations of a solution solve the same case.
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
//! | `layer` | all states of the last layer, and which are alike |
//! | `names` | letters and numbers of cases, by known algorithms |
//! | `sets` | the sets of cases |
//! | `costs` | what each move costs, and the ranking |
//! | `solution` | a solution and its free turns of U |
//! | `bounds` | several searches, bound after bound |
//! | `solver` | all solutions of a case; what solutions of one case say of others |

pub(crate) mod bounds;
pub(crate) mod costs;
pub(crate) mod layer;
pub(crate) mod names;
pub(crate) mod sets;
pub(crate) mod solution;
pub(crate) mod solver;

pub use costs::{Costs, Order, ranked};
pub use sets::{Case, CaseSet};
pub use solution::Auf;
pub use solution::Solution;
pub use solver::CaseSolver;

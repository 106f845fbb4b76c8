//! `--inverse`, `--pre`, `--post`, `--niss`: the inverse scramble, and fixed moves at the ends.

use super::notation;
use crate::cube::Turn;
use crate::fmc::{self, Niss};
use crate::notation::scramble::{Move, format_moves};
use crate::notation::{Fault, Position};
use crate::strategy::Ends;
use clap::Args;
use puzzle_cli::Failure;

/// The options for fewest-moves solving.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Fewest moves")]
pub(crate) struct FmcArgs {
    /// Solve the inverse of each scramble; the printed moves solve the inverse
    #[arg(long)]
    inverse: bool,
    /// Moves that every solution begins with; moves in ( ) are on the inverse scramble, so every
    /// solution ends with their inverse
    #[arg(long, value_name = "MOVES")]
    pre: Option<String>,
    /// Moves that every solution ends with
    #[arg(long, value_name = "MOVES")]
    post: Option<String>,
    /// Print the last N moves of each solution as moves on the inverse scramble: R U (F D')
    #[arg(long, value_name = "N")]
    niss: Option<usize>,
}

/// The values of the options.
#[derive(Clone, Debug)]
pub(super) struct Fmc {
    inverse: bool,
    /// The fixed moves, named by places.
    ends: Ends,
    niss: Option<usize>,
    /// Whether moves on the other side are read or printed.
    two_sided: bool,
}

impl FmcArgs {
    /// Whether any of the options is used.
    pub(super) fn are_used(&self) -> bool {
        self.inverse || self.pre.is_some() || self.post.is_some() || self.niss.is_some()
    }

    /// Reads the moves.
    pub(super) fn read(&self) -> Result<Fmc, Failure> {
        let pre = fixed("--pre", self.pre.as_deref())?;
        let post = fixed("--post", self.post.as_deref())?;
        if !post.inverse.is_empty() {
            return Err(Failure::usage("--post does not accept moves in ( )")
                .with_remedy("give moves on the inverse scramble with --pre"));
        }
        if !post.normal.is_empty() && !pre.inverse.is_empty() {
            return Err(Failure::usage("--post and the moves of --pre in ( ) both fix the last moves")
                .with_remedy("leave out one of them"));
        }
        let two_sided = self.niss.is_some() || !pre.inverse.is_empty();
        let after = if post.normal.is_empty() { fmc::undo(&pre.inverse) } else { post.normal };
        let ends = Ends { before: pre.normal, after };
        Ok(Fmc { inverse: self.inverse, ends, niss: self.niss, two_sided })
    }
}

fn fixed(option: &str, text: Option<&str>) -> Result<Niss, Failure> {
    let refused = |fault: Fault| {
        Failure::usage(format_args!("{option} is not a list of moves")).with_faults(&fault.defects)
    };
    Niss::parse(text.unwrap_or_default()).map_err(refused)
}

impl Fmc {
    /// Whether last moves are fixed, or moves are printed for the inverse scramble.
    pub(super) fn needs_inverse(&self) -> bool {
        self.niss.is_some() || !self.ends.after.is_empty()
    }

    /// Whether any moves are fixed.
    pub(super) fn fixes_moves(&self) -> bool {
        !self.ends.are_free()
    }

    /// The position to solve.
    pub(super) fn position(&self, position: Position) -> Result<Position, Failure> {
        if self.two_sided && !fmc::is_at_home(&position) {
            return Err(notation::held_otherwise());
        }
        Ok(if self.inverse { fmc::inverse(&position) } else { position })
    }

    /// The fixed turns of the cube's own faces.
    pub(super) fn ends(&self, position: &Position) -> Ends {
        let own = |turns: &[Turn]| turns.iter().map(|&turn| position.orientation.from_held(turn)).collect();
        Ends { before: own(&self.ends.before), after: own(&self.ends.after) }
    }

    /// A solution as it is printed.
    pub(super) fn printed(&self, moves: &[Move]) -> String {
        match self.niss {
            Some(count) => Niss::of(&fmc::turns_of(moves), count).to_string(),
            None => format_moves(moves.iter().copied()),
        }
    }

    /// The solution that is printed, as plain moves.
    pub(super) fn plain(&self, printed: &str, position: &Position) -> Result<String, Failure> {
        if self.niss.is_none() {
            return Ok(printed.to_owned());
        }
        let niss = Niss::parse(printed).map_err(Failure::error)?;
        Ok(notation::moves(&niss.turns(), position.orientation))
    }

    /// The part of a checkpoint's key that distinguishes these options; empty if none is used.
    pub(super) fn key(&self) -> String {
        match self.inverse || self.fixes_moves() {
            true => format!("{:?}", (self.inverse, &self.ends)),
            false => String::new(),
        }
    }
}

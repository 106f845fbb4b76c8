//! The formats in which cubes are written.

use std::fmt;

/// A way to write a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// 54 facelets.
    Facelets,
    /// Reid's 20 cubies.
    Reid,
    /// Moves from the solved cube.
    Moves,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Facelets, Format::Reid, Format::Moves];

    /// The name that the command line uses.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Facelets => "facelets",
            Format::Reid => "reid",
            Format::Moves => "moves",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

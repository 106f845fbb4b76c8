//! Well-known positions, by name.

/// A position with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: &'static str,
    /// Other names of it.
    pub aliases: &'static [&'static str],
    /// Turns that lead to it from the solved cube; not always a shortest sequence.
    pub moves: &'static str,
}

const fn named(name: &'static str, aliases: &'static [&'static str], moves: &'static str) -> Named {
    Named { name, aliases, moves }
}

/// All positions with names.
pub const NAMED: [Named; 19] = [
    named("solved", &[], ""),
    named("superflip", &[], "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"),
    named("checkerboard", &["pons asinorum"], "R2 L2 U2 D2 F2 B2"),
    named("zigzag", &["zigzag checkerboard"], "R2 L2 F2 B2 U F2 B2 U2 F2 B2 U"),
    named("four spots", &["four dots"], "F2 B2 U D' R2 L2 U D'"),
    named("six spots", &["six dots"], "U D' R L' F B' U D'"),
    named(
        "superflip four spots",
        &["superflip four spot", "superflip with four spots", "superflip composed with four spots"],
        "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2 F2 B2 U D' R2 L2 U D'",
    ),
    named("cube in a cube", &["cube in cube"], "F L F U' R U F2 L2 U' L' B D' B' L2 U"),
    named(
        "cube in a cube in a cube",
        &["cube in cube in cube"],
        "U' L' U' F' R2 B' R F U B2 U B' L U' F U R F'",
    ),
    named("plummer's cross", &["plummer cross"], "R2 L' D F2 R' D' R' L U' D R D B2 R' U D2"),
    named("christman's cross", &["christman cross"], "U F B' L2 U2 L2 F' B U2 L2 U"),
    named("gift box", &[], "U B2 R2 B2 L2 F2 R2 D' F2 L2 B F' L F2 D U' R2 F' L' R'"),
    named("kilt", &[], "U' R2 L2 F2 B2 U' R L F B' U F2 D2 R2 L2 F2 U2 F2 U' F2"),
    named("stripes", &["vertical stripes"], "F U F R L2 B D' R D2 L D' B R2 L F U F"),
    named("wire", &[], "R L F B R L F B R L F B R2 B2 L2 R2 B2 L2"),
    named("tetris", &[], "L R F B U' D' L' R'"),
    named("twister", &[], "F R' U L F' L' F U' R U L' U' L F'"),
    named("anaconda", &[], "L U B' U' R L' B R' F B' D R D' F'"),
    named("python", &[], "F2 R' B' U R' L F' L F' B D' R B L2"),
];

/// Finds a position by its name; case, spaces and punctuation are ignored.
pub fn find(text: &str) -> Option<Named> {
    let wanted = letters(text);
    let is_it = |named: &&Named| {
        letters(named.name) == wanted || named.aliases.iter().any(|alias| letters(alias) == wanted)
    };
    let is_name = text.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, ' ' | '-' | '_' | '\''));
    NAMED.iter().find(is_it).copied().filter(|_| is_name)
}

/// The letters of a name in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect()
}

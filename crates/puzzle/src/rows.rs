//! States as rows of stickers, and lists of the positions near the solved one.
//!
//! A place has a **point** for each orientation that counts in its orbit, and the points of places and orbits follow each
//! other. A row has the sticker at each point; sticker `p` is at point `p` in the solved puzzle. A move permutes stickers, so
//! it is one table of bytes.
//!
//! Invariant: rows that are written are canonical, so equal states have equal rows: of pieces that look alike, those at
//! lower places have lower stickers, and orientations that do not count are zero. Any row of whole pieces is read.

use search_core::{Domain, Op, OpSet, Run};

use crate::count::CountError;
use crate::fault::Faults;
use crate::model::{Illegal, OrbitPattern, Pattern, Puzzle, Transformation};
use crate::rotation::Reduction;

/// The maximum number of points.
pub const MOST_POINTS: usize = 256;

/// The points of an orbit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first: usize,
    places: usize,
    /// The points of each place.
    turns: usize,
}

/// The numbering of the stickers of a puzzle.
#[derive(Clone, Debug)]
pub struct Rows {
    spans: Vec<Span>,
    points: usize,
    solved: Pattern,
    illegal: Vec<Illegal>,
    /// Whether all pieces differ and all points of a place count, so that every row is canonical.
    is_plain: bool,
}

impl Rows {
    /// Numbers the stickers of `puzzle`.
    ///
    /// # Errors
    /// [`Faults`]: more than [`MOST_POINTS`] points.
    pub fn new(puzzle: &Puzzle) -> Result<Rows, Faults> {
        let (mut spans, mut points, mut is_plain) = (Vec::new(), 0, true);
        for pattern in &puzzle.solved().orbits {
            let moduli = pattern.orientation_mod.iter().map(|&modulus| usize::from(modulus));
            let turns = moduli.clone().fold(1, lcm);
            let places = pattern.pieces.len();
            let mut labels = pattern.pieces.clone();
            labels.sort_unstable();
            labels.dedup();
            is_plain &= labels.len() == places && moduli.into_iter().all(|modulus| modulus == turns);
            spans.push(Span { first: points, places, turns });
            points += places * turns;
        }
        if points > MOST_POINTS {
            return Err(format!("the puzzle has {points} points instead of at most {MOST_POINTS}").into());
        }
        let (solved, illegal) = (puzzle.solved().clone(), puzzle.illegal().to_vec());
        Ok(Rows { spans, points, solved, illegal, is_plain })
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The number of points of a place of each orbit.
    pub fn turns(&self) -> impl Iterator<Item = usize> + '_ {
        self.spans.iter().map(|span| span.turns)
    }

    /// The solved row.
    pub fn solved(&self) -> Box<[u8]> {
        (0..self.points).map(byte).collect()
    }

    /// Reads a row.
    ///
    /// # Errors
    /// [`Faults`]: missing stickers, pieces that are split or outside of their orbits, and broken rules. Whether moves
    /// solve the state is not checked.
    pub fn read(&self, row: &[u8]) -> Result<Pattern, Faults> {
        if row.len() != self.points {
            return Err(format!("there are {} stickers for {} points", row.len(), self.points).into());
        }
        let mut seen = [false; MOST_POINTS];
        row.iter().for_each(|&sticker| seen[usize::from(sticker)] = true);
        let missing = (0..self.points).filter(|&sticker| !seen[sticker]);
        let mut faults: Vec<String> =
            missing.map(|sticker| format!("sticker {sticker} is missing")).collect();
        if faults.is_empty() {
            for Span { first, places, turns } in &self.spans {
                for (place, stickers) in row[*first..first + places * turns].chunks(*turns).enumerate() {
                    let Some(sticker) = usize::from(stickers[0]).checked_sub(*first) else {
                        faults.push("a piece is outside its orbit".to_owned());
                        continue;
                    };
                    let home = first + sticker / turns * turns;
                    let is_whole = (0..*turns)
                        .all(|at| usize::from(stickers[at]) == home + (sticker % turns + at) % turns);
                    if sticker >= places * turns {
                        faults.push("a piece is outside its orbit".to_owned());
                    } else if !is_whole {
                        faults.push(format!("the piece at point {} is split", first + place * turns));
                    }
                }
            }
            faults.dedup();
        }
        if faults.is_empty() && !self.is_legal(row) {
            faults.push("the state breaks a rule of the puzzle".to_owned());
        }
        Faults::unless_none(faults, || self.pattern(row))
    }

    /// The state of a row of whole pieces.
    fn pattern(&self, row: &[u8]) -> Pattern {
        let orbit = |(span, solved): (&Span, &OrbitPattern)| {
            let Span { first, places, turns } = *span;
            let mut pattern = solved.clone();
            for place in 0..places {
                let sticker = usize::from(row[first + place * turns]) - first;
                let (home, turned) = (sticker / turns, (turns - sticker % turns) % turns);
                let modulus = usize::from(solved.orientation_mod[home]);
                pattern.pieces[place] = solved.pieces[home];
                pattern.orientation[place] = byte((usize::from(solved.orientation[home]) + turned) % modulus);
                pattern.orientation_mod[place] = solved.orientation_mod[home];
            }
            pattern
        };
        Pattern { orbits: self.spans.iter().zip(&self.solved.orbits).map(orbit).collect() }
    }

    /// The canonical row of a state that has the pieces of the solved one.
    ///
    /// # Panics
    /// If the state has other pieces.
    pub fn write(&self, pattern: &Pattern) -> Box<[u8]> {
        let mut row = Vec::with_capacity(self.points);
        for ((span, solved), now) in self.spans.iter().zip(&self.solved.orbits).zip(&pattern.orbits) {
            let Span { first, places, turns } = *span;
            let mut used = vec![false; places];
            for place in 0..places {
                let is_home = |home: &usize| {
                    !used[*home]
                        && solved.pieces[*home] == now.pieces[place]
                        && solved.orientation_mod[*home] == now.orientation_mod[place]
                };
                let home = (0..places).find(is_home).expect("the pieces of the puzzle");
                used[home] = true;
                let modulus = usize::from(now.orientation_mod[place]);
                let before = usize::from(solved.orientation[home]);
                let turned = (usize::from(now.orientation[place]) + modulus - before) % modulus;
                row.extend((0..turns).map(|at| byte(first + home * turns + (at + turns - turned) % turns)));
            }
        }
        row.into()
    }

    /// The colour at each point of a state that has the pieces of the solved one: the least sticker of those that nobody can
    /// tell apart. Equal states have equal colours, and moves carry colours as they carry stickers.
    ///
    /// # Panics
    /// If the state has other pieces.
    pub fn colours(&self, pattern: &Pattern) -> Vec<u8> {
        let colours = self.colour_of_stickers();
        self.write(pattern).iter().map(|&sticker| colours[usize::from(sticker)]).collect()
    }

    /// The colour of each sticker: stickers of pieces that look alike have equal colours if they are equally far from the
    /// orientation 0, within the orientations that count.
    fn colour_of_stickers(&self) -> Vec<u8> {
        let mut looks: Vec<(usize, u8, u8, usize)> = Vec::with_capacity(self.points);
        for (number, (span, solved)) in self.spans.iter().zip(&self.solved.orbits).enumerate() {
            for home in 0..span.places {
                let modulus = solved.orientation_mod[home];
                let turned = usize::from(solved.orientation[home]);
                let phase = |at: usize| (at + span.turns - turned % span.turns) % usize::from(modulus);
                let piece = solved.pieces[home];
                looks.extend((0..span.turns).map(|at| (number, piece, modulus, phase(at))));
            }
        }
        let first = |look| byte(looks.iter().position(|known| known == look).expect("its own look"));
        looks.iter().map(first).collect()
    }

    /// The rules, as points and the colours that may not be there.
    pub fn blocked(&self) -> Vec<(u8, u8)> {
        let colours = self.colour_of_stickers();
        let mut blocked = Vec::new();
        for rule in &self.illegal {
            let Span { first, places, turns } = self.spans[rule.orbit];
            let labels = &self.solved.orbits[rule.orbit].pieces;
            for home in (0..places).filter(|&home| labels[home] == rule.piece) {
                let point = byte(first + rule.place * turns);
                blocked.extend((0..turns).map(|at| (point, colours[first + home * turns + at])));
            }
        }
        blocked.sort_unstable();
        blocked.dedup();
        blocked
    }

    /// For each point, the point whose sticker a transformation carries to it.
    pub fn table(&self, transformation: &Transformation) -> Box<[u8]> {
        let parts = self.spans.iter().zip(&transformation.orbits);
        let points = parts.flat_map(|(&Span { first, turns, .. }, part)| {
            part.from.iter().zip(&part.turn).flat_map(move |(&from, &turn)| {
                let turn = usize::from(turn) % turns;
                (0..turns)
                    .map(move |at| byte(first + usize::from(from) * turns + (at + turns - turn) % turns))
            })
        });
        points.collect()
    }

    /// The canonical row after a move with this [`table`](Self::table).
    pub fn after(&self, row: &[u8], table: &[u8]) -> Box<[u8]> {
        let moved: Box<[u8]> = table.iter().map(|&from| row[usize::from(from)]).collect();
        if self.is_plain { moved } else { self.write(&self.pattern(&moved)) }
    }

    /// Whether a row of whole pieces keeps every rule.
    pub fn is_legal(&self, row: &[u8]) -> bool {
        self.illegal.iter().all(|rule| {
            let Span { first, turns, .. } = self.spans[rule.orbit];
            let sticker = usize::from(row[first + rule.place * turns]);
            self.solved.orbits[rule.orbit].pieces[(sticker - first) / turns] != rule.piece
        })
    }
}

fn byte(number: usize) -> u8 {
    u8::try_from(number).expect("at most 256 points")
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Positions as rows: the domain of searches whose heuristic reads rows. Positions that differ by a free rotation are one,
/// in the form whose anchor is at home.
#[derive(Clone, Debug)]
pub struct Positions<'a> {
    rows: &'a Rows,
    solved: Box<[u8]>,
    steps: Vec<Box<[u8]>>,
    undone: Vec<Box<[u8]>>,
}

impl<'a> Positions<'a> {
    /// The positions that the reduced moves connect.
    pub fn new(rows: &'a Rows, reduction: &Reduction) -> Positions<'a> {
        let moves = || reduction.moves().iter().map(|step| &step.transformation);
        let steps = moves().map(|step| rows.table(step)).collect();
        let undone = moves().map(|step| rows.table(&step.inverse())).collect();
        Positions { rows, solved: rows.solved(), steps, undone }
    }

    /// The positions at each distance *to* the solved one, up to `depth` moves. Each layer is sorted.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn layers(&self, depth: Option<usize>, run: &Run<'_>) -> Result<Vec<Vec<Box<[u8]>>>, CountError> {
        // A row with its box, and the same amount again for children.
        let room = usize::try_from(run.memory()).unwrap_or(usize::MAX) / (3 * (self.rows.points + 24));
        let mut layers: Vec<Vec<Box<[u8]>>> = vec![vec![self.solved.clone()]];
        let mut found = 1;
        run.progress().begin("layers", 0);
        while depth.is_none_or(|depth| layers.len() <= depth) {
            run.check()?;
            let blocks: Vec<&[Box<[u8]>]> = layers[layers.len() - 1].chunks(1 << 12).collect();
            let before = run.map(&blocks, |block| {
                let rows =
                    block.iter().flat_map(|row| self.undone.iter().map(|table| self.rows.after(row, table)));
                let mut before: Vec<Box<[u8]>> = rows.filter(|row| self.rows.is_legal(row)).collect();
                before.sort_unstable();
                before.dedup();
                before.retain(|row| layers.iter().all(|layer| layer.binary_search(row).is_err()));
                before
            });
            let mut next: Vec<Box<[u8]>> = before.into_iter().flatten().collect();
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                break;
            }
            found += next.len();
            if found > room {
                return Err(CountError::Budget(layers.iter().map(|layer| layer.len() as u64).collect()));
            }
            layers.push(next);
            run.progress().update(layers.len() as u64 - 1);
        }
        run.progress().end();
        Ok(layers)
    }
}

impl Domain for Positions<'_> {
    type State = Box<[u8]>;

    fn op_count(&self) -> usize {
        self.steps.len()
    }

    fn applicable(&self, row: &Box<[u8]>) -> OpSet {
        let all = OpSet::first(self.steps.len());
        if self.rows.illegal.is_empty() {
            return all;
        }
        all.into_iter().filter(|&op| self.rows.is_legal(&self.apply(row, op))).collect()
    }

    fn apply(&self, row: &Box<[u8]>, op: Op) -> Box<[u8]> {
        self.rows.after(row, &self.steps[op.index()])
    }

    fn is_goal(&self, row: &Box<[u8]>) -> bool {
        *row == self.solved
    }
}

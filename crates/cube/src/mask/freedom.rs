//! The freedom that a goal leaves to the corners or to the edges.
//!
//! Positions: the cubies fall into classes, and each location must contain a cubie of the same class as the solved one.
//! A cubie that is alone in its class must be at home; the cubies whose position does not matter form one class, since
//! they occupy the locations that the others leave. Orientations: each cubie must be oriented, or its orientation is
//! ignored. Away from home, the orientation of a cubie depends on the [`Axis`] relative to which it is defined; at home
//! it does not.

use crate::cube::{CORNERS, Cube, EDGES, Face, Turn};
use search_core::pdb::rank::permutation;
use std::sync::LazyLock;

/// An axis of the cube, relative to which orientation is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// Up and down: the default for corners.
    Ud,
    /// Right and left.
    Rl,
    /// Front and back: the default for edges.
    Fb,
}

impl Axis {
    /// All axes.
    pub const ALL: [Axis; 3] = [Axis::Ud, Axis::Rl, Axis::Fb];

    /// The axis of a face.
    pub(crate) const fn of(face: Face) -> Axis {
        Axis::ALL[face.index() % 3]
    }

    /// The name: `U-D`, `R-L` or `F-B`.
    pub(crate) const fn name(self) -> &'static str {
        ["U-D", "R-L", "F-B"][self as usize]
    }
}

/// Corners or edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The eight corners.
    Corners,
    /// The twelve edges.
    Edges,
}

impl Kind {
    /// The number of cubies.
    pub(crate) const fn count(self) -> usize {
        [8, 12][self as usize]
    }

    /// The number of orientations of a cubie.
    pub(crate) const fn orientations(self) -> u8 {
        [3, 2][self as usize]
    }

    /// All cubies.
    pub(crate) const fn all(self) -> u16 {
        (1 << self.count()) - 1
    }

    /// The axis relative to which [`Cube`] defines orientation: quarter turns around it keep the orientation of
    /// corners; all others keep that of edges.
    pub(crate) const fn own_axis(self) -> Axis {
        [Axis::Ud, Axis::Fb][self as usize]
    }

    /// The slot of a location whose sticker defines the orientation relative to `axis`.
    ///
    /// A corner's is the slot on the axis. An edge's is the slot that comes first in an order of the
    /// axes with `axis` in the middle. A quarter turn exchanges the two axes that it does not
    /// turn around. If these are the first and the last, it flips the four edges that it carries;
    /// if they are neighbours in the order, it keeps their orientation.
    fn reference(self, axis: Axis, location: usize) -> u8 {
        static CORNER: LazyLock<[[u8; 8]; 3]> =
            LazyLock::new(|| Axis::ALL.map(|axis| CORNERS.map(|faces| reference_of_corner(axis, &faces))));
        static EDGE: LazyLock<[[u8; 12]; 3]> =
            LazyLock::new(|| Axis::ALL.map(|axis| EDGES.map(|faces| reference_of_edge(axis, &faces))));
        match self {
            Kind::Corners => CORNER[axis as usize][location],
            Kind::Edges => EDGE[axis as usize][location],
        }
    }

    /// The orientation relative to `axis` of a cubie with the orientation `own` in [`Cube`].
    pub(crate) fn orientation(self, axis: Axis, cubie: usize, location: usize, own: u8) -> u8 {
        let orientations = self.orientations();
        (own + self.reference(axis, cubie) + orientations - self.reference(axis, location)) % orientations
    }

    /// The corners or the edges of a cube.
    pub(crate) fn of(self, cube: &Cube) -> &[u8] {
        match self {
            Kind::Corners => &cube.corners,
            Kind::Edges => &cube.edges,
        }
    }
}

/// [`Kind::reference`] of a corner location with these faces.
fn reference_of_corner(axis: Axis, faces: &[Face; 3]) -> u8 {
    faces.iter().position(|&face| Axis::of(face) == axis).expect("a corner is on every axis") as u8
}

/// [`Kind::reference`] of an edge location with these faces.
fn reference_of_edge(axis: Axis, faces: &[Face; 2]) -> u8 {
    let order = match axis {
        Axis::Fb => [Axis::Ud, Axis::Fb, Axis::Rl],
        Axis::Rl => [Axis::Ud, Axis::Rl, Axis::Fb],
        Axis::Ud => [Axis::Fb, Axis::Ud, Axis::Rl],
    };
    let slot = |of: Axis| faces.iter().position(|&face| Axis::of(face) == of);
    order.into_iter().find_map(slot).expect("an edge is on one of the first two axes") as u8
}

/// The freedom that a goal leaves to the corners or to the edges; bit `i` of a set is cubie `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Freedom {
    /// The least cubie of each cubie's class; beyond the last cubie each number is its own class.
    classes: [u8; 12],
    /// The cubies whose orientation is ignored.
    turned: u16,
    /// The axis of orientation, if a cubie that may be away from home must be oriented.
    axis: Option<Axis>,
    /// For corners: whether half turns must be able to make the permutation.
    half_turns: bool,
}

impl Default for Freedom {
    /// The freedom that leaves nothing open.
    fn default() -> Freedom {
        Freedom { classes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], turned: 0, axis: None, half_turns: false }
    }
}

impl Freedom {
    /// The freedom in which the cubies of each of `sets` may change places among themselves, and
    /// the orientation of `turned` is ignored; the others must be oriented with respect to `axis`.
    ///
    /// # Panics
    /// If two sets have a cubie in common, or a set has a cubie that does not exist.
    pub fn new(kind: Kind, sets: &[u16], turned: u16, axis: Axis) -> Freedom {
        let mut freedom = Freedom { turned: turned & kind.all(), ..Freedom::default() };
        let mut seen = 0;
        for &set in sets {
            assert!(set & !kind.all() == 0 && set & seen == 0, "disjoint sets of existing cubies");
            seen |= set;
            members(set).for_each(|cubie| freedom.classes[cubie] = set.trailing_zeros() as u8);
        }
        freedom.with_axis(kind, axis)
    }

    /// The corners of the group of half turns.
    pub(crate) fn half_turn_corners() -> Freedom {
        // Half turns keep each corner in its tetrad.
        let tetrads = [tetrad(0), Kind::Corners.all() & !tetrad(0)];
        Freedom { half_turns: true, ..Freedom::new(Kind::Corners, &tetrads, 0, Axis::Ud) }
    }

    /// The same freedom, with the axis if it makes a difference.
    fn with_axis(self, kind: Kind, axis: Axis) -> Freedom {
        let matters = members(kind.all() & !self.turned).any(|cubie| !self.is_at_home(cubie));
        Freedom { axis: matters.then_some(axis), ..self }
    }

    /// Whether nothing is left open.
    pub(crate) fn is_none(&self) -> bool {
        *self == Freedom::default()
    }

    /// Whether every arrangement is accepted.
    pub(crate) fn is_complete(&self, kind: Kind) -> bool {
        self.class(0) == kind.all() && self.turned == kind.all() && !self.half_turns
    }

    /// The cubies with which `cubie` may change places, itself included: its possible homes.
    pub(crate) fn class(&self, cubie: usize) -> u16 {
        let classes = self.classes.iter().enumerate();
        classes.filter(|(_, class)| **class == self.classes[cubie]).fold(0, |set, (i, _)| set | 1 << i)
    }

    /// The classes of two and more cubies.
    pub(crate) fn sets(&self) -> impl Iterator<Item = u16> {
        let first = (0..12).filter(|&cubie| usize::from(self.classes[cubie]) == cubie);
        first.map(|cubie| self.class(cubie)).filter(|set| set.count_ones() > 1)
    }

    /// The cubies whose orientation is ignored.
    pub(crate) fn turned(&self) -> u16 {
        self.turned
    }

    /// The axis of orientation, if it makes a difference.
    pub(crate) fn axis(&self) -> Option<Axis> {
        self.axis
    }

    /// Whether half turns must be able to make the permutation of the corners.
    pub(crate) fn is_of_half_turns(&self) -> bool {
        self.half_turns
    }

    /// An upper limit on the number of arrangements of the corners that are goals.
    pub(crate) fn most_corner_goals(&self) -> u64 {
        let orders = |set: u16| (1..=u64::from(set.count_ones())).product::<u64>();
        // The last twist follows from the others.
        self.sets().map(orders).product::<u64>() * 3u64.pow(self.turned.count_ones().saturating_sub(1))
    }

    /// Whether a cubie must be at home.
    fn is_at_home(&self, cubie: usize) -> bool {
        self.class(cubie).count_ones() == 1
    }

    /// The cubies that must be at home and oriented.
    pub(crate) fn solved(&self, kind: Kind) -> u16 {
        collect(members(kind.all() & !self.turned).filter(|&cubie| self.is_at_home(cubie)))
    }

    /// Cubies that suffice to decide whether an arrangement is accepted; the others need not be compared.
    pub(crate) fn telling(&self, kind: Kind) -> u16 {
        let is_open = |set: &u16| set & !self.turned == 0;
        kind.all() & !self.sets().filter(is_open).max_by_key(|set| set.count_ones()).unwrap_or(0)
    }

    /// Whether `cubie` may be at `location` with the orientation `own` in [`Cube`].
    pub(crate) fn allows(&self, kind: Kind, cubie: usize, location: usize, own: u8) -> bool {
        let axis = self.axis.unwrap_or(kind.own_axis());
        self.classes[cubie] == self.classes[location]
            && (self.turned >> cubie & 1 == 1 || kind.orientation(axis, cubie, location, own) == 0)
    }

    /// The places that [`allows`](Freedom::allows) accepts for `cubie`: bit `16 * own + location`.
    pub(crate) fn places(&self, kind: Kind, cubie: usize) -> u64 {
        let all = (0..kind.orientations()).flat_map(|own| (0..kind.count()).map(move |at| (own, at)));
        let allowed = all.filter(|&(own, at)| self.allows(kind, cubie, at, own));
        allowed.fold(0, |places, (own, at)| places | 1 << (usize::from(own) << 4 | at))
    }

    /// Whether an arrangement is accepted: `cubie | orientation << 4` at each location.
    pub(crate) fn accepts(&self, kind: Kind, cubies: &[u8]) -> bool {
        let is_fine = |(at, v): (usize, &u8)| self.allows(kind, usize::from(v & 15), at, v >> 4);
        cubies.iter().enumerate().all(is_fine) && self.accepts_permutation(cubies)
    }

    /// Whether the permutation is accepted, given that each cubie is accepted at its location.
    pub(crate) fn accepts_permutation(&self, cubies: &[u8]) -> bool {
        !self.half_turns || is_of_half_turns(cubies)
    }

    /// The bits of a cubie's `location | orientation << 4` that must be as in the solved cube.
    pub(crate) fn compared(&self, kind: Kind, cubie: usize) -> u8 {
        let place = if self.is_at_home(cubie) { 0x0f } else { 0 };
        let is_own = self.is_at_home(cubie) || self.axis == Some(kind.own_axis());
        place | if is_own && self.turned >> cubie & 1 == 0 { 0xf0 } else { 0 }
    }

    /// Whether comparing the bits of [`compared`](Freedom::compared) suffices.
    pub(crate) fn is_compared(&self, kind: Kind) -> bool {
        self.sets().count() <= 1 && self.axis.is_none_or(|axis| axis == kind.own_axis()) && !self.half_turns
    }

    /// Whether an odd permutation of these cubies can be accepted.
    pub(crate) fn has_odd(&self) -> bool {
        self.sets().next().is_some() && !self.half_turns
    }

    /// The freedom restricted to a set of cubies; all others are ignored.
    #[must_use]
    pub fn of(&self, kind: Kind, set: u16) -> Freedom {
        let sets: Vec<u16> = self.sets().filter(|class| class & set != 0).collect();
        let turned = self.turned & set;
        let freedom = Freedom::new(kind, &sets, turned, self.axis.unwrap_or(kind.own_axis()));
        // Orientations outside the set do not restrict the axis.
        let matters = members(set & !turned).any(|cubie| !freedom.is_at_home(cubie));
        Freedom { axis: freedom.axis.filter(|_| matters), ..freedom }
    }

    /// A freedom that accepts all that this one accepts, and more, in about the same number of moves: two of its classes
    /// become one, or if there is only one, the orientation of two more cubies is ignored.
    #[must_use]
    pub(crate) fn relaxed(&self, kind: Kind) -> Freedom {
        let axis = self.axis.unwrap_or(kind.own_axis());
        let other = (0..kind.count()).find(|&cubie| self.classes[cubie] != self.classes[0]);
        let oriented = members(kind.all() & !self.turned).take(2);
        let (joined, turned) = match other {
            Some(other) => (self.class(0) | self.class(other), self.turned),
            None => (self.class(0), self.turned | collect(oriented)),
        };
        let sets: Vec<u16> = self.sets().filter(|set| set & joined == 0).chain([joined]).collect();
        Freedom::new(kind, &sets, turned, axis)
    }

    /// The same freedom for renamed cubies: cubie `i` becomes `name(i)`.
    #[must_use]
    pub(crate) fn renamed(&self, kind: Kind, name: impl Fn(usize) -> usize) -> Freedom {
        let image = |set: u16| collect(members(set).map(&name));
        let sets: Vec<u16> = self.sets().map(image).collect();
        let freedom = Freedom::new(kind, &sets, image(self.turned), Axis::Ud);
        Freedom { axis: self.axis, half_turns: self.half_turns, ..freedom }
    }

    /// The same freedom with another axis, if the axis makes a difference.
    #[must_use]
    pub(crate) fn along(self, axis: impl Fn(Axis) -> Axis) -> Freedom {
        Freedom { axis: self.axis.map(axis), ..self }
    }

    /// Whether the turn maps the set of accepted arrangements to itself.
    pub(crate) fn is_kept_by(&self, kind: Kind, turn: Turn) -> bool {
        let moved = |places: u64| {
            let locations = kind.of(Cube::of_turn(turn)).iter().enumerate();
            locations.fold(0u64, |after, (to, v)| {
                let (from, shift) = (usize::from(v & 15), v >> 4);
                (0..kind.orientations()).fold(after, |after, own| {
                    let turned = usize::from((own + shift) % kind.orientations());
                    after | (places >> (usize::from(own) << 4 | from) & 1) << (turned << 4 | to)
                })
            })
        };
        let is_same = |cubie| moved(self.places(kind, cubie)) == self.places(kind, cubie);
        (0..kind.count()).all(is_same) && !self.half_turns
    }

    /// The freedom as a short text: classes, turned cubies and axis, in hexadecimal.
    pub(crate) fn code(&self, kind: Kind) -> String {
        let classes: String = self.classes[..kind.count()].iter().map(|class| format!("{class:x}")).collect();
        let axis = self.axis.map_or("", |axis| ["-u", "-r", "-f"][axis as usize]);
        let half_turns = if self.half_turns { "-h" } else { "" };
        format!("{classes}-{:0digits$x}{axis}{half_turns}", self.turned, digits = kind.count() / 4)
    }

    /// Parses the words of a [`code`](Freedom::code); `None` if they are invalid.
    pub(crate) fn from_code(kind: Kind, words: &[&str]) -> Option<Freedom> {
        let (classes, turned) = (words.first()?, words.get(1)?);
        let digits: Option<Vec<u8>> = classes.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect();
        let digits = digits.filter(|digits| digits.len() == kind.count())?;
        let mut freedom = Freedom { turned: u16::from_str_radix(turned, 16).ok()?, ..Freedom::default() };
        let is_least =
            |(at, &class): (usize, &u8)| usize::from(class) <= at && digits[usize::from(class)] == class;
        if !digits.iter().enumerate().all(is_least) || freedom.turned & !kind.all() != 0 {
            return None;
        }
        freedom.classes[..kind.count()].copy_from_slice(&digits);
        for word in &words[2..] {
            match *word {
                "u" => freedom.axis = Some(Axis::Ud),
                "r" => freedom.axis = Some(Axis::Rl),
                "f" => freedom.axis = Some(Axis::Fb),
                "h" => freedom.half_turns = true,
                _ => return None,
            }
        }
        let of_half_turns = Freedom::half_turn_corners();
        if freedom.half_turns {
            (kind == Kind::Corners && freedom == of_half_turns).then_some(freedom)
        } else {
            Some(freedom)
        }
    }
}

/// The members of a set, ascending.
pub(crate) fn members(set: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |i| set >> i & 1 == 1)
}

fn collect(cubies: impl Iterator<Item = usize>) -> u16 {
    cubies.fold(0, |set, cubie| set | 1 << cubie)
}

/// The corners that half turns can bring to the home of `corner`.
fn tetrad(corner: u8) -> u16 {
    half_turn_permutations().iter().fold(0, |set, cubies| set | 1 << cubies[usize::from(corner)])
}

/// Whether half turns can make this permutation of the corners.
fn is_of_half_turns(corners: &[u8]) -> bool {
    static RANKS: LazyLock<Vec<u64>> = LazyLock::new(|| {
        let mut ranks: Vec<u64> =
            half_turn_permutations().iter().map(|cubies| permutation::rank(cubies, 8)).collect();
        ranks.sort_unstable();
        ranks
    });
    let cubies: Vec<u8> = corners.iter().map(|v| v & 15).collect();
    RANKS.binary_search(&permutation::rank(&cubies, 8)).is_ok()
}

/// All permutations of the corners that half turns can make.
fn half_turn_permutations() -> &'static [[u8; 8]] {
    static ALL: LazyLock<Vec<[u8; 8]>> = LazyLock::new(|| {
        let (mut all, mut done) = (vec![Cube::SOLVED], 0);
        while done < all.len() {
            for face in Face::ALL {
                let next = Cube { edges: Cube::SOLVED.edges, ..all[done].apply(Turn::new(face, 2)) };
                if !all.contains(&next) {
                    all.push(next);
                }
            }
            done += 1;
        }
        all.iter().map(|cube| cube.corners).collect()
    });
    &ALL
}

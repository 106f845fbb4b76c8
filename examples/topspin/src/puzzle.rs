//! TopSpin(n, k): n tokens on a ring, and a turnstile that reverses any k neighbours.
//!
//! The idea: only the cyclic order of the tokens matters, so the ring is read from token 0 on. A
//! state is an arrangement of the other n − 1 tokens, and operator `i` reverses the k tokens from
//! place `i` on, around the ring. Token 0 is always in front, so each operator is one permutation of
//! the other places, whatever the state.
//!
//! The number of states: reversals and rotations generate all n! permutations of the tokens,
//! or the even half if none of them is odd, and a state stands for n rotations. A reversal of k
//! tokens is odd if k mod 4 is 2 or 3, a rotation by one place if n is even. (With n even and k odd a
//! token would only reach every second place; such sizes are refused.)
//!
//! Source: the puzzle as in Felner, Zahavi, Schaeffer & Holte 2005, "Dual lookups in pattern
//! databases".

use chacha20::rand_core::Rng;
use search_core::frontier::PackedDomain;
use search_core::pdb::rank::permutation;
use search_core::{Domain, Op};

/// The most tokens: a rank has at most 16 values.
pub const MAX_TOKENS: usize = 17;

/// The tokens around the ring from token 0 on; the places beyond the ring hold 0.
pub type Ring = [u8; MAX_TOKENS];

/// The puzzle with n tokens and a turnstile of k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopSpin {
    tokens: usize,
    turnstile: usize,
}

impl TopSpin {
    /// The puzzle with n tokens and a turnstile of k.
    ///
    /// # Errors
    /// The sizes that are possible.
    pub fn new(n: usize, k: usize) -> Result<TopSpin, String> {
        let wrong = || format!("n is 5 to {MAX_TOKENS}, k is 3 to n - 2 and even if n is: not {n} and {k}");
        let in_range = (5..=MAX_TOKENS).contains(&n) && (3..=n - 2).contains(&k);
        let valid = in_range && (k.is_multiple_of(2) || !n.is_multiple_of(2));
        valid.then_some(TopSpin { tokens: n, turnstile: k }).ok_or_else(wrong)
    }

    /// Reads the tokens of a ring in cyclic order, starting anywhere, for a turnstile of `turnstile`.
    ///
    /// # Errors
    /// The fault of the tokens: the missing one, or that no sequence of turns solves them.
    pub fn parse(text: &str, turnstile: usize) -> Result<(TopSpin, Ring), String> {
        let tokens: Result<Vec<u8>, _> = text.split_whitespace().map(str::parse).collect();
        let tokens = tokens.map_err(|_| "tokens are numbers separated by spaces")?;
        let n = tokens.len();
        let puzzle = TopSpin::new(n, turnstile)?;
        if let Some(missing) = (0..).take(n).find(|token| !tokens.contains(token)) {
            return Err(format!("a ring of {n} tokens has each number below {n} once: {missing} is missing"));
        }
        let mut ring = [0; MAX_TOKENS];
        ring[..n].copy_from_slice(&tokens);
        let ring = puzzle.read_from_zero(ring);
        if puzzle.is_even_only() && puzzle.is_odd(&ring) {
            return Err("an odd arrangement: no sequence of turns solves it".to_owned());
        }
        Ok((puzzle, ring))
    }

    /// The number of tokens.
    pub fn tokens(self) -> usize {
        self.tokens
    }

    /// The number of tokens that the turnstile reverses.
    pub fn turnstile(self) -> usize {
        self.turnstile
    }

    /// The puzzle's name: `topspin-N-K`.
    pub fn name(self) -> String {
        format!("topspin-{}-{}", self.tokens, self.turnstile)
    }

    /// The goal: the tokens in order.
    pub fn goal(self) -> Ring {
        std::array::from_fn(|place| if place < self.tokens { place as u8 } else { 0 })
    }

    /// Whether reversals and rotations are all even permutations.
    fn is_even_only(self) -> bool {
        self.turnstile % 4 < 2 && self.tokens % 2 == 1
    }

    /// Whether the tokens other than 0 are in an odd order.
    fn is_odd(self, ring: &Ring) -> bool {
        permutation::is_odd(&ring.map(|token| token.wrapping_sub(1))[1..self.tokens])
    }

    /// A uniformly random state that can be reached.
    pub fn random(self, rng: &mut impl Rng) -> Ring {
        let mut ring = self.goal();
        for place in (2..self.tokens).rev() {
            // 64 random bits: the bias is below 2^-59.
            ring.swap(place, 1 + (rng.next_u64() % place as u64) as usize);
        }
        if self.is_even_only() && self.is_odd(&ring) {
            ring.swap(1, 2);
        }
        ring
    }

    /// The ring read from token 0 on.
    fn read_from_zero(self, mut ring: Ring) -> Ring {
        let zero = ring[..self.tokens].iter().position(|token| *token == 0).expect("token 0 is on the ring");
        ring[..self.tokens].rotate_left(zero);
        ring
    }

    /// Where the token at `place` is after the turnstile at `op` has turned, before the ring is read
    /// from token 0 again.
    pub fn turned(self, op: usize, place: usize) -> usize {
        let inside = (place + self.tokens - op) % self.tokens;
        if inside < self.turnstile { (op + self.turnstile - 1 - inside) % self.tokens } else { place }
    }
}

impl Domain for TopSpin {
    type State = Ring;

    fn op_count(&self) -> usize {
        self.tokens
    }

    fn apply(&self, ring: &Ring, op: Op) -> Ring {
        let mut turned = *ring;
        for place in 0..self.tokens {
            turned[self.turned(op.index(), place)] = ring[place];
        }
        self.read_from_zero(turned)
    }

    fn is_goal(&self, ring: &Ring) -> bool {
        *ring == self.goal()
    }
}

impl PackedDomain for TopSpin {
    fn key_bits(&self) -> u32 {
        let arrangements = permutation::count(self.tokens - 1, self.tokens - 1);
        arrangements.next_power_of_two().trailing_zeros()
    }

    fn pack(&self, ring: &Ring) -> u64 {
        let tokens: Ring = ring.map(|token| token.wrapping_sub(1));
        permutation::rank(&tokens[1..self.tokens], self.tokens - 1)
    }

    fn unpack(&self, key: u64) -> Ring {
        let mut ring = [0; MAX_TOKENS];
        permutation::unrank(key, self.tokens - 1, &mut ring[1..self.tokens]);
        ring[1..self.tokens].iter_mut().for_each(|token| *token += 1);
        ring
    }

    fn inverse(&self, op: Op) -> Op {
        // The same turnstile, counted from the new place of token 0.
        let zero = self.turned(op.index(), 0);
        Op::new((op.index() + self.tokens - zero) % self.tokens)
    }
}

//! The growth of the number of strings of moves with their length.

/// The number of strings of moves of each length, extrapolated from those that were enumerated.
pub(super) struct Growth<'a>(pub(super) &'a [u64]);

impl Growth<'_> {
    /// The number of strings of up to `length` moves.
    pub(super) fn up_to(&self, length: u8) -> f64 {
        (0..=u32::from(length)).map(|length| self.strings(length)).sum()
    }

    /// The number of strings of `length` moves. Where two kinds of moves alternate, every other length grows more, so growth is
    /// measured over two moves.
    pub(super) fn strings(&self, length: u32) -> f64 {
        let (known, length) = (self.0, length as usize);
        if let Some(&count) = known.get(length) {
            return count as f64;
        }
        let [.., b, c] = *known else { return f64::INFINITY };
        let over = length + 1 - known.len();
        let (base, pairs) = if over.is_multiple_of(2) { (c, over / 2) } else { (b, over.div_ceil(2)) };
        base as f64 * self.per_move().powf(2.0 * pairs as f64)
    }

    /// The factor between the numbers of strings of two lengths that follow each other.
    pub(super) fn per_move(&self) -> f64 {
        match *self.0 {
            [.., a, _, c] => (c as f64 / a.max(1) as f64).max(1.0).sqrt(),
            _ => f64::INFINITY,
        }
    }
}

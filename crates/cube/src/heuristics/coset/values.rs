//! The values of the views of one state, in one word.

use crate::space::View;

/// The number of views: three axes of the position, three of the inverse.
pub(super) const VIEWS: usize = 6;

/// The axis and the side of a view.
#[inline(always)]
pub(super) fn axis_and_side(view: u8) -> (u8, View) {
    if view >= 3 { (view - 3, View::Inverse) } else { (view, View::Position) }
}

/// The values of the views, one per byte: those of the position in the low half, those of the inverse in the high half.
/// 0 if a view was not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values(u64);

impl Values {
    #[inline(always)]
    fn shift(view: u8) -> u32 {
        8 * (u32::from(view) + u32::from(view >= 3))
    }

    #[inline(always)]
    pub(super) fn get(self, view: u8) -> u8 {
        (self.0 >> Values::shift(view)) as u8
    }

    #[inline(always)]
    pub(super) fn set(&mut self, view: u8, value: u8) {
        self.0 |= u64::from(value) << Values::shift(view);
    }

    /// The values of the position or of the inverse, lowest axis in the lowest byte.
    #[inline(always)]
    pub(super) fn side(self, side: View) -> u32 {
        (self.0 >> (32 * side as u32)) as u32
    }

    /// Whether the three values of a side are equal, and not zero (then all have been read).
    #[inline(always)]
    pub(super) fn are_equal(self, side: View) -> bool {
        let values = self.side(side);
        values != 0 && values == (values & 0xff) * 0x01_0101
    }

    #[inline(always)]
    pub(super) fn sum(self, side: View) -> u32 {
        self.side(side).wrapping_mul(0x0101_0100) >> 24
    }

    /// The axes whose views on one side are tight: their values equal the number of moves left.
    #[inline(always)]
    pub(super) fn tight(self, side: View, remaining: u32) -> usize {
        // Values and `remaining` are below 128, so a byte keeps its high bit if its value is at least `remaining`.
        let at_least = (self.side(side) | 0x80_8080).wrapping_sub(remaining.min(127) * 0x01_0101);
        let high = at_least >> 7 & 0x01_0101;
        (high | high >> 7 | high >> 14) as usize & 7
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_equal_plain_ones() {
        let plain = [3u8, 11, 7, 9, 9, 9];
        let mut values = Values::default();
        for (view, &value) in plain.iter().enumerate() {
            values.set(view as u8, value);
        }
        for remaining in 1..16 {
            for side in View::ALL {
                let expected = (0..3)
                    .filter(|axis| u32::from(plain[3 * side as usize + axis]) >= remaining)
                    .fold(0, |tight, axis| tight | 1 << axis);
                assert_eq!(values.tight(side, remaining), expected);
            }
        }
        assert!((0..6).all(|view| values.get(view) == plain[view as usize]));
        assert_eq!(
            (
                values.are_equal(View::Position),
                values.are_equal(View::Inverse),
                Values::default().are_equal(View::Position)
            ),
            (false, true, false)
        );
        assert_eq!((values.sum(View::Position), values.sum(View::Inverse)), (21, 27));
    }
}

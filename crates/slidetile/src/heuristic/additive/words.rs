//! The data that a node carries, in words: the sums of all partitions in one, and the placement of each pattern's tiles in
//! another.

use super::MAX_PARTITIONS;

/// The sum of each partition, in the byte of its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums(pub u64);

impl Sums {
    /// The sum of a partition.
    #[inline(always)]
    pub fn of(self, partition: usize) -> u8 {
        (self.0 >> (8 * partition)) as u8
    }

    /// The first partition with the sum `sum`, which is not 0; any partition if none has it.
    #[inline(always)]
    pub fn first_with(self, sum: u8) -> usize {
        // The lowest byte that is zero in the difference is the lowest one whose top bit is set here.
        let difference = self.0 ^ u64::from(sum) * BYTES_OF_ONE;
        let zeros = difference.wrapping_sub(BYTES_OF_ONE) & !difference & BYTES_OF_ONE << 7;
        (zeros.trailing_zeros() / 8) as usize % MAX_PARTITIONS
    }

    /// The greatest sum.
    pub fn greatest(self) -> u8 {
        self.0.to_le_bytes().into_iter().max().unwrap_or(0)
    }
}

/// A word with a one in each byte.
const BYTES_OF_ONE: u64 = u64::MAX / 0xFF;

/// The placement of a pattern's tiles and its cost modulo 4, in a word: the set of their cells, the
/// number of their order, and the two bits of the cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed(pub u64);

impl Packed {
    const ORDER: u32 = 32;
    const COST: u32 = 48;
    /// The second bit of the cost, which the tables hold.
    const SECOND: u32 = 49;

    /// The placement of tiles in the cells `held`, with the number of their order and their cost.
    pub fn new(held: u32, order: u16, cost: u32) -> Packed {
        let (order, cost) = (u64::from(order) << Self::ORDER, u64::from(cost & 3) << Self::COST);
        Packed(u64::from(held) | order | cost)
    }

    /// The set of the cells.
    #[inline(always)]
    pub fn held(self) -> u32 {
        self.0 as u32
    }

    /// The number of the order.
    #[inline(always)]
    pub fn order(self) -> u16 {
        (self.0 >> Self::ORDER) as u16
    }

    /// The placement after a move, as if the cost went up.
    #[inline(always)]
    pub fn moved_up(self, held: u32, order: u16) -> Packed {
        let cost = self.0.wrapping_add(1 << Self::COST) & 3 << Self::COST;
        Packed(u64::from(held) | u64::from(order) << Self::ORDER | cost)
    }

    /// Given a placement as if the cost went up, and the byte of the table: the placement, and 1 if the cost went down.
    #[inline(always)]
    pub fn read(self, byte: u8) -> (Packed, u64) {
        let second = u64::from(byte) >> (self.0 >> Self::ORDER & 7);
        // A cost that is lower by two has the other second bit.
        let down = (second ^ self.0 >> Self::SECOND) & 1;
        (Packed(self.0 ^ down << Self::SECOND), down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_partition_with_a_sum_is_found() {
        let sums = Sums(u64::from_le_bytes([7, 9, 8, 9, 7, 0, 0, 0]));
        for (sum, first) in [(7, 0), (9, 1), (8, 2)] {
            assert_eq!((sums.first_with(sum), sums.of(first)), (first, sum));
        }
        assert!(sums.first_with(6) < MAX_PARTITIONS);
        assert_eq!(sums.greatest(), 9);
    }

    /// Every cost modulo 4, up and down, for every bit of a byte.
    #[test]
    fn a_bit_shows_whether_a_cost_goes_up_or_down() {
        for (cost, bit, goes_up) in
            (4..8u32).flat_map(|cost| (0..8).flat_map(move |bit| [true, false].map(|up| (cost, bit, up))))
        {
            let after = if goes_up { cost + 1 } else { cost - 1 };
            let second = (after >> 1 & 1) as u8;
            let byte = second << bit | !(1 << bit);
            let moved = Packed::new(0b1011, 40, cost).moved_up(0b1101, 80 | bit);
            assert_eq!((moved.held(), moved.order()), (0b1101, 80 | bit));
            let (read, down) = moved.read(byte);
            assert_eq!((read, down == 0), (Packed::new(0b1101, 80 | bit, after), goes_up));
        }
    }
}

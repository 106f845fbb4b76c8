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

    /// The set of the partitions with sums of at least `sum`, of those in `all`, which has the top bit of the byte of
    /// each.
    #[inline(always)]
    pub fn at_least(self, sum: u32, all: u64) -> u8 {
        const TOPS: u64 = BYTES_OF_ONE << 7;
        if sum > 255 {
            return 0;
        }
        // With its top bit set, no byte borrows from the next. The top bit then shows whether the others suffice.
        let least = (self.0 | TOPS).wrapping_sub(u64::from(sum & 127) * BYTES_OF_ONE);
        let reached = if sum < 128 { least | self.0 } else { least & self.0 };
        // The product gathers the top bits of all bytes in the highest byte.
        (((reached & all & TOPS) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    /// The greatest sum.
    pub fn greatest(self) -> u8 {
        self.0.to_le_bytes().into_iter().max().unwrap_or(0)
    }
}

/// A word with a one in each byte.
const BYTES_OF_ONE: u64 = u64::MAX / 0xFF;

/// The placement of a pattern's tiles and its cost modulo 4: the set of their cells, and in another word the number of
/// their order and the two bits of the cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed {
    held: u32,
    order_and_cost: u32,
}

impl Packed {
    const COST: u32 = 16;
    /// The second bit of the cost, which the tables hold.
    const SECOND: u32 = 17;

    /// The placement of tiles in the cells `held`, with the number of their order and their cost.
    pub fn new(held: u32, order: u16, cost: u32) -> Packed {
        Packed { held, order_and_cost: u32::from(order) | (cost & 3) << Self::COST }
    }

    /// The set of the cells.
    #[inline(always)]
    pub fn held(self) -> u32 {
        self.held
    }

    /// The number of the order.
    #[inline(always)]
    pub fn order(self) -> u16 {
        self.order_and_cost as u16
    }

    /// The placement after a move, as if the cost went up.
    #[inline(always)]
    pub fn moved_up(self, held: u32, order: u16) -> Packed {
        let cost = self.order_and_cost.wrapping_add(1 << Self::COST) & 3 << Self::COST;
        Packed { held, order_and_cost: u32::from(order) | cost }
    }

    /// The placement after a move, as if the cost went down.
    #[inline(always)]
    pub fn moved_down(self, held: u32, order: u16) -> Packed {
        let cost = self.order_and_cost.wrapping_sub(1 << Self::COST) & 3 << Self::COST;
        Packed { held, order_and_cost: u32::from(order) | cost }
    }

    /// Given the byte of the table: 1 if the cost is two more, or less, than this placement has it.
    #[inline(always)]
    pub fn differs(self, byte: u8) -> u64 {
        // Costs that differ by two have different second bits.
        let second = u32::from(byte) >> (self.order_and_cost & 7);
        u64::from((second ^ self.order_and_cost >> Self::SECOND) & 1)
    }

    /// Given a placement as if the cost went up, and the byte of the table: the placement, and 1 if the cost went down.
    #[inline(always)]
    pub fn read(self, byte: u8) -> (Packed, u64) {
        let down = self.differs(byte);
        (Packed { order_and_cost: self.order_and_cost ^ (down as u32) << Self::SECOND, ..self }, down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_with_large_sums_are_a_set() {
        let bytes = [7, 0, 127, 128, 129, 255, 254, 1];
        let sums = Sums(u64::from_le_bytes(bytes));
        for (sum, count) in (0..=300).flat_map(|sum| [8, 5, 1].map(|count| (sum, count))) {
            let all = u64::MAX >> (64 - 8 * count);
            let reached = |&partition: &usize| u32::from(bytes[partition]) >= sum;
            let expected = (0..count).filter(reached).fold(0, |set, partition| set | 1 << partition);
            assert_eq!(sums.at_least(sum, all), expected, "{sum} {count}");
        }
    }

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
            let moved = Packed::new(0b1011, 40, cost).moved_down(0b1101, 80 | bit);
            assert_eq!(moved, Packed::new(0b1101, 80 | bit, cost - 1));
            assert_eq!(moved.differs(byte) == 1, goes_up);
        }
    }
}

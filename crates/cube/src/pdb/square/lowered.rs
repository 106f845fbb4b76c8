//! Lowering packed entries of a fill, many in a word at once.

/// A byte of entries that have not been reached.
pub(super) const UNREACHED: u8 = 0xff;

/// Sets the entries that are in `seen` to `value`, unless they were reached before.
#[inline(always)]
pub(super) fn lower<const BITS: u32>(table: &mut [u8], seen: &[u64], value: u8) {
    let change = u64::from(UNREACHED >> (8 - BITS) ^ value);
    let in_a_word = 64 / BITS as usize;
    for (at, bytes) in (0..).step_by(in_a_word).zip(table.chunks_mut(8)) {
        let mut word = [UNREACHED; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = u64::from_le_bytes(word);
        let unreached = (1..BITS).fold(word, |unreached, bit| unreached & word >> bit);
        let seen = spread::<BITS>(seen[at / 64] >> (at % 64));
        let word = word ^ (unreached & seen) * change;
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}

/// Spreads the lowest `64 / BITS` bits, each to the lowest of `BITS` bits, which are 2 or 4.
#[inline(always)]
pub(super) fn spread<const BITS: u32>(bits: u64) -> u64 {
    let twice = |bits: u64| {
        let mut bits = bits & 0xffff_ffff;
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
        (bits | bits << 1) & 0x5555_5555_5555_5555
    };
    if BITS == 2 { twice(bits) } else { twice(twice(bits)) }
}

/// Lowers those of the 32 entries of two bits that are in `seen` (bit 0 of each) to 1, unless they are less.
#[inline(always)]
pub(super) fn to_one(entries: u64, seen: u64) -> u64 {
    let greater = entries >> 1 & seen;
    entries & !(greater << 1) | greater
}

/// Lowers those of the 32 entries of two bits that are in `seen` (bit 0 of each) to 2, unless they are less.
#[inline(always)]
pub(super) fn to_two(entries: u64, seen: u64) -> u64 {
    entries ^ entries & entries >> 1 & seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::pdb::Packed;

    #[test]
    fn seen_entries_are_lowered_unless_they_are_reached() {
        fn check<const BITS: u32>() {
            let unreached = UNREACHED >> (8 - BITS);
            let entries = 75;
            let mut bytes = vec![UNREACHED; (entries * BITS as usize).div_ceil(8)];
            let mut plain = vec![unreached; entries];
            for value in 0..3 {
                let seen: Vec<bool> =
                    (0..entries).map(|i| (i * i + i / 3) % 5 == usize::from(value)).collect();
                let mut words = [0; 2];
                for (i, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
                    words[i / 64] |= 1 << (i % 64);
                }
                lower::<BITS>(&mut bytes, &words, value);
                let lowered =
                    plain.iter_mut().zip(&seen).filter(|(entry, seen)| **seen && **entry == unreached);
                lowered.for_each(|(entry, _)| *entry = value);
                let table = Packed::<BITS, _>::new(&bytes[..], entries as u64).unwrap();
                assert_eq!(table.iter().collect::<Vec<_>>(), plain);
            }
            assert!(plain.contains(&unreached) && plain.contains(&2));
        }
        check::<2>();
        check::<4>();
    }

    #[test]
    fn all_entries_of_a_word_are_lowered_to_a_minimum() {
        type Lowered = fn(u64, u64) -> u64;
        for (value, lowered) in [(1, to_one as Lowered), (2, to_two as Lowered)] {
            for seed in 0..1_000u64 {
                let entries = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ seed << 50;
                let seen = (seed.wrapping_mul(0xd134_2543_de82_ef95) >> 13) as u32;
                let spread = spread::<2>(seen.into());
                let found = lowered(entries, spread);
                for at in 0..32 {
                    let entry = entries >> (2 * at) & 3;
                    assert_eq!(spread >> (2 * at) & 3, u64::from(seen >> at & 1));
                    let expected = if seen >> at & 1 == 1 { entry.min(value) } else { entry };
                    assert_eq!(found >> (2 * at) & 3, expected);
                }
            }
        }
    }
}

//! Sorting the children of a bucket, with questions whether to stop.
//!
//! The idea: more records than a piece are divided in place by their highest byte that differs (McIlroy, Bostic and
//! McIlroy 1993, "Engineering radix sort"), and each part is sorted by itself. So no step between two questions handles
//! more than [`PIECE`] records.

use crate::progress::Cancelled;
use crate::run::Run;

/// The maximum number of records that are handled between two questions.
pub(super) const PIECE: usize = 1 << 17;
/// The bits of a digit.
const DIGIT: u32 = 8;

/// Sorts records that are below 2 to the power of `bits`, or have all higher bits in common.
///
/// # Errors
/// [`Cancelled`]; the records are then in any order.
pub(super) fn sort(records: &mut [u64], bits: u32, run: &Run<'_>) -> Result<(), Cancelled> {
    run.check()?;
    if records.len() <= PIECE {
        records.sort_unstable();
        return Ok(());
    }
    let shift = bits.saturating_sub(DIGIT);
    let ends = divide(records, shift, run)?;
    let mut first = 0;
    for end in ends {
        if shift > 0 {
            sort(&mut records[first..end], shift, run)?;
        }
        first = end;
    }
    Ok(())
}

/// Divides records by their digit at `shift`, in ascending order. Returns the end of each part.
fn divide(records: &mut [u64], shift: u32, run: &Run<'_>) -> Result<[usize; 1 << DIGIT], Cancelled> {
    let digit = |record: u64| (record >> shift) as usize & ((1 << DIGIT) - 1);
    let mut ends = [0; 1 << DIGIT];
    for piece in records.chunks(PIECE) {
        run.check()?;
        piece.iter().for_each(|&record| ends[digit(record)] += 1);
    }
    let (mut next, mut sum) = (ends, 0);
    for (next, end) in next.iter_mut().zip(&mut ends) {
        (*next, sum) = (sum, sum + *end);
        *end = sum;
    }
    let mut moved = 0;
    for part in 0..ends.len() {
        while next[part] < ends[part] {
            // A cycle: each record takes the next place of its part, until one belongs here.
            let mut record = records[next[part]];
            while digit(record) != part {
                let place = &mut next[digit(record)];
                std::mem::swap(&mut record, &mut records[*place]);
                *place += 1;
                moved += 1;
                if moved % PIECE == 0 {
                    run.check()?;
                }
            }
            records[next[part]] = record;
            next[part] += 1;
        }
    }
    Ok(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cancel;

    fn records(count: u64, bits: u32) -> Vec<u64> {
        (0..count).map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)).collect()
    }

    #[test]
    fn records_are_sorted() {
        for (count, bits) in [(0, 8), (1000, 40), (3 * PIECE as u64, 60), (3 * PIECE as u64, 7)] {
            let mut sorted = records(count, bits);
            sort(&mut sorted, bits, &Run::new()).expect("not cancelled");
            let mut expected = records(count, bits);
            expected.sort_unstable();
            assert_eq!(sorted, expected, "{count} of {bits} bits");
        }
    }

    #[test]
    fn a_sort_asks_whether_to_stop() {
        let mut question = 1;
        while sort(&mut records(1 << 20, 50), 50, &Run::new().with_cancel(&Cancel::at_question(question)))
            .is_err()
        {
            question += 1;
        }
        assert!(question > 16, "{question}");
    }
}

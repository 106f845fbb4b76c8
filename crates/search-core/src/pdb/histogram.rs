//! The number of entries of a table with each value, and exact figures derived from it.

use crate::cast::to_u64;
use crate::run::Run;
use std::sync::Mutex;

use crate::pdb::Packed;

/// The distribution of a table's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// `counts[v]` entries have the value `v`; no trailing zeros.
    pub counts: Vec<u64>,
    /// The number of entries not reached.
    pub unreached: u64,
}

impl Histogram {
    /// Creates a histogram from the counts of the values 0, 1, 2, … and the number of entries not reached.
    pub fn new(mut counts: Vec<u64>, unreached: u64) -> Histogram {
        while counts.last() == Some(&0) {
            counts.pop();
        }
        Histogram { counts, unreached }
    }

    /// Counts the entries of `table`, in parallel. (Of a table modulo 3, these are residues.)
    pub fn of<const BITS: u32, B: AsRef<[u8]> + Sync>(table: &Packed<BITS, B>, run: &Run<'_>) -> Histogram {
        let bytes = count_bytes(table.as_bytes(), run);
        let per_byte = 8 / BITS;
        let mut counts = vec![0u64; 256];
        for (byte, &count) in bytes.iter().enumerate() {
            for place in 0..per_byte {
                counts[byte >> (place * BITS) & usize::from(Packed::<BITS, ()>::UNREACHED)] += count;
            }
        }
        // Padding of the last byte is not an entry.
        for place in table.len()..to_u64(table.as_bytes().len()) * u64::from(per_byte) {
            counts[usize::from(table.get(place))] -= 1;
        }
        let unreached = std::mem::take(&mut counts[usize::from(Packed::<BITS, ()>::UNREACHED)]);
        Histogram::new(counts, unreached)
    }

    /// The number of entries that have a value.
    pub fn reached(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The greatest value, or `None` when no entry has one.
    pub fn max(&self) -> Option<u8> {
        self.counts.len().checked_sub(1).map(|max| max as u8)
    }

    /// The exact sum of all values.
    pub fn sum(&self) -> u128 {
        self.counts.iter().zip(0u128..).map(|(&count, value)| u128::from(count) * value).sum()
    }

    /// The expected value of an entry chosen uniformly among those that have one (Korf 1997, table of section 4),
    /// accurate to the last bits of a double; not a number if no entry has a value.
    pub fn expected(&self) -> f64 {
        self.sum() as f64 / self.reached() as f64
    }

    /// The expected value of the maximum of independent draws from several distributions, as Korf (1997) computes it
    /// for several databases: P(max ≤ v) is the product of P(each ≤ v).
    pub fn expected_max(parts: &[Histogram]) -> f64 {
        let top = parts.iter().map(|part| part.counts.len()).max().unwrap_or(0);
        let fraction = |part: &Histogram, v: usize| {
            part.counts.iter().take(v + 1).sum::<u64>() as f64 / part.reached() as f64
        };
        let at_most = |v: usize| -> f64 { parts.iter().map(|part| fraction(part, v)).product() };
        // E[max] is the sum over v of P(max > v).
        (0..top).map(|v| 1.0 - at_most(v)).sum()
    }
}

/// The number of bytes of each value.
fn count_bytes(bytes: &[u8], run: &Run<'_>) -> Vec<u64> {
    let chunks: Vec<&[u8]> = bytes.chunks(1 << 16).collect();
    let all = Mutex::new(vec![0; 256]);
    run.for_each(chunks.len(), &|number| {
        let mut counts = [0; 256];
        for &byte in chunks[number] {
            counts[usize::from(byte)] += 1;
        }
        let mut all = all.lock().expect("no thread panics while it adds");
        all.iter_mut().zip(counts).for_each(|(all, count): (&mut u64, u64)| *all += count);
    });
    all.into_inner().expect("no thread panicked")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_bytes_counts_entries(bytes in prop::collection::vec(any::<u8>(), 1..300), spare in 0..4u64) {
            let entries = (bytes.len() as u64 * 4).saturating_sub(spare);
            let table = Packed::<2, _>::new(bytes.clone(), entries).unwrap();
            let histogram = Histogram::of(&table, &Run::new());
            for value in 0..3 {
                let count = table.iter().filter(|&v| v == value).count() as u64;
                prop_assert_eq!(histogram.counts.get(usize::from(value)).copied().unwrap_or(0), count);
            }
            prop_assert_eq!(histogram.unreached + histogram.reached(), entries);
            let wide = Histogram::of(&Packed::<8, _>::new(bytes.clone(), bytes.len() as u64).unwrap(), &Run::new());
            prop_assert_eq!(wide.sum(), bytes.iter().filter(|&&b| b < 255).map(|&b| u128::from(b)).sum::<u128>());
        }
    }

    #[test]
    fn expected_values_are_exact() {
        let dice = Histogram::new(vec![0, 1, 1, 1, 1, 1, 1, 0], 3);
        assert_eq!((dice.max(), dice.reached(), dice.unreached), (Some(6), 6, 3));
        assert_eq!(dice.expected(), 3.5);
        assert!((Histogram::expected_max(&[dice.clone(), dice.clone()]) - 161.0 / 36.0).abs() < 1e-12);
        assert_eq!(Histogram::expected_max(std::slice::from_ref(&dice)), 3.5);
        assert_eq!(Histogram::default().max(), None);
    }
}

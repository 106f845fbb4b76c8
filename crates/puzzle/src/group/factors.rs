//! Large numbers as products of primes.

use std::collections::BTreeMap;
use std::fmt;

/// A positive number as the exponents of its prime factors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Factors(BTreeMap<usize, u32>);

impl Factors {
    /// The number 1.
    pub fn one() -> Factors {
        Factors::default()
    }

    /// Multiplies by a positive number.
    ///
    /// # Panics
    /// If the number is 0.
    pub fn multiply(&mut self, number: usize) {
        for (prime, exponent) in primes(number) {
            *self.0.entry(prime).or_insert(0) += exponent;
        }
    }

    /// Divides by a divisor.
    ///
    /// # Panics
    /// If the number is 0 or no divisor.
    pub fn divide(&mut self, number: usize) {
        for (prime, exponent) in primes(number) {
            let left = self.0.get(&prime).and_then(|had| had.checked_sub(exponent));
            match left.expect("a divisor") {
                0 => self.0.remove(&prime),
                left => self.0.insert(prime, left),
            };
        }
    }

    /// Multiplies by a number.
    pub fn multiply_by(&mut self, other: &Factors) {
        for (prime, exponent) in other.exponents() {
            *self.0.entry(prime).or_insert(0) += exponent;
        }
    }

    /// Divides by a divisor.
    ///
    /// # Panics
    /// If the number is no divisor.
    pub fn divide_by(&mut self, other: &Factors) {
        for (prime, exponent) in other.exponents() {
            (0..exponent).for_each(|_| self.divide(prime));
        }
    }

    /// The exponent of each prime factor.
    pub fn exponents(&self) -> impl Iterator<Item = (usize, u32)> {
        self.0.iter().map(|(&prime, &exponent)| (prime, exponent))
    }

    /// The product in decimal digits.
    pub fn decimal(&self) -> String {
        const LIMB: u64 = 1_000_000_000;
        let mut limbs: Vec<u64> = vec![1];
        for (&prime, &exponent) in &self.0 {
            for _ in 0..exponent {
                let mut carry = 0;
                for limb in &mut limbs {
                    let product = *limb * prime as u64 + carry;
                    (*limb, carry) = (product % LIMB, product / LIMB);
                }
                while carry > 0 {
                    limbs.push(carry % LIMB);
                    carry /= LIMB;
                }
            }
        }
        let last = limbs.pop().expect("at least one limb").to_string();
        limbs.iter().rev().fold(last, |text, limb| text + &format!("{limb:09}"))
    }
}

/// `2^27 · 3^14 · 5^3`; `1` for 1.
impl fmt::Display for Factors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("1");
        }
        let factor = |(prime, exponent): (&usize, &u32)| match exponent {
            1 => prime.to_string(),
            _ => format!("{prime}^{exponent}"),
        };
        f.write_str(&self.0.iter().map(factor).collect::<Vec<_>>().join(" · "))
    }
}

/// The prime factors of a number with their exponents.
fn primes(mut number: usize) -> Vec<(usize, u32)> {
    assert!(number > 0, "0 has no prime factors");
    let (mut found, mut prime) = (Vec::new(), 2);
    while number > 1 {
        if prime * prime > number {
            prime = number;
        }
        let mut exponent = 0;
        while number.is_multiple_of(prime) {
            (number, exponent) = (number / prime, exponent + 1);
        }
        if exponent > 0 {
            found.push((prime, exponent));
        }
        prime += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_printed_exactly() {
        let mut factorial = Factors::one();
        for number in 1..=25 {
            factorial.multiply(number);
        }
        assert_eq!(factorial.decimal(), "15511210043330985984000000");
        assert_eq!(factorial.to_string(), "2^22 · 3^10 · 5^6 · 7^3 · 11^2 · 13 · 17 · 19 · 23");
        (2..=25).for_each(|number| factorial.divide(number));
        assert_eq!((factorial.decimal(), factorial.to_string()), ("1".to_owned(), "1".to_owned()));
    }
}

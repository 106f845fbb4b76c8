//! Bytes taken from the front of an input.

/// The rest of an input.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte; 0 when none is left.
    pub fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    /// A number below `limit`, which is at most 256, from the next byte.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// The next eight bytes as a number, least significant byte first; missing ones are 0.
    pub fn word(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// The words until the end, the last one filled with zeros.
    pub fn words(mut self) -> Vec<u64> {
        let mut words = Vec::with_capacity(self.0.len().div_ceil(8));
        while !self.0.is_empty() {
            words.push(self.word());
        }
        words
    }

    /// The bytes that are left as text, if they are text.
    pub fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }
}

impl Iterator for Input<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }
}

//! The times of the columns of a block: of one byte, or of two where paths within a block are longer.
//!
//! Columns are handled in lines of 64 bytes, a cache line each, so that loops over a line become a few vector
//! instructions.

use bytemuck::Pod;
use std::fmt::Debug;

/// A time, relative to that at which its block is first reached.
pub trait Time: Pod + Ord + Send + Sync + Debug + Into<u32> {
    /// A line of times.
    type Line: Pod + Send + Sync + AsRef<[Self]> + AsMut<[Self]>;
    /// The number of times of a line.
    const LINE: usize;
    /// The time of a column that is not reached.
    const NEVER: Self;
    /// The latest time.
    const LAST: Self;
    /// The time at which a block is first reached.
    const ZERO: Self;

    /// This number as a time, if it is less than [`NEVER`](Time::NEVER).
    fn of(time: u32) -> Option<Self>;

    /// The sum; [`NEVER`](Time::NEVER) where it is too large.
    #[must_use]
    fn plus(self, more: Self) -> Self;

    /// The difference; zero where it would be negative.
    #[must_use]
    fn less(self, other: Self) -> Self;
}

macro_rules! time {
    ($time:ty, $line:expr) => {
        impl Time for $time {
            type Line = [$time; $line];
            const LINE: usize = $line;
            const NEVER: $time = <$time>::MAX;
            const LAST: $time = <$time>::MAX - 1;
            const ZERO: $time = 0;
            #[inline(always)]
            fn of(time: u32) -> Option<$time> {
                <$time>::try_from(time).ok().filter(|&time| time != <$time>::MAX)
            }
            #[inline(always)]
            fn plus(self, more: $time) -> $time {
                self.saturating_add(more)
            }
            #[inline(always)]
            fn less(self, other: $time) -> $time {
                self.saturating_sub(other)
            }
        }
    };
}
time!(u8, 64);
time!(u16, 32);

/// The lines of columns whose number is a multiple of those of a line.
#[inline(always)]
pub fn lines<T: Time>(times: &[T]) -> &[T::Line] {
    bytemuck::cast_slice(times)
}

/// Like [`lines`], mutable.
#[inline(always)]
pub fn lines_mut<T: Time>(times: &mut [T]) -> &mut [T::Line] {
    bytemuck::cast_slice_mut(times)
}

/// The least time of a line.
#[inline(always)]
pub fn least<T: Time>(line: &T::Line) -> T {
    line.as_ref().iter().fold(T::NEVER, |least, &at| least.min(at))
}

/// The greatest time of a line.
#[inline(always)]
pub fn greatest<T: Time>(line: &T::Line) -> T {
    line.as_ref().iter().fold(T::ZERO, |greatest, &at| greatest.max(at))
}

/// The least time of a line that is later than `time`.
#[inline(always)]
pub fn later<T: Time>(line: &T::Line, time: T) -> T {
    line.as_ref().iter().fold(T::NEVER, |least, &at| least.min(if at > time { at } else { T::NEVER }))
}

/// Marks the times of a line that are exactly `time`.
#[inline(always)]
pub fn equal<T: Time>(line: &T::Line, time: T) -> T::Line {
    let mut marks = *line;
    for mark in marks.as_mut() {
        *mark = if *mark == time { T::NEVER } else { T::ZERO };
    }
    marks
}

/// Marks the times of a line that are exactly `time`, where those of `there` are later than `passed`.
#[inline(always)]
pub fn earlier<T: Time>(line: &T::Line, time: T, there: &T::Line, passed: T) -> T::Line {
    let mut marks = *line;
    for (mark, there) in marks.as_mut().iter_mut().zip(there.as_ref()) {
        *mark = if (*mark == time) & (*there > passed) { T::NEVER } else { T::ZERO };
    }
    marks
}

/// A line in reverse order.
#[inline(always)]
pub fn reversed<T: Time>(line: &T::Line) -> T::Line {
    let mut line = *line;
    line.as_mut().reverse();
    line
}

/// Calls `visit` with the index of each value of a line that is not zero.
#[inline(always)]
pub fn each_marked<T: Time>(marks: &T::Line, mut visit: impl FnMut(usize)) {
    let (bits, each) = (512 / T::LINE as u32, T::LINE / 8);
    let mut words = [0u64; 8];
    bytemuck::bytes_of_mut(&mut words).copy_from_slice(bytemuck::bytes_of(marks));
    for (word, mut rest) in words.into_iter().enumerate() {
        while rest != 0 {
            let bit = rest.trailing_zeros() & !(bits - 1);
            rest &= !(((1 << bits) - 1) << bit);
            let at = (bit / bits) as usize;
            // The first value of a word is in the lowest bits, or in the highest ones.
            visit(each * word + if cfg!(target_endian = "little") { at } else { each - 1 - at });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn check<T: Time + TryFrom<usize>>() {
        let number = |at: usize| T::try_from(at).ok().unwrap();
        let mut line = T::Line::zeroed();
        line.as_mut().iter_mut().enumerate().for_each(|(at, time)| *time = number(at % 5));
        let fives = |rest: usize| (0..T::LINE).filter(move |at| at % 5 == rest);
        let marked = |marks: &T::Line| {
            let mut found = Vec::new();
            each_marked::<T>(marks, |at| found.push(at));
            found
        };
        assert!(marked(&equal(&line, number(3))).into_iter().eq(fives(3)));
        assert!(marked(&line).into_iter().eq((0..T::LINE).filter(|at| at % 5 != 0)));
        let mut there = T::Line::zeroed();
        there.as_mut()[8] = number(2);
        assert_eq!(marked(&earlier(&line, number(3), &there, number(1))), [8]);
        assert_eq!(marked(&reversed::<T>(&there)), [T::LINE - 9]);
        assert!(marked(&earlier(&line, number(3), &line, number(3))).is_empty());
        assert_eq!((least(&line), greatest(&line)), (number(0), number(4)));
        assert_eq!((later(&line, number(2)), later(&line, number(4))), (number(3), T::NEVER));
    }

    #[test]
    fn lines_of_bytes_and_of_pairs_of_bytes_are_searched() {
        check::<u8>();
        check::<u16>();
    }
}

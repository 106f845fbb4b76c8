//! Runs hot code with the vector instructions that this machine has.
//!
//! Programs are compiled for the baseline processor. [`vectorized`] compiles its argument a second time with wider
//! instructions, and picks one of the two at run time. For this, the argument and everything that it calls must be
//! inlined: mark them `#[inline(always)]`. A closure cannot be marked, and a long one may not be inlined, so
//! [`run_vectorized`] takes a [`Vectorizable`] instead. Code that uses such instructions explicitly, and so exists once for
//! each [`Target`], is called through [`ForTarget::run`].
//!
//! ```
//! let words: Vec<u64> = (0..1024).collect();
//! let ones = search_core::simd::vectorized(
//!     #[inline(always)]
//!     || words.iter().map(|word| word.count_ones()).sum::<u32>(),
//! );
//! assert_eq!(ones, 5120);
//! ```

/// A set of instructions that code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Target {
    /// Chosen at run time between the baseline and AVX2.
    #[default]
    Detected,
    /// The instructions that every processor of the family has.
    Baseline,
    /// AVX2, both BMI sets and POPCNT.
    Avx2,
    /// The instructions of `Avx2`, and AVX-512 with its byte, short-vector and doubleword instructions.
    Avx512,
}

impl Target {
    /// Whether this machine has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            Target::Detected | Target::Baseline => true,
            Target::Avx2 => has_avx2(),
            Target::Avx512 => has_avx512(),
        }
    }
}

/// A type that represents code compiled for one target.
pub trait ForTarget {
    /// The target.
    const TARGET: Target;

    /// Calls `f`, compiled for the target and for no other.
    ///
    /// # Panics
    /// If the machine lacks the instructions.
    #[inline(always)]
    fn run<R>(f: impl FnOnce() -> R) -> R {
        assert!(Self::TARGET.is_available(), "the machine has the instructions");
        // Each condition is a constant block, so that excluded code is not even compiled.
        if const { matches!(Self::TARGET, Target::Detected) } {
            vectorized(f)
        } else if const { matches!(Self::TARGET, Target::Avx2) } {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the assertion above found the target's features.
            return unsafe { with_avx2(f) };
            #[cfg(not(target_arch = "x86_64"))]
            unreachable!("AVX2 is not available")
        } else if const { matches!(Self::TARGET, Target::Avx512) } {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the assertion above found the target's features.
            return unsafe { with_avx512(f) };
            #[cfg(not(target_arch = "x86_64"))]
            unreachable!("AVX-512 is not available")
        } else {
            f()
        }
    }
}

/// Calls `f`, compiled for AVX2, BMI and POPCNT where the machine has them.
#[inline]
pub fn vectorized<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: `has_avx2` has just found every feature that `with_avx2` is compiled for.
        return unsafe { with_avx2(f) };
    }
    f()
}

/// Work of any length that is also compiled for wider instructions.
pub trait Vectorizable {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations are marked `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs `work`, compiled for AVX-512 with its population count, or for AVX2, BMI and POPCNT, where the
/// machine has them.
#[inline]
pub fn run_vectorized<W: Vectorizable>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() && is_x86_feature_detected!("avx512vpopcntdq") {
        // SAFETY: every feature that `work_with_avx512` is compiled for has just been found.
        return unsafe { work_with_avx512(work) };
    } else if has_avx2() {
        // SAFETY: `has_avx2` has just found every feature that `work_with_avx2` is compiled for.
        return unsafe { work_with_avx2(work) };
    }
    work.run()
}

/// Whether this machine has AVX2, both BMI sets and POPCNT, so that [`vectorized`] uses them. False on processors other
/// than x86-64.
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        has_avx2()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn with_avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn work_with_avx2<W: Vectorizable>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
fn with_avx512<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt")]
fn work_with_avx512<W: Vectorizable>(work: W) -> W::Output {
    work.run()
}

//! Runs hot code with the vector instructions that this machine has.
//!
//! What ships is compiled for the baseline processor. [`vectorized`] compiles its argument a
//! second time with wider instructions, and picks one of the two at run time. For this the
//! argument and all that it calls must be inlined: mark them `#[inline(always)]`.

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

/// Whether this machine has AVX2, both BMI sets and POPCNT: whether [`vectorized`] runs its
/// argument with them. False off x86-64.
pub fn has_avx2() -> bool {
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

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn with_avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}
